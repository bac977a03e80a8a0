// Evenly spaced numbers.

#include "mlx/ops/arange_primitive.h"

#include "mlx/backend/cpu/eval.h"
#include "mlx/core/convert.h"
#include "mlx/core/dispatch.h"
#include "mlx/core/thread_pool.h"

namespace mlx::core::cpu {

namespace {

// Integers count from the truncated start in truncated steps, and wrap.
template <typename T>
void fill_integers(T* to, double start, double step, int64_t begin, int64_t end) {
  uint64_t first = static_cast<uint64_t>(convert_element<T>(start));
  uint64_t by = static_cast<uint64_t>(convert_element<std::make_signed_t<T>>(step));
  for (int64_t i = begin; i < end; i++) to[i] = static_cast<T>(first + static_cast<uint64_t>(i) * by);
}

template <typename T>
void fill(T* to, double start, double step, int64_t begin, int64_t end) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    fill_integers(to, start, step, begin, end);
  } else {
    for (int64_t i = begin; i < end; i++) {
      to[i] = convert_element<T>(i == 0 ? start : start + static_cast<double>(i) * step);
    }
  }
}

}  // namespace

void eval(Arange& primitive, InputSpan, OutputSpan outputs) {
  array& out = outputs[0];
  out.set_data(allocator::malloc(out.nbytes()));
  dispatch_dtype(out.dtype(), [&]<typename T>(TypeTag<T>) {
    parallel_chunks(static_cast<int64_t>(out.size()), 8192, [&](int64_t begin, int64_t end) {
      fill(out.data<T>(), primitive.start(), primitive.step(), begin, end);
    });
  });
}

}  // namespace mlx::core::cpu
