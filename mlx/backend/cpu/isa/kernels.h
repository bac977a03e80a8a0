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

// A reduction over elements of one type. A result has `planes` accumulators of `size` bytes: accumulator p of
// result c lies at index p * stride + c. Row strides count elements.
struct ReduceKernel {
  int planes;
  int size;
  void (*init)(void* acc, int64_t stride, int64_t results);
  // Adds the n contiguous elements of row r to result r.
  void (*rows)(const void* input, int64_t rows, int64_t row_stride, int64_t n, void* acc, int64_t stride);
  // Adds element c of every row to result c.
  void (*columns)(const void* input, int64_t rows, int64_t row_stride, int64_t results, void* acc,
                  int64_t stride);
  void (*merge)(const void* from, int64_t from_stride, void* acc, int64_t stride, int64_t results);
  // Writes the results, contiguous: float64 where accumulators are, else of the accumulators' type.
  void (*finish)(const void* acc, int64_t stride, int64_t results, double divisor, void* output);
};

struct ReduceKernels {  // by dtype; rows is null where the host casts to another dtype first
  ReduceKernel sum[kNumDtypes];  // the divisor makes it a mean
  ReduceKernel prod[kNumDtypes];
  ReduceKernel min[kNumDtypes];
  ReduceKernel max[kNumDtypes];
  ReduceKernel all, any;  // of bool
  ReduceKernel variance[kNumDtypes];  // planes: count, mean, sum of squared deviations
  ReduceKernel logsumexp[kNumDtypes];  // planes: maximum, sum of exponentials relative to it
};

// The first extreme element, NaN being the most extreme, of float32, float64, int64, uint64 and complex64.
struct ArgReduceKernel {
  // Index of the extreme of n >= 1 contiguous elements; its value goes to best.
  int64_t (*row)(const void* input, int64_t n, void* best);
  // Row r of the block is number first + r: better elements replace best[c] and index[c]. The very first row
  // (first 0) is taken as it is.
  void (*columns)(const void* input, int64_t rows, int64_t row_stride, int64_t columns, int64_t first,
                  void* best, uint32_t* index);
  bool (*better)(const void* candidate, const void* best);
};

struct ArgReduceKernels {
  ArgReduceKernel min[kNumDtypes];
  ArgReduceKernel max[kNumDtypes];
};

// Softmax of `rows` rows of n contiguous elements; output may be the input.
using SoftmaxFn = void (*)(const void* input, void* output, int64_t rows, int64_t n);
// Softmax along the first axis of a block of n rows of at most kSoftmaxColumns contiguous elements; strides
// of rows count elements.
inline constexpr int kSoftmaxColumns = 256;
using SoftmaxColumnsFn = void (*)(const void* input, int64_t input_stride, void* output,
                                  int64_t output_stride, int64_t n, int64_t columns);

// Layer norm, or root mean square norm where `centered` is false, of rows of n elements with weight and bias.
struct NormRows {
  int64_t rows, n;
  double eps;
  bool centered;
};
using NormFn = void (*)(const void* x, const void* weight, const void* bias, void* output,
                        const NormRows& shape);
// Writes dx and adds to the gradients of weight and bias, which are n float64 values each.
using NormVjpFn = void (*)(const void* x, const void* weight, const void* cotangent, void* dx,
                           double* dweight, double* dbias, const NormRows& shape);

struct RowKernels {  // float32 and float64 only
  SoftmaxFn softmax[kNumDtypes];
  SoftmaxColumnsFn softmax_columns[kNumDtypes];
  NormFn norm[kNumDtypes];
  NormVjpFn norm_vjp[kNumDtypes];
};

}  // namespace mlx::core::cpu
