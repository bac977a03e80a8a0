// The base of the primitives in primitives.def: a backend evaluates them through a function of its own,
// `eval(Class&, inputs, outputs)`. Included through mlx/primitives.h.
#pragma once

#include "mlx/core/primitive.h"
#include "mlx/ops/kind.h"

namespace mlx::core {

using Arrays = std::vector<array>;

class Operation : public Primitive {
 public:
  using Primitive::Primitive;
  void eval_cpu(const Arrays& inputs, Arrays& outputs) override;
  void eval_gpu(const Arrays& inputs, Arrays& outputs) override;
};

// Opens a class body: the row, the name and the transformations that every operation has.
#define MLX_OPERATION(Class)                                                                             \
  int kind() const override { return static_cast<int>(Kind::Class); }                                    \
  DEFINE_NAME(Class)                                                                                     \
  DEFINE_GRADS()                                                                                         \
  DEFINE_VMAP()                                                                                          \
  bool is_equivalent(const Primitive& other) const override;                                             \
  std::vector<Shape> output_shapes(const std::vector<array>& inputs) override;

}  // namespace mlx::core
