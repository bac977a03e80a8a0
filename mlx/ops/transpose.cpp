// transpose, swapaxes and moveaxis: permutations of axes.

#include <numeric>

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/view_primitives.h"

namespace mlx::core {

namespace {

bool is_identity(const std::vector<int>& axes) {
  for (size_t i = 0; i < axes.size(); i++) {
    if (axes[i] != static_cast<int>(i)) return false;
  }
  return true;
}

std::vector<int> inverse(const std::vector<int>& axes) {
  std::vector<int> result(axes.size());
  for (size_t i = 0; i < axes.size(); i++) result[axes[i]] = static_cast<int>(i);
  return result;
}

Shape permuted(const Shape& shape, const std::vector<int>& axes) {
  Shape result;
  for (int axis : axes) result.push_back(shape[axis]);
  return result;
}

}  // namespace

array transpose(const array& a, std::vector<int> axes, StreamOrDevice s) {
  int ndim = static_cast<int>(a.ndim());
  if (static_cast<int>(axes.size()) != ndim) {
    raise("[transpose] Received ", axes.size(), " axes for an array with ", ndim, " dimensions.");
  }
  axes = checked_axes("transpose", axes, ndim);
  if (is_identity(axes)) return a;
  return array(permuted(a.shape(), axes), a.dtype(), std::make_shared<Transpose>(to_stream(s), axes), {a});
}

array transpose(const array& a, StreamOrDevice s) {
  std::vector<int> axes(a.ndim());
  std::iota(axes.rbegin(), axes.rend(), 0);
  return transpose(a, std::move(axes), s);
}

array swapaxes(const array& a, int axis1, int axis2, StreamOrDevice s) {
  std::vector<int> axes = all_axes(a);
  std::swap(axes[checked_axis("swapaxes", axis1, a.ndim())], axes[checked_axis("swapaxes", axis2, a.ndim())]);
  return transpose(a, std::move(axes), s);
}

array moveaxis(const array& a, int source, int destination, StreamOrDevice s) {
  int ndim = static_cast<int>(a.ndim());
  int from = checked_axis("moveaxis", source, ndim);
  int to = checked_axis("moveaxis", destination, ndim);
  if (from == to) return a;
  std::vector<int> axes = other_axes(ndim, {from});
  axes.insert(axes.begin() + to, from);
  return transpose(a, std::move(axes), s);
}

std::vector<Shape> Transpose::output_shapes(const Arrays& inputs) { return {permuted(inputs[0].shape(), axes_)}; }
Arrays Transpose::jvp(const Arrays&, const Arrays& tangents, const std::vector<int>&) {
  return {transpose(tangents[0], axes_, stream())};
}
Arrays Transpose::vjp(const Arrays&, const Arrays& cotangents, const std::vector<int>&, const Arrays&) {
  return {transpose(cotangents[0], inverse(axes_), stream())};
}
// The batch axis stays where it is in memory; only its place in the permutation moves to the front.
std::pair<Arrays, std::vector<int>> Transpose::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  std::vector<int> batched{axes[0]};
  for (int axis : axes_) batched.push_back(axis < axes[0] ? axis : axis + 1);
  return {{transpose(inputs[0], batched, stream())}, {0}};
}

}  // namespace mlx::core
