// Sorting along an axis.
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

}  // namespace mlx::core
