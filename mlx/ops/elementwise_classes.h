// A class per row of elementwise.def: Add, Log1p ... What Elementwise does is done there; these give the rows types.
#pragma once

#include "mlx/ops/elementwise_primitive.h"

namespace mlx::core {

#define MLX_ELEMENTWISE_CLASS(Class)                                     \
  class Class final : public Elementwise {                               \
   public:                                                               \
    explicit Class(Stream stream) : Elementwise(stream, Op::Class) {}    \
  };
#define UNARY(Class, ...) MLX_ELEMENTWISE_CLASS(Class)
#define BINARY(Class, ...) MLX_ELEMENTWISE_CLASS(Class)
#define TERNARY(Class, ...) MLX_ELEMENTWISE_CLASS(Class)
#define KERNEL(Class, ...) MLX_ELEMENTWISE_CLASS(Class)
#include "mlx/ops/elementwise.def"
#undef MLX_ELEMENTWISE_CLASS

}  // namespace mlx::core
