// Softmax of contiguous rows, and of columns side by side: maximum, exponentials with their sum in float64,
// scaling.
#include "mlx/backend/cpu/isa/rows.h"
#include "mlx/backend/cpu/isa/softmax.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

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
