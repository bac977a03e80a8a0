// as_strided: any strides over the row-major content of an array; diagonals and their sum.

#include <algorithm>

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/index_primitives.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/slice_primitives.h"

namespace mlx::core {

namespace {

void check_bounds(size_t size, const Shape& shape, const Strides& strides, int64_t offset) {
  if (shape.size() != strides.size()) {
    raise("[as_strided] The shape ", shape, " and the strides ", strides, " differ in length.");
  }
  if (element_count(shape) == 0) return;
  __int128 low = offset, high = offset;
  for (size_t i = 0; i < shape.size(); i++) {
    __int128 reach = static_cast<__int128>(shape[i] - 1) * strides[i];
    (reach < 0 ? low : high) += reach;
  }
  if (low < 0 || high >= static_cast<__int128>(size)) {
    raise("[as_strided] Shape ", shape, " with strides ", strides, " and offset ", offset,
          " reaches outside of an array with ", size, " elements.");
  }
}

}  // namespace

array as_strided(array a, Shape shape, Strides strides, size_t offset, StreamOrDevice s) {
  int64_t start = offset > static_cast<size_t>(INT64_MAX) ? INT64_MAX : static_cast<int64_t>(offset);
  check_bounds(a.size(), shape, strides, start);
  Shape out = shape;
  return array(std::move(out), a.dtype(),
               std::make_shared<AsStrided>(to_stream(s), a.shape(), std::move(shape), std::move(strides), start), {a});
}

std::vector<Shape> AsStrided::output_shapes(const Arrays& inputs) {
  if (inputs[0].shape() != from_) {
    raise("[as_strided] The strides were made for shape ", from_, " and do not follow to shape ", inputs[0].shape(),
          ".");
  }
  return {shape_};
}
Arrays AsStrided::jvp(const Arrays&, const Arrays& tangents, const std::vector<int>&) {
  return {as_strided(tangents[0], shape_, strides_, static_cast<size_t>(offset_), stream())};
}
// Elements that appear several times collect all their cotangents.
Arrays AsStrided::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>&, const Arrays&) {
  const Stream& s = stream();
  const array &x = primals[0], &ct = cotangents[0];
  double size = static_cast<double>(x.size());
  array places = as_strided(arange(0, size, 1, index_dtype(x.size()), s), shape_, strides_,
                            static_cast<size_t>(offset_), s);
  array flat = scatter_add(zeros({static_cast<ShapeElem>(x.size())}, ct.dtype(), s), reshape(places, {-1}, s),
                           reshape(ct, {-1, 1}, s), 0, s);
  return {reshape(flat, x.shape(), s)};
}
std::pair<Arrays, std::vector<int>> AsStrided::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  array x = moveaxis(inputs[0], axes[0], 0, stream());
  Shape shape = shape_;
  Strides strides = strides_;
  shape.insert(shape.begin(), x.shape(0));
  strides.insert(strides.begin(), static_cast<int64_t>(element_count(from_)));
  return {{as_strided(x, shape, strides, static_cast<size_t>(offset_), stream())}, {0}};
}

namespace {

array diagonal_named(const char* name, const array& a, int offset, int axis1, int axis2, StreamOrDevice s) {
  int ndim = static_cast<int>(a.ndim());
  if (ndim < 2) raise("[", name, "] The array must have at least two dimensions, but has ", ndim, ".");
  int first = checked_axis(name, axis1, ndim);
  int second = checked_axis(name, axis2, ndim);
  if (first == second) raise("[", name, "] The two axes cannot be the same, but both are ", first, ".");
  std::vector<int> order = other_axes(ndim, {first, second});
  order.push_back(first);
  order.push_back(second);
  note_size_read();
  array x = transpose(a, order, s);
  ShapeElem rows = x.shape(-2), columns = x.shape(-1), row = std::max(-static_cast<int64_t>(offset), int64_t{0});
  ShapeElem column = std::max(offset, 0);
  ShapeElem length = std::max<ShapeElem>(std::min(rows - row, columns - column), 0);
  // A step of one row and one column through the flattened matrix.
  array flat = flatten(x, ndim - 2, ndim - 1, s);
  SliceRequest r = whole_request(flat.ndim());
  r.start.back() = row * columns + column;
  r.stop.back() = length ? r.start.back() + (length - 1) * (columns + 1) + 1 : r.start.back();
  r.strides.back() = columns + 1;
  return slice(flat, r, to_stream(s));
}

}  // namespace

array diagonal(const array& a, int offset, int axis1, int axis2, StreamOrDevice s) {
  return diagonal_named("diagonal", a, offset, axis1, axis2, s);
}

array trace(const array& a, int offset, int axis1, int axis2, StreamOrDevice s) {
  return sum(diagonal_named("trace", a, offset, axis1, axis2, s), -1, false, s);
}
array trace(const array& a, int offset, int axis1, int axis2, Dtype dtype, StreamOrDevice s) {
  array elements = astype(diagonal_named("trace", a, offset, axis1, axis2, s), dtype, s);
  return astype(sum(elements, -1, false, s), dtype, s);
}
array trace(const array& a, StreamOrDevice s) { return trace(a, 0, 0, 1, s); }

array diag(const array& a, int k, StreamOrDevice s) {
  if (a.ndim() == 2) return diagonal(a, k, 0, 1, s);
  if (a.ndim() != 1) raise("[diag] The array must have one or two dimensions, but has ", a.ndim(), ".");
  note_size_read();
  ShapeElem shift = std::abs(static_cast<ShapeElem>(k)), n = a.shape(0) + shift;
  SliceRequest r{{k > 0 ? shift : shift * n}, {0}, {n + 1}, {-1}};
  r.stop[0] = a.shape(0) ? r.start[0] + (a.shape(0) - 1) * (n + 1) + 1 : r.start[0];
  return reshape(slice_update(Combine::Set, zeros({n * n}, a.dtype(), s), a, r, to_stream(s)), {n, n}, s);
}

}  // namespace mlx::core
