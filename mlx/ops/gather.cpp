// gather and take: windows and rows of an array, named by arrays of indices.

#include <algorithm>

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/index_primitives.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

void check_index_dtype(const char* name, const array& indices) {
  if (!issubdtype(indices.dtype(), integer)) {
    raise("[", name, "] Indices must be integers, but got ", dtype_name(indices.dtype()), ".");
  }
}

void raise_index_derivative(const char* name) {
  raise("[", name, "] There is no derivative with respect to indices; compute them under stop_gradient.");
}

std::vector<int> indexed_axes(const char* name, const array& a, const Arrays& indices, const std::vector<int>& axes) {
  if (axes.size() != indices.size()) {
    raise("[", name, "] ", indices.size(), " index arrays were given for ", axes.size(), " axes.");
  }
  for (const array& x : indices) check_index_dtype(name, x);
  return checked_axes(name, axes, a.ndim());
}

Shape Gather::window(const Shape& shape) const {
  Shape window = sizes_;
  for (size_t i = 0; i < shape.size(); i++) {
    bool indexed = std::find(axes_.begin(), axes_.end(), static_cast<int>(i)) != axes_.end();
    if (sizes_[i] < 0) {
      window[i] = shape[i];
    } else if (sizes_[i] > shape[i] && !(indexed && sizes_[i] == 1)) {
      raise("[gather] A window of size ", sizes_[i], " does not fit axis ", i, " with size ", shape[i], ".");
    } else if (shape[i] != from_[i] && sizes_[i] == from_[i] && !(indexed && sizes_[i] == 1)) {
      raise("[gather] The window of axis ", i, " was made for size ", from_[i], " and does not follow to size ",
            shape[i], ".");
    }
  }
  return window;
}

array gather_windows(const array& a, const Arrays& indices, const std::vector<int>& axes, const Shape& sizes,
                     const Stream& s) {
  auto primitive = std::make_shared<Gather>(s, axes, sizes, a.shape());
  Arrays inputs{a};
  inputs.insert(inputs.end(), indices.begin(), indices.end());
  Shape shape = primitive->output_shapes(inputs)[0];
  return array(std::move(shape), a.dtype(), std::move(primitive), std::move(inputs));
}

array gather(const array& a, const std::vector<array>& indices, const std::vector<int>& axes, const Shape& slice_sizes,
             StreamOrDevice s) {
  std::vector<int> normal = indexed_axes("gather", a, indices, axes);
  if (slice_sizes.size() != a.ndim()) {
    raise("[gather] Window sizes ", slice_sizes, " do not fit an array with ", a.ndim(), " dimensions.");
  }
  for (size_t i = 0; i < slice_sizes.size(); i++) {
    bool indexed = std::find(normal.begin(), normal.end(), static_cast<int>(i)) != normal.end();
    ShapeElem largest = std::max<ShapeElem>(a.shape()[i], indexed);  // no index is right for an axis of size 0
    if (slice_sizes[i] < 0 || slice_sizes[i] > largest) {
      raise("[gather] A window of size ", slice_sizes[i], " does not fit axis ", i, " with size ", a.shape()[i], ".");
    }
  }
  return gather_windows(a, indices, normal, slice_sizes, to_stream(s));
}

array take(const array& a, const array& indices, int axis, StreamOrDevice s) {
  check_index_dtype("take", indices);
  int ax = checked_axis("take", axis, a.ndim());
  if (a.shape(ax) == 0 && indices.size() > 0) {
    raise<AxisError>("[take] Cannot take from axis ", ax, " with size 0.");
  }
  Shape sizes(a.ndim(), -1);
  sizes[ax] = 1;
  int index_ndim = static_cast<int>(indices.ndim());
  array rows = squeeze(gather_windows(a, {indices}, {ax}, sizes, to_stream(s)), index_ndim + ax, s);
  if (ax == 0 || index_ndim == 0) return rows;
  std::vector<int> order = all_axes(rows);
  std::rotate(order.begin(), order.begin() + index_ndim, order.begin() + index_ndim + ax);
  return transpose(rows, order, s);
}

array take(const array& a, const array& indices, StreamOrDevice s) { return take(flatten(a, s), indices, 0, s); }

// A slice, so that nothing is copied.
array take(const array& a, int index, int axis, StreamOrDevice s) {
  int ax = checked_axis("take", axis, a.ndim());
  ShapeElem size = a.shape(ax);
  if (index < -size || index >= size) {
    raise<AxisError>("[take] Index ", index, " is out of bounds for axis ", ax, " with size ", size, ".");
  }
  ShapeElem stop = index == -1 ? slice_end : static_cast<ShapeElem>(index) + 1;
  return squeeze(slice_along(a, ax, index, stop, to_stream(s)), ax, s);
}
array take(const array& a, int index, StreamOrDevice s) { return take(flatten(a, s), index, 0, s); }

array array::ArrayIterator::operator*() const {
  Shape start(arr_->ndim(), 0), stop = arr_->shape();
  start[0] = idx_;
  stop[0] = idx_ + 1;
  return squeeze(slice(*arr_, std::move(start), std::move(stop)), 0);
}

std::vector<Shape> Gather::output_shapes(const Arrays& inputs) {
  Shape shape = common_shape(std::span(inputs).subspan(1)), windows = window(inputs[0].shape());
  shape.insert(shape.end(), windows.begin(), windows.end());
  return {shape};
}

Arrays Gather::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  if (argnums.size() > 1 || argnums[0] != 0) raise_index_derivative("gather");
  return {gather_windows(tangents[0], {primals.begin() + 1, primals.end()}, axes_, sizes_, stream())};
}
Arrays Gather::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums, const Arrays&) {
  if (argnums.size() > 1 || argnums[0] != 0) raise_index_derivative("gather");
  array zero = zeros_like(primals[0], cotangents[0].dtype(), stream());
  return {scatter(Combine::Sum, zero, {primals.begin() + 1, primals.end()}, cotangents[0], axes_, stream())};
}

// A batch axis of the indices leads their shape. A batch axis of the array is one more axis of the windows; when both
// are batched it is indexed by the number of the batch.
std::pair<Arrays, std::vector<int>> Gather::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  const Stream& s = stream();
  Arrays indices(inputs.begin() + 1, inputs.end());
  std::vector<int> index_axes(axes.begin() + 1, axes.end());
  bool indices_batched = std::any_of(index_axes.begin(), index_axes.end(), [](int axis) { return axis >= 0; });
  if (indices_batched) indices = align_batch(indices, index_axes, s);
  int index_ndim = static_cast<int>(common_shape(indices).size());
  if (axes[0] < 0) return {{gather_windows(inputs[0], indices, axes_, sizes_, s)}, {0}};
  array a = moveaxis(inputs[0], axes[0], 0, s);
  std::vector<int> gather_axes = shifted(axes_);
  Shape sizes = sizes_;
  sizes.insert(sizes.begin(), indices_batched ? 1 : -1);
  if (!indices_batched) return {{gather_windows(a, indices, gather_axes, sizes, s)}, {index_ndim}};
  Shape column(static_cast<size_t>(index_ndim), 1);
  column[0] = a.shape(0);
  indices.push_back(reshape(arange(0, static_cast<double>(a.shape(0)), 1, index_dtype(a.size()), s), column, s));
  gather_axes.push_back(0);
  return {{squeeze(gather_windows(a, indices, gather_axes, sizes, s), index_ndim, s)}, {0}};
}

}  // namespace mlx::core
