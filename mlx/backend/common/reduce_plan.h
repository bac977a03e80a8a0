// How a reduction walks memory: which dimension is read contiguously, and what is a block. Depends on shape
// and strides only, never on threads or instruction sets.
#pragma once

#include <span>
#include <vector>

#include "mlx/array.h"

namespace mlx::core {

// A dimension with its strides in the input and in the output.
struct ReduceDim {
  int64_t size, in, out;
};

// The dimensions of an operation along some axes, sorted by their strides in the input, slowest first, and
// joined where both sides allow it.
struct SplitDims {
  std::vector<ReduceDim> kept, reduced;
};
SplitDims split_dims(const Shape& shape, const Strides& in, const Strides& out, const std::vector<int>& axes);

struct ReducePlan {
  // rows: each result reads runs along a reduced dimension. columns: neighbouring results are computed side
  // by side along a kept dimension.
  enum Kind { rows, columns } kind;
  // Kept dimensions without `column`; their `out` is the place in the row-major result.
  std::vector<ReduceDim> outer;
  ReduceDim column{1, 0, 0};
  // At least two: the last two are cut into blocks.
  std::vector<ReduceDim> reduced;

  int64_t results() const;  // of the outer dimensions
  const ReduceDim& run() const { return reduced.back(); }
  const ReduceDim& lines() const { return reduced[reduced.size() - 2]; }
  std::span<const ReduceDim> outside_lines() const { return std::span(reduced).first(reduced.size() - 2); }
  int64_t outer_lines() const;  // blocks of `lines` x `run` per result
};

ReducePlan make_reduce_plan(const Shape& shape, const Strides& strides, const std::vector<int>& axes);

// Steps through dimensions in row-major order and keeps both offsets.
struct ReduceOffsets {
  int64_t in = 0, out = 0;
};
ReduceOffsets reduce_offsets(std::span<const ReduceDim> dims, int64_t index);

}  // namespace mlx::core
