// Softmax of contiguous rows, and of columns side by side: maximum, exponentials with their sum in float64,
// scaling.
#include "mlx/backend/cpu/isa/reduce.h"
#include "mlx/backend/cpu/isa/rows.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

// e^x for x <= 0. float32 results below the smallest normal number become 0.
MLX_INLINE F32 exp_of_difference(F32 x) {
  ExpF32 parts = exp_parts(x);
  return x < -87.0f ? F32{} : parts.significand * power_of_two(parts.exponent);
}
MLX_INLINE F64 exp_of_difference(F64 x) { return exp(x); }

// The largest element. A NaN may be passed over: its exponential makes the whole row NaN.
template <typename V>
MLX_INLINE LaneOf<V> row_maximum(const LaneOf<V>* x, LaneOf<V>* output, int64_t n) {
  using T = LaneOf<V>;
  constexpr int kRegisters = 64 / lanes_of<V>;
  V best[kRegisters];
  for (int k = 0; k < kRegisters; k++) best[k] = constant(V{}, -kInfinity);
  int64_t i = 0;
  for (; i + 64 <= n; i += 64) {
    for (int64_t k = 0; k < 64; k += 64 / int64_t(sizeof(T))) {
      __builtin_prefetch(x + i + k + 512);
      __builtin_prefetch(output + i + k, 1);  // the exponentials go there next
    }
#pragma GCC unroll 32
    for (int k = 0; k < kRegisters; k++) {
      V value = load<V>(x + i + k * lanes_of<V>);
      best[k] = value > best[k] ? value : best[k];
    }
  }
  T lanes[64];
  for (int k = 0; k < kRegisters; k++) store(lanes + k * lanes_of<V>, best[k]);
  for (int k = 0; i + k < n; k++) lanes[k] = x[i + k] > lanes[k] ? x[i + k] : lanes[k];
  for (int half = 32; half > 0; half /= 2) {
    for (int k = 0; k < half; k++) lanes[k] = lanes[k + half] > lanes[k] ? lanes[k + half] : lanes[k];
  }
  return lanes[0];
}

// Sixteen exponentials from x to y and to e.
template <typename V>
MLX_INLINE void sixteen_exponentials(const LaneOf<V>* x, LaneOf<V>* y, V shift, V (&e)[16 / lanes_of<V>]) {
#pragma GCC unroll 8
  for (int k = 0; k < 16 / lanes_of<V>; k++) {
    e[k] = exp_of_difference(load<V>(x + k * lanes_of<V>) - shift);
    store(y + k * lanes_of<V>, e[k]);
  }
}

// Writes the exponentials and returns their sum. Four are added in the element type before the sum in
// float64.
template <typename V>
MLX_INLINE double exponentials(const LaneOf<V>* x, LaneOf<V>* y, int64_t n, LaneOf<V> largest) {
  using T = LaneOf<V>;
  constexpr int kRegisters = 16 / lanes_of<V>;
  V shift = V{} + largest, e[4][kRegisters];
  LaneSum sum;
  int64_t i = 0;
  for (; i + 64 <= n; i += 64) {
#pragma GCC unroll 4
    for (int part = 0; part < 4; part++)
      sixteen_exponentials(x + i + 16 * part, y + i + 16 * part, shift, e[part]);
#pragma GCC unroll 8
    for (int k = 0; k < kRegisters; k++) sum.add(k, (e[0][k] + e[1][k]) + (e[2][k] + e[3][k]));
  }
  for (; i + 16 <= n; i += 16) {
    sixteen_exponentials(x + i, y + i, shift, e[0]);
    for (int k = 0; k < kRegisters; k++) sum.add(k, e[0][k]);
  }
  if (i < n) {
    T rest[16];
    for (int k = 0; k < 16; k++) rest[k] = T(-__builtin_inf());
    __builtin_memcpy(rest, x + i, (n - i) * sizeof(T));
    sixteen_exponentials(rest, rest, shift, e[0]);
    for (int k = 0; k < kRegisters; k++) sum.add(k, e[0][k]);
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
    T scale = T(1.0 / exponentials<V>(x, y, n, row_maximum<V>(x, y, n)));
    int64_t i = 0;
    for (; i + lanes_of<V> <= n; i += lanes_of<V>) store(y + i, load<V>(y + i) * scale);
    for (; i < n; i++) y[i] *= scale;
  }
}

// A register of a row, the lanes beyond `width` left as they are.
template <typename V>
MLX_INLINE V load_part(const LaneOf<V>* x, int64_t width) {
  if (width >= lanes_of<V>) return load<V>(x);
  LaneOf<V> lanes[lanes_of<V>] = {};
  __builtin_memcpy(lanes, x, width * sizeof(lanes[0]));
  return load<V>(lanes);
}
template <typename V>
MLX_INLINE void store_part(LaneOf<V>* y, V value, int64_t width) {
  if (width >= lanes_of<V>) {
    store(y, value);
    return;
  }
  LaneOf<V> lanes[lanes_of<V>];
  store(lanes, value);
  __builtin_memcpy(y, lanes, width * sizeof(lanes[0]));
}

MLX_INLINE void add_to(double* sum, F64 x) { store(sum, load<F64>(sum) + x); }
MLX_INLINE void add_to(double* sum, F32 x) {
  add_to(sum, widen(low_half(x)));
  add_to(sum + kF64Lanes, widen(high_half(x)));
}

template <typename V>
void softmax_columns(const void* input, int64_t input_stride, void* output, int64_t output_stride, int64_t n,
                     int64_t columns) {
  using T = LaneOf<V>;
  auto x = static_cast<const T*>(input);
  auto y = static_cast<T*>(output);
  T largest[kSoftmaxColumns], scale[kSoftmaxColumns];
  double sum[kSoftmaxColumns] = {};
  for (T& value : largest) value = T(-__builtin_inf());
  for (int64_t r = 0; r < n; r++) {
    for (int64_t c = 0; c < columns; c += lanes_of<V>) {
      V value = load_part<V>(x + r * input_stride + c, columns - c);
      store(largest + c, extreme<T, true>(load<V>(largest + c), value));
    }
  }
  for (int64_t r = 0; r < n; r++) {
    for (int64_t c = 0; c < columns; c += lanes_of<V>) {
      V e = exp_of_difference(load_part<V>(x + r * input_stride + c, columns - c) - load<V>(largest + c));
      add_to(sum + c, e);
      store_part(y + r * output_stride + c, e, columns - c);
    }
  }
  for (int c = 0; c < kSoftmaxColumns; c++) scale[c] = T(1.0 / sum[c]);
  for (int64_t r = 0; r < n; r++) {
    T* row = y + r * output_stride;
    int64_t c = 0;
    for (; c + lanes_of<V> <= columns; c += lanes_of<V>)
      store(row + c, load<V>(row + c) * load<V>(scale + c));
    for (; c < columns; c++) row[c] *= scale[c];
  }
}

}  // namespace

void fill_softmax(RowKernels& kernels) {
  kernels.softmax[kFloat32] = softmax<F32>;
  kernels.softmax[kFloat64] = softmax<F64>;
  kernels.softmax_columns[kFloat32] = softmax_columns<F32>;
  kernels.softmax_columns[kFloat64] = softmax_columns<F64>;
}

}  // namespace mlx::core::cpu::MLX_ISA
