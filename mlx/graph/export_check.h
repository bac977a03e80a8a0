// Is an operation of a file one that the library would make?
#pragma once

#include <vector>

#include "mlx/array.h"
#include "mlx/core/primitive.h"

namespace mlx::core::export_detail {

// The dtypes of what a primitive makes of the inputs. Throws std::invalid_argument where the library's own functions
// would not build it for such inputs, so that no kernel meets members, shapes or dtypes that nothing has checked.
std::vector<Dtype> checked_dtypes(const Primitive& primitive, const std::vector<array>& inputs, size_t outputs);

}  // namespace mlx::core::export_detail
