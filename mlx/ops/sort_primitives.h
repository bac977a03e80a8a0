// Sorting along an axis, wholly or at some places.
#pragma once

#include "mlx/ops/operation.h"

namespace mlx::core {

class Sort : public Operation {
 public:
  Sort(Stream s, int axis) : Operation(s), axis_(axis) {}
  MLX_OPERATION(Sort, axis_)
  int axis() const { return axis_; }

 private:
  int axis_;
};

class ArgSort : public Operation {
 public:
  ArgSort(Stream s, int axis) : Operation(s), axis_(axis) {}
  MLX_OPERATION(ArgSort, axis_)
  int axis() const { return axis_; }

 private:
  int axis_;
};

// Throws std::overflow_error for an axis that uint32 cannot index.
void check_sort_index(const char* name, ShapeElem size);

// Elements at the places kths, negative ones counted from the end, are those of the sorted order. Between them stand
// those that belong there, in their own order: what equals a kth element goes before or behind it as a stable sort
// would have it.
class Partition : public Operation {
 public:
  Partition(Stream s, Shape kths, int axis) : Operation(s), kths_(std::move(kths)), axis_(axis) {}
  MLX_OPERATION(Partition, kths_, axis_)
  const Shape& kths() const { return kths_; }
  int axis() const { return axis_; }

 private:
  Shape kths_;
  int axis_;
};

// Where the elements of a Partition come from.
class ArgPartition : public Operation {
 public:
  ArgPartition(Stream s, Shape kths, int axis) : Operation(s), kths_(std::move(kths)), axis_(axis) {}
  MLX_OPERATION(ArgPartition, kths_, axis_)
  const Shape& kths() const { return kths_; }
  int axis() const { return axis_; }

 private:
  Shape kths_;
  int axis_;
};

}  // namespace mlx::core
