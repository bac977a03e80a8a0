// Exponentials of float64 that float32 computes in another way.
#pragma once

#include "mlx/backend/cpu/isa/math_exp.h"

namespace mlx::core::cpu::MLX_ISA {

MLX_INLINE F64 exp(F64 x) { return scaled_exp(clamp(x, -746.0, 710.0), F64{}, 0); }

// e / (e + 2) with e = e^(2x) - 1, the quotient with its remainder.
MLX_INLINE F64 tanh(F64 x) {
  F64 a = clamp(abs(x), 0.0, 22.0);  // tanh(22) rounds to 1
  F64 e = expm1(a + a);
  F64 sum = e + 2.0;
  F64 lost = e - (sum - 2.0);
  F64 inverse = 1.0 / sum;
  F64 y = e * inverse;
  return with_sign_of(fma(fma(-y, sum, e) - y * lost, inverse, y), x);
}

}  // namespace mlx::core::cpu::MLX_ISA
