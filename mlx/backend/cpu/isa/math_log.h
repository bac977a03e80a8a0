// Logarithms, inverse hyperbolic functions, powers and logaddexp of float32 within 2 ULP, the same bits at
// every level. Polynomials from tools/fit_polynomials.py.
#pragma once

#include "mlx/backend/cpu/isa/math_exp.h"

namespace mlx::core::cpu::MLX_ISA {

inline constexpr float kLogF32[] = {  // (log(1 + f) - f + f^2 / 2) / f^3 for 1 + f in [sqrt(1/2), sqrt(2)]
    3.333333e-01f, -2.500082e-01f,  2.0001227e-01f, -1.6623358e-01f,
    1.420176e-01f, -1.3160181e-01f, 1.2761565e-01f, -7.634486e-02f};
inline constexpr double kLogF64[] = {  // (atanh(s) - s) / s^3 in s^2, s = (m - 1) / (m + 1)
    0.3333333333333367,  0.19999999999707835, 0.14285714371094183, 0.11111099295749048,
    0.0909178174117321,  0.07657034733036162, 0.0739789313209552};
inline constexpr double kLogShortF64[] = {  // to 2^-44
    0.3333333333788892, 0.19999997814636455, 0.14286054207666832, 0.11088108947425011,
    0.09791878383296225};

inline constexpr double kLn2 = 0x1.62e42fefa39efp-1;
inline constexpr double kNaN = __builtin_nan("");

// x = 2^exponent m with m in [sqrt(1/2), sqrt(2)).
MLX_INLINE F32 log(F32 x) {
  I32 subnormal = x < 0x1p-126f;
  F32 scaled = subnormal ? x * 0x1p23f : x;
  I32 offset = bit_cast<I32>(scaled) - 0x3f3504f3;
  F32 m = bit_cast<F32>((offset & 0x7fffff) + 0x3f3504f3);
  F32 e = __builtin_convertvector((offset >> 23) + (subnormal & -23), F32);
  F32 f = m - 1.0f;
  F32 square = f * f;
  F32 y = square * f * polynomial(f, kLogF32);
  y = fma(square, constant(x, -0.5), y);
  y = fma(e, constant(x, -0x1.05c61p-29), y);
  y = fma(e, constant(x, 0x1.62e43p-1), f + y);
  y = x < __builtin_inff() ? y : x;  // infinity and NaN
  F32 outside = x < 0.0f ? constant(x, kNaN) : constant(x, -kInfinity);
  return x <= 0.0f ? outside : y;
}

struct LogF64 {
  F64 exponent;
  F64 log;  // of the significand
};

// x normal and positive. The relative error of the sum is that of the polynomial.
template <int N>
MLX_INLINE LogF64 log_parts(F64 x, const double (&coefficients)[N]) {
  constexpr uint64_t kSqrtHalf = 0x3fe6a09e667f3bcd;
  U64 offset = bit_cast<U64>(x) + (0x3ff0000000000000 - kSqrtHalf);
  F64 m = bit_cast<F64>((offset & 0xfffffffffffff) + kSqrtHalf);
  F64 e = bit_cast<F64>((offset >> 52) | 0x4330000000000000) - (0x1p52 + 1023.0);
  F64 s = (m - 1.0) / (m + 1.0);
  F64 z = s * s;
  F64 twice = s + s;
  return {e, twice + twice * z * polynomial(z, coefficients)};
}

// Replaces y = log(x) where x is zero, negative, infinite or NaN.
MLX_INLINE F64 log_special(F64 x, F64 y) {
  y = x < kInfinity ? y : x;
  F64 outside = x < 0.0 ? constant(x, kNaN) : constant(x, -kInfinity);
  return x <= 0.0 ? outside : y;
}

// log(1 + u). Where the sum would round away too much of u, two terms of the series are exact enough.
template <int N>
MLX_INLINE F64 log1p_double(F64 u, const double (&coefficients)[N]) {
  F64 sum = u + 1.0;
  LogF64 parts = log_parts(sum, coefficients);
  F64 y = log_special(sum, parts.exponent * kLn2 + parts.log);
  return abs(u) < 0x1p-26 ? u - 0.5 * u * u : y;
}

MLX_INLINE F32 log2(F32 x) {
  return through_double(x, [](F64 d) {
    LogF64 parts = log_parts(d, kLogShortF64);
    return log_special(d, parts.exponent + parts.log * 1.44269504088896341);
  });
}

MLX_INLINE F32 log10(F32 x) {
  return through_double(x, [](F64 d) {
    LogF64 parts = log_parts(d, kLogShortF64);
    return log_special(d, parts.exponent * 0.301029995663981195 + parts.log * 0.434294481903251828);
  });
}

MLX_INLINE F32 log1p(F32 x) {
  F32 y = through_double(x, [](F64 d) { return log1p_double(d, kLogShortF64); });
  return x == 0.0f ? x : y;  // keeps -0
}

MLX_INLINE F32 arcsinh(F32 x) {
  F32 y = through_double(abs(x), [](F64 d) {
    F64 square = d * d;
    F64 y = log1p_double(d + square / (1.0 + sqrt(square + 1.0)), kLogShortF64);
    return d == kInfinity ? d : y;
  });
  return with_sign_of(y, x);
}

MLX_INLINE F32 arccosh(F32 x) {
  return through_double(x, [](F64 d) {
    F64 t = d - 1.0;
    return d < 1.0 ? constant(d, kNaN) : log1p_double(t + sqrt(t * (t + 2.0)), kLogShortF64);
  });
}

MLX_INLINE F32 arctanh(F32 x) {
  F32 y = through_double(abs(x), [](F64 d) {
    return 0.5 * log1p_double((d + d) / (1.0 - d), kLogShortF64);
  });
  y = abs(x) > 1.0f ? constant(x, kNaN) : y;
  return with_sign_of(y, x);
}

MLX_INLINE F32 logaddexp(F32 a, F32 b) {
  return through_double(a, b, [](F64 p, F64 q) {
    F64 larger = p > q ? p : q;
    F64 difference = clamp(-abs(p - q), -700.0, 0.0);
    // The sum may cancel: full precision.
    F64 y = larger + log1p_double(exp_double(difference, kExpm1F64), kLogF64);
    y = abs(larger) == kInfinity ? larger : y;
    return ((p != p) | (q != q)) ? p + q : y;
  });
}

// |a|^b by 2^(b log2 |a|), then the special cases of C's pow.
MLX_INLINE F64 power_double(F64 a, F64 b) {
  F64 base = abs(a);
  LogF64 parts = log_parts(base, kLogShortF64);
  F64 product = b * log_special(base, parts.exponent * kLn2 + parts.log);
  F64 y = exp_double(clamp(product, -200.0, 200.0), kExpm1ShortF64);
  y = base == 0.0 ? (b > 0.0 ? F64{} : constant(a, kInfinity)) : y;
  F64 half = b * 0.5;
  I64 integer = trunc(b) == b;
  I64 odd = integer & (trunc(half) != half);
  I64 negative = bit_cast<I64>(a) < 0;
  y = (negative & odd) ? -y : y;
  y = ((a < 0.0) & ~integer & (base < kInfinity)) ? constant(a, kNaN) : y;
  y = ((base == 1.0) & (abs(b) == kInfinity)) ? constant(a, 1.0) : y;
  y = ((a != a) | (b != b)) ? a + b : y;
  return ((a == 1.0) | (b == 0.0)) ? constant(a, 1.0) : y;
}

MLX_INLINE F32 power(F32 a, F32 b) {
  return through_double(a, b, [](F64 p, F64 q) { return power_double(p, q); });
}

}  // namespace mlx::core::cpu::MLX_ISA
