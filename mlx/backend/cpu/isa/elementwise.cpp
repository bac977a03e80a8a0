// Assembles the table of element-wise kernels of this level.
#include "mlx/backend/cpu/isa/elementwise.h"

#include "mlx/backend/cpu/isa/elementwise_columns.h"
#include "mlx/backend/cpu/isa/levels.h"

namespace mlx::core::cpu::MLX_ISA {

void fill_elementwise(ElementwiseKernels& kernels) {
  const ElementwiseColumn* columns[kNumDtypes] = {
      &bool_column,    &uint8_column,   &uint16_column,   &uint32_column,  &uint64_column,
      &int8_column,    &int16_column,   &int32_column,    &int64_column,   &float16_column,
      &float32_column, &float64_column, &bfloat16_column, &complex64_column};
  for (int op = 0; op < kNumOps; op++) {
    for (int dtype = 0; dtype < kNumDtypes; dtype++) kernels.table[op][dtype] = columns[dtype]->kernels[op];
  }
}

}  // namespace mlx::core::cpu::MLX_ISA
