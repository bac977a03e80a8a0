// view: the same bytes as another dtype.

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/view_primitives.h"

namespace mlx::core {

Shape View::output_shape(const Shape& shape, Dtype from, Dtype to) {
  Shape out = shape;
  if (from.size() == to.size()) return out;
  if (shape.empty()) {
    raise("[view] A 0-d array of ", from, " cannot be viewed as ", to, ", which has another size.");
  }
  ShapeElem bytes = shape.back() * from.size();
  if (bytes % to.size()) {
    raise("[view] The ", bytes, " bytes of the last axis of shape ", shape, " are not a multiple of the ", to.size(),
          " bytes of ", to, ".");
  }
  out.back() = bytes / to.size();
  return out;
}

array view(const array& a, const Dtype& dtype, StreamOrDevice s) {
  if (a.dtype() == dtype) return a;
  // A bool is 0 or 1, whatever the bytes were.
  if (dtype == bool_) return not_equal(view(a, uint8, s), array(0, uint8), s);
  return array(View::output_shape(a.shape(), a.dtype(), dtype), dtype, std::make_shared<View>(to_stream(s), dtype),
               {a});
}

std::vector<Shape> View::output_shapes(const Arrays& inputs) {
  return {output_shape(inputs[0].shape(), inputs[0].dtype(), dtype_)};
}
Arrays View::jvp(const Arrays&, const Arrays&, const std::vector<int>&) {
  raise("[jvp] view has no derivative: it reads the bits of its input.");
}
Arrays View::vjp(const Arrays&, const Arrays&, const std::vector<int>&, const Arrays&) {
  raise("[vjp] view has no derivative: it reads the bits of its input.");
}
std::pair<Arrays, std::vector<int>> View::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  // The batch axis must not become the one that is scaled.
  return {{view(moveaxis(inputs[0], axes[0], 0, stream()), dtype_, stream())}, {0}};
}

}  // namespace mlx::core
