#!/bin/sh
# Builds the C++ tests with sanitizers and runs them. Usage: run_sanitizers.sh [asan|tsan|scheduler] ...
#   asan       addresses, leaks and undefined behaviour, all tests
#   tsan       data races, all tests
#   scheduler  data races, the tests of the core only
# Without arguments: asan and tsan. Stops at the first test that fails. JOBS sets the number of compile jobs.
set -eu
cd "$(dirname "$0")/.."
jobs=${JOBS:-2}
core_tests="allocator_test array_test eval_test event_test fake_device_test interrupt_test"
core_tests="$core_tests process_test thread_pool_test"
# What compiles fast and is enough for these.
light="-DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O1 -DMLX_ISA_LEVELS=base -DMLX_ISA_OPTIMIZATION=-O1"

# Threads in the child of a fork are legal here (the library has a protocol for it) but not by default in
# tsan; and tsan
# sleeps a second at exit, which the tests of the end of a process would measure.
export TSAN_OPTIONS="halt_on_error=1 die_after_fork=0 atexit_sleep_ms=0 ${TSAN_OPTIONS:-}"
export ASAN_OPTIONS="detect_leaks=1 ${ASAN_OPTIONS:-}"
export UBSAN_OPTIONS="halt_on_error=1 print_stacktrace=1 ${UBSAN_OPTIONS:-}"

# run FOLDER FLAGS [TEST ...]
run() {
  folder=$1 flags=$2
  shift 2
  # shellcheck disable=SC2086
  cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DMLX_BUILD_TESTS=ON -DMLX_BUILD_EXAMPLES=OFF \
    '-DMLX_ISA_LEVELS=base;v3' $flags >/dev/null
  ninja -C "$folder" -j "$jobs" "$@"
  [ $# -gt 0 ] || set -- $(cd "$folder/tests/cpp" && ls | grep '_test$')
  for test in "$@"; do
    echo "== $folder $test"
    "$folder/tests/cpp/$test" --gtest_brief=1
  done
}

[ $# -gt 0 ] || set -- asan tsan
for kind in "$@"; do
  case $kind in
    asan) run build-asan "-DUSE_ASAN=ON -DUSE_UBSAN=ON" ;;
    tsan) run build-tsan "-DUSE_TSAN=ON" ;;
    scheduler) run build-scheduler "-DUSE_TSAN=ON $light" $core_tests ;;
    *) echo "unknown sanitizer: $kind" >&2; exit 2 ;;
  esac
done
echo "sanitizers: no findings"
