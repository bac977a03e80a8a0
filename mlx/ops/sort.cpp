// sort and argsort.

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/sort_primitives.h"

namespace mlx::core {

void check_sort_index(const char* name, ShapeElem size) {
  if (size > (ShapeElem{1} << 32)) {
    raise<std::overflow_error>("[", name, "] Indices of an axis of size ", size, " do not fit in uint32.");
  }
}

namespace {

array argsort_named(const char* name, const array& a, int axis, StreamOrDevice s) {
  int ax = checked_axis(name, axis, a.ndim());
  check_sort_index(name, a.shape(ax));
  return array(a.shape(), uint32, std::make_shared<ArgSort>(to_stream(s), ax), {a});
}

}  // namespace

array sort(const array& a, int axis, StreamOrDevice s) {
  return array(a.shape(), a.dtype(), std::make_shared<Sort>(to_stream(s), checked_axis("sort", axis, a.ndim())), {a});
}
array sort(const array& a, StreamOrDevice s) { return sort(flatten(a, s), 0, s); }
array argsort(const array& a, int axis, StreamOrDevice s) { return argsort_named("argsort", a, axis, s); }
array argsort(const array& a, StreamOrDevice s) { return argsort(flatten(a, s), 0, s); }

std::vector<Shape> Sort::output_shapes(const Arrays& inputs) { return {inputs[0].shape()}; }
Arrays Sort::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>&) {
  array source = stop_gradient(argsort(primals[0], axis_, stream()), stream());
  return {take_along_axis(tangents[0], source, axis_, stream())};
}
Arrays Sort::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>&, const Arrays&) {
  array source = stop_gradient(argsort(primals[0], axis_, stream()), stream());
  array zero = zeros_like(primals[0], cotangents[0].dtype(), stream());
  return {put_along_axis(zero, source, cotangents[0], axis_, stream())};
}
std::pair<Arrays, std::vector<int>> Sort::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return {{sort(inputs[0], axis_ + (axis_ >= axes[0]), stream())}, axes};
}

std::vector<Shape> ArgSort::output_shapes(const Arrays& inputs) {
  check_sort_index("argsort", inputs[0].shape(axis_));
  return {inputs[0].shape()};
}
Arrays ArgSort::jvp(const Arrays& primals, const Arrays&, const std::vector<int>&) {
  return {zeros_like(primals[0], uint32, stream())};
}
Arrays ArgSort::vjp(const Arrays& primals, const Arrays&, const std::vector<int>&, const Arrays&) {
  return {zeros_like(primals[0], stream())};
}
std::pair<Arrays, std::vector<int>> ArgSort::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return {{argsort(inputs[0], axis_ + (axis_ >= axes[0]), stream())}, axes};
}

}  // namespace mlx::core
