// Recurrence: y[i] = a[i] y[i - 1] + b[i] along an axis.

#include <algorithm>

#include "mlx/backend/cpu/copy.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/scan.h"
#include "mlx/core/dispatch.h"
#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops/scan_primitives.h"
#include "mlx/types/complex.h"

namespace mlx::core::cpu {

namespace {

template <typename T>
AccumulatorOf<T> next(const T& a, const AccumulatorOf<T>& y, const T& b) {
  using A = AccumulatorOf<T>;
  if constexpr (std::is_same_v<T, complex64_t>) {
    return {a.real() * y.real() - a.imag() * y.imag() + b.real(),
            a.real() * y.imag() + a.imag() * y.real() + b.imag()};
  } else if constexpr (std::is_integral_v<T> && sizeof(T) < 4) {
    return static_cast<A>(static_cast<uint32_t>(a) * static_cast<uint32_t>(y) + static_cast<uint32_t>(b));
  } else {
    return static_cast<A>(a) * y + static_cast<A>(b);
  }
}

template <typename T>
void run_chains(const T* a, const T* b, T* y, const ScanShape& shape, int64_t first, int64_t step) {
  int64_t grain = std::max<int64_t>(scan_grain / shape.n, 1);
  parallel_for(shape.outer * shape.inner, grain, [&](int64_t k) {
    AccumulatorOf<T> last(0);
    for (int64_t i = 0, at = shape.chain(k) + first; i < shape.n; i++, at += step) {
      last = next(a[at], last, b[at]);
      y[at] = static_cast<T>(last);
    }
  });
}

template <typename T>
void run_columns(const T* a, const T* b, T* y, const ScanShape& shape, int64_t first, int64_t step) {
  int64_t tiles = ceil_div(shape.inner, column_tile);
  int64_t grain = std::max<int64_t>(scan_grain / (shape.n * std::min(shape.inner, column_tile)), 1);
  parallel_chunks(shape.outer * tiles, grain, [&](int64_t begin, int64_t end) {
    AccumulatorOf<T> last[column_tile];
    for (int64_t task = begin; task < end; task++) {
      int64_t column = task % tiles * column_tile, width = std::min(column_tile, shape.inner - column);
      int64_t at = task / tiles * shape.n * shape.inner + column + first;
      std::fill(last, last + width, AccumulatorOf<T>(0));
      for (int64_t i = 0; i < shape.n; i++, at += step) {
        for (int64_t c = 0; c < width; c++) {
          last[c] = next(a[at + c], last[c], b[at + c]);
          y[at + c] = static_cast<T>(last[c]);
        }
      }
    }
  });
}

}  // namespace

void eval(Recurrence& primitive, InputSpan inputs, OutputSpan outputs) {
  array& out = outputs[0];
  out.set_data(allocator::malloc(out.nbytes()));
  if (out.size() == 0) return;
  array a = row_major(inputs[0]), b = row_major(inputs[1]);
  ScanShape shape(out.shape(), primitive.axis());
  int64_t first = primitive.reverse() ? (shape.n - 1) * shape.inner : 0;
  int64_t step = primitive.reverse() ? -shape.inner : shape.inner;
  dispatch_dtype(out.dtype(), [&]<typename T>(TypeTag<T>) {
    auto run = shape.inner >= few_columns ? run_columns<T> : run_chains<T>;
    run(a.data<T>(), b.data<T>(), out.data<T>(), shape, first, step);
  });
}

}  // namespace mlx::core::cpu
