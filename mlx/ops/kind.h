// The number of each primitive class, in the order of primitives.def.
#pragma once

namespace mlx::core {

enum class Kind : int {
#define PRIMITIVE(Class) Class,
#include "mlx/ops/primitives.def"
};

}  // namespace mlx::core
