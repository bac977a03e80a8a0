// Minimum and maximum of real dtypes, and the table of all reductions.
#include "mlx/backend/cpu/isa/levels.h"
#include "mlx/backend/cpu/isa/reduce_simple.h"

namespace mlx::core::cpu::MLX_ISA {

void fill_reduce_extreme(ReduceKernels& kernels) {
#define MLX_EXTREME(dtype, T)                                       \
  kernels.min[dtype] = SimpleReduce<ExtremeOp<T, false>>::kernel(); \
  kernels.max[dtype] = SimpleReduce<ExtremeOp<T, true>>::kernel();
  MLX_EXTREME(kBool, uint8_t)
  MLX_EXTREME(kUint8, uint8_t)
  MLX_EXTREME(kUint16, uint16_t)
  MLX_EXTREME(kUint32, uint32_t)
  MLX_EXTREME(kUint64, uint64_t)
  MLX_EXTREME(kInt8, int8_t)
  MLX_EXTREME(kInt16, int16_t)
  MLX_EXTREME(kInt32, int32_t)
  MLX_EXTREME(kInt64, int64_t)
  MLX_EXTREME(kFloat32, float)
  MLX_EXTREME(kFloat64, double)
#undef MLX_EXTREME
}

void fill_reduce(ReduceKernels& kernels) {
  kernels = ReduceKernels{};
  fill_reduce_sum(kernels);
  fill_reduce_extreme(kernels);
  fill_reduce_complex(kernels);
  fill_reduce_variance(kernels);
  fill_reduce_logsumexp(kernels);
}

}  // namespace mlx::core::cpu::MLX_ISA
