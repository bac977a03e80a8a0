#!/usr/bin/env bash
# Fuzzes the loaders of files with clang's libFuzzer and the address sanitizer.
# Usage: tools/fuzz.sh [SECONDS [FORMAT ...]]   (60 seconds each for npy, safetensors, gguf, mlxfn)
# A finding is left in out/fuzz and makes the script fail.

source "$(dirname "$0")/common.sh"

seconds=${1:-60}
formats=("${@:2}")
(( ${#formats[@]} )) || formats=(npy safetensors gguf mlxfn)

tools/setup.sh
command -v clang++ >/dev/null || fail "Missing: clang. Type: sudo apt-get install -y clang"
export PATH="$root/.venv/bin:$PATH"
flags="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -O1 -g"
cmake -S . -B build-fuzz -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_COMPILER=clang++ "-DCMAKE_CXX_FLAGS=$flags" \
  -DMLX_BUILD_FUZZERS=ON -DMLX_BUILD_TESTS=OFF -DMLX_ISA_LEVELS=base >/dev/null
ninja -C build-fuzz -j "$(build_jobs)" "${formats[@]/#/fuzz_}"
"$python" tests/fuzz/make_seeds.py out/fuzz/seeds
for format in "${formats[@]}"; do
  say "fuzzing $format for $seconds seconds"
  mkdir -p "out/fuzz/corpus/$format"
  build-fuzz/tests/fuzz/fuzz_"$format" -max_total_time="$seconds" -rss_limit_mb=2048 -malloc_limit_mb=512 \
    -artifact_prefix=out/fuzz/ -print_final_stats=1 "out/fuzz/corpus/$format" "out/fuzz/seeds/$format" 2>&1 | tail -8
done
say "fuzzing: no findings"
