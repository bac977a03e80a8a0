// Element-wise kernels of the signed integers.
#include "mlx/backend/cpu/isa/elementwise.h"
#include "mlx/backend/cpu/isa/elementwise_columns.h"

namespace mlx::core::cpu::MLX_ISA {

constinit const ElementwiseColumn int8_column = make_column<kInt8>();
constinit const ElementwiseColumn int16_column = make_column<kInt16>();
constinit const ElementwiseColumn int32_column = make_column<kInt32>();
constinit const ElementwiseColumn int64_column = make_column<kInt64>();

}  // namespace mlx::core::cpu::MLX_ISA
