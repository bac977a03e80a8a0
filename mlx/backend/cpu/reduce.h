// Runs a reduction kernel over any axes of any layout.
#pragma once

#include <vector>

#include "mlx/array.h"
#include "mlx/backend/cpu/isa.h"

namespace mlx::core::cpu {

struct Reduction {
  const ReduceKernel& kernel;
  Dtype work;    // what the kernel reads; the input is converted block by block
  Dtype result;  // what its finish() writes
  double divisor = 1;
};

// The output has its memory; its shape is the input's with size one along the axes, its layout row-major.
// Partition and order of the additions depend on shape and strides only.
void run_reduction(const Reduction& reduction, const array& in, const std::vector<int>& axes, array& out);

}  // namespace mlx::core::cpu
