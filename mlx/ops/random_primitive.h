// Random bits.
#pragma once

#include "mlx/ops/operation.h"

namespace mlx::core {

// Input: keys (..., 2). Each key fills a block of the given shape with integers of `width` bytes.
class RandomBits : public Operation {
 public:
  RandomBits(Stream s, Shape shape, int width) : Operation(s), shape_(std::move(shape)), width_(width) {}
  MLX_OPERATION(RandomBits, shape_, width_)
  const Shape& shape() const { return shape_; }
  int width() const { return width_; }

 private:
  Shape shape_;
  int width_;
};

}  // namespace mlx::core
