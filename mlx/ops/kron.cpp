// kron.

#include <algorithm>

#include "mlx/core/tracing.h"
#include "mlx/ops.h"

namespace mlx::core {

// Axis i of a beside axis i of b; their product is the axis of the result.
array kron(const array& a, const array& b, StreamOrDevice s) {
  note_size_read();
  size_t ndim = std::max(a.ndim(), b.ndim());
  auto spread = [&](const array& x, bool first) {
    Shape shape;
    for (size_t i = 0; i < ndim; i++) {
      ShapeElem size = i < ndim - x.ndim() ? 1 : x.shape(static_cast<int>(i + x.ndim() - ndim));
      shape.push_back(first ? size : 1);
      shape.push_back(first ? 1 : size);
    }
    return reshape(x, shape, s);
  };
  array product = multiply(spread(a, true), spread(b, false), s);
  Shape shape;
  for (size_t i = 0; i < ndim; i++) {
    int k = static_cast<int>(2 * i);
    shape.push_back(static_cast<ShapeElem>(element_count({product.shape(k), product.shape(k + 1)})));
  }
  return reshape(product, shape, s);
}

}  // namespace mlx::core
