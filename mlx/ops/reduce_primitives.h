// Reductions over axes and softmax. Axes are sorted and non-negative; outputs of reductions keep them with
// size one.
#pragma once

#include "mlx/ops/operation.h"

namespace mlx::core {

class Reduce : public Operation {
 public:
  enum Type : int { And, Or, Sum, Prod, Min, Max };
  Reduce(Stream s, Type type, std::vector<int> axes) : Operation(s), type_(type), axes_(std::move(axes)) {}
  MLX_OPERATION(Reduce, type_, axes_)
  Type type() const { return type_; }
  const std::vector<int>& axes() const { return axes_; }

 private:
  Type type_;
  std::vector<int> axes_;
};

// Index of the first extreme element along an axis.
class ArgReduce : public Operation {
 public:
  enum Type : int { ArgMin, ArgMax };
  ArgReduce(Stream s, Type type, int axis) : Operation(s), type_(type), axis_(axis) {}
  MLX_OPERATION(ArgReduce, type_, axis_)
  Type type() const { return type_; }
  int axis() const { return axis_; }

 private:
  Type type_;
  int axis_;
};

// Accumulates in a wider type and rounds the quotient once, which a sum followed by a division cannot.
class Mean : public Operation {
 public:
  Mean(Stream s, std::vector<int> axes, Dtype dtype) : Operation(s), axes_(std::move(axes)), dtype_(dtype) {}
  MLX_OPERATION(Mean, axes_, dtype_)
  const std::vector<int>& axes() const { return axes_; }

 private:
  std::vector<int> axes_;
  Dtype dtype_;
};

// Of real dtypes: the sum of squared deviations from the mean over max(count - ddof, 0).
class Variance : public Operation {
 public:
  Variance(Stream s, std::vector<int> axes, int ddof, Dtype dtype)
      : Operation(s), axes_(std::move(axes)), ddof_(ddof), dtype_(dtype) {}
  MLX_OPERATION(Variance, axes_, ddof_, dtype_)
  const std::vector<int>& axes() const { return axes_; }
  int ddof() const { return ddof_; }

 private:
  // Twice the deviation from the mean over the divisor: the derivative by each element.
  array slope(const array& x) const;

  std::vector<int> axes_;
  int ddof_;
  Dtype dtype_;
};

// Of real floating-point dtypes.
class LogSumExp : public Operation {
 public:
  LogSumExp(Stream s, std::vector<int> axes) : Operation(s), axes_(std::move(axes)) {}
  MLX_OPERATION(LogSumExp, axes_)
  const std::vector<int>& axes() const { return axes_; }

 private:
  std::vector<int> axes_;
};

// Of real floating-point dtypes. Half types are always computed in float32; `precise` is kept for exported
// programs.
class Softmax : public Operation {
 public:
  Softmax(Stream s, std::vector<int> axes, bool precise)
      : Operation(s), axes_(std::move(axes)), precise_(precise) {}
  MLX_OPERATION(Softmax, axes_, precise_)
  const std::vector<int>& axes() const { return axes_; }
  bool precise() const { return precise_; }

 private:
  // The Jacobian times a tangent, which is its transpose times a cotangent too.
  array product(const array& y, const array& t) const;

  std::vector<int> axes_;
  bool precise_;
};

}  // namespace mlx::core
