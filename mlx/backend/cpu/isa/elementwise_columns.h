// The kernels of each dtype, one array per dtype, spread over several files to keep compile times short.
#pragma once

#include "mlx/backend/cpu/isa/kernels.h"

namespace mlx::core::cpu::MLX_ISA {

struct ElementwiseColumn;

extern const ElementwiseColumn bool_column, uint8_column, uint16_column, uint32_column, uint64_column,
    int8_column, int16_column, int32_column, int64_column, float16_column, float32_column, float64_column,
    bfloat16_column, complex64_column;

}  // namespace mlx::core::cpu::MLX_ISA
