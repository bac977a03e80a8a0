// Sums and products. Integers wrap in 32 or 64 bits; float32 accumulates in float64; sums of float64 carry
// what each addition rounds away (Knuth's two-sum, "The Art of Computer Programming" 4.2.2, theorem B).
#include "mlx/backend/cpu/isa/reduce_simple.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

struct CompensatedSum {
  static constexpr int kWidth = kF64Lanes;

  template <typename V>
  static MLX_INLINE void add(V& sum, V& lost, V x) {
    V total = sum + x;
    V taken = total - sum;
    lost += (sum - (total - taken)) + (x - taken);
    sum = total;
  }

  static void init(void* acc, int64_t stride, int64_t results) {
    auto sum = static_cast<double*>(acc);
    for (int64_t c = 0; c < results; c++) sum[c] = -0.0, sum[stride + c] = 0;
  }

  static MLX_INLINE void row(const double* x, int64_t n, double& sum, double& lost) {
    constexpr int kRegisters = 16 / kWidth;
    F64 sums[kRegisters], rests[kRegisters];
    for (int k = 0; k < kRegisters; k++) sums[k] = -F64{}, rests[k] = F64{};
    read_sixteens<F64>(x, n, -0.0, [&](int k, F64 value) { add(sums[k], rests[k], value); });
    double s[16], r[16];
    for (int k = 0; k < kRegisters; k++) store(s + k * kWidth, sums[k]), store(r + k * kWidth, rests[k]);
    for (int half = 8; half > 0; half /= 2) {
      for (int i = 0; i < half; i++) r[i] += r[i + half], add(s[i], r[i], s[i + half]);
    }
    lost += r[0];
    add(sum, lost, s[0]);
  }

  static void rows(const void* input, int64_t count, int64_t row_stride, int64_t n, void* acc,
                   int64_t stride) {
    auto x = static_cast<const double*>(input);
    auto sum = static_cast<double*>(acc);
    for (int64_t r = 0; r < count; r++) row(x + r * row_stride, n, sum[r], sum[stride + r]);
  }

  static void columns(const void* input, int64_t rows, int64_t row_stride, int64_t results, void* acc,
                      int64_t stride) {
    auto x = static_cast<const double*>(input);
    auto sum = static_cast<double*>(acc), lost = sum + stride;
    for (int64_t r = 0; r < rows; r += kRowGroup) {
      int64_t group = rows - r < kRowGroup ? rows - r : kRowGroup;
      int64_t c = 0;
      for (; c + kWidth <= results; c += kWidth) {
        F64 s = load<F64>(sum + c), l = load<F64>(lost + c);
        for (int64_t k = 0; k < group; k++) add(s, l, load<F64>(x + (r + k) * row_stride + c));
        store(sum + c, s);
        store(lost + c, l);
      }
      for (; c < results; c++) {
        for (int64_t k = 0; k < group; k++) add(sum[c], lost[c], x[(r + k) * row_stride + c]);
      }
    }
  }

  static void merge(const void* from, int64_t from_stride, void* acc, int64_t stride, int64_t results) {
    auto other = static_cast<const double*>(from);
    auto sum = static_cast<double*>(acc);
    for (int64_t c = 0; c < results; c++) {
      sum[stride + c] += other[from_stride + c];
      add(sum[c], sum[stride + c], other[c]);
    }
  }

  // The quotient of both parts, so that the mean of equal values is that value.
  static void finish(const void* acc, int64_t stride, int64_t results, double divisor, void* output) {
    auto sum = static_cast<const double*>(acc);
    auto to = static_cast<double*>(output);
    for (int64_t c = 0; c < results; c++) {
      double s = sum[c], lost = sum[stride + c], quotient = s / divisor;
      if (divisor == 1)
        quotient = __builtin_isfinite(s) ? s + lost : s;
      else if (__builtin_isfinite(quotient))
        quotient += (__builtin_fma(-quotient, divisor, s) + lost) / divisor;
      to[c] = quotient;
    }
  }

  static constexpr ReduceKernel kernel() { return {2, 8, init, rows, columns, merge, finish}; }
};

}  // namespace

void fill_reduce_sum(ReduceKernels& kernels) {
  kernels.sum[kInt32] = kernels.sum[kUint32] = SimpleReduce<SumOp<uint32_t>>::kernel();
  kernels.sum[kInt64] = kernels.sum[kUint64] = SimpleReduce<SumOp<uint64_t>>::kernel();
  kernels.sum[kFloat32] = SimpleReduce<SumOp<float, double>>::kernel();
  kernels.sum[kFloat64] = CompensatedSum::kernel();
  kernels.prod[kInt32] = kernels.prod[kUint32] = SimpleReduce<ProdOp<uint32_t>>::kernel();
  kernels.prod[kInt64] = kernels.prod[kUint64] = SimpleReduce<ProdOp<uint64_t>>::kernel();
  kernels.prod[kFloat32] = SimpleReduce<ProdOp<float, double>>::kernel();
  kernels.prod[kFloat64] = SimpleReduce<ProdOp<double>>::kernel();
  kernels.all = SimpleReduce<LogicOp<true>>::kernel();
  kernels.any = SimpleReduce<LogicOp<false>>::kernel();
}

}  // namespace mlx::core::cpu::MLX_ISA
