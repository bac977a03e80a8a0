// Sine, cosine, tangent, arcsine and arccosine of float64 within 2 ULP. Angles are reduced by
// multiples of pi / 2 in three parts (Cody and Waite, 1980), from 2^30 on by the C library.
// Polynomials from tools/fit_polynomials.py.
#pragma once

#include "mlx/backend/cpu/isa/math_f64_exp.h"
#include "mlx/backend/cpu/isa/math_trig.h"

namespace mlx::core::cpu::MLX_ISA {

// Polynomials in the square of the argument.
inline constexpr double kSinQuarterPiLong[] = {  // (sin(r) / r - 1) / r^2 for |r| <= pi / 4
    -0.1666666666666663,    0.008333333333322108, -0.00019841269829580329,
    2.7557313618060165e-06, -2.5050747223405e-08, 1.5896197873538838e-10};
inline constexpr double kCosQuarterPiLong[] = {  // (cos(r) - 1 + r^2 / 2) / r^4
    0.041666666666666595,    -0.001388888888887304, 2.4801587288841367e-05,
    -2.7557314176233885e-07, 2.087570041558388e-09, -1.1358513938598842e-11};
inline constexpr double kArcsinLong[] = {  // (arcsin(s) / s - 1) / s^2 for |s| <= 1/2
    0.1666666666666676,  0.07499999999970632,   0.044642857174780705, 0.03038194269930494,
    0.0223722152365703,  0.01735160737169239,   0.013980878142629567, 0.011398425661446268,
    0.0107830630614128,  0.0036954882441208215, 0.021734742999903706, -0.021038695063750622,
    0.032654024907290934};

inline constexpr double kPiRest = -0x1.f1976b7ed8fbcp-109;
inline constexpr double kLargeAngleF64 = 0x1p30;

template <typename F>
[[gnu::noinline]] F64 replace_large_angles(F64 x, F64 y, F function) {
  for (int i = 0; i < kF64Lanes; i++) {
    double lane = x[i];
    if (!(__builtin_fabs(lane) < kLargeAngleF64)) y[i] = function(lane);
  }
  return y;
}

// x = quadrant pi / 2 + r + low, |r| <= pi / 4.
struct ReducedAngleF64 {
  I64 quadrant;  // its two low bits count
  F64 r, low;
};

MLX_INLINE ReducedAngleF64 reduce_angle(F64 x) {
  F64 shifted = fma(x, constant(x, 2.0 / kPi), constant(x, kRoundF64));
  F64 n = shifted - kRoundF64;
  F64 first = fma(n, constant(x, -kPiPair.high / 2), x);  // exact
  F64 product = n * (kPiPair.low / 2);
  F64 product_low = fma(n, constant(x, kPiPair.low / 2), -product);
  F64 r = first - product;
  F64 back = r - first;
  F64 low = (first - (r - back)) - (product + back);
  return {bit_cast<I64>(shifted), r, fma(n, constant(x, -kPiRest / 2), low - product_low)};
}

MLX_INLINE Pair<F64> sin_reduced(F64 r, F64 low) {
  F64 z = r * r;
  F64 rest = fma(r, z * fused_polynomial(z, kSinQuarterPiLong), low);
  F64 high = r + rest;
  return {high, (r - high) + rest};
}

MLX_INLINE Pair<F64> cos_reduced(F64 r, F64 low) {
  F64 z = r * r, half = 0.5 * z, near = 1.0 - half;
  F64 rest = ((1.0 - near) - half) + fma(z * z, fused_polynomial(z, kCosQuarterPiLong), -r * low);
  F64 high = near + rest;
  return {high, (near - high) + rest};
}

// sin(x + quadrants pi / 2)
MLX_INLINE F64 sin_turned(F64 x, int quadrants) {
  ReducedAngleF64 angle = reduce_angle(x);
  F64 sine = sin_reduced(angle.r, angle.low).high, cosine = cos_reduced(angle.r, angle.low).high;
  I64 quadrant = angle.quadrant + quadrants;
  return flip_sign((quadrant & 1) != 0 ? cosine : sine, quadrant >> 1);
}

MLX_INLINE F64 sin(F64 x) {
  F64 y = sin_turned(x, 0);
  y = x == 0.0 ? x : y;  // keeps -0
  if (any(I64(~(abs(x) < kLargeAngleF64))))
    return replace_large_angles(x, y, [](double lane) { return __builtin_sin(lane); });
  return y;
}

MLX_INLINE F64 cos(F64 x) {
  F64 y = sin_turned(x, 1);
  if (any(I64(~(abs(x) < kLargeAngleF64))))
    return replace_large_angles(x, y, [](double lane) { return __builtin_cos(lane); });
  return y;
}

// The quotient of sine and cosine, or of -cosine and sine, with its remainder.
MLX_INLINE F64 tan(F64 x) {
  ReducedAngleF64 angle = reduce_angle(x);
  Pair<F64> sine = sin_reduced(angle.r, angle.low), cosine = cos_reduced(angle.r, angle.low);
  I64 odd = (angle.quadrant & 1) != 0;
  F64 top = odd ? -cosine.high : sine.high, top_low = odd ? -cosine.low : sine.low;
  F64 bottom = odd ? sine.high : cosine.high, bottom_low = odd ? sine.low : cosine.low;
  F64 inverse = 1.0 / bottom;
  F64 y = top * inverse;
  y = fma((fma(-y, bottom, top) + top_low) - y * bottom_low, inverse, y);
  y = x == 0.0 ? x : y;
  if (any(I64(~(abs(x) < kLargeAngleF64))))
    return replace_large_angles(x, y, [](double lane) { return __builtin_tan(lane); });
  return y;
}

// arcsin of s = |x| <= 1/2, or of s = sqrt((1 - |x|) / 2) beyond: arcsin(x) = pi / 2 - 2 arcsin(s).
MLX_INLINE Pair<F64> arcsin_part(F64 magnitude, I64 beyond) {
  F64 z = beyond ? fma(magnitude, constant(magnitude, -0.5), constant(magnitude, 0.5))
                 : magnitude * magnitude;
  F64 s = beyond ? sqrt(z) : magnitude;
  return {s, s * (z * fused_polynomial(z, kArcsinLong))};
}

// turns * pi / 2 - value
MLX_INLINE F64 complement(double turns, Pair<F64> value) {
  double quarter = turns * (kPiPair.high / 2);
  F64 high = quarter - value.high;
  F64 lost = (quarter - high) - value.high;
  return high + ((lost + turns * (kPiPair.low / 2)) - value.low);
}

MLX_INLINE F64 arcsin(F64 x) {
  F64 magnitude = abs(x);
  I64 beyond = magnitude > 0.5;
  Pair<F64> part = arcsin_part(magnitude, beyond);
  Pair<F64> twice = {part.high + part.high, part.low + part.low};
  return with_sign_of(beyond ? complement(1, twice) : part.high + part.low, x);
}

MLX_INLINE F64 arccos(F64 x) {
  F64 magnitude = abs(x);
  I64 beyond = magnitude > 0.5;
  Pair<F64> part = arcsin_part(magnitude, beyond);
  Pair<F64> twice = {part.high + part.high, part.low + part.low};
  Pair<F64> signed_part = {with_sign_of(part.high, x), with_sign_of(part.low, x)};
  F64 far = x < 0.0 ? complement(2, twice) : twice.high + twice.low;
  return beyond ? far : complement(1, signed_part);
}

}  // namespace mlx::core::cpu::MLX_ISA
