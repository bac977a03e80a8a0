// Sums of deviations and of their squares in one pass, in float64. Deviations are taken from a pivot near the
// mean, so that little cancels.
#pragma once

#include "mlx/backend/cpu/isa/reduce.h"

namespace mlx::core::cpu::MLX_ISA {

struct MomentSums {
  double first, second;
};

// Of float64 elements the mean of the first ones; of equal elements exactly their value. Sums of float32 have
// bits to spare: there the first element does.
template <typename T, typename D, typename Get>
MLX_INLINE D pivot_of(int64_t n, Get value) {
  D start = value(0), ahead = D{};
  if constexpr (sizeof(T) == 4) return start;
  int64_t few = n < 16 ? n : 16;
  for (int64_t i = 1; i < few; i++) ahead += value(i) - start;
  return start + ahead / double(few);
}

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
