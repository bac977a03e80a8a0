// Sine, cosine, tangent and their inverses of float32 within 2 ULP for every argument, the same bits at
// every level: reduction and polynomials in double, with plain products and sums. Arguments from 2^22 on are
// reduced in integers (Payne and Hanek, "Radian reduction for trigonometric functions", 1983).
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
inline constexpr double kArctan[] = {  // (arctan(t) / t - 1) / t^2 for |t| <= tan(pi / 8)
    -0.3333333329568101,  0.19999994320611628, -0.14285423383996662, 0.11103999372919564,
    -0.08996797432020669, 0.06991019143314416, -0.03792073095072769};
inline constexpr double kArcsin[] = {  // (arcsin(s) / s - 1) / s^2 for |s| <= 1/2
    0.16666666627332594,  0.07500004981925182,  0.044640707852973804,  0.030426522784025842,
    0.021865717723947957, 0.020646403121127584, 0.0019789748833673455, 0.03291191779163335};

inline constexpr double kPi = 0x1.921fb54442d18p+1;
inline constexpr float kLargeAngle = 0x1p22f;

struct ReducedAngle {
  double r;      // x - quadrant * pi / 2, |r| <= pi / 4
  int quadrant;  // modulo 4
};

// x = M 2^k with a 24-bit integer M. Bits of 2 / pi that make multiples of 4 are skipped, 96 bits are kept.
inline ReducedAngle reduce_large_angle(float x) {
  static constexpr uint32_t kTwoOverPi[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                            0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561};
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

// x - n pi (halves and quarters alike): the first two parts have 30 bits, so that their products are exact.
MLX_INLINE F64 subtract_multiple_of_pi(F64 x, F64 n) {
  return ((x - n * 0x1.921fb54p+1) - n * 0x1.10b46118p-29) - n * 0x1.313198a2e0370p-60;
}

MLX_INLINE F64 flip_sign(F64 x, I64 low_bit) { return bit_cast<F64>(bit_cast<I64>(x) ^ (low_bit << 63)); }

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

// The angle of the point (x, y) in the first quadrant, x and y not negative.
MLX_INLINE F64 arctan_quadrant(F64 y, F64 x) {
  I64 steep = y > x;
  F64 low = steep ? x : y, high = steep ? y : x;
  I64 infinite = high == kInfinity;
  low = infinite ? (low == kInfinity ? constant(low, 1.0) : F64{}) : low;
  high = (infinite | (high == 0.0)) ? constant(high, 1.0) : high;
  I64 wide = low > high * 0.41421356237309503;  // turn by pi / 4: tan(a - pi / 4) = (t - 1) / (t + 1)
  F64 t = (wide ? low - high : low) / (wide ? low + high : high);
  F64 z = t * t;
  F64 angle = t * (z * polynomial(z, kArctan) + 1.0);
  angle = wide ? angle + kPi / 4 : angle;
  return steep ? kPi / 2 - angle : angle;
}

MLX_INLINE F32 arctan(F32 x) {
  F32 y = through_double(abs(x), [](F64 d) { return arctan_quadrant(d, constant(d, 1.0)); });
  return with_sign_of(y, x);
}

MLX_INLINE F32 arctan2(F32 y, F32 x) {
  return through_double(y, x, [](F64 p, F64 q) {
    F64 angle = arctan_quadrant(abs(p), abs(q));
    angle = bit_cast<I64>(q) < 0 ? kPi - angle : angle;
    return ((p != p) | (q != q)) ? p + q : with_sign_of(angle, p);
  });
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
