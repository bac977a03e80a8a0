// Passes over rows of complex values as they lie in memory.
#pragma once

#include "mlx/backend/cpu/isa/fft_butterfly.h"
#include "mlx/backend/cpu/isa/interleave.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

// Two registers of complex elements, and their real and imaginary parts.
MLX_INLINE Complex part(F32 low, F32 high) {
  return {Alternate<kF32Lanes, 0>::of(low, high), Alternate<kF32Lanes, 1>::of(low, high)};
}
struct Joined {
  F32 low, high;
};
MLX_INLINE Joined join(Complex z) {
  return {Interleave<kF32Lanes, false>::of(z.re, z.im), Interleave<kF32Lanes, true>::of(z.re, z.im)};
}

MLX_INLINE Complex get_parts(const float* from) { return part(load<F32>(from), load<F32>(from + kF32Lanes)); }
MLX_INLINE void put_joined(float* to, Complex z) {
  Joined joined = join(z);
  store(to, joined.low);
  store(to + kF32Lanes, joined.high);
}

template <int N>
struct Reverse;
template <>
struct Reverse<4> {
  template <typename V>
  static MLX_INLINE V of(V v) { return __builtin_shufflevector(v, v, 3, 2, 1, 0); }
};
template <>
struct Reverse<8> {
  template <typename V>
  static MLX_INLINE V of(V v) { return __builtin_shufflevector(v, v, 7, 6, 5, 4, 3, 2, 1, 0); }
};
template <>
struct Reverse<16> {
  template <typename V>
  static MLX_INLINE V of(V v) {
    return __builtin_shufflevector(v, v, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  }
};
MLX_INLINE Complex reverse(Complex z) { return {Reverse<kF32Lanes>::of(z.re), Reverse<kF32Lanes>::of(z.im)}; }

// Value k of a transform and value h - k, its mirror; a lane or a register of each part.
template <typename V>
struct Mirrored {
  V re, im, mirror_re, mirror_im;
};

// With z and m a value and its mirror: z + m* belongs to the even elements, z - m* to the odd ones, which a turn by
// exp(-pi i k / h) brings in between; the sign of the way back is 1.
template <typename V>
MLX_INLINE Mirrored<V> fold_mirrored(Mirrored<V> z, V turn_re, V turn_im, float sign, float scale) {
  V even_re = z.re + z.mirror_re, even_im = z.im - z.mirror_im;
  V re = z.re - z.mirror_re, im = z.im + z.mirror_im, c = turn_im, s = turn_re * sign;
  V odd_re = re * c - im * s, odd_im = re * s + im * c;
  return {(even_re + odd_re) * scale, (even_im + odd_im) * scale, (even_re - odd_re) * scale,
          (odd_im - even_im) * scale};
}

void fold(const float* from, float* to, int64_t h, const float* turns, bool inverse) {
  constexpr int64_t L = kF32Lanes;
  float sign = inverse ? 1.0f : -1.0f, scale = inverse ? 1.0f : 0.5f;
  int64_t k = 1;
  for (; 2 * (k + L) <= h + 1; k += L) {
    int64_t mirror = h - k - L + 1;
    Complex z = get_parts(from + 2 * k), m = reverse(get_parts(from + 2 * mirror)), turn = get_parts(turns + 2 * k);
    Mirrored<F32> y = fold_mirrored<F32>({z.re, z.im, m.re, m.im}, turn.re, turn.im, sign, scale);
    put_joined(to + 2 * k, {y.re, y.im});
    put_joined(to + 2 * mirror, reverse({y.mirror_re, y.mirror_im}));
  }
  for (; 2 * k <= h; k++) {
    const float *z = from + 2 * k, *m = from + 2 * (h - k), *turn = turns + 2 * k;
    Mirrored<float> y = fold_mirrored<float>({z[0], z[1], m[0], m[1]}, turn[0], turn[1], sign, scale);
    to[2 * k] = y.re;
    to[2 * k + 1] = y.im;
    to[2 * (h - k)] = y.mirror_re;
    to[2 * (h - k) + 1] = y.mirror_im;
  }
}

void multiply(const float* x, const float* factors, float* y, int64_t n, bool conjugate) {
  constexpr int64_t L = kF32Lanes;
  float sign = conjugate ? -1.0f : 1.0f;
  int64_t k = 0;
  for (; k + L <= n; k += L) {
    Complex z = get_parts(x + 2 * k), factor = get_parts(factors + 2 * k);
    put_joined(y + 2 * k, times({z.re, z.im * sign}, factor.re, factor.im));
  }
  for (; k < n; k++) {
    const float *z = x + 2 * k, *factor = factors + 2 * k;
    float re = z[0], im = z[1] * sign;
    y[2 * k] = re * factor[0] - im * factor[1];
    y[2 * k + 1] = re * factor[1] + im * factor[0];
  }
}

}  // namespace
}  // namespace mlx::core::cpu::MLX_ISA
