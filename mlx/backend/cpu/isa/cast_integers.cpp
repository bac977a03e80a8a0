// Conversions from bool and integers.
#include "mlx/backend/cpu/isa/cast.h"

namespace mlx::core::cpu::MLX_ISA {

void fill_cast_from_integers(CastKernels& kernels) {
  fill_cast_row<kBool>(kernels.table[kBool]);
  fill_cast_row<kUint8>(kernels.table[kUint8]);
  fill_cast_row<kUint16>(kernels.table[kUint16]);
  fill_cast_row<kUint32>(kernels.table[kUint32]);
  fill_cast_row<kUint64>(kernels.table[kUint64]);
  fill_cast_row<kInt8>(kernels.table[kInt8]);
  fill_cast_row<kInt16>(kernels.table[kInt16]);
  fill_cast_row<kInt32>(kernels.table[kInt32]);
  fill_cast_row<kInt64>(kernels.table[kInt64]);
}

}  // namespace mlx::core::cpu::MLX_ISA
