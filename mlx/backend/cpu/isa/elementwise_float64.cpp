// Element-wise kernels of float64.
#include "mlx/backend/cpu/isa/elementwise.h"
#include "mlx/backend/cpu/isa/elementwise_columns.h"

namespace mlx::core::cpu::MLX_ISA {

constinit const ElementwiseColumn float64_column = make_column<kFloat64>();

}  // namespace mlx::core::cpu::MLX_ISA
