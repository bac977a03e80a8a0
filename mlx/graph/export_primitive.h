// Primitives in exported functions: the name, the stream's device and the state of each class.
#pragma once

#include <memory>

#include "mlx/graph/export_format.h"
#include "mlx/core/primitive.h"

namespace mlx::core::export_detail {

// Throws std::invalid_argument for a primitive that no file can hold: one that a user defined.
void put_primitive(Output& out, const Primitive& primitive);
std::shared_ptr<Primitive> get_primitive(Input& in);

}  // namespace mlx::core::export_detail
