// What the vmap and vjp rules of the families share.
#pragma once

#include <vector>

#include "mlx/array.h"
#include "mlx/stream.h"

namespace mlx::core {

// Moves the batch axes to the front and inserts axes so that the rest broadcasts as before: all results have the
// same number of dimensions; unbatched inputs get a leading axis of 1. axes[i] is -1 for an unbatched input.
std::vector<array> align_batch(const std::vector<array>& inputs, const std::vector<int>& axes, const Stream& s);

// The input with its batch axis in front; an unbatched one is repeated `size` times without a copy.
array batch_to_front(const array& x, int axis, ShapeElem size, const Stream& s);

// The length of the batch axis.
ShapeElem batch_size(const std::vector<array>& inputs, const std::vector<int>& axes);

// Sums over the axes along which `shape` was broadcast to x's shape.
array sum_to_shape(const array& x, const Shape& shape, const Stream& s);

}  // namespace mlx::core
