// The tables of kernels that each instruction-set level exports. Shared by the level files and the host:
// includes no header with inline functions.
#pragma once

#include <stdint.h>

#include "mlx/ops/elementwise_op.h"

namespace mlx::core::cpu {

// n contiguous elements per operand, in the operands' dtype (the condition of Select: bool); the output has
// the dtype of the row's result rule and may be exactly one of the inputs of the same element size.
using ElementwiseFn = void (*)(const void* const* inputs, void* output, int64_t n);

struct ElementwiseKernels {
  ElementwiseFn table[kNumOps][kNumDtypes];  // null where the row does not accept the dtype
};

// Converts n contiguous elements; output may be the input only if both elements have the same size.
using CastFn = void (*)(const void* input, void* output, int64_t n);

struct CastKernels {
  CastFn table[kNumDtypes][kNumDtypes];  // [from][to]
};

// A block of outer x inner elements; strides count elements and may be zero or negative.
struct CopyBlock {
  int64_t outer;
  int64_t inner;
  int64_t input_outer_stride;
  int64_t input_inner_stride;
  int64_t output_outer_stride;
  int64_t output_inner_stride;
};

using CopyFn = void (*)(const void* input, void* output, const CopyBlock& block);
// Writes n copies of the element at `value`.
using FillFn = void (*)(const void* value, void* output, int64_t n);

struct CopyKernels {  // indexed by log2 of the element size: 1, 2, 4, 8 bytes
  CopyFn copy[4];     // picks row copies, gather, scatter or the blocked transpose by the strides
  FillFn fill[4];
};

}  // namespace mlx::core::cpu
