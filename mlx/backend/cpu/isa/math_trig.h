// Sine, cosine, tangent and their inverses of float32 within 2 ULP for every argument: reduction
// and polynomials in double, with plain products and sums. Arguments from 2^22 on are reduced in
// integers (Payne and Hanek, "Radian reduction for trigonometric functions", 1983). arctan is a
// template, also float64's where the level has fused multiply-add.
#pragma once

#include "mlx/backend/cpu/isa/math_exp.h"

namespace mlx::core::cpu::MLX_ISA {

// Polynomials in the square of the argument, from tools/fit_polynomials.py.
inline constexpr double kSinHalfPi[] = {  // (sin(r) / r - 1) / r^2 for |r| <= pi / 2
    -0.16666666626108526, 0.00833333110680363, -0.0001984086796711764, 2.7525371617667824e-06,
    -2.388867800936684e-08};
inline constexpr double kSinQuarterPi[] = {-0.16666666640776256, 0.008333329302424882,
                                           -0.00019839311487856198, 2.7181141371685606e-06};
inline constexpr double kCosQuarterPi[] = {  // (cos(r) - 1 + r^2 / 2) / r^4
    0.04166666661945396, -0.0013888883496877976, 2.4799459314156405e-05, -2.7205684903904215e-07};
inline constexpr float kArctanF32[] = {  // (arctan(t) / t - 1) / t^2 for |t| <= 7/16
    -3.333333e-01f, 1.9999842e-01f, -1.4280258e-01f,
    1.1023177e-01f, -8.357325e-02f, 4.5012437e-02f};
inline constexpr double kArctanF64[] = {
    -0.3333333333333292,   0.19999999999873153, -0.142857142722121,   0.1111111039275336,
    -0.09090886813859163,  0.07691871225827776, -0.06661023495180966, 0.05833252945506933,
    -0.049756216052586934, 0.0365034829461125,  -0.01625872523008833};
inline constexpr double kArcsin[] = {  // (arcsin(s) / s - 1) / s^2 for |s| <= 1/2
    0.16666666627332594,  0.07500004981925182,  0.044640707852973804,  0.030426522784025842,
    0.021865717723947957, 0.020646403121127584, 0.0019789748833673455, 0.03291191779163335};

inline constexpr double kPi = 0x1.921fb54442d18p+1;
inline constexpr Pair<double> kPiPair{kPi, 0x1.1a62633145c07p-53};
inline constexpr Pair<double> kArctanHalfPair{0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56};
inline constexpr float kLargeAngle = 0x1p22f;

struct ReducedAngle {
  double r;      // x - quadrant * pi / 2, |r| <= pi / 4
  int quadrant;  // modulo 4
};

// x = M 2^k with a 24-bit integer M. Bits of 2 / pi that make multiples of 4 are skipped, 96 bits
// are kept.
inline ReducedAngle reduce_large_angle(float x) {
  static constexpr uint32_t kTwoOverPi[] = {0,          0xa2f9836e, 0x4e441529,
                                            0xfc2757d1, 0xf534ddc0, 0xdb629599,
                                            0x3c439041, 0xfe5163ab, 0xdebbc561};
  uint32_t bits = bit_cast<uint32_t>(x) & 0x7fffffff;
  uint64_t significand = (bits & 0x7fffff) | 0x800000;
  int k = int(bits >> 23) - 127 - 23;
  int start = k + 30;
  auto word = [&](int i) {
    uint64_t pair = uint64_t(kTwoOverPi[start / 32 + i]) << 32 | kTwoOverPi[start / 32 + i + 1];
    return uint32_t(pair << start % 32 >> 32);
  };
  // The product modulo 2^96, as three words: two bits of quadrant, 94 bits of fraction.
  uint64_t low = significand * word(2);
  uint64_t middle = significand * word(1) + (low >> 32);
  uint64_t top = significand * word(0) + (middle >> 32);
  uint64_t high = top << 32 | (middle & 0xffffffff);
  int quadrant = int(high >> 62);
  int64_t fraction = int64_t(high << 2 | (low & 0xffffffff) >> 30);  // signed: nearest multiple
  if (fraction < 0) quadrant++;
  double turns = double(fraction) * 0x1p-64 + double(low & 0x3fffffff) * 0x1p-94;
  double r = turns * (kPi / 2);
  bool negative = bit_cast<uint32_t>(x) >> 31;
  return {negative ? -r : r, (negative ? -quadrant : quadrant) & 3};
}

// sin(x + quadrants * pi / 2) of one large argument.
inline float sin_large(float x, int quadrants) {
  if (__builtin_isinf(x) || __builtin_isnan(x)) return x - x;
  ReducedAngle angle = reduce_large_angle(x);
  int quadrant = (angle.quadrant + quadrants) & 3;
  double y = quadrant & 1 ? __builtin_cos(angle.r) : __builtin_sin(angle.r);
  return float(quadrant & 2 ? -y : y);
}

inline float tan_large(float x) {
  if (__builtin_isinf(x) || __builtin_isnan(x)) return x - x;
  ReducedAngle angle = reduce_large_angle(x);
  double y = __builtin_tan(angle.r);
  return float(angle.quadrant & 1 ? -1.0 / y : y);
}

template <typename F>
[[gnu::noinline]] F32 replace_large_angles(F32 x, F32 y, F function) {
  for (int i = 0; i < kF32Lanes; i++) {
    float lane = x[i];
    if (!(__builtin_fabsf(lane) < kLargeAngle)) y[i] = function(lane);
  }
  return y;
}

// sin(r) of |r| <= pi / 2; the product keeps -0.
MLX_INLINE F64 sin_reduced(F64 r) {
  F64 z = r * r;
  return r * (z * polynomial(z, kSinHalfPi) + 1.0);
}

// x - n pi (halves and quarters alike): the first two parts have 30 bits, so that their products
// are exact.
MLX_INLINE F64 subtract_multiple_of_pi(F64 x, F64 n) {
  return ((x - n * 0x1.921fb54p+1) - n * 0x1.10b46118p-29) - n * 0x1.313198a2e0370p-60;
}

MLX_INLINE F64 flip_sign(F64 x, I64 low_bit) {
  return bit_cast<F64>(bit_cast<I64>(x) ^ (low_bit << 63));
}

MLX_INLINE F32 sin(F32 x) {
  F32 y = through_double(x, [](F64 d) {
    F64 shifted = d * (1.0 / kPi) + kRoundF64;
    F64 r = subtract_multiple_of_pi(d, shifted - kRoundF64);
    return flip_sign(sin_reduced(r), bit_cast<I64>(shifted));
  });
  if (any(~(abs(x) < kLargeAngle)))
    return replace_large_angles(x, y, [](float lane) { return sin_large(lane, 0); });
  return y;
}

// cos(x) = sin(pi / 2 - x): the multiple of pi is a half more than an integer.
MLX_INLINE F32 cos(F32 x) {
  F32 y = through_double(x, [](F64 d) {
    F64 shifted = (d * (1.0 / kPi) - 0.5) + kRoundF64;
    F64 r = subtract_multiple_of_pi(d, (shifted - kRoundF64) + 0.5);
    return flip_sign(-sin_reduced(r), bit_cast<I64>(shifted));
  });
  if (any(~(abs(x) < kLargeAngle)))
    return replace_large_angles(x, y, [](float lane) { return sin_large(lane, 1); });
  return y;
}

MLX_INLINE F32 tan(F32 x) {
  F32 y = through_double(x, [](F64 d) {
    F64 shifted = d * (2.0 / kPi) + kRoundF64;
    F64 r = subtract_multiple_of_pi(d, (shifted - kRoundF64) * 0.5);
    F64 z = r * r;
    F64 sine = r * (z * polynomial(z, kSinQuarterPi) + 1.0);
    F64 cosine = (1.0 - 0.5 * z) + z * z * polynomial(z, kCosQuarterPi);
    I64 odd = (bit_cast<I64>(shifted) & 1) != 0;
    return (odd ? -cosine : sine) / (odd ? sine : cosine);
  });
  if (any(~(abs(x) < kLargeAngle)))
    return replace_large_angles(x, y, [](float lane) { return tan_large(lane); });
  return y;
}

// The angle of the point (x, y) in the first quadrant, x and y not negative. Turned by arctan(c), c
// = 0, 1/2 or 1, the smaller coordinate becomes small: arctan(a) - arctan(c) = arctan((a - c) / (1
// + a c)).
template <typename V>
MLX_INLINE V angle_in_quadrant(V y, V x) {
  constexpr bool kFloat32 = is_float32<ElementOf<V>>;
  constexpr auto pi = pair_of<V>(kPiPair), arctan_half = pair_of<V>(kArctanHalfPair);
  V one = constant(x, 1), infinity = constant(x, kInfinity);
  MaskOf<V> steep = y > x;
  V low = steep ? x : y, high = steep ? y : x;
  V scale = high > constant(x, kFloat32 ? 0x1p124 : 0x1p1020) ? constant(x, 0.25) : one;
  scale = high < constant(x, kFloat32 ? 0x1p-100 : 0x1p-900) ? constant(x, 0x1p60) : scale;
  MaskOf<V> infinite = high == infinity;
  low = infinite ? (low == infinity ? one : V{}) : low * scale;
  high = (infinite | (high == 0)) ? one : high * scale;
  MaskOf<V> middle = low > high * constant(x, 7.0 / 16), wide = low > high * constant(x, 11.0 / 16);
  V c = wide ? one : (middle ? constant(x, 0.5) : V{});
  V turn = wide ? constant(x, pi.high / 4) : (middle ? constant(x, arctan_half.high) : V{});
  V turn_low = wide ? constant(x, pi.low / 4) : (middle ? constant(x, arctan_half.low) : V{});
  V t = fma(-c, high, low) / fma(c, low, high);
  V z = t * t;
  V p = fused_polynomial(z, kArctanF32, kArctanF64);
  V angle = turn + (t + fma(t, z * p, turn_low));
  return steep ? constant(x, pi.high / 2) - (angle - constant(x, pi.low / 2)) : angle;
}

template <typename V>
MLX_INLINE V arctan(V x) {
  return with_sign_of(angle_in_quadrant(abs(x), constant(x, 1)), x);
}

template <typename V>
MLX_INLINE V arctan2(V y, V x) {
  constexpr auto pi = pair_of<V>(kPiPair);
  V angle = angle_in_quadrant(abs(y), abs(x));
  angle = bit_cast<MaskOf<V>>(x) < 0 ? constant(x, pi.high) - (angle - constant(x, pi.low)) : angle;
  return ((y != y) | (x != x)) ? y + x : with_sign_of(angle, y);
}

// s + s^3 P(s^2) with s = |x|, or sqrt((1 - |x|) / 2) beyond 1/2: arcsin(x) = pi / 2 - 2 arcsin(s).
MLX_INLINE F64 arcsin_half(F64 magnitude, I64 beyond) {
  F64 z = beyond ? (1.0 - magnitude) * 0.5 : magnitude * magnitude;
  F64 s = beyond ? sqrt(z) : magnitude;
  return s * (z * polynomial(z, kArcsin) + 1.0);
}

MLX_INLINE F32 arcsin(F32 x) {
  F32 y = through_double(abs(x), [](F64 d) {
    I64 beyond = d > 0.5;
    F64 half = arcsin_half(d, beyond);
    return beyond ? kPi / 2 - (half + half) : half;
  });
  return with_sign_of(y, x);
}

MLX_INLINE F32 arccos(F32 x) {
  return through_double(x, [](F64 d) {
    F64 magnitude = abs(d);
    I64 beyond = magnitude > 0.5;
    F64 half = arcsin_half(magnitude, beyond);
    F64 twice = half + half;
    F64 far = d < 0.0 ? kPi - twice : twice;
    return beyond ? far : kPi / 2 - (d < 0.0 ? -half : half);
  });
}

}  // namespace mlx::core::cpu::MLX_ISA
