// Element-wise kernels of bool and the unsigned integers.
#include "mlx/backend/cpu/isa/elementwise.h"
#include "mlx/backend/cpu/isa/elementwise_columns.h"

namespace mlx::core::cpu::MLX_ISA {

constinit const ElementwiseColumn bool_column = make_column<kBool>();
constinit const ElementwiseColumn uint8_column = make_column<kUint8>();
constinit const ElementwiseColumn uint16_column = make_column<kUint16>();
constinit const ElementwiseColumn uint32_column = make_column<kUint32>();
constinit const ElementwiseColumn uint64_column = make_column<kUint64>();

}  // namespace mlx::core::cpu::MLX_ISA
