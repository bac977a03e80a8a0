// Sums of deviations and of their squares in one pass, in float64. Deviations are taken from a pivot, an
// element of the same row, so that nothing cancels when the mean is large.
#pragma once

#include "mlx/backend/cpu/isa/reduce.h"

namespace mlx::core::cpu::MLX_ISA {

struct MomentSums {
  double first, second;
};

// Elements filled up at the end deviate by nothing.
template <typename V>
MLX_INLINE MomentSums moment_sums(const LaneOf<V>* x, int64_t n, LaneOf<V> pivot) {
  LaneSum first, second;
  F64 from = F64{} + double(pivot);
  read_sixteens<V>(x, n, pivot, [&](int k, V value) {
    if constexpr (sizeof(LaneOf<V>) == 4) {
      F64 low = widen(low_half(value)) - from, high = widen(high_half(value)) - from;
      first.add(2 * k, low);
      first.add(2 * k + 1, high);
      second.add(2 * k, low * low);
      second.add(2 * k + 1, high * high);
    } else {
      F64 d = value - from;
      first.add(k, d);
      second.add(k, d * d);
    }
  });
  return {first.total(), second.total()};
}

// Sum of squared deviations from the mean.
MLX_INLINE double centered_square_sum(MomentSums sums, double n) {
  double square = sums.second - sums.first * sums.first / n;
  return square < 0 ? 0 : square;
}

}  // namespace mlx::core::cpu::MLX_ISA
