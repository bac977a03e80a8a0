// Element-wise kernels of float16 and bfloat16, computed in float32 and rounded once.
#include "mlx/backend/cpu/isa/elementwise.h"
#include "mlx/backend/cpu/isa/elementwise_columns.h"

namespace mlx::core::cpu::MLX_ISA {

constinit const ElementwiseColumn float16_column = make_column<kFloat16>();
constinit const ElementwiseColumn bfloat16_column = make_column<kBfloat16>();

}  // namespace mlx::core::cpu::MLX_ISA
