// inner, outer and tensordot: products that are one matrix product over rearranged axes.

#include <algorithm>

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/reduce_axes.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

namespace {

// The axes in the given order, those of each part joined: a matrix.
array as_matrix(const array& x, const std::vector<int>& first, const std::vector<int>& second,
                const Stream& s) {
  std::vector<int> order = first;
  order.insert(order.end(), second.begin(), second.end());
  auto joined = [&](const std::vector<int>& axes) {
    Shape sizes;
    for (int axis : axes) sizes.push_back(x.shape(axis));
    return static_cast<ShapeElem>(element_count(sizes));
  };
  return reshape(transpose(x, order, s), {joined(first), joined(second)}, s);
}

}  // namespace

array tensordot(const array& a, const array& b, const std::vector<int>& axes_a,
                const std::vector<int>& axes_b, StreamOrDevice s) {
  if (axes_a.size() != axes_b.size()) {
    raise("[tensordot] The axes ", axes_a, " and ", axes_b, " to contract differ in number.");
  }
  note_size_read();
  std::vector<int> in_a = checked_axes("tensordot", axes_a, a.ndim()),
                   in_b = checked_axes("tensordot", axes_b, b.ndim());
  for (size_t i = 0; i < in_a.size(); i++) {
    if (a.shape(in_a[i]) != b.shape(in_b[i])) {
      raise("[tensordot] Axis ", in_a[i], " of shape ", a.shape(), " and axis ", in_b[i],
            " of shape ", b.shape(), " differ in size.");
    }
  }
  Stream stream = to_stream(s);
  std::vector<int> free_a = other_axes(static_cast<int>(a.ndim()), in_a);
  std::vector<int> free_b = other_axes(static_cast<int>(b.ndim()), in_b);
  Shape shape;
  for (int axis : free_a) shape.push_back(a.shape(axis));
  for (int axis : free_b) shape.push_back(b.shape(axis));
  array product =
      matmul(as_matrix(a, free_a, in_a, stream), as_matrix(b, in_b, free_b, stream), stream);
  return reshape(product, shape, stream);
}

array tensordot(const array& a, const array& b, const int axis, StreamOrDevice s) {
  int limit = static_cast<int>(std::min(a.ndim(), b.ndim()));
  if (axis < 0 || axis > limit) {
    raise("[tensordot] The number of axes must be from 0 to ", limit, ", but is ", axis, ".");
  }
  std::vector<int> first = all_axes(axis);
  return tensordot(a, b, shifted(first, static_cast<int>(a.ndim()) - axis), first, s);
}

array inner(const array& a, const array& b, StreamOrDevice s) {
  if (a.ndim() == 0 || b.ndim() == 0) return multiply(a, b, s);
  if (a.shape(-1) != b.shape(-1)) {
    raise("[inner] The last dimensions of the shapes ", a.shape(), " and ", b.shape(), " differ.");
  }
  return tensordot(a, b, {-1}, {-1}, s);
}

// The products have the dtype of the sum, so that small integers do not wrap before they are added.
array vecdot(const array& a, const array& b, int axis, StreamOrDevice s) {
  int ndim_a = static_cast<int>(a.ndim()), ndim_b = static_cast<int>(b.ndim());
  if (ndim_a == 0 || ndim_b == 0) raise("[vecdot] Scalars have no axis to sum over.");
  if (axis < 0 && ndim_a != ndim_b) {
    raise("[vecdot] A negative axis needs inputs with equally many dimensions, but the shapes are ", a.shape(), " and ",
          b.shape(), ".");
  }
  int in_a = checked_axis("vecdot", axis, ndim_a), in_b = checked_axis("vecdot", axis, ndim_b);
  note_size_read();  // at other sizes one could be broadcast
  if (a.shape(in_a) != b.shape(in_b)) {
    raise("[vecdot] The shapes ", a.shape(), " and ", b.shape(), " differ in size along axis ", axis, ".");
  }
  Dtype t = sum_dtype(result_type(a, b));
  array x = moveaxis(astype(a, t, s), in_a, -1, s), y = moveaxis(astype(b, t, s), in_b, -1, s);
  return sum(multiply(conjugate(x, s), y, s), -1, false, s);
}

array outer(const array& a, const array& b, StreamOrDevice s) {
  return multiply(expand_dims(flatten(a, s), 1, s), flatten(b, s), s);
}

}  // namespace mlx::core
