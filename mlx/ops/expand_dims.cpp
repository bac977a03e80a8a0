// expand_dims and squeeze: axes of size one come and go.

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/view_primitives.h"

namespace mlx::core {

array expand_dims(const array& a, const std::vector<int>& axes, StreamOrDevice s) {
  if (axes.empty()) return a;
  auto sorted = sorted_axes("expand_dims", axes, a.ndim() + axes.size());
  return array(ExpandDims::output_shape(a.shape(), sorted), a.dtype(),
               std::make_shared<ExpandDims>(to_stream(s), sorted), {a});
}
array expand_dims(const array& a, int axis, StreamOrDevice s) { return expand_dims(a, std::vector<int>{axis}, s); }

array squeeze(const array& a, const std::vector<int>& axes, StreamOrDevice s) {
  if (axes.empty()) return a;
  auto sorted = sorted_axes("squeeze", axes, a.ndim());
  return array(Squeeze::output_shape(a.shape(), sorted), a.dtype(),
               std::make_shared<Squeeze>(to_stream(s), sorted), {a});
}
array squeeze(const array& a, int axis, StreamOrDevice s) { return squeeze(a, std::vector<int>{axis}, s); }
array squeeze(const array& a, StreamOrDevice s) {
  note_size_read();
  std::vector<int> axes;
  for (int i = 0; i < static_cast<int>(a.ndim()); i++) {
    if (a.shape(i) == 1) axes.push_back(i);
  }
  return squeeze(a, axes, s);
}

array atleast_1d(const array& a, StreamOrDevice s) { return a.ndim() > 0 ? a : reshape(a, {1}, s); }
array atleast_2d(const array& a, StreamOrDevice s) {
  if (a.ndim() > 1) return a;
  return a.ndim() == 1 ? expand_dims(a, 0, s) : reshape(a, {1, 1}, s);
}
array atleast_3d(const array& a, StreamOrDevice s) {
  if (a.ndim() > 2) return a;
  if (a.ndim() == 2) return expand_dims(a, 2, s);
  return a.ndim() == 1 ? expand_dims(a, {0, 2}, s) : reshape(a, {1, 1, 1}, s);
}

#define MLX_ATLEAST(function)                                                     \
  std::vector<array> function(const std::vector<array>& a, StreamOrDevice s) {     \
    std::vector<array> result;                                                    \
    for (const array& x : a) result.push_back(function(x, s));                     \
    return result;                                                                \
  }
MLX_ATLEAST(atleast_1d)
MLX_ATLEAST(atleast_2d)
MLX_ATLEAST(atleast_3d)
#undef MLX_ATLEAST

Shape ExpandDims::output_shape(const Shape& shape, const std::vector<int>& axes) {
  Shape out = shape;
  for (int axis : axes) out.insert(out.begin() + axis, 1);
  return out;
}
std::vector<Shape> ExpandDims::output_shapes(const Arrays& inputs) { return {output_shape(inputs[0].shape(), axes_)}; }
Arrays ExpandDims::jvp(const Arrays&, const Arrays& tangents, const std::vector<int>&) {
  return {expand_dims(tangents[0], axes_, stream())};
}
Arrays ExpandDims::vjp(const Arrays&, const Arrays& cotangents, const std::vector<int>&, const Arrays&) {
  return {squeeze(cotangents[0], axes_, stream())};
}
std::pair<Arrays, std::vector<int>> ExpandDims::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return {{expand_dims(moveaxis(inputs[0], axes[0], 0, stream()), shifted(axes_), stream())}, {0}};
}

Shape Squeeze::output_shape(const Shape& shape, const std::vector<int>& axes) {
  Shape out = shape;
  for (auto it = axes.rbegin(); it != axes.rend(); ++it) {
    if (shape[*it] != 1) {
      raise("[squeeze] Cannot squeeze axis ", *it, " with size ", shape[*it], " which is not equal to 1.");
    }
    out.erase(out.begin() + *it);
  }
  return out;
}
std::vector<Shape> Squeeze::output_shapes(const Arrays& inputs) { return {output_shape(inputs[0].shape(), axes_)}; }
Arrays Squeeze::jvp(const Arrays&, const Arrays& tangents, const std::vector<int>&) {
  return {squeeze(tangents[0], axes_, stream())};
}
Arrays Squeeze::vjp(const Arrays&, const Arrays& cotangents, const std::vector<int>&, const Arrays&) {
  return {expand_dims(cotangents[0], axes_, stream())};
}
std::pair<Arrays, std::vector<int>> Squeeze::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return {{squeeze(moveaxis(inputs[0], axes[0], 0, stream()), shifted(axes_), stream())}, {0}};
}

}  // namespace mlx::core
