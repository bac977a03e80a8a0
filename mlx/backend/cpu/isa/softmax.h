// The pieces of a softmax over a row: its maximum, and the exponentials with their sum in float64.
#pragma once

#include "mlx/backend/cpu/isa/reduce.h"

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

}  // namespace
}  // namespace mlx::core::cpu::MLX_ISA
