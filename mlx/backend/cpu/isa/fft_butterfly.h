// Transforms of a few complex values in registers: radices 2, 3, 4, 5, 7, 8, 11 and 13.
#pragma once

#include "mlx/backend/cpu/isa/vec.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

struct Complex {
  F32 re, im;
};
MLX_INLINE Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
MLX_INLINE Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
MLX_INLINE Complex times_minus_i(Complex a) { return {a.im, -a.re}; }
MLX_INLINE Complex times(Complex a, F32 re, F32 im) {
  return {a.re * re - a.im * im, a.re * im + a.im * re};
}
MLX_INLINE Complex times(Complex a, float re, float im) {
  return {a.re * re - a.im * im, a.re * im + a.im * re};
}

MLX_INLINE void butterfly(Complex (&a)[2]) {
  Complex sum = a[0] + a[1];
  a[1] = a[0] - a[1];
  a[0] = sum;
}

MLX_INLINE void butterfly(Complex (&a)[4]) {
  Complex s0 = a[0] + a[2], d0 = a[0] - a[2], s1 = a[1] + a[3], d1 = times_minus_i(a[1] - a[3]);
  a[0] = s0 + s1;
  a[1] = d0 + d1;
  a[2] = s0 - s1;
  a[3] = d0 - d1;
}

MLX_INLINE void butterfly(Complex (&a)[8]) {
  constexpr float half = 0.70710678118654752f;
  Complex even[4] = {a[0], a[2], a[4], a[6]}, odd[4] = {a[1], a[3], a[5], a[7]};
  butterfly(even);
  butterfly(odd);
  odd[1] = {(odd[1].re + odd[1].im) * half, (odd[1].im - odd[1].re) * half};
  odd[2] = times_minus_i(odd[2]);
  odd[3] = {(odd[3].im - odd[3].re) * half, -(odd[3].re + odd[3].im) * half};
#pragma GCC unroll 4
  for (int k = 0; k < 4; k++) {
    a[k] = even[k] + odd[k];
    a[k + 4] = even[k] - odd[k];
  }
}

// cos and sin of 2 pi k / R for k = 1 ... (R - 1) / 2.
template <int R>
struct Circle;
template <>
struct Circle<3> {
  static constexpr float c[] = {-0.5f}, s[] = {0.86602540378443865f};
};
template <>
struct Circle<5> {
  static constexpr float c[] = {0.30901699437494742f, -0.80901699437494742f};
  static constexpr float s[] = {0.95105651629515357f, 0.58778525229247313f};
};
template <>
struct Circle<7> {
  static constexpr float c[] = {0.62348980185873353f, -0.22252093395631440f, -0.90096886790241913f};
  static constexpr float s[] = {0.78183148246802981f, 0.97492791218182361f, 0.43388373911755812f};
};
template <>
struct Circle<11> {
  static constexpr float c[] = {0.84125353283118117f, 0.41541501300188643f, -0.14231483827328514f,
                                -0.65486073394528506f, -0.95949297361449739f};
  static constexpr float s[] = {0.54064081745559758f, 0.90963199535451837f, 0.98982144188093273f,
                                0.75574957435425828f, 0.28173255684142969f};
};
template <>
struct Circle<13> {
  static constexpr float c[] = {0.88545602565320989f,  0.56806474673115581f,
                                0.12053668025532306f,  -0.35460488704253562f,
                                -0.74851074817110110f, -0.97094181742605202f};
  static constexpr float s[] = {0.46472317204376856f, 0.82298386589365640f, 0.99270887409805398f,
                                0.93501624268541483f, 0.66312265824079521f, 0.23931566428755776f};
};

// Odd R: values k and R - k share their sums and differences.
template <int R>
MLX_INLINE void butterfly(Complex (&a)[R]) {
  constexpr int H = (R - 1) / 2;
  Complex sum[H], difference[H], first = a[0];
#pragma GCC unroll 6
  for (int k = 0; k < H; k++) {
    sum[k] = a[k + 1] + a[R - 1 - k];
    difference[k] = a[k + 1] - a[R - 1 - k];
    a[0] = a[0] + sum[k];
  }
#pragma GCC unroll 6
  for (int j = 1; j <= H; j++) {
    Complex even = first, odd = {};
#pragma GCC unroll 6
    for (int k = 1; k <= H; k++) {
      int turn = j * k % R, index = turn <= H ? turn : R - turn;
      float c = Circle<R>::c[index - 1],
            s = turn <= H ? Circle<R>::s[index - 1] : -Circle<R>::s[index - 1];
      even.re += sum[k - 1].re * c;
      even.im += sum[k - 1].im * c;
      odd.re += difference[k - 1].re * s;
      odd.im += difference[k - 1].im * s;
    }
    odd = times_minus_i(odd);
    a[j] = even + odd;
    a[R - j] = even - odd;
  }
}

}  // namespace
}  // namespace mlx::core::cpu::MLX_ISA
