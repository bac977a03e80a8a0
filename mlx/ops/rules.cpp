// See rules.h.

#include "mlx/ops/rules.h"

#include "mlx/ops.h"

namespace mlx::core {

Shape common_shape(std::span<const array> arrays) {
  Shape shape;
  for (const array& x : arrays) shape = broadcast_shapes(shape, x.shape());
  return shape;
}

void accumulate(std::optional<array>& total, const array& term, const Stream& s) {
  total = total ? add(*total, term, s) : term;
}

}  // namespace mlx::core
