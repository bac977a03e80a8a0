// Softmax of contiguous rows: maximum, exponentials with their sum in float64, scaling.
#include "mlx/backend/cpu/isa/reduce.h"
#include "mlx/backend/cpu/isa/rows.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

template <typename V>
MLX_INLINE double exponentials(const LaneOf<V>* x, LaneOf<V>* y, int64_t n, LaneOf<V> largest) {
  using T = LaneOf<V>;
  constexpr int kWidth = lanes_of<V>, kRegisters = 16 / kWidth;
  V shift = V{} + largest;
  LaneSum sum;
  int64_t i = 0;
  for (; i + 16 <= n; i += 16) {
#pragma GCC unroll 8
    for (int k = 0; k < kRegisters; k++) {
      V e = exp(load<V>(x + i + k * kWidth) - shift);
      store(y + i + k * kWidth, e);
      sum.add(k, e);
    }
  }
  if (i < n) {
    T rest[16];
    for (int k = 0; k < 16; k++) rest[k] = T(-__builtin_inf());
    __builtin_memcpy(rest, x + i, (n - i) * sizeof(T));
    for (int k = 0; k < kRegisters; k++) {
      V e = exp(load<V>(rest + k * kWidth) - shift);
      store(rest + k * kWidth, e);
      sum.add(k, e);
    }
    __builtin_memcpy(y + i, rest, (n - i) * sizeof(T));
  }
  return sum.total();
}

template <typename V>
void softmax(const void* input, void* output, int64_t rows, int64_t n) {
  using T = LaneOf<V>;
  for (int64_t r = 0; r < rows; r++) {
    auto x = static_cast<const T*>(input) + r * n;
    auto y = static_cast<T*>(output) + r * n;
    T scale = T(1.0 / exponentials<V>(x, y, n, largest_of<V>(x, n)));
    int64_t i = 0;
    for (; i + lanes_of<V> <= n; i += lanes_of<V>) store(y + i, load<V>(y + i) * scale);
    for (; i < n; i++) y[i] *= scale;
  }
}

}  // namespace

void fill_softmax(RowKernels& kernels) {
  kernels.softmax[kFloat32] = softmax<F32>;
  kernels.softmax[kFloat64] = softmax<F64>;
}

}  // namespace mlx::core::cpu::MLX_ISA
