// Element-wise kernels of float32.
#include "mlx/backend/cpu/isa/elementwise.h"
#include "mlx/backend/cpu/isa/elementwise_columns.h"

namespace mlx::core::cpu::MLX_ISA {

constinit const ElementwiseColumn float32_column = make_column<kFloat32>();

}  // namespace mlx::core::cpu::MLX_ISA
