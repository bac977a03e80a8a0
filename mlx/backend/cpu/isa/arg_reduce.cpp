// Index of the first extreme element; NaN is the most extreme.
#include "mlx/backend/cpu/isa/levels.h"
#include "mlx/backend/cpu/isa/reduce_simple.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

constexpr int64_t kBlock = 1024;

template <bool is_max>
struct Better {
  template <typename T>
  static MLX_INLINE bool than(T x, T best) {
    bool beats = is_max ? x > best : x < best;
    if constexpr (is_floating<T>)
      return (best == best) & (beats | (x != x));
    else
      return beats;
  }
  static MLX_INLINE bool than(Complex x, Complex best) {
    if (isnan(best)) return false;
    return isnan(x) || (is_max ? less(best, x) : less(x, best));
  }
};

template <typename T, bool is_max>
struct ArgExtreme {
  static bool better(const void* x, const void* best) {
    return Better<is_max>::than(*static_cast<const T*>(x), *static_cast<const T*>(best));
  }

  // Finds the best block by its extreme, then the element in it.
  static int64_t row(const void* input, int64_t n, void* best_value) {
    auto x = static_cast<const T*>(input);
    T best = x[0];
    int64_t start = 0;
    for (int64_t i = 0; i < n; i += kBlock) {
      T extreme = SimpleReduce<ExtremeOp<T, is_max>>::row(x + i, n - i < kBlock ? n - i : kBlock);
      if (Better<is_max>::than(extreme, best)) best = extreme, start = i;
    }
    *static_cast<T*>(best_value) = best;
    int64_t index = start;
    while (x[index] != best && (x[index] == x[index] || best == best)) index++;
    return index;
  }

  static void columns(const void* input, int64_t rows, int64_t row_stride, int64_t results, int64_t first,
                      void* best_values, uint32_t* index) {
    auto best = static_cast<T*>(best_values);
    for (int64_t r = 0; r < rows; r++) {
      auto x = static_cast<const T*>(input) + r * row_stride;
      uint32_t number = uint32_t(first + r);
      if (number == 0) {
        for (int64_t c = 0; c < results; c++) best[c] = x[c], index[c] = 0;
        continue;
      }
      for (int64_t c = 0; c < results; c++) {
        bool take = Better<is_max>::than(x[c], best[c]);
        best[c] = take ? x[c] : best[c];
        index[c] = take ? number : index[c];
      }
    }
  }

  static constexpr ArgReduceKernel kernel() { return {row, columns, better}; }
};

template <bool is_max>
int64_t complex_row(const void* input, int64_t n, void* best_value) {
  auto x = static_cast<const Complex*>(input);
  int64_t index = 0;
  for (int64_t i = 1; i < n; i++) {
    if (Better<is_max>::than(x[i], x[index])) index = i;
  }
  *static_cast<Complex*>(best_value) = x[index];
  return index;
}

template <bool is_max>
void fill_kernels(ArgReduceKernel* kernels) {
  kernels[kFloat32] = ArgExtreme<float, is_max>::kernel();
  kernels[kFloat64] = ArgExtreme<double, is_max>::kernel();
  kernels[kInt64] = ArgExtreme<int64_t, is_max>::kernel();
  kernels[kUint64] = ArgExtreme<uint64_t, is_max>::kernel();
  kernels[kComplex64] = {complex_row<is_max>, ArgExtreme<Complex, is_max>::columns,
                         ArgExtreme<Complex, is_max>::better};
}

}  // namespace

void fill_arg_reduce(ArgReduceKernels& kernels) {
  kernels = ArgReduceKernels{};
  fill_kernels<false>(kernels.min);
  fill_kernels<true>(kernels.max);
}

}  // namespace mlx::core::cpu::MLX_ISA
