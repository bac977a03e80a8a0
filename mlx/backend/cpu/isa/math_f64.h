// Functions of float64 within 2 ULP: vectors where the level has fused multiply-add, else the C
// library.
#pragma once

#if defined(MLX_FMA)
#include "mlx/backend/cpu/isa/math_f64_power.h"
#include "mlx/backend/cpu/isa/math_f64_trig.h"
#else
#include "mlx/backend/cpu/isa/math_f64_libm.h"
#endif

namespace mlx::core::cpu::MLX_ISA {

#if defined(MLX_FMA)
// Of quotients below 2^53 the product leaves an exact rest; one that was rounded up leaves one of
// the wrong sign.
MLX_INLINE F64 remainder(F64 a, F64 b) {
  F64 quotient = a / b;
  F64 whole = trunc(quotient);
  F64 rest = fma(-whole, b, a);
  I64 rounded_up = (rest != 0.0) & ((rest < 0.0) ^ (a < 0.0));
  F64 less = whole - with_sign_of(constant(a, 1.0), quotient);
  rest = rounded_up ? fma(-less, b, a) : rest;
  rest = ((rest != 0.0) & ((rest < 0.0) ^ (b < 0.0))) ? rest + b : rest;
  rest = rest == 0.0 ? with_sign_of(F64{}, b) : rest;
  I64 hard = ~(abs(quotient) < 0x1p53) | (abs(b) == kInfinity);
  return any(hard) ? replace_remainders(a, b, rest, hard) : rest;
}
#endif

MLX_INLINE F64 sigmoid(F64 x) {
  F64 e = exp(-abs(x));
  F64 sum = 1.0 + e;
  F64 lost = e - (sum - 1.0);  // what the sum rounded away, exactly
  F64 y = (x < 0.0 ? e : constant(x, 1.0)) / sum;
  return y - y * (lost * (1.0 - 0.5 * e));  // near enough to lost / sum
}

MLX_INLINE F64 logaddexp(F64 a, F64 b) {
  F64 larger = a > b ? a : b;
  F64 y = larger + log1p(exp(-abs(a - b)));
  y = abs(larger) == kInfinity ? larger : y;
  return ((a != a) | (b != b)) ? a + b : y;
}

MLX_INLINE F64 erf(F64 x) {
  return map_lanes(x, [](double lane) { return __builtin_erf(lane); });
}

// Newton's and Halley's steps on erf, or on log(erfc) in the tail, from the float32 approximation.
inline double erfinv_lane(double x) {
  double a = __builtin_fabs(x);
  if (!(a < 1.0)) return a == 1.0 ? __builtin_copysign(__builtin_inf(), x) : __builtin_nan("");
  if (a < 1e-8) return x * 0.88622692545275801365;
  double w = -__builtin_log((1.0 - a) * (1.0 + a));
  // Winitzki, "A handy approximation for the error function and its inverse", 2008.
  double first = 2.0 / (3.14159265358979324 * 0.147) - 0.5 * w;
  double y = __builtin_sqrt(__builtin_sqrt(first * first + w / 0.147) - first);
  double complement = 1.0 - a;  // exact for a >= 1/2
  for (int i = 0; i < 4; i++) {
    double slope = 1.12837916709551257390 * __builtin_exp(-y * y);
    double error = a < 0.5 ? __builtin_erf(y) - a : complement - __builtin_erfc(y);
    double step = error / slope;
    y -= step / (1.0 + y * step);
  }
  return __builtin_copysign(y, x);
}
MLX_INLINE F64 erfinv(F64 x) { return map_lanes(x, erfinv_lane); }

}  // namespace mlx::core::cpu::MLX_ISA
