// The families of row kernels that norm.cpp puts into one table.
#pragma once

#include "mlx/backend/cpu/isa/kernels.h"

namespace mlx::core::cpu::MLX_ISA {

void fill_softmax(RowKernels&);

}  // namespace mlx::core::cpu::MLX_ISA
