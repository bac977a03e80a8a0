// Interleaving two registers, and transposing a square tile of registers by it.
#pragma once

#include "mlx/backend/cpu/isa/vec.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

// a0 b0 a1 b1 ... of the low or high halves.
template <int N, bool high>
struct Interleave;
#define MLX_PAIR(i) (i), (i) + N
template <bool high>
struct Interleave<2, high> {
  static constexpr int N = 2, k = high ? 1 : 0;
  template <typename V>
  static MLX_INLINE V of(V a, V b) {
    return __builtin_shufflevector(a, b, MLX_PAIR(k));
  }
};
template <bool high>
struct Interleave<4, high> {
  static constexpr int N = 4, k = high ? 2 : 0;
  template <typename V>
  static MLX_INLINE V of(V a, V b) {
    return __builtin_shufflevector(a, b, MLX_PAIR(k), MLX_PAIR(k + 1));
  }
};
template <bool high>
struct Interleave<8, high> {
  static constexpr int N = 8, k = high ? 4 : 0;
  template <typename V>
  static MLX_INLINE V of(V a, V b) {
    return __builtin_shufflevector(a, b, MLX_PAIR(k), MLX_PAIR(k + 1), MLX_PAIR(k + 2),
                                   MLX_PAIR(k + 3));
  }
};
template <bool high>
struct Interleave<16, high> {
  static constexpr int N = 16, k = high ? 8 : 0;
  template <typename V>
  static MLX_INLINE V of(V a, V b) {
    return __builtin_shufflevector(a, b, MLX_PAIR(k), MLX_PAIR(k + 1), MLX_PAIR(k + 2),
                                   MLX_PAIR(k + 3), MLX_PAIR(k + 4), MLX_PAIR(k + 5),
                                   MLX_PAIR(k + 6), MLX_PAIR(k + 7));
  }
};
#undef MLX_PAIR

// Every second element of a pair of registers, from element `odd` on.
template <int N, int odd>
struct Alternate;
template <int odd>
struct Alternate<4, odd> {
  template <typename V>
  static MLX_INLINE V of(V a, V b) {
    return __builtin_shufflevector(a, b, odd, odd + 2, odd + 4, odd + 6);
  }
};
template <int odd>
struct Alternate<8, odd> {
  template <typename V>
  static MLX_INLINE V of(V a, V b) {
    return __builtin_shufflevector(a, b, odd, odd + 2, odd + 4, odd + 6, odd + 8, odd + 10,
                                   odd + 12, odd + 14);
  }
};
template <int odd>
struct Alternate<16, odd> {
  template <typename V>
  static MLX_INLINE V of(V a, V b) {
    return __builtin_shufflevector(a, b, odd, odd + 2, odd + 4, odd + 6, odd + 8, odd + 10,
                                   odd + 12, odd + 14, odd + 16, odd + 18, odd + 20, odd + 22,
                                   odd + 24, odd + 26, odd + 28, odd + 30);
  }
};

// Rows i and i + N/2 interleaved become rows 2i and 2i + 1; log2(N) such steps are the transpose.
template <typename V, int N>
MLX_INLINE void transpose_registers(V (&rows)[N]) {
  V next[N];
#pragma GCC unroll 4
  for (int step = 1; step < N; step *= 2) {
#pragma GCC unroll 8
    for (int i = 0; i < N / 2; i++) {
      next[2 * i] = Interleave<N, false>::of(rows[i], rows[i + N / 2]);
      next[2 * i + 1] = Interleave<N, true>::of(rows[i], rows[i + N / 2]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < N; i++) rows[i] = next[i];
  }
}

}  // namespace
}  // namespace mlx::core::cpu::MLX_ISA
