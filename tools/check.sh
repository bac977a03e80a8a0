#!/usr/bin/env bash
# Layers, style, lint and the layout of Python files; --layout: the layout of C++ files too; --fix rewrites.

source "$(dirname "$0")/common.sh"
[[ -x $python ]] && "$python" -c 'import ruff' 2>/dev/null || tools/setup.sh

failed=()
check() {
  local name=$1
  shift
  if "$@"; then say "$name: fine"; else failed+=("$name"); fi
}

mapfile -d '' cpp < <(git ls-files -z -- '*.cpp' '*.h')
if [[ ${1:-} == --fix ]]; then
  "$python" -m ruff check -q --fix . || true
  "$python" -m ruff format -q .
  if (( ${#cpp[@]} )); then .venv/bin/clang-format -i "${cpp[@]}"; fi
fi
check layers "$python" tools/check_layers.py
check style "$python" tools/check_style.py
check lint "$python" -m ruff check -q .
check "layout of Python" "$python" -m ruff format -q --check .
if [[ ${1:-} == --layout ]] && (( ${#cpp[@]} )); then
  check "layout of C++" .venv/bin/clang-format --dry-run -Werror "${cpp[@]}"
fi
(( ${#failed[@]} == 0 )) || fail "checks failed: ${failed[*]}"
