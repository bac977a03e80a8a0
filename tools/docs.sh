#!/usr/bin/env bash
# The site: docs/*.md and the docstrings as out/docs/index.html. Warnings are errors.

source "$(dirname "$0")/common.sh"

tools/setup.sh
env="$root/build/docs/env" stamp="$root/build/docs/env/requirements.stamp"
if [[ ! -f $stamp ]] || ! cmp -s "$stamp" tools/requirements-docs.txt; then
  say "installing what builds the site into $env"
  rm -rf "$env"
  "$python" -m venv "$env"
  "$env/bin/python" -m pip install -q --disable-pip-version-check -r tools/requirements-docs.txt numpy </dev/null
  cp tools/requirements-docs.txt "$stamp"
fi
site_packages=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["platlib"])')
# Only the library comes from .venv.
mkdir -p build/docs/library
ln -sfn "$site_packages/mlx" build/docs/library/mlx
PYTHONPATH="$root/build/docs/library" "$env/bin/python" docs/site/build.py
say "out/docs/index.html"
