// Putting arrays together, and layouts made definite.
#pragma once

#include "mlx/ops/operation.h"

namespace mlx::core {

class Concatenate : public Operation {
 public:
  Concatenate(Stream s, int axis) : Operation(s), axis_(axis) {}
  MLX_OPERATION(Concatenate, axis_)
  int axis() const { return axis_; }

 private:
  int axis_;
};

// Inputs: the array and the scalar around it. Widths are given for every axis.
class Pad : public Operation {
 public:
  Pad(Stream s, Shape low, Shape high) : Operation(s), low_(std::move(low)), high_(std::move(high)) {}
  MLX_OPERATION(Pad, low_, high_)
  const Shape& low() const { return low_; }
  const Shape& high() const { return high_; }

 private:
  Shape low_, high_;
};

// The same values in row-major order (or, where allowed, column-major) without gaps.
class Contiguous : public Operation {
 public:
  Contiguous(Stream s, bool allow_col_major) : Operation(s), allow_col_major_(allow_col_major) {}
  MLX_OPERATION(Contiguous, allow_col_major_)
  bool allow_col_major() const { return allow_col_major_; }

 private:
  bool allow_col_major_;
};

class Copy : public Operation {
 public:
  explicit Copy(Stream s) : Operation(s) {}
  MLX_OPERATION(Copy)
};

// An array with an axis of size one, n times along that axis, as a view.
array repeat_along(const array& x, int axis, ShapeElem n, const Stream& s);

}  // namespace mlx::core
