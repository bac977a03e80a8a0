// Functions of float64: one call of the C library per lane.
#pragma once

#include "mlx/backend/cpu/isa/math_basic.h"

namespace mlx::core::cpu::MLX_ISA {

#define MLX_LIBM(name, function) \
  MLX_INLINE F64 name(F64 x) {   \
    return map_lanes(x, [](double lane) { return function(lane); }); \
  }
MLX_LIBM(exp, __builtin_exp)
MLX_LIBM(expm1, __builtin_expm1)
MLX_LIBM(log, __builtin_log)
MLX_LIBM(log2, __builtin_log2)
MLX_LIBM(log10, __builtin_log10)
MLX_LIBM(log1p, __builtin_log1p)
MLX_LIBM(sin, __builtin_sin)
MLX_LIBM(cos, __builtin_cos)
MLX_LIBM(tan, __builtin_tan)
MLX_LIBM(arcsin, __builtin_asin)
MLX_LIBM(arccos, __builtin_acos)
MLX_LIBM(arctan, __builtin_atan)
MLX_LIBM(sinh, __builtin_sinh)
MLX_LIBM(cosh, __builtin_cosh)
MLX_LIBM(tanh, __builtin_tanh)
MLX_LIBM(arcsinh, __builtin_asinh)
MLX_LIBM(arccosh, __builtin_acosh)
MLX_LIBM(arctanh, __builtin_atanh)
MLX_LIBM(erf, __builtin_erf)
#undef MLX_LIBM

MLX_INLINE F64 power(F64 a, F64 b) {
  return map_lanes(a, b, [](double x, double y) { return __builtin_pow(x, y); });
}
MLX_INLINE F64 arctan2(F64 a, F64 b) {
  return map_lanes(a, b, [](double y, double x) { return __builtin_atan2(y, x); });
}

MLX_INLINE F64 sigmoid(F64 x) {
  return map_lanes(x, [](double lane) {
    double e = __builtin_exp(-__builtin_fabs(lane));
    return (lane < 0 ? e : 1.0) / (1.0 + e);
  });
}

inline double logaddexp_lane(double a, double b) {
  if (!(a == a) || !(b == b)) return a + b;
  double larger = a > b ? a : b;
  if (__builtin_isinf(larger)) return larger;
  return larger + __builtin_log1p(__builtin_exp(-__builtin_fabs(a - b)));
}
MLX_INLINE F64 logaddexp(F64 a, F64 b) { return map_lanes(a, b, logaddexp_lane); }

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
