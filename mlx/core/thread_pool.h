// The one thread pool of the process. Loops may be nested and may run from several threads at once; the calling
// thread takes part in its own loop.
#pragma once

#include <cstdint>

#include "mlx/core/function_ref.h"

namespace mlx::core {

// Threads that a loop may use, the calling one included.
int num_threads();

// n >= 1, otherwise std::invalid_argument.
void set_num_threads(int n);

// Runs body(0) ... body(count - 1) in any order. The first exception is rethrown once all running bodies are done.
void parallel_for(int64_t count, FunctionRef<void(int64_t)> body);

// Cuts [0, n) into chunks of at least `grain` elements, a partition that depends on n and grain only, and runs
// body(begin, end) for each. One chunk runs inline.
void parallel_chunks(int64_t n, int64_t grain, FunctionRef<void(int64_t, int64_t)> body);

// The same with body(i) for each element.
template <typename F>
void parallel_for(int64_t n, int64_t grain, F body) {
  parallel_chunks(n, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) body(i);
  });
}

}  // namespace mlx::core
