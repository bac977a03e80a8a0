// concatenate and stack.

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/join_primitives.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

namespace {

Shape joined_shape(const Arrays& arrays, int axis) {
  Shape shape = arrays[0].shape();
  for (size_t k = 1; k < arrays.size(); k++) {
    const Shape& other = arrays[k].shape();
    bool fits = other.size() == shape.size();
    for (size_t i = 0; fits && i < shape.size(); i++) fits = static_cast<int>(i) == axis || other[i] == shape[i];
    if (!fits) {
      raise("[concatenate] Array ", k, " of shape ", other, " does not fit the first one of shape ", arrays[0].shape(),
            " along axis ", axis, ".");
    }
    if (__builtin_add_overflow(shape[axis], other[axis], &shape[axis])) {
      raise<std::overflow_error>("[concatenate] The size of axis ", axis, " does not fit in 64 bits.");
    }
  }
  return shape;
}

}  // namespace

array concatenate(std::vector<array> arrays, int axis, StreamOrDevice s) {
  if (arrays.empty()) raise("[concatenate] At least one array is needed.");
  int ax = checked_axis("concatenate", axis, arrays[0].ndim());
  if (arrays.size() == 1) return arrays[0];
  Shape shape = joined_shape(arrays, ax);
  Dtype dtype = result_type(arrays);
  for (array& x : arrays) x = astype(x, dtype, s);
  return array(std::move(shape), dtype, std::make_shared<Concatenate>(to_stream(s), ax), std::move(arrays));
}

array concatenate(std::vector<array> arrays, StreamOrDevice s) {
  for (array& x : arrays) x = flatten(x, s);
  return concatenate(std::move(arrays), 0, s);
}

array stack(const std::vector<array>& arrays, int axis, StreamOrDevice s) {
  if (arrays.empty()) raise("[stack] At least one array is needed.");
  int ax = checked_axis("stack", axis, arrays[0].ndim() + 1);
  Arrays parts;
  for (const array& x : arrays) {
    if (x.shape() != arrays[0].shape()) {
      raise("[stack] All arrays must have one shape, but got ", arrays[0].shape(), " and ", x.shape(), ".");
    }
    parts.push_back(expand_dims(x, ax, s));
  }
  return concatenate(std::move(parts), ax, s);
}
array stack(const std::vector<array>& arrays, StreamOrDevice s) { return stack(arrays, 0, s); }

std::vector<Shape> Concatenate::output_shapes(const Arrays& inputs) { return {joined_shape(inputs, axis_)}; }
Arrays Concatenate::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  Arrays parts;
  size_t next = 0;
  for (size_t i = 0; i < primals.size(); i++) {
    bool moves = next < argnums.size() && argnums[next] == static_cast<int>(i);
    parts.push_back(moves ? tangents[next++] : zeros_like(primals[i], stream()));
  }
  return {concatenate(std::move(parts), axis_, stream())};
}
Arrays Concatenate::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                        const Arrays&) {
  Shape cuts;
  for (size_t i = 0; i + 1 < primals.size(); i++) cuts.push_back((i ? cuts.back() : 0) + primals[i].shape(axis_));
  Arrays parts = split(cotangents[0], cuts, axis_, stream()), result;
  for (int i : argnums) result.push_back(parts[i]);
  return result;
}
std::pair<Arrays, std::vector<int>> Concatenate::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  Arrays parts;
  ShapeElem size = batch_size(inputs, axes);
  for (size_t i = 0; i < inputs.size(); i++) parts.push_back(batch_to_front(inputs[i], axes[i], size, stream()));
  return {{concatenate(std::move(parts), axis_ + 1, stream())}, {0}};
}

}  // namespace mlx::core
