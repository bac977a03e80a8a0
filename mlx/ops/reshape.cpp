// reshape, flatten and unflatten.

#include <algorithm>

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/view_primitives.h"

namespace mlx::core {

array reshape(const array& a, Shape shape, StreamOrDevice s) {
  Shape resolved = Reshape::resolve(a.shape(), shape);
  // At another size the shape may not fit: the node then refuses.
  if (resolved == a.shape() && !tracing_shapeless()) return a;
  return array(std::move(resolved), a.dtype(), std::make_shared<Reshape>(to_stream(s), std::move(shape)), {a});
}

array flatten(const array& a, int start_axis, int end_axis, StreamOrDevice s) {
  int ndim = static_cast<int>(a.ndim());
  if (ndim == 0) return reshape(a, {1}, s);
  int start = std::max(start_axis < 0 ? start_axis + ndim : start_axis, 0);
  int end = std::min(end_axis < 0 ? end_axis + ndim : end_axis, ndim - 1);
  if (end < start) raise("[flatten] The start axis ", start_axis, " lies behind the end axis ", end_axis, ".");
  if (start >= ndim) {
    raise<AxisError>("[flatten] Axis ", start_axis, " is out of bounds for array with ", ndim, " dimensions.");
  }
  if (start == end) return a;
  return array(Flatten::output_shape(a.shape(), start, end), a.dtype(),
               std::make_shared<Flatten>(to_stream(s), start, end), {a});
}
array flatten(const array& a, StreamOrDevice s) { return flatten(a, 0, -1, s); }

array unflatten(const array& a, int axis, Shape shape, StreamOrDevice s) {
  int ax = checked_axis("unflatten", axis, a.ndim());
  Shape out = Unflatten::output_shape(a.shape(), ax, shape);
  return array(std::move(out), a.dtype(), std::make_shared<Unflatten>(to_stream(s), ax, std::move(shape)), {a});
}

Shape Reshape::resolve(const Shape& from, const Shape& to) {
  size_t size = element_count(from), known = 1;
  int unknown = -1;
  for (size_t i = 0; i < to.size(); i++) {
    if (to[i] == -1 && unknown < 0) {
      unknown = static_cast<int>(i);
    } else if (to[i] < 0) {
      raise("[reshape] A shape may hold one -1 and no other negative size, but got ", to, ".");
    } else if (__builtin_mul_overflow(known, static_cast<size_t>(to[i]), &known)) {
      raise("[reshape] Cannot reshape array of size ", size, " into shape ", to, ".");
    }
  }
  Shape shape = to;
  bool fits = unknown < 0 ? known == size : known > 0 && size % known == 0;
  if (!fits) raise("[reshape] Cannot reshape array of size ", size, " into shape ", to, ".");
  if (unknown >= 0) shape[unknown] = static_cast<ShapeElem>(size / known);
  return shape;
}

std::vector<Shape> Reshape::output_shapes(const Arrays& inputs) { return {resolve(inputs[0].shape(), shape_)}; }
Arrays Reshape::jvp(const Arrays&, const Arrays& tangents, const std::vector<int>&) {
  return {reshape(tangents[0], shape_, stream())};
}
Arrays Reshape::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>&, const Arrays&) {
  return {reshape(cotangents[0], primals[0].shape(), stream())};
}
std::pair<Arrays, std::vector<int>> Reshape::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  array x = moveaxis(inputs[0], axes[0], 0, stream());
  Shape inner = resolve(Shape(x.shape().begin() + 1, x.shape().end()), shape_);
  inner.insert(inner.begin(), x.shape(0));
  return {{reshape(x, inner, stream())}, {0}};
}

Shape Flatten::output_shape(const Shape& shape, int start, int end) {
  Shape joined(shape.begin() + start, shape.begin() + end + 1), out(shape.begin(), shape.begin() + start);
  out.push_back(static_cast<ShapeElem>(element_count(joined)));
  out.insert(out.end(), shape.begin() + end + 1, shape.end());
  return out;
}
std::vector<Shape> Flatten::output_shapes(const Arrays& inputs) {
  return {output_shape(inputs[0].shape(), start_, end_)};
}
Arrays Flatten::jvp(const Arrays&, const Arrays& tangents, const std::vector<int>&) {
  return {flatten(tangents[0], start_, end_, stream())};
}
Arrays Flatten::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>&, const Arrays&) {
  const Shape& in = primals[0].shape();
  return {unflatten(cotangents[0], start_, Shape(in.begin() + start_, in.begin() + end_ + 1), stream())};
}
std::pair<Arrays, std::vector<int>> Flatten::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return {{flatten(moveaxis(inputs[0], axes[0], 0, stream()), start_ + 1, end_ + 1, stream())}, {0}};
}

Shape Unflatten::output_shape(const Shape& shape, int axis, const Shape& parts) {
  if (parts.empty()) raise("[unflatten] The shape of an axis cannot be empty.");
  Shape resolved;
  try {
    resolved = Reshape::resolve({shape[axis]}, parts);
  } catch (const std::invalid_argument&) {
    raise("[unflatten] Cannot unflatten axis ", axis, " of size ", shape[axis], " into shape ", parts, ".");
  }
  Shape out(shape.begin(), shape.begin() + axis);
  out.insert(out.end(), resolved.begin(), resolved.end());
  out.insert(out.end(), shape.begin() + axis + 1, shape.end());
  return out;
}
std::vector<Shape> Unflatten::output_shapes(const Arrays& inputs) {
  return {output_shape(inputs[0].shape(), axis_, shape_)};
}
Arrays Unflatten::jvp(const Arrays&, const Arrays& tangents, const std::vector<int>&) {
  return {unflatten(tangents[0], axis_, shape_, stream())};
}
Arrays Unflatten::vjp(const Arrays&, const Arrays& cotangents, const std::vector<int>&, const Arrays&) {
  return {flatten(cotangents[0], axis_, axis_ + static_cast<int>(shape_.size()) - 1, stream())};
}
std::pair<Arrays, std::vector<int>> Unflatten::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return {{unflatten(moveaxis(inputs[0], axes[0], 0, stream()), axis_ + 1, shape_, stream())}, {0}};
}

}  // namespace mlx::core
