#!/usr/bin/env bash
# System packages, .venv, the library built and installed into it. Does only what is missing or out of date.
# Usage: tools/setup.sh [--tests]   (--tests: build the C++ tests too)

source "$(dirname "$0")/common.sh"

# The system ------------------------------------------------------------------------------------------------

# A Python with venv and headers; MLX_PYTHON names another one.
usable_python() {
  "$1" - >/dev/null 2>&1 <<'PY'
import ensurepip, os, sys, sysconfig, venv
header = os.path.join(sysconfig.get_paths()["include"], "Python.h")
sys.exit(sys.version_info < (3, 10) or not os.path.exists(header))
PY
}

find_python() {
  for candidate in ${MLX_PYTHON:+"$MLX_PYTHON"} python3 python3.13 python3.12 python3.11 python3.10; do
    if command -v "$candidate" >/dev/null && usable_python "$candidate"; then
      command -v "$candidate"
      return
    fi
  done
}

# Debian packages that have to come from the system. cmake and ninja do not: .venv can hold them.
missing_packages() {
  command -v g++ >/dev/null || echo g++
  if [[ $tests == ON ]] && ! echo '#include <gtest/gtest.h>' | g++ -E -x c++ - >/dev/null 2>&1; then
    echo libgtest-dev
  fi
  [[ -n $(find_python) ]] || echo python3 python3-venv python3-dev
}

wanted_packages() {
  command -v cmake >/dev/null || echo cmake
  command -v ninja >/dev/null || echo ninja-build
  command -v ccache >/dev/null || echo ccache
}

install_packages() {
  local missing wanted sudo=()
  missing=$(missing_packages | xargs)
  wanted=$(wanted_packages | xargs)
  [[ -z $missing$wanted ]] && return
  if command -v apt-get >/dev/null; then
    if (( EUID != 0 )) && command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      sudo=(sudo -n)
    fi
    if (( EUID == 0 || ${#sudo[@]} )); then
      say "installing $missing $wanted"
      # shellcheck disable=SC2086
      if "${sudo[@]}" apt-get update -qq </dev/null &&
        "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
          $missing $wanted </dev/null >/dev/null; then
        hash -r
        missing=$(missing_packages | xargs)
      fi
    fi
  fi
  wanted=$(wanted_packages | xargs)
  [[ -z $missing ]] || fail "Missing: $missing. Type: sudo apt-get install -y $missing${wanted:+ $wanted}"
}

# .venv -----------------------------------------------------------------------------------------------------

make_venv() {
  local base stamp="$root/.venv/requirements.stamp" wanted requirements=(-r tools/requirements.txt)
  command -v cmake >/dev/null || requirements+=("cmake>=3.25")
  command -v ninja >/dev/null || requirements+=(ninja)
  wanted="$(cat tools/requirements.txt) ${requirements[*]}"
  if ! "$python" -c 'import pip' 2>/dev/null; then
    base=$(find_python)
    say "making .venv with $("$base" --version)"
    rm -rf .venv
    "$base" -m venv .venv
  fi
  if [[ ! -f $stamp || $(cat "$stamp") != "$wanted" ]]; then
    say "installing Python packages into .venv"
    "$python" -m pip install -q --disable-pip-version-check "${requirements[@]}" </dev/null
    printf '%s\n' "$wanted" > "$stamp"
  fi
  export PATH="$root/.venv/bin:$PATH"
}

# The library -----------------------------------------------------------------------------------------------

# Names, sizes and times of all files that the build reads.
fingerprint() {
  local folders=(mlx python cmake CMakeLists.txt pyproject.toml)
  [[ $1 == ON ]] && folders+=(tests/cpp)
  { echo "$1"; find "${folders[@]}" -type f -not -name '*.pyc' -printf '%p %s %T@\n' | sort; } | sha256sum
}

build_and_install() {
  local tests=$1 folder stamp log print now
  folder="build/py-$("$python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')"
  stamp="$folder/installed.stamp" log="$folder/install.log"
  mkdir -p "$folder"
  # A folder that has tests keeps them: going back and forth would configure each time.
  if [[ -f $folder/CMakeCache.txt ]] && grep -q '^MLX_BUILD_TESTS:[A-Z]*=ON' "$folder/CMakeCache.txt"; then
    tests=ON
  fi
  now=$(fingerprint "$tests")
  if [[ -f $stamp && $(cat "$stamp") == "$now" ]] && (cd / && "$python" -c 'import mlx.core' 2>/dev/null); then
    return
  fi
  rm -f "$stamp"
  CMAKE_BUILD_PARALLEL_LEVEL=$(build_jobs)
  export CMAKE_BUILD_PARALLEL_LEVEL
  say "building with $CMAKE_BUILD_PARALLEL_LEVEL jobs in $folder"
  # On a terminal ninja's lines overwrite each other.
  print='{ print; fflush() }'
  [[ -t 1 ]] && print='{ printf "\r%.*s\033[K", 100, $0; fflush() } END { print "" }'
  if ! "$python" -m pip install -v --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall \
    -Cbuild-dir="$folder" -Ccmake.define.MLX_BUILD_TESTS="$tests" . </dev/null 2>&1 |
    tee "$log" | awk '/^ *\[[0-9]+\/[0-9]+\]/ { sub(/^ */, "") } /^\[[0-9]+\/[0-9]+\]/ '"$print"; then
    grep -n -i -m 20 -A 5 -e 'error' -e 'undefined reference' "$log" >&2 || tail -n 40 "$log" >&2
    fail "The build failed; its log: $log"
  fi
  (cd / && "$python" -c 'import mlx.core') || fail "The build passed, but mlx.core does not import."
  printf '%s\n' "$now" > "$stamp"
}

tests=OFF
[[ ${1:-} == --tests ]] && tests=ON
mkdir -p build
exec 9> build/setup.lock
flock 9 2>/dev/null || true
install_packages
make_venv
build_and_install "$tests"
