// What a primitive does when it does not say otherwise.

#include "mlx/core/primitive.h"

#include "mlx/core/error.h"

namespace mlx::core {

std::vector<array> Primitive::jvp(const std::vector<array>&, const std::vector<array>&, const std::vector<int>&) {
  raise<NoRule>("[jvp] The primitive ", name(), " has no forward derivative.");
}

std::vector<array> Primitive::vjp(const std::vector<array>&, const std::vector<array>&, const std::vector<int>&,
                                  const std::vector<array>&) {
  raise<NoRule>("[vjp] The primitive ", name(), " has no derivative.");
}

std::pair<std::vector<array>, std::vector<int>> Primitive::vmap(const std::vector<array>&, const std::vector<int>&) {
  raise<NoRule>("[vmap] The primitive ", name(), " cannot be vectorized.");
}

std::vector<Shape> Primitive::output_shapes(const std::vector<array>&) {
  raise<NoRule>("[output_shapes] The primitive ", name(), " cannot tell its output shapes, so it cannot be compiled or "
        "exported shapeless.");
}

}  // namespace mlx::core
