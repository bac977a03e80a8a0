// Powers of float64 within 2 ULP. The low halves of pairs are what the high ones round away
// (Dekker, "A floating-point technique for extending the available precision", 1971).
#pragma once

#include "mlx/backend/cpu/isa/math_f64_exp.h"
#include "mlx/backend/cpu/isa/math_log.h"

namespace mlx::core::cpu::MLX_ISA {

inline constexpr double kLogTailF64[] =
    {  // ((atanh(s) / s - 1) / s^2 - 1/3) / s^2 in s^2, s as of kLogF64
        0.20000000000001125, 0.1428571428505078,  0.1111111125979728, 0.09090892196861511,
        0.07693378099003645, 0.06628421060143146, 0.06598060026836464};

inline constexpr Pair<double> kThird{0x1.5555555555555p-2, 0x1.5555555555555p-56};
inline constexpr Pair<double> kLn2Short{0x1.62e42fefa38p-1,
                                        0x1.ef35793c7673p-45};  // an exponent times high is exact

MLX_INLINE Pair<F64> exact_product(F64 a, F64 b) {
  F64 high = a * b;
  return {high, fma(a, b, -high)};
}
MLX_INLINE Pair<F64> sum_of_larger_and_smaller(F64 a, F64 b) {
  F64 high = a + b;
  return {high, (a - high) + b};
}

// log(x) to some 2^-66 of its size: 2 s (1 + z (1/3 + z P(z))) with z = s^2 and s = f / (2 + f).
MLX_INLINE Pair<F64> log_pair(F64 x) {
  Significand<F64> parts = significand(x);
  F64 f = parts.f, divisor = f + 2.0, inverse = 1.0 / divisor;
  F64 s = f * inverse;
  F64 s_low = (fma(-s, divisor, f) - s * (f - (divisor - 2.0))) * inverse;
  Pair<F64> z = exact_product(s, s);
  z.low = fma(s + s, s_low, z.low);
  Pair<F64> factor = sum_of_larger_and_smaller(constant(x, kThird.high),
                                               z.high * fused_polynomial(z.high, kLogTailF64));
  factor.low += kThird.low;
  Pair<F64> term = exact_product(z.high, factor.high);
  term.low = fma(z.high, factor.low, fma(z.low, factor.high, term.low));
  Pair<F64> cubic = exact_product(s, term.high);
  cubic.low = fma(s, term.low, fma(s_low, term.high, cubic.low));
  Pair<F64> half = sum_of_larger_and_smaller(s, cubic.high);
  half.low += cubic.low + s_low;
  Pair<F64> whole =
      sum_of_larger_and_smaller(parts.exponent * kLn2Short.high, half.high + half.high);
  whole.low += fma(parts.exponent, constant(x, kLn2Short.low), half.low + half.low);
  return sum_of_larger_and_smaller(whole.high, whole.low);
}

MLX_INLINE F64 power(F64 a, F64 b) {
  F64 base = abs(a);
  Pair<F64> logarithm = log_pair(base);
  Pair<F64> exponent = exact_product(b, log_special(base, logarithm.high));
  F64 low = abs(exponent.high) < 746.0 ? fma(b, logarithm.low, exponent.low) : F64{};
  return power_special(a, b, scaled_exp(clamp(exponent.high, -746.0, 710.0), low, 0));
}

}  // namespace mlx::core::cpu::MLX_ISA
