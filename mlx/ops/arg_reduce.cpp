// argmin and argmax.

#include <limits>

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/reduce_axes.h"
#include "mlx/ops/reduce_primitives.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

namespace {

Shape place_shape(ArgReduce::Type type, const Shape& shape, int axis) {
  const char* name = type == ArgReduce::ArgMin ? "argmin" : "argmax";
  if (shape[axis] > static_cast<ShapeElem>(std::numeric_limits<uint32_t>::max()) + 1) {
    raise("[", name, "] Axis ", axis, " of size ", shape[axis], " has more elements than uint32 can count.");
  }
  return reduced_shape(name, shape, {axis});
}

array arg_reduce(ArgReduce::Type type, const char* name, const array& a, int axis, bool keepdims,
                 StreamOrDevice s) {
  int ax = checked_axis(name, axis, a.ndim());
  Shape kept = place_shape(type, a.shape(), ax);
  array out(kept, uint32, std::make_shared<ArgReduce>(to_stream(s), type, ax), {a});
  return keepdims ? out : squeeze(out, ax, s);
}

array arg_reduce(ArgReduce::Type type, const char* name, const array& a, bool keepdims, StreamOrDevice s) {
  array index = arg_reduce(type, name, flatten(a, s), 0, false, s);
  return keepdims && a.ndim() > 0 ? expand_dims(index, all_axes(a), s) : index;
}

}  // namespace

array argmin(const array& a, int axis, bool keepdims, StreamOrDevice s) {
  return arg_reduce(ArgReduce::ArgMin, "argmin", a, axis, keepdims, s);
}
array argmin(const array& a, bool keepdims, StreamOrDevice s) {
  return arg_reduce(ArgReduce::ArgMin, "argmin", a, keepdims, s);
}
array argmax(const array& a, int axis, bool keepdims, StreamOrDevice s) {
  return arg_reduce(ArgReduce::ArgMax, "argmax", a, axis, keepdims, s);
}
array argmax(const array& a, bool keepdims, StreamOrDevice s) {
  return arg_reduce(ArgReduce::ArgMax, "argmax", a, keepdims, s);
}

std::vector<Shape> ArgReduce::output_shapes(const Arrays& inputs) {
  return {place_shape(type_, inputs[0].shape(), axis_)};
}
Arrays ArgReduce::jvp(const Arrays& primals, const Arrays&, const std::vector<int>&) {
  return {zeros(kept_shape(primals[0].shape(), {axis_}), uint32, stream())};
}
Arrays ArgReduce::vjp(const Arrays& primals, const Arrays&, const std::vector<int>&, const Arrays&) {
  return {zeros_like(primals[0], stream())};
}
std::pair<Arrays, std::vector<int>> ArgReduce::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  array x = moveaxis(inputs[0], axes[0], 0, stream());
  return {{arg_reduce(type_, name(), x, axis_ + 1, true, stream())}, {0}};
}

}  // namespace mlx::core
