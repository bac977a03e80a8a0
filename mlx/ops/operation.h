// The base of the primitives in primitives.def: a backend evaluates them through a function of its
// own, `eval(Class&, inputs, outputs)`. Included through mlx/primitives.h.
#pragma once

#include <tuple>

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

// Outputs of a primitive with the shapes and dtypes of these values.
Arrays make_arrays_like(const Arrays& values, const std::shared_ptr<Primitive>& primitive, const Arrays& inputs);

// Opens the body of a class: its row and its name.
#define MLX_KIND(Class)                                               \
  int kind() const override { return static_cast<int>(Kind::Class); } \
  DEFINE_NAME(Class)

// The same, and the transformations that an operation has.
#define MLX_TRANSFORMS(Class)                                         \
  MLX_KIND(Class)                                                     \
  DEFINE_GRADS()                                                      \
  DEFINE_VMAP()                                                       \
  std::vector<Shape> output_shapes(const std::vector<array>& inputs) override;

// The same, and the members that say what the operation does, in the order of the constructor's
// parameters: two primitives with equal members are equivalent, and an exported function stores
// them.
#define MLX_OPERATION(Class, ...)                               \
  MLX_TRANSFORMS(Class)                                         \
  auto state() const { return std::tie(__VA_ARGS__); }          \
  bool is_equivalent(const Primitive& other) const override {   \
    return state() == static_cast<const Class&>(other).state(); \
  }

}  // namespace mlx::core
