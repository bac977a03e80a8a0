// Shapes and dtypes of reductions.
#pragma once

#include <string_view>
#include <vector>

#include "mlx/array.h"
#include "mlx/ops/axes.h"
#include "mlx/stream.h"

namespace mlx::core {

// The shape with size one along the axes.
Shape kept_shape(const Shape& shape, const std::vector<int>& axes);
// The same where no elements have no result: throws std::invalid_argument if one of the axes is empty.
Shape reduced_shape(std::string_view name, const Shape& shape, const std::vector<int>& axes);
// Of a sum: small integers widen to 32 bits, bool to int32.
Dtype sum_dtype(Dtype t);
// Elements reduced into each result, as a scalar array; counted by the program where sizes must not be baked
// in.
array reduced_count(const array& x, const std::vector<int>& axes, Dtype dtype, const Stream& s);

}  // namespace mlx::core
