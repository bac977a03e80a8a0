// Conversions from floating and complex dtypes, and the table of all.
#include "mlx/backend/cpu/isa/cast.h"

#include "mlx/backend/cpu/isa/levels.h"

namespace mlx::core::cpu::MLX_ISA {

void fill_cast(CastKernels& kernels) {
  fill_cast_from_integers(kernels);
  fill_cast_row<kFloat16>(kernels.table[kFloat16]);
  fill_cast_row<kFloat32>(kernels.table[kFloat32]);
  fill_cast_row<kFloat64>(kernels.table[kFloat64]);
  fill_cast_row<kBfloat16>(kernels.table[kBfloat16]);
  fill_cast_row<kComplex64>(kernels.table[kComplex64]);
}

}  // namespace mlx::core::cpu::MLX_ISA
