// Arrays as batches of matrices: the last two axes are those of a matrix.
#pragma once

#include "mlx/ops.h"

namespace mlx::core {

// Without the axes of the matrices.
inline Shape batch_shape(const Shape& shape) { return Shape(shape.begin(), shape.end() - 2); }

inline array transposed(const array& x, StreamOrDevice s = {}) { return swapaxes(x, -1, -2, s); }

}  // namespace mlx::core
