// Element-wise kernels of complex64.
#include "mlx/backend/cpu/isa/elementwise.h"
#include "mlx/backend/cpu/isa/elementwise_columns.h"

namespace mlx::core::cpu::MLX_ISA {

constinit const ElementwiseColumn complex64_column = make_column<kComplex64>();

}  // namespace mlx::core::cpu::MLX_ISA
