// Scans along an axis, and the recurrence that their derivatives are.
#pragma once

#include "mlx/ops/operation.h"

namespace mlx::core {

// Element i combines the elements before it in the order of the scan, and itself where `inclusive`.
class Scan : public Operation {
 public:
  enum Type : int { Sum, Prod, Min, Max, LogSumExp };
  Scan(Stream s, Type type, int axis, bool reverse, bool inclusive)
      : Operation(s), type_(type), axis_(axis), reverse_(reverse), inclusive_(inclusive) {}
  MLX_OPERATION(Scan, type_, axis_, reverse_, inclusive_)
  Type type() const { return type_; }
  int axis() const { return axis_; }
  bool reverse() const { return reverse_; }
  bool inclusive() const { return inclusive_; }

 private:
  struct Weights;
  Weights weights(const array& x) const;
  array source(const array& x) const;

  Type type_;
  int axis_;
  bool reverse_, inclusive_;
};

// Inputs a and b of one shape: y[i] = a[i] y[i - 1] + b[i] in the order of the scan, with 0 before the first element.
class Recurrence : public Operation {
 public:
  Recurrence(Stream s, int axis, bool reverse) : Operation(s), axis_(axis), reverse_(reverse) {}
  MLX_OPERATION(Recurrence, axis_, reverse_)
  int axis() const { return axis_; }
  bool reverse() const { return reverse_; }

 private:
  int axis_;
  bool reverse_;
};

}  // namespace mlx::core
