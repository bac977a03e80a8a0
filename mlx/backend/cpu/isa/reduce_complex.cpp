// Reductions of complex64. A sum is one of twice as many floats; the others go element by element.
#include "mlx/backend/cpu/isa/reduce_simple.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

struct ComplexSum {
  using Parts = SimpleReduce<SumOp<float, double>>;

  static void init(void* acc, int64_t, int64_t results) { Parts::init(acc, 0, 2 * results); }

  static void rows(const void* input, int64_t count, int64_t row_stride, int64_t n, void* acc, int64_t) {
    auto x = static_cast<const float*>(input);
    auto result = static_cast<double*>(acc);
    for (int64_t r = 0; r < count; r++) {
      LaneSum sum;
      for (F64& lane : sum.lanes) lane = -F64{};
      read_sixteens<F32>(x + 2 * r * row_stride, 2 * n, -0.0f, [&](int k, F32 value) { sum.add(k, value); });
      double lanes[16];
      for (int k = 0; k < LaneSum::kRegisters; k++) store(lanes + k * kF64Lanes, sum.lanes[k]);
      for (int half = 8; half > 1; half /= 2) {
        for (int i = 0; i < half; i++) lanes[i] += lanes[i + half];
      }
      result[2 * r] += lanes[0];
      result[2 * r + 1] += lanes[1];
    }
  }

  static void columns(const void* input, int64_t rows, int64_t stride, int64_t results, void* acc, int64_t) {
    Parts::columns(input, rows, 2 * stride, 2 * results, acc, 0);
  }
  static void merge(const void* from, int64_t, void* acc, int64_t, int64_t results) {
    Parts::merge(from, 0, acc, 0, 2 * results);
  }
  static void finish(const void* acc, int64_t, int64_t results, double divisor, void* output) {
    auto result = static_cast<const double*>(acc);
    for (int64_t c = 0; c < 2 * results; c++) static_cast<float*>(output)[c] = float(result[c] / divisor);
  }
  static constexpr ReduceKernel kernel() { return {1, 16, init, rows, columns, merge, finish}; }
};

struct DoublePair {
  double re, im;
};

struct ComplexProd {
  using Lane = DoublePair;
  static Lane identity() { return {1, 0}; }
  static MLX_INLINE Lane apply(Lane a, Lane b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  static MLX_INLINE Lane widened(Complex x) { return {x.re, x.im}; }
  static MLX_INLINE Complex narrowed(Lane x) { return to_complex(x.re, x.im); }
};

template <bool is_max>
struct ComplexExtreme {
  using Lane = Complex;
  static Lane identity() {
    float bound = is_max ? -__builtin_inff() : __builtin_inff();
    return {bound, bound};
  }
  static MLX_INLINE Lane apply(Lane a, Lane b) { return is_max ? maximum(a, b) : minimum(a, b); }
  static MLX_INLINE Lane widened(Complex x) { return x; }
  static MLX_INLINE Complex narrowed(Lane x) { return x; }
};

template <typename Op>
struct ElementReduce {
  using Lane = typename Op::Lane;

  static void init(void* acc, int64_t, int64_t results) {
    for (int64_t c = 0; c < results; c++) static_cast<Lane*>(acc)[c] = Op::identity();
  }
  static void rows(const void* input, int64_t count, int64_t row_stride, int64_t n, void* acc, int64_t) {
    auto x = static_cast<const Complex*>(input);
    for (int64_t r = 0; r < count; r++) {
      Lane& result = static_cast<Lane*>(acc)[r];
      for (int64_t i = 0; i < n; i++) result = Op::apply(result, Op::widened(x[r * row_stride + i]));
    }
  }
  static void columns(const void* input, int64_t rows, int64_t stride, int64_t results, void* acc, int64_t) {
    auto x = static_cast<const Complex*>(input);
    auto result = static_cast<Lane*>(acc);
    for (int64_t r = 0; r < rows; r++) {
      for (int64_t c = 0; c < results; c++) result[c] = Op::apply(result[c], Op::widened(x[r * stride + c]));
    }
  }
  static void merge(const void* from, int64_t, void* acc, int64_t, int64_t results) {
    auto result = static_cast<Lane*>(acc);
    for (int64_t c = 0; c < results; c++) result[c] = Op::apply(result[c], static_cast<const Lane*>(from)[c]);
  }
  static void finish(const void* acc, int64_t, int64_t results, double, void* output) {
    for (int64_t c = 0; c < results; c++) {
      static_cast<Complex*>(output)[c] = Op::narrowed(static_cast<const Lane*>(acc)[c]);
    }
  }
  static constexpr ReduceKernel kernel() {
    return {1, int(sizeof(Lane)), init, rows, columns, merge, finish};
  }
};

}  // namespace

void fill_reduce_complex(ReduceKernels& kernels) {
  kernels.sum[kComplex64] = ComplexSum::kernel();
  kernels.prod[kComplex64] = ElementReduce<ComplexProd>::kernel();
  kernels.min[kComplex64] = ElementReduce<ComplexExtreme<false>>::kernel();
  kernels.max[kComplex64] = ElementReduce<ComplexExtreme<true>>::kernel();
}

}  // namespace mlx::core::cpu::MLX_ISA
