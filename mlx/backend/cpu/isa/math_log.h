// Logarithms, inverse hyperbolic functions, powers and logaddexp, within 2 ULP and with the same
// bits at all levels that have fused multiply-add; templates are also float64's there. Polynomials
// from tools/fit_polynomials.py.
#pragma once

#include "mlx/backend/cpu/isa/math_exp.h"

namespace mlx::core::cpu::MLX_ISA {

inline constexpr float kLogF32[] = {  // (log(1 + f) - f + f^2 / 2) / f^3 for 1 + f in [sqrt(1/2), sqrt(2)]
    3.333333e-01f, -2.500082e-01f,  2.0001227e-01f, -1.6623358e-01f,
    1.420176e-01f, -1.3160181e-01f, 1.2761565e-01f, -7.634486e-02f};
inline constexpr double kLogF64[] = {  // (atanh(s) - s) / s^3 in s^2, s = (m - 1) / (m + 1)
    0.3333333333333367, 0.19999999999707835, 0.14285714371094183, 0.11111099295749048,
    0.0909178174117321, 0.07657034733036162, 0.0739789313209552};
inline constexpr double kLogShortF64[] = {  // to 2^-44
    0.3333333333788892, 0.19999997814636455, 0.14286054207666832, 0.11088108947425011,
    0.09791878383296225};

inline constexpr double kLn2 = kLn2Pair.high;
inline constexpr Pair<double> kLog2EPair{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
inline constexpr Pair<double> kLog10EPair{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
inline constexpr Pair<double> kLog10Of2Pair{0x1.34413509f79ffp-2, -0x1.9dc1da994fd21p-59};
inline constexpr double kNaN = __builtin_nan("");

// x = 2^exponent (1 + f), 1 + f in [sqrt(1/2), sqrt(2)); x positive and finite.
template <typename V>
struct Significand {
  V exponent, f;
};

MLX_INLINE Significand<F32> significand(F32 x) {
  I32 subnormal = x < 0x1p-126f;
  F32 scaled = subnormal ? x * 0x1p23f : x;
  I32 offset = bit_cast<I32>(scaled) - 0x3f3504f3;
  F32 m = bit_cast<F32>((offset & 0x7fffff) + 0x3f3504f3);
  return {__builtin_convertvector((offset >> 23) + (subnormal & -23), F32), m - 1.0f};
}

// x no subnormal number.
MLX_INLINE Significand<F64> normal_significand(F64 x) {
  constexpr uint64_t kSqrtHalf = 0x3fe6a09e667f3bcd;
  U64 offset = bit_cast<U64>(x) + (0x3ff0000000000000 - kSqrtHalf);
  F64 m = bit_cast<F64>((offset & 0xfffffffffffff) + kSqrtHalf);
  return {bit_cast<F64>((offset >> 52) | 0x4330000000000000) - (0x1p52 + 1023.0), m - 1.0};
}

MLX_INLINE Significand<F64> significand(F64 x) {
  I64 subnormal = x < 0x1p-1022;
  Significand<F64> parts = normal_significand(subnormal ? x * 0x1p54 : x);
  parts.exponent -= subnormal ? constant(x, 54.0) : F64{};
  return parts;
}

// log(1 + f) = f - the value.
MLX_INLINE F32 log_deficit(F32 f) {
  F32 square = f * f;
  return fma(square, constant(f, 0.5), -(square * f * fused_polynomial(f, kLogF32)));
}

// With s = f / (2 + f), log(1 + f) = 2 atanh(s) and 2 s = f - s f.
template <typename V>
MLX_INLINE V log_deficit(V f) {
  V s = f / (f + 2.0);
  V z = s * s;
  return s * fma(z + z, -fused_polynomial(z, kLogF64), f);
}

// Replaces y = log(x) where x is zero, negative, infinite or NaN.
template <typename V>
MLX_INLINE V log_special(V x, V y) {
  y = x < constant(x, kInfinity) ? y : x;
  V outside = x < 0 ? constant(x, kNaN) : constant(x, -kInfinity);
  return x <= 0 ? outside : y;
}

template <typename V>
MLX_INLINE V log(V x) {
  constexpr auto ln2 = pair_of<V>(kLn2Pair);
  Significand<V> parts = significand(x);
  V rest = fma(parts.exponent, constant(x, -ln2.low), log_deficit(parts.f));
  return log_special(x, fma(parts.exponent, constant(x, ln2.high), parts.f - rest));
}

// log(1 + f) times a constant.
template <typename V>
MLX_INLINE V log_times(V f, Pair<ElementOf<V>> factor) {
  V deficit = log_deficit(f);
  V high = f - deficit;
  V low = (f - high) - deficit;
  return fma(high, constant(f, factor.high), fma(low, constant(f, factor.high), high * factor.low));
}

template <typename V>
MLX_INLINE V log2(V x) {
  Significand<V> parts = significand(x);
  return log_special(x, parts.exponent + log_times(parts.f, pair_of<V>(kLog2EPair)));
}

template <typename V>
MLX_INLINE V log10(V x) {
  constexpr auto log10_2 = pair_of<V>(kLog10Of2Pair);
  Significand<V> parts = significand(x);
  V rest =
      fma(parts.exponent, constant(x, log10_2.low), log_times(parts.f, pair_of<V>(kLog10EPair)));
  return log_special(x, fma(parts.exponent, constant(x, log10_2.high), rest));
}

// log(1 + x + low), low far below x.
template <typename V>
MLX_INLINE V log1p_sum(V x, V low) {
  constexpr auto ln2 = pair_of<V>(kLn2Pair);
  V sum = x + 1;
  V back = sum - 1;
  V lost = ((1 - (sum - back)) + (x - back)) + low;
  Significand<V> parts = significand(sum);
  V rest = log_deficit(parts.f) - fma(parts.exponent, constant(x, ln2.low), lost / sum);
  V y = log_special(sum, fma(parts.exponent, constant(x, ln2.high), parts.f - rest));
  return is_tiny(x) ? x : y;
}

template <typename V>
MLX_INLINE V log1p(V x) {
  return log1p_sum(x, V{});
}

inline constexpr double kLarge = 0x1p28;  // log(2 x) is all that is left of the inverse hyperbolic functions

// log1p(d + d^2 / (1 + sqrt(d^2 + 1)))
template <typename V>
MLX_INLINE V arcsinh(V x) {
  V d = abs(x);
  MaskOf<V> large = d > constant(x, kLarge);
  V square = d * d;
  V term = square / (1 + sqrt(square + 1));
  V sum = d + term;
  V y = log1p_sum(large ? d : sum, large ? constant(x, -1) : (d - sum) + term);
  return with_sign_of(large ? y + constant(x, kLn2) : y, x);
}

template <typename V>
MLX_INLINE V arccosh(V x) {
  MaskOf<V> large = x > constant(x, kLarge);
  V t = x - 1;
  V root = sqrt(fma(t, t, t + t));
  V sum = t + root;
  V y = log1p_sum(large ? x : sum, large ? constant(x, -1) : (root - sum) + t);
  return x < 1 ? constant(x, kNaN) : (large ? y + constant(x, kLn2) : y);
}

// log1p(2 d / (1 - d)) / 2, the quotient with its remainder.
template <typename V>
MLX_INLINE V arctanh(V x) {
  V d = abs(x);
  V divisor = 1 - d;
  V lost = (1 - divisor) - d;
  V inverse = 1 / divisor;
  V quotient = (d + d) * inverse;
  V rest = exact_difference(d + d, quotient, divisor) - quotient * lost;
  V y = log1p_sum(quotient, rest * inverse) * constant(x, 0.5);
  y = d < 1 ? y : (d == 1 ? constant(x, kInfinity) : constant(x, kNaN));
  return is_tiny(x) ? x : with_sign_of(y, x);
}

// For functions of float32 computed in double.
struct LogF64 {
  F64 exponent;
  F64 log;  // of the significand
};

// x normal and positive. The relative error of the sum is that of the polynomial.
template <int N>
MLX_INLINE LogF64 log_parts(F64 x, const double (&coefficients)[N]) {
  Significand<F64> parts = normal_significand(x);
  F64 s = parts.f / (parts.f + 2.0);
  F64 z = s * s;
  F64 twice = s + s;
  return {parts.exponent, twice + twice * z * polynomial(z, coefficients)};
}

// log(1 + u). Where the sum would round away too much of u, two terms of the series are exact
// enough.
MLX_INLINE F64 log1p_double(F64 u) {
  F64 sum = u + 1.0;
  LogF64 parts = log_parts(sum, kLogF64);
  return abs(u) < 0x1p-26 ? u - 0.5 * u * u : parts.exponent * kLn2 + parts.log;
}

// Where the sum may cancel: in double.
[[gnu::noinline]] inline F32 cancelling_logaddexp(F32 larger, F32 smaller) {
  return through_double(larger, smaller, [](F64 p, F64 q) {
    return p + log1p_double(exp_double(clamp(q - p, -700.0, 0.0), kExpm1F64));
  });
}

MLX_INLINE F32 logaddexp(F32 a, F32 b) {
  F32 larger = a > b ? a : b, smaller = a > b ? b : a;
  F32 difference = smaller - larger;
  F32 back = difference - smaller;
  F32 lost = (smaller - (difference - back)) - (larger + back);  // by rounding the difference, exactly
  Pair<F32> ratio = exp_pair(clamp(difference, -104.0, 0.0), difference > -104.0f ? lost : F32{});
  F32 y = larger + log1p_sum(ratio.high, ratio.low);
  I32 cancels = (larger < 0.0f) & (larger > -1.5f);
  if (any(cancels)) y = cancels ? cancelling_logaddexp(larger, smaller) : y;
  y = abs(larger) == __builtin_inff() ? larger : y;
  return ((a != a) | (b != b)) ? a + b : y;
}

// The result of C's pow from y = |a|^b where neither operand is special.
template <typename V>
MLX_INLINE V power_special(V a, V b, V y) {
  V base = abs(a), infinity = constant(a, kInfinity), one = constant(a, 1);
  y = base == 0 ? (b > 0 ? V{} : infinity) : y;
  V half = b * constant(b, 0.5);
  MaskOf<V> integer = trunc(b) == b, halved = trunc(half) == half;
  MaskOf<V> odd = integer & ~halved, negative = bit_cast<MaskOf<V>>(a) < 0;
  MaskOf<V> below = a < 0, finite = base < infinity;
  y = (negative & odd) ? -y : y;
  y = (below & ~integer & finite) ? constant(a, kNaN) : y;
  y = ((base == 1) & (abs(b) == infinity)) ? one : y;
  y = ((a != a) | (b != b)) ? a + b : y;
  return ((a == 1) | (b == 0)) ? one : y;
}

// |a|^b by e^(b log |a|) in double.
MLX_INLINE F32 power(F32 a, F32 b) {
  F32 y = through_double(abs(a), b, [](F64 base, F64 exponent) {
    LogF64 parts = log_parts(base, kLogShortF64);
    F64 product = exponent * log_special(base, parts.exponent * kLn2 + parts.log);
    return exp_double(clamp(product, -200.0, 200.0), kExpm1ShortF64);
  });
  return power_special(a, b, y);
}

}  // namespace mlx::core::cpu::MLX_ISA
