// broadcast_to and its relatives.

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/view_primitives.h"
#include "mlx/utils.h"

namespace mlx::core {

array broadcast_to(const array& a, const Shape& shape, StreamOrDevice s) {
  // At another size the shape may differ: the node then refuses.
  if (a.shape() == shape && !tracing_shapeless()) return a;
  element_count(shape);
  if (a.ndim() > shape.size() || broadcast_shapes(a.shape(), shape) != shape) {
    raise("[broadcast_to] Cannot broadcast array of shape ", a.shape(), " into shape ", shape, ".");
  }
  return array(shape, a.dtype(), std::make_shared<Broadcast>(to_stream(s), shape), {a});
}

Arrays broadcast_arrays(const Arrays& inputs, StreamOrDevice s) {
  if (inputs.empty()) return {};
  if (inputs.size() > 1) note_size_read();
  Shape shape = common_shape(inputs);
  Arrays outputs;
  for (const array& x : inputs) outputs.push_back(broadcast_to(x, shape, s));
  return outputs;
}

array broadcast_like(const array& x, const array& like, const Stream& s) {
  if (!tracing_shapeless()) return broadcast_to(x, like.shape(), s);
  return array(like.shape(), x.dtype(), std::make_shared<Broadcast>(s, like.shape()), {x, like});
}

std::vector<Shape> Broadcast::output_shapes(const Arrays& inputs) {
  if (inputs.size() == 2) return {inputs[1].shape()};
  if (broadcast_shapes(inputs[0].shape(), shape_) != shape_) {
    raise("[broadcast_to] Cannot broadcast array of shape ", inputs[0].shape(), " into shape ", shape_, ".");
  }
  return {shape_};
}
Arrays Broadcast::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  if (argnums[0] == 1) return {zeros(shape_, primals[0].dtype(), stream())};
  return {broadcast_to(tangents[0], shape_, stream())};
}
Arrays Broadcast::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                      const Arrays&) {
  Arrays result;
  for (int i : argnums) {
    result.push_back(i == 0 ? sum_to_shape(cotangents[0], primals[0].shape(), stream())
                            : zeros_like(primals[1], stream()));
  }
  return result;
}
std::pair<Arrays, std::vector<int>> Broadcast::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  Shape shape = shape_;
  shape.insert(shape.begin(), batch_size(inputs, axes));
  if (axes[0] < 0) return {{broadcast_to(inputs[0], shape, stream())}, {0}};
  array x = moveaxis(inputs[0], axes[0], 0, stream());
  Shape aligned = x.shape();
  aligned.insert(aligned.begin() + 1, shape.size() - x.ndim(), 1);
  return {{broadcast_to(reshape(x, aligned, stream()), shape, stream())}, {0}};
}

}  // namespace mlx::core
