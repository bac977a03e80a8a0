// Variance: mean and sum of squared deviations of blocks, merged by the formulas of Chan, Golub and LeVeque
// (1979).
#include "mlx/backend/cpu/isa/moments.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

constexpr int64_t kBlock = 4096;

// Counts, means, squares: values or registers of float64.
template <typename D>
MLX_INLINE void merge_moments(D& count, D& mean, D& square, D other_count, D other_mean, D other_square) {
  D total = count + other_count;
  D delta = other_mean - mean;
  D share = other_count / total;
  mean = mean + delta * share;
  square = square + (other_square + delta * delta * (count * share));
  count = total;
}

template <typename V>
struct Variance {
  using T = LaneOf<V>;

  static MLX_INLINE F64 get(const T* x) {
    if constexpr (sizeof(T) == 4)
      return widen(load<HalfF32>(x));
    else
      return load<F64>(x);
  }

  static void init(void* acc, int64_t stride, int64_t results) {
    auto count = static_cast<double*>(acc);
    for (int64_t c = 0; c < results; c++) count[c] = count[stride + c] = count[2 * stride + c] = 0;
  }

  static void rows(const void* input, int64_t rows, int64_t row_stride, int64_t n, void* acc,
                   int64_t stride) {
    auto count = static_cast<double*>(acc), mean = count + stride, square = mean + stride;
    for (int64_t r = 0; r < rows; r++) {
      auto x = static_cast<const T*>(input) + r * row_stride;
      for (int64_t i = 0; i < n; i += kBlock) {
        int64_t length = n - i < kBlock ? n - i : kBlock;
        double size = double(length);
        T pivot = T(pivot_of<T, double>(length, [&](int64_t k) { return double(x[i + k]); }));
        MomentSums sums = moment_sums<V>(x + i, length, pivot);
        merge_moments(count[r], mean[r], square[r], size, double(pivot) + sums.first / size,
                      centered_square_sum(sums, size));
      }
    }
  }

  // One register, or one value, of columns.
  template <typename D, typename Get>
  static MLX_INLINE void column_block(int64_t rows, D& count, D& mean, D& square, Get value) {
    D pivot = pivot_of<T, D>(rows, value), first = D{}, second = D{}, size = D{} + double(rows);
    for (int64_t r = 0; r < rows; r++) {
      D d = value(r) - pivot;
      first += d;
      second += d * d;
    }
    D centered = second - first * first / size;
    merge_moments(count, mean, square, size, pivot + first / size, centered < 0.0 ? D{} : centered);
  }

  static void columns(const void* input, int64_t rows, int64_t row_stride, int64_t results, void* acc,
                      int64_t stride) {
    auto x = static_cast<const T*>(input);
    auto count = static_cast<double*>(acc), mean = count + stride, square = mean + stride;
    int64_t c = 0;
    for (; c + kF64Lanes <= results; c += kF64Lanes) {
      F64 n = load<F64>(count + c), m = load<F64>(mean + c), s = load<F64>(square + c);
      column_block(rows, n, m, s, [&](int64_t r) { return get(x + r * row_stride + c); });
      store(count + c, n);
      store(mean + c, m);
      store(square + c, s);
    }
    for (; c < results; c++) {
      column_block(rows, count[c], mean[c], square[c],
                   [&](int64_t r) { return double(x[r * row_stride + c]); });
    }
  }

  static void merge(const void* from, int64_t from_stride, void* acc, int64_t stride, int64_t results) {
    auto other = static_cast<const double*>(from);
    auto count = static_cast<double*>(acc);
    for (int64_t c = 0; c < results; c++) {
      merge_moments(count[c], count[stride + c], count[2 * stride + c], other[c], other[from_stride + c],
                    other[2 * from_stride + c]);
    }
  }

  static void finish(const void* acc, int64_t stride, int64_t results, double divisor, void* output) {
    auto square = static_cast<const double*>(acc) + 2 * stride;
    for (int64_t c = 0; c < results; c++) static_cast<double*>(output)[c] = square[c] / divisor;
  }

  static constexpr ReduceKernel kernel() { return {3, 8, init, rows, columns, merge, finish}; }
};

}  // namespace

void fill_reduce_variance(ReduceKernels& kernels) {
  kernels.variance[kFloat32] = Variance<F32>::kernel();
  kernels.variance[kFloat64] = Variance<F64>::kernel();
}

}  // namespace mlx::core::cpu::MLX_ISA
