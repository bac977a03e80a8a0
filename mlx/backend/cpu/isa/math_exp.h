// Exponentials and what is built on them. float32 within 2 ULP, the same bits at every level: fma() is the
// only contraction, and the double precision paths use plain products and sums.
// Reduction by n ln2 in two parts after Cody and Waite (1980); polynomials from tools/fit_polynomials.py.
#pragma once

#include "mlx/backend/cpu/isa/vec.h"

namespace mlx::core::cpu::MLX_ISA {

inline constexpr double kExpm1F64[] = {  // (e^r - 1 - r) / r^2 for |r| <= ln2 / 2
    0.5000000000000006,     0.16666666666666588,    0.04166666666657646,   0.008333333333389738,
    0.001388888893166915,   0.0001984126971868579,  2.4801505140696445e-05, 2.755740771983197e-06,
    2.762609350159776e-07,  2.5053762160181396e-08};
inline constexpr double kExpm1ShortF64[] = {  // to 2^-34
    0.5000000044269829, 0.16666666369921507, 0.041666360424484725, 0.008333389416910445,
    0.0013940668726532917, 0.00019845904637365397};
inline constexpr float kExpF32[] = {4.9999994e-01f, 1.6666521e-01f, 4.166839e-02f, 8.368745e-03f,
                                    1.3814544e-03f};
inline constexpr float kTanhF32[] = {  // (tanh(x) - x) / x^3 in x^2, |x| <= 0.625
    -3.333328e-01f, 1.3331442e-01f, -5.3739715e-02f, 2.0639084e-02f, -5.7049845e-03f};

inline constexpr float kRoundF32 = 0x1.8p23f;   // adding it leaves the nearest integer in the low bits
inline constexpr double kRoundF64 = 0x1.8p52;
inline constexpr double kInfinity = __builtin_inf();

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
  F32 r = fma(n, constant(x, -0x1.62e43p-1), x);
  F32 rest = n * 0x1.05c61p-29f;  // joins the small terms, so that only one sum rounds at the size of r
  F32 sum = r + rest;
  F32 tail = fma(sum * sum, polynomial(sum, kExpF32), rest) + r;
  return {tail + 1.0f, bit_cast<I32>(shifted) - bit_cast<int32_t>(kRoundF32)};
}

MLX_INLINE F32 power_of_two(I32 exponent) { return bit_cast<F32>((exponent + 127) << 23); }

// e^x for -87 < x < 88, where the result is normal.
MLX_INLINE F32 exp_normal(F32 x) {
  ExpF32 parts = exp_parts(x);
  return parts.significand * power_of_two(parts.exponent);
}

MLX_INLINE F32 exp(F32 x) {
  ExpF32 parts = exp_parts(clamp(x, -104.0, 89.0));
  I32 half = parts.exponent >> 1;  // two factors reach subnormal results and infinity with one rounding
  return parts.significand * power_of_two(half) * power_of_two(parts.exponent - half);
}

struct ExpF64 {
  F64 scale;  // 2^n
  F64 expm1;  // e^r - 1, |r| <= ln2 / 2
};

// |x| at most about 700. The relative error is that of the polynomial.
template <int N>
MLX_INLINE ExpF64 exp_parts(F64 x, const double (&coefficients)[N]) {
  F64 shifted = x * 1.44269504088896341 + kRoundF64;
  F64 n = shifted - kRoundF64;
  F64 r = (x - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
  F64 expm1 = r + r * r * polynomial(r, coefficients);
  return {bit_cast<F64>((bit_cast<I64>(shifted) + 1023) << 52), expm1};
}

template <int N>
MLX_INLINE F64 exp_double(F64 x, const double (&coefficients)[N]) {
  ExpF64 parts = exp_parts(x, coefficients);
  return parts.scale + parts.scale * parts.expm1;
}

MLX_INLINE F64 expm1_double(F64 x) {
  ExpF64 parts = exp_parts(x, kExpm1ShortF64);
  return (parts.scale - 1.0) + parts.scale * parts.expm1;
}

MLX_INLINE F32 expm1(F32 x) {
  F32 y = through_double(clamp(x, -20.0, 89.0), [](F64 d) { return expm1_double(d); });
  return x == 0.0f ? x : y;  // keeps -0
}

MLX_INLINE F32 sinh(F32 x) {
  F32 y = through_double(clamp(abs(x), 0.0, 90.0), [](F64 d) {
    F64 e = expm1_double(d);
    return (e + e / (e + 1.0)) * 0.5;
  });
  return with_sign_of(y, x);
}

MLX_INLINE F32 cosh(F32 x) {
  return through_double(clamp(abs(x), 0.0, 90.0), [](F64 d) {
    F64 e = exp_double(d, kExpm1ShortF64);
    return (e + 1.0 / e) * 0.5;
  });
}

MLX_INLINE F32 tanh(F32 x) {
  F32 a = clamp(abs(x), 0.0, 10.0);  // tanh(10) rounds to 1
  F32 square = a * a;
  F32 small = fma(a * square, polynomial(square, kTanhF32), a);
  F32 large = 1.0f - 2.0f / (exp_normal(a + a) + 1.0f);
  return with_sign_of(a < 0.625f ? small : large, x);
}

MLX_INLINE F32 sigmoid(F32 x) {
  F32 e = exp(-abs(x));
  F32 sum = 1.0f + e;
  F32 lost = e - (sum - 1.0f);  // what the sum rounded away, exactly
  F32 y = (x < 0.0f ? e : constant(x, 1.0)) / sum;
  F32 reciprocal = fma(e, constant(x, -0.5), constant(x, 1.0));  // 1 - e / 2, near enough to 1 / sum
  return fma(-y, lost * reciprocal, y);
}

}  // namespace mlx::core::cpu::MLX_ISA
