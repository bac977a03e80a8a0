// Pieces that the transformation rules of many operations share.
#pragma once

#include <optional>

#include "mlx/ops/axes.h"
#include "mlx/ops/batching.h"
#include "mlx/ops/operation.h"

namespace mlx::core {

// The value broadcast to the shape of `like`, also when the program later runs at other shapes.
array broadcast_like(const array& x, const array& like, const Stream& s);

// The shape that all broadcast to.
Shape common_shape(std::span<const array> arrays);

// Adds a term to a sum that may be empty yet.
void accumulate(std::optional<array>& total, const array& term, const Stream& s);

}  // namespace mlx::core
