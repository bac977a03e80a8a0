// Log-sum-exp: maximum and sum of exponentials relative to it, of blocks, merged.
#include "mlx/backend/cpu/isa/reduce.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

constexpr int64_t kBlock = 2048;

// An infinite or NaN maximum is the result, whatever the sum.
MLX_INLINE void merge_sums(double& largest, double& sum, double other_largest, double other_sum) {
  if (!__builtin_isfinite(other_largest) || !__builtin_isfinite(largest)) {
    bool other_wins = other_largest != other_largest || (largest == largest && other_largest > largest);
    largest = other_wins ? other_largest : largest;
    sum = other_wins ? other_sum : sum;
  } else if (other_largest > largest) {
    sum = sum * __builtin_exp(largest - other_largest) + other_sum;
    largest = other_largest;
  } else {
    sum += other_sum * (other_largest == largest ? 1.0 : __builtin_exp(other_largest - largest));
  }
}

template <typename V>
struct LogSumExp {
  using T = LaneOf<V>;
  static constexpr int kWidth = lanes_of<V>;

  static void init(void* acc, int64_t stride, int64_t results) {
    auto largest = static_cast<double*>(acc);
    for (int64_t c = 0; c < results; c++) largest[c] = -__builtin_inf(), largest[stride + c] = 0;
  }

  static MLX_INLINE T shift_for(T largest) { return __builtin_isfinite(largest) ? largest : T(0); }

  static void rows(const void* input, int64_t rows, int64_t row_stride, int64_t n, void* acc,
                   int64_t stride) {
    auto largest = static_cast<double*>(acc);
    for (int64_t r = 0; r < rows; r++) {
      auto x = static_cast<const T*>(input) + r * row_stride;
      for (int64_t i = 0; i < n; i += kBlock) {
        int64_t length = n - i < kBlock ? n - i : kBlock;
        T block = largest_of<V>(x + i, length);
        V shift = V{} + shift_for(block);
        LaneSum sum;
        read_sixteens<V>(x + i, length, T(-__builtin_inf()),
                         [&](int k, V value) { sum.add(k, exp(value - shift)); });
        merge_sums(largest[r], largest[stride + r], block, sum.total());
      }
    }
  }

  // A register of columns; `load_row(r)` gives it.
  template <typename Load>
  static MLX_INLINE void column_block(int64_t rows, int64_t width, double* largest, double* sums,
                                      Load load_row) {
    V block = load_row(0);
    for (int64_t r = 1; r < rows; r++) block = maximum(block, load_row(r));
    V shift = abs(block) < constant(block, kInfinity) ? block : V{};
    double total[kWidth] = {};
    V pending = V{};
    // float32 sums of up to sixteen exponentials at a time
    for (int64_t r = 0; r < rows; r++) {
      pending += exp(load_row(r) - shift);
      if (r % 16 != 15 && r + 1 != rows) continue;
      for (int i = 0; i < kWidth; i++) total[i] += double(pending[i]);
      pending = V{};
    }
    for (int64_t i = 0; i < width; i++) merge_sums(largest[i], sums[i], double(block[i]), total[i]);
  }

  static void columns(const void* input, int64_t rows, int64_t row_stride, int64_t results, void* acc,
                      int64_t stride) {
    auto x = static_cast<const T*>(input);
    auto largest = static_cast<double*>(acc), sums = largest + stride;
    for (int64_t c = 0; c < results; c += kWidth) {
      int64_t width = results - c < kWidth ? results - c : kWidth;
      if (width == kWidth) {
        column_block(rows, width, largest + c, sums + c,
                     [&](int64_t r) { return load<V>(x + r * row_stride + c); });
      } else {
        column_block(rows, width, largest + c, sums + c, [&](int64_t r) {
          T lanes[kWidth] = {};
          __builtin_memcpy(lanes, x + r * row_stride + c, width * sizeof(T));
          return load<V>(lanes);
        });
      }
    }
  }

  static void merge(const void* from, int64_t from_stride, void* acc, int64_t stride, int64_t results) {
    auto other = static_cast<const double*>(from);
    auto largest = static_cast<double*>(acc);
    for (int64_t c = 0; c < results; c++) {
      merge_sums(largest[c], largest[stride + c], other[c], other[from_stride + c]);
    }
  }

  static void finish(const void* acc, int64_t stride, int64_t results, double, void* output) {
    auto largest = static_cast<const double*>(acc);
    for (int64_t c = 0; c < results; c++) {
      double m = largest[c];
      static_cast<double*>(output)[c] = __builtin_isfinite(m) ? m + __builtin_log(largest[stride + c]) : m;
    }
  }

  static constexpr ReduceKernel kernel() { return {2, 8, init, rows, columns, merge, finish}; }
};

}  // namespace

void fill_reduce_logsumexp(ReduceKernels& kernels) {
  kernels.logsumexp[kFloat32] = LogSumExp<F32>::kernel();
  kernels.logsumexp[kFloat64] = LogSumExp<F64>::kernel();
}

}  // namespace mlx::core::cpu::MLX_ISA
