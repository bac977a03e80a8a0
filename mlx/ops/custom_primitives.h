// Primitives that pass values through and exist for the transformations.
#pragma once

#include <functional>

#include "mlx/ops/operation.h"

namespace mlx::core {

// Outputs equal the first inputs; the others only have to be computed before.
class Depends : public Operation {
 public:
  Depends(Stream s, size_t values) : Operation(s), values_(values) {}
  MLX_TRANSFORMS(Depends)

 private:
  size_t values_;
};

// Rules that replace the derivatives and the batching of what a function computed. Inputs: the function's arguments,
// then its results; outputs: the results.
struct CustomRules {
  // One cotangent per argument; only those of argnums count.
  std::function<Arrays(const Arrays& primals, const Arrays& cotangents, const Arrays& outputs,
                       const std::vector<int>& argnums)>
      vjp;
  std::function<Arrays(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums)> jvp;
  std::function<std::pair<Arrays, std::vector<int>>(const Arrays& inputs, const std::vector<int>& axes)> vmap;
};

class CustomTransforms : public Operation {
 public:
  CustomTransforms(Stream s, size_t arguments, CustomRules rules)
      : Operation(s), arguments_(arguments), rules_(std::move(rules)) {}
  MLX_TRANSFORMS(CustomTransforms)
  size_t arguments() const { return arguments_; }

 private:
  size_t arguments_;
  CustomRules rules_;
};

}  // namespace mlx::core
