// Pieces that the transformation rules of many operations share.
#pragma once

#include "mlx/ops/batching.h"
#include "mlx/ops/operation.h"

namespace mlx::core {

// The value broadcast to the shape of `like`, also when the program later runs at other shapes.
array broadcast_like(const array& x, const array& like, const Stream& s);

// Indices 0 ... n - 1 without those named.
std::vector<int> other_axes(int n, const std::vector<int>& axes);

// Where the axes go when a batch axis is inserted in front.
std::vector<int> shifted(const std::vector<int>& axes, int by = 1);

}  // namespace mlx::core
