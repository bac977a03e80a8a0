// take_along_axis, put_along_axis and scatter_add_axis: one index per element, along one axis.

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/index_primitives.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

namespace {

constexpr const char* write_name(Combine mode) {
  return mode == Combine::Set ? "put_along_axis" : "scatter_add_axis";
}

// x's shape with the size along the axis replaced.
Shape with_size(Shape shape, int axis, ShapeElem size) {
  shape[axis] = size;
  return shape;
}

int indexed_axis(const char* name, const array& a, const array& indices, int axis) {
  check_index_dtype(name, indices);
  if (a.ndim() != indices.ndim()) {
    raise("[", name, "] Indices of shape ", indices.shape(), " and an array of shape ", a.shape(),
          " must have the same number of dimensions.");
  }
  return checked_axis(name, axis, a.ndim());
}

void check_from_empty(const char* name, const array& a, const array& indices, int axis) {
  if (a.shape(axis) == 0 && indices.size() > 0) {
    raise<AxisError>("[", name, "] There is nothing to index along axis ", axis, " with size 0.");
  }
}

// Equal shapes stay without a node: the shape rules refuse sizes that do not fit, and exported functions serve others.
array broadcast_where_needed(const array& x, const Shape& shape, const Stream& s) {
  return x.shape() == shape ? x : broadcast_to(x, shape, s);
}

array scatter_axis(Combine mode, const array& a, const array& indices, const array& values, int axis,
                   StreamOrDevice s) {
  const char* name = write_name(mode);
  int ax = indexed_axis(name, a, indices, axis);
  Stream stream = to_stream(s);
  array idx = broadcast_where_needed(indices, with_size(a.shape(), ax, indices.shape(ax)), stream);
  check_from_empty(name, a, idx, ax);
  array updates = broadcast_where_needed(astype(values, a.dtype(), stream), idx.shape(), stream);
  return array(a.shape(), a.dtype(), std::make_shared<ScatterAxis>(stream, mode, ax), {a, idx, updates});
}

}  // namespace

array take_along_axis(const array& a, const array& indices, int axis, StreamOrDevice s) {
  int ax = indexed_axis("take_along_axis", a, indices, axis);
  Stream stream = to_stream(s);
  Shape shape = broadcast_shapes(with_size(a.shape(), ax, 1), with_size(indices.shape(), ax, 1));
  array x = broadcast_where_needed(a, with_size(shape, ax, a.shape(ax)), stream);
  array idx = broadcast_where_needed(indices, with_size(shape, ax, indices.shape(ax)), stream);
  check_from_empty("take_along_axis", x, idx, ax);
  return array(idx.shape(), a.dtype(), std::make_shared<GatherAxis>(stream, ax), {x, idx});
}

array put_along_axis(const array& a, const array& indices, const array& values, int axis, StreamOrDevice s) {
  return scatter_axis(Combine::Set, a, indices, values, axis, s);
}
array scatter_add_axis(const array& a, const array& indices, const array& values, int axis, StreamOrDevice s) {
  return scatter_axis(Combine::Sum, a, indices, values, axis, s);
}

std::vector<Shape> GatherAxis::output_shapes(const Arrays& inputs) {
  if (with_size(inputs[0].shape(), axis_, 1) != with_size(inputs[1].shape(), axis_, 1)) {
    raise("[take_along_axis] Shapes ", inputs[0].shape(), " and ", inputs[1].shape(), " differ beside axis ", axis_,
          ".");
  }
  return {inputs[1].shape()};
}
Arrays GatherAxis::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  if (argnums.size() > 1 || argnums[0] != 0) raise_index_derivative("take_along_axis");
  return {take_along_axis(tangents[0], primals[1], axis_, stream())};
}
Arrays GatherAxis::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                       const Arrays&) {
  if (argnums.size() > 1 || argnums[0] != 0) raise_index_derivative("take_along_axis");
  array zero = zeros_like(primals[0], cotangents[0].dtype(), stream());
  return {scatter_add_axis(zero, primals[1], cotangents[0], axis_, stream())};
}
std::pair<Arrays, std::vector<int>> GatherAxis::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  ShapeElem size = batch_size(inputs, axes);
  return {{take_along_axis(batch_to_front(inputs[0], axes[0], size, stream()),
                           batch_to_front(inputs[1], axes[1], size, stream()), axis_ + 1, stream())},
          {0}};
}

std::vector<Shape> ScatterAxis::output_shapes(const Arrays& inputs) {
  bool fits = inputs[1].shape() == inputs[2].shape() &&
              with_size(inputs[0].shape(), axis_, 1) == with_size(inputs[1].shape(), axis_, 1);
  if (!fits) {
    raise("[", write_name(mode_), "] Shapes ", inputs[0].shape(), ", ", inputs[1].shape(), " and ", inputs[2].shape(),
          " differ beside axis ", axis_, ".");
  }
  return {inputs[0].shape()};
}
Arrays ScatterAxis::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  array source_t = zeros_like(primals[0], stream()), update_t = zeros_like(primals[2], stream());
  for (size_t k = 0; k < argnums.size(); k++) {
    if (argnums[k] == 1) raise_index_derivative(write_name(mode_));
    (argnums[k] == 0 ? source_t : update_t) = tangents[k];
  }
  return {scatter_axis(mode_, source_t, primals[1], update_t, axis_, stream())};
}
// A value that another one has overwritten gets no cotangent.
Arrays ScatterAxis::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                        const Arrays&) {
  const Stream& s = stream();
  const array &ct = cotangents[0], &indices = primals[1];
  Arrays result;
  for (int i : argnums) {
    if (i == 1) raise_index_derivative(write_name(mode_));
    if (mode_ == Combine::Sum) {
      result.push_back(i == 0 ? ct : take_along_axis(ct, indices, axis_, s));
    } else if (i == 0) {
      result.push_back(put_along_axis(ct, indices, array(0, ct.dtype()), axis_, s));
    } else {
      Shape line(indices.ndim(), 1);
      line[axis_] = indices.shape(axis_);
      Dtype t = index_dtype(static_cast<size_t>(line[axis_]));
      array numbers = reshape(arange(0, static_cast<double>(line[axis_]), 1, t, s), line, s);
      array last = put_along_axis(zeros_like(primals[0], t, s), indices, numbers, axis_, s);
      array stays = equal(take_along_axis(last, indices, axis_, s), numbers, s);
      result.push_back(where(stays, take_along_axis(ct, indices, axis_, s), array(0, ct.dtype()), s));
    }
  }
  return result;
}
std::pair<Arrays, std::vector<int>> ScatterAxis::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  ShapeElem size = batch_size(inputs, axes);
  Arrays in;
  for (size_t i = 0; i < inputs.size(); i++) in.push_back(batch_to_front(inputs[i], axes[i], size, stream()));
  return {{scatter_axis(mode_, in[0], in[1], in[2], axis_ + 1, stream())}, {0}};
}

}  // namespace mlx::core
