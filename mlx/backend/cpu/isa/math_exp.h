// Exponentials and what is built on them, within 2 ULP and with the same bits at all levels that
// have fused multiply-add; templates are also float64's there. Reduction by n ln2 in two parts
// after Cody and Waite (1980); polynomials from tools/fit_polynomials.py.
#pragma once

#include "mlx/backend/cpu/isa/vec.h"

namespace mlx::core::cpu::MLX_ISA {

inline constexpr double kExpm1F64[] = {  // (e^r - 1 - r) / r^2 for |r| <= ln2 / 2
    0.5000000000000006,    0.16666666666666588,   0.04166666666657646,    0.008333333333389738,
    0.001388888893166915,  0.0001984126971868579, 2.4801505140696445e-05, 2.755740771983197e-06,
    2.762609350159776e-07, 2.5053762160181396e-08};
inline constexpr double kExpm1ShortF64[] = {  // to 2^-34
    0.5000000044269829,   0.16666666369921507,   0.041666360424484725,
    0.008333389416910445, 0.0013940668726532917, 0.00019845904637365397};
inline constexpr double kExpm1LongF64[] = {  // to 2^-61
    0.5,
    0.16666666666666677,
    0.041666666666666505,
    0.008333333333321653,
    0.0013888888888962617,
    0.000198412698860735,
    2.480158717220584e-05,
    2.7557244254062392e-06,
    2.755740279366568e-07,
    2.510902452950259e-08,
    2.0875324233829476e-09};
inline constexpr float kExpm1F32[] = {5.e-01f,      1.6666666e-01f, 4.166636e-02f,
                                      8.33339e-03f, 1.3940668e-03f, 1.9845905e-04f};
inline constexpr double kSinhF64[] = {  // (sinh(x) / x - 1) / x^2 in x^2, |x| <= 1
    0.16666666666666669,   0.008333333333333148, 0.00019841269841431875, 2.7557319157070645e-06,
    2.505212313691506e-08, 1.60572597541852e-10, 7.758749227819664e-13};
inline constexpr float kSinhF32[] = {1.6666667e-01f, 8.33335e-03f, 1.983616e-04f, 2.8169513e-06f};
inline constexpr float kExpF32[] = {4.9999994e-01f, 1.6666521e-01f, 4.166839e-02f, 8.368745e-03f,
                                    1.3814544e-03f};
inline constexpr float kTanhF32[] = {  // (tanh(x) - x) / x^3 in x^2, |x| <= 0.625
    -3.333328e-01f, 1.3331442e-01f, -5.3739715e-02f, 2.0639084e-02f, -5.7049845e-03f};

inline constexpr float kRoundF32 = 0x1.8p23f;  // adding it leaves the nearest integer in the low bits
inline constexpr double kRoundF64 = 0x1.8p52;
inline constexpr double kInfinity = __builtin_inf();

// Two numbers of which the sum is meant: the second is what the first rounded away.
template <typename T>
struct Pair {
  T high, low;
};
inline constexpr Pair<double> kLn2Pair{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

// A constant as two numbers of V's element type.
template <typename V>
constexpr Pair<ElementOf<V>> pair_of(Pair<double> value) {
  if constexpr (is_float32<ElementOf<V>>) return {float(value.high), float(value.high - float(value.high))};
  else return value;
}

// Clamping keeps NaN: a comparison with it is false.
template <typename V>
MLX_INLINE V clamp(V x, double low, double high) {
  x = x > constant(x, high) ? constant(x, high) : x;
  return x < constant(x, low) ? constant(x, low) : x;
}

MLX_INLINE F32 abs(F32 x) { return bit_cast<F32>(bit_cast<U32>(x) & 0x7fffffffu); }
MLX_INLINE F64 abs(F64 x) { return bit_cast<F64>(bit_cast<U64>(x) & 0x7fffffffffffffffull); }
MLX_INLINE F32 with_sign_of(F32 magnitude, F32 sign) {
  return bit_cast<F32>(bit_cast<U32>(magnitude) | (bit_cast<U32>(sign) & 0x80000000u));
}
MLX_INLINE F64 with_sign_of(F64 magnitude, F64 sign) {
  return bit_cast<F64>(bit_cast<U64>(magnitude) | (bit_cast<U64>(sign) & 0x8000000000000000ull));
}

struct ExpF32 {
  F32 significand;  // e^r, |r| <= ln2 / 2
  I32 exponent;
};

// |x| at most about 150.
MLX_INLINE ExpF32 exp_parts(F32 x) {
  F32 shifted = fma(x, constant(x, 1.44269504088896341), constant(x, kRoundF32));
  F32 n = shifted - kRoundF32;
  F32 r = exact_difference(x, n, constant(x, 0x1.62e43p-1));
  F32 rest = n * 0x1.05c61p-29f;  // joins the small terms, so that only one sum rounds at the size of r
  F32 sum = r + rest;
  F32 tail = fma(sum * sum, fused_polynomial(sum, kExpF32), rest) + r;
  return {tail + 1.0f, bit_cast<I32>(shifted) - bit_cast<int32_t>(kRoundF32)};
}

MLX_INLINE F32 power_of_two(I32 exponent) { return bit_cast<F32>((exponent + 127) << 23); }
MLX_INLINE F64 power_of_two(I64 exponent) { return bit_cast<F64>((exponent + 1023) << 52); }

// x 2^n by two factors, which reach subnormal results and infinity with one rounding.
template <typename V>
MLX_INLINE V times_power_of_two(V x, MaskOf<V> n) {
  MaskOf<V> half = n >> 1, rest = n - half;
  return x * power_of_two(half) * power_of_two(rest);
}

// e^x for -87 < x < 88, where the result is normal.
MLX_INLINE F32 exp_normal(F32 x) {
  ExpF32 parts = exp_parts(x);
  return parts.significand * power_of_two(parts.exponent);
}

MLX_INLINE F32 exp(F32 x) {
  ExpF32 parts = exp_parts(clamp(x, -104.0, 89.0));
  return times_power_of_two(parts.significand, parts.exponent);
}

// For functions of float32 computed in double; |x| at most about 700. The relative error is that of
// the polynomial.
template <int N>
MLX_INLINE F64 exp_double(F64 x, const double (&coefficients)[N]) {
  F64 shifted = x * 1.44269504088896341 + kRoundF64;
  F64 n = shifted - kRoundF64;
  F64 r = (x - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
  F64 scale = power_of_two(bit_cast<I64>(shifted));  // the bits above are shifted out
  return scale + scale * (r + r * r * polynomial(r, coefficients));
}

// x + low = n ln2 + r + low of the result; e^r - 1 = r + rest.
template <typename V>
struct ReducedExp {
  MaskOf<V> n;
  V r, rest;
};

template <typename V>
MLX_INLINE ReducedExp<V> reduce_exp(V x, V low) {
  using T = ElementOf<V>;
  constexpr T kRound = is_float32<T> ? T(kRoundF32) : T(kRoundF64);
  constexpr Pair<T> ln2 = pair_of<V>(kLn2Pair);
  V shifted = fma(x, constant(x, 1.44269504088896341), constant(x, kRound));
  V n = shifted - kRound;
  V first = exact_difference(x, n, constant(x, ln2.high));
  low = fma(n, constant(x, -ln2.low), low);
  V r = first + low;
  V p = fused_polynomial(r, kExpm1F32, kExpm1LongF64);
  return {bit_cast<MaskOf<V>>(shifted) - bit_cast<ElementOf<MaskOf<V>>>(kRound), r,
          fma(r * r, p, (first - r) + low)};
}

// e^(x + low) 2^shift, shift at most 0.
template <typename V>
MLX_INLINE V scaled_exp(V x, V low, int shift) {
  ReducedExp<V> parts = reduce_exp(x, low);
  return times_power_of_two(1 + (parts.r + parts.rest), parts.n + shift);
}

// e^(x + low), x at most 0.
template <typename V>
MLX_INLINE Pair<V> exp_pair(V x, V low) {
  ReducedExp<V> parts = reduce_exp(x, low);
  V expm1 = parts.r + parts.rest;
  V high = 1 + expm1;
  low = ((1 - high) + expm1) + ((parts.r - expm1) + parts.rest);
  return {times_power_of_two(high, parts.n), times_power_of_two(low, parts.n)};
}

// Below half the spacing of numbers at 1: expm1, log1p and arctanh are x itself.
template <typename V>
MLX_INLINE MaskOf<V> is_tiny(V x) {
  return abs(x) < constant(x, is_float32<ElementOf<V>> ? 0x1p-25 : 0x1p-54);
}

// Computed in halves, since 2^128 is no float and 2^1024 no double.
template <typename V>
MLX_INLINE V expm1(V x) {
  ReducedExp<V> parts = reduce_exp(clamp(x, -40.0, is_float32<ElementOf<V>> ? 89.0 : 710.0), V{});
  MaskOf<V> before = parts.n - 1;
  V scale = power_of_two(before);
  V y = fma(scale, parts.rest, fma(scale, parts.r, scale - constant(x, 0.5)));
  return is_tiny(x) ? x : y + y;
}

template <typename V>
MLX_INLINE V half_exp(V magnitude) {
  return scaled_exp(clamp(magnitude, 0.0, is_float32<ElementOf<V>> ? 90.0 : 711.0), V{}, -1);
}

template <typename V>
MLX_INLINE V sinh(V x) {
  V a = abs(x), square = a * a, half = half_exp(a);
  V p = fused_polynomial(square, kSinhF32, kSinhF64);
  return with_sign_of(a < 1 ? fma(a * square, p, a) : half - constant(x, 0.25) / half, x);
}

template <typename V>
MLX_INLINE V cosh(V x) {
  V half = half_exp(abs(x));
  return half + constant(x, 0.25) / half;
}

MLX_INLINE F32 tanh(F32 x) {
  F32 a = clamp(abs(x), 0.0, 10.0);  // tanh(10) rounds to 1
  F32 square = a * a;
  F32 small = fma(a * square, fused_polynomial(square, kTanhF32), a);
  F32 large = 1.0f - 2.0f / (exp_normal(a + a) + 1.0f);
  return with_sign_of(a < 0.625f ? small : large, x);
}

MLX_INLINE F32 sigmoid(F32 x) {
  F32 e = exp(-abs(x));
  F32 sum = 1.0f + e;
  F32 lost = e - (sum - 1.0f);  // what the sum rounded away, exactly
  F32 y = (x < 0.0f ? e : constant(x, 1.0)) / sum;
  F32 reciprocal =
      fma(e, constant(x, -0.5), constant(x, 1.0));  // 1 - e / 2, near enough to 1 / sum
  return fma(-y, lost * reciprocal, y);
}

}  // namespace mlx::core::cpu::MLX_ISA
