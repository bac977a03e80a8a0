// Reductions over axes.
#pragma once

#include "mlx/ops/operation.h"

namespace mlx::core {

class Reduce : public Operation {
 public:
  enum Type { And, Or, Sum, Prod, Min, Max };
  // The axes are sorted and non-negative; the output keeps them with size one.
  Reduce(Stream s, Type type, std::vector<int> axes) : Operation(s), type_(type), axes_(std::move(axes)) {}
  MLX_OPERATION(Reduce)
  Type type() const { return type_; }
  const std::vector<int>& axes() const { return axes_; }

 private:
  Type type_;
  std::vector<int> axes_;
};

}  // namespace mlx::core
