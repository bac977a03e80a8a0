// Functions of float64 for levels without fused multiply-add: one call of the C library per lane.
#pragma once

#include "mlx/backend/cpu/isa/math_basic.h"

namespace mlx::core::cpu::MLX_ISA {

#define MLX_LIBM(name, function)                                     \
  MLX_INLINE F64 name(F64 x) {                                       \
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
#undef MLX_LIBM

MLX_INLINE F64 power(F64 a, F64 b) {
  return map_lanes(a, b, [](double x, double y) { return __builtin_pow(x, y); });
}
MLX_INLINE F64 arctan2(F64 a, F64 b) {
  return map_lanes(a, b, [](double y, double x) { return __builtin_atan2(y, x); });
}

}  // namespace mlx::core::cpu::MLX_ISA
