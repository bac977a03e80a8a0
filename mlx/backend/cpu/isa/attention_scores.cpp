// Scores of a few queries: products with the rows of keys where they lie.
#include "mlx/backend/cpu/isa/attention.h"
#include "mlx/backend/cpu/isa/gemm_vec.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

template <typename T>
inline T lane_sum(typename Simd<T>::V v) {
  constexpr int lanes = Simd<T>::lanes;
  T x[lanes];
  Simd<T>::store(x, v);
  for (int half = lanes / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) x[i] += x[i + half];
  }
  return x[0];
}

template <typename Mem, typename T, int ROWS>
void score_rows(const KeyRows& p) {
  using S = Simd<T>;
  constexpr int64_t lanes = S::lanes;
  const T* q = static_cast<const T*>(p.queries);
  for (int64_t j = 0; j < p.keys; ++j) {
    const Mem* key = static_cast<const Mem*>(p.rows) + j * p.row_stride;
    typename S::V acc[ROWS][2];
    for (int r = 0; r < ROWS; ++r) acc[r][0] = acc[r][1] = S::zero();
    int64_t d = 0;
    for (; d + 2 * lanes <= p.size; d += 2 * lanes) {
#pragma GCC unroll 2
      for (int half = 0; half < 2; ++half) {
        auto k = S::load(key + d + half * lanes);
#pragma GCC unroll 4
        for (int r = 0; r < ROWS; ++r)
          acc[r][half] = S::fma(k, S::load(q + r * p.size + d + half * lanes), acc[r][half]);
      }
    }
    for (; d < p.size; d += lanes) {
      int64_t n = p.size - d < lanes ? p.size - d : lanes;
      auto k = S::load_part(key + d, n);
      for (int r = 0; r < ROWS; ++r)
        acc[r][0] = S::fma(k, S::load_part(q + r * p.size + d, n), acc[r][0]);
    }
    for (int r = 0; r < ROWS; ++r)
      static_cast<T*>(p.scores)[r * p.score_stride + j] = lane_sum<T>(S::add(acc[r][0], acc[r][1]));
  }
}

template <typename Mem, typename T>
void scores(const KeyRows& p) {
  static constexpr void (*by_rows[])(const KeyRows&) = {score_rows<Mem, T, 1>, score_rows<Mem, T, 2>,
                                                        score_rows<Mem, T, 3>, score_rows<Mem, T, 4>};
  by_rows[p.count - 1](p);
}

}  // namespace

extern const ScoreKernels score_kernels = {
    {scores<float, float>, scores<double, double>, scores<Half, float>, scores<Bfloat, float>}};

}  // namespace mlx::core::cpu::MLX_ISA
