// scatter and its accumulating variants: a copy of an array with windows combined into it.

#include <algorithm>

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/index_primitives.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

namespace {

constexpr const char* names[] = {"scatter", "scatter_add", "scatter_prod", "scatter_max", "scatter_min"};

// Do the updates have the shape of the indices followed by windows that fit the array?
void check_updates(Combine mode, const Shape& array_shape, const std::vector<int>& axes, const Shape& index_shape,
                   const Shape& updates) {
  Shape largest = array_shape;  // no index is right for an axis of size 0
  for (int axis : axes) largest[axis] = std::max<ShapeElem>(largest[axis], 1);
  bool fits = updates.size() == index_shape.size() + array_shape.size();
  for (size_t i = 0; fits && i < updates.size(); i++) {
    fits = i < index_shape.size() ? updates[i] == index_shape[i] : updates[i] <= largest[i - index_shape.size()];
  }
  if (!fits) {
    raise("[", names[static_cast<int>(mode)], "] Updates of shape ", updates, " do not fit indices of shape ",
          index_shape, " into an array of shape ", array_shape, ".");
  }
}

}  // namespace

array scatter(Combine mode, const array& a, const Arrays& indices, const array& updates, const std::vector<int>& axes,
              const Stream& s) {
  const char* name = names[static_cast<int>(mode)];
  std::vector<int> normal = indexed_axes(name, a, indices, axes);
  check_updates(mode, a.shape(), normal, common_shape(indices), updates.shape());
  Arrays inputs{a};
  inputs.insert(inputs.end(), indices.begin(), indices.end());
  inputs.push_back(astype(updates, a.dtype(), s));
  return array(a.shape(), a.dtype(), std::make_shared<Scatter>(s, mode, std::move(normal)), std::move(inputs));
}

#define MLX_SCATTER(function, mode)                                                                             \
  array function(const array& a, const std::vector<array>& indices, const array& updates,                       \
                 const std::vector<int>& axes, StreamOrDevice s) {                                              \
    return scatter(Combine::mode, a, indices, updates, axes, to_stream(s));                                     \
  }
MLX_SCATTER(scatter, Set)
MLX_SCATTER(scatter_add, Sum)
MLX_SCATTER(scatter_prod, Prod)
MLX_SCATTER(scatter_max, Max)
MLX_SCATTER(scatter_min, Min)
#undef MLX_SCATTER

std::vector<Shape> Scatter::output_shapes(const Arrays& inputs) {
  std::span<const array> indices(inputs.data() + 1, inputs.size() - 2);
  check_updates(mode_, inputs[0].shape(), axes_, common_shape(indices), inputs.back().shape());
  return {inputs[0].shape()};
}

// The windows of `a` that the updates of `inputs` meet.
array Scatter::read(const array& a, const Arrays& inputs) const {
  const Shape& updates = inputs.back().shape();
  Shape sizes(updates.end() - static_cast<int>(a.ndim()), updates.end());
  // A window as long as its axis follows the axis.
  for (size_t i = 0; i < sizes.size(); i++) {
    bool indexed = std::find(axes_.begin(), axes_.end(), static_cast<int>(i)) != axes_.end();
    if (!indexed && sizes[i] == a.shape()[i]) sizes[i] = -1;
  }
  return gather_windows(a, indices_of(inputs), axes_, sizes, stream());
}

// Which updates stay when several are written to one place; broadcasts to the updates.
array Scatter::written(const Arrays& inputs) const {
  const Stream& s = stream();
  Arrays indices = indices_of(inputs);
  int ndim = static_cast<int>(inputs[0].ndim());
  Shape place = inputs[0].shape(), number = inputs.back().shape();
  // Along other axes all windows start at 0, so one number stands for all elements there.
  for (int axis : other_axes(ndim, axes_)) {
    place[axis] = 1;
    number[number.size() - static_cast<size_t>(ndim - axis)] = 1;
  }
  size_t count = element_count(number);
  Dtype t = index_dtype(count);
  array numbers = reshape(arange(0, static_cast<double>(count), 1, t, s), number, s);
  array last = scatter(Combine::Set, zeros(place, t, s), indices, numbers, axes_, s);
  Shape sizes(number.end() - ndim, number.end());
  return equal(gather_windows(last, indices, axes_, sizes, s), numbers, s);
}

// For each element of the operand (the source, or the updates), the product of everything else that meets in its
// place; exact also where something is zero.
array Scatter::product_of_others(const array& operand, const Arrays& inputs, bool of_update) const {
  const Stream& s = stream();
  auto is_zero = [&](const array& x) { return equal(x, array(0, x.dtype()), s); };
  auto nonzero = [&](const array& x) { return where(is_zero(x), array(1, x.dtype()), x, s); };
  Arrays indices = indices_of(inputs);
  array product = scatter(Combine::Prod, nonzero(inputs[0]), indices, nonzero(inputs.back()), axes_, s);
  array zero_count = scatter(Combine::Sum, astype(is_zero(inputs[0]), int32, s), indices,
                             astype(is_zero(inputs.back()), int32, s), axes_, s);
  if (of_update) {
    product = read(product, inputs);
    zero_count = read(zero_count, inputs);
  }
  array other_zeros = subtract(zero_count, astype(is_zero(operand), int32, s), s);
  return where(is_zero(other_zeros), divide(product, nonzero(operand), s), array(0, operand.dtype()), s);
}

// One over the number of values that attain the extreme of each place.
array Scatter::share(const Arrays& inputs, const array& out) const {
  const Stream& s = stream();
  array hits = astype(equal(inputs[0], out, s), out.dtype(), s);
  array update_hits = astype(equal(inputs.back(), read(out, inputs), s), out.dtype(), s);
  array count = scatter(Combine::Sum, hits, indices_of(inputs), update_hits, axes_, s);
  return divide(array(1, out.dtype()), count, s);
}

Arrays Scatter::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  const Stream& s = stream();
  int last = static_cast<int>(primals.size()) - 1;
  array source_t = zeros_like(primals[0], s), update_t = zeros_like(primals[last], s);
  for (size_t k = 0; k < argnums.size(); k++) {
    if (argnums[k] == 0) source_t = tangents[k];
    else if (argnums[k] == last) update_t = tangents[k];
    else raise_index_derivative(names[static_cast<int>(mode_)]);
  }
  Arrays indices = indices_of(primals);
  if (mode_ == Combine::Set || mode_ == Combine::Sum) return {scatter(mode_, source_t, indices, update_t, axes_, s)};
  array source_weight = zeros_like(primals[0], s), update_weight = zeros_like(primals[last], s);
  if (mode_ == Combine::Prod) {
    source_weight = product_of_others(primals[0], primals, false);
    update_weight = product_of_others(primals[last], primals, true);
  } else {
    array out = scatter(mode_, primals[0], indices, primals[last], axes_, s), part = share(primals, out);
    source_weight = where(equal(primals[0], out, s), part, array(0, out.dtype()), s);
    update_weight = where(equal(primals[last], read(out, primals), s), read(part, primals), array(0, out.dtype()), s);
  }
  return {scatter(Combine::Sum, multiply(source_t, source_weight, s), indices, multiply(update_t, update_weight, s),
                  axes_, s)};
}

array Scatter::source_cotangent(const Arrays& primals, const array& ct, const array& out) const {
  const Stream& s = stream();
  switch (mode_) {
    case Combine::Set:
      return scatter(mode_, ct, indices_of(primals), zeros_like(primals.back(), ct.dtype(), s), axes_, s);
    case Combine::Sum: return ct;
    case Combine::Prod:
      return scatter(mode_, ct, indices_of(primals), conjugate(primals.back(), s), axes_, s);
    default:
      return where(equal(primals[0], out, s), multiply(ct, share(primals, out), s), array(0, ct.dtype()), s);
  }
}

array Scatter::update_cotangent(const Arrays& primals, const array& ct, const array& out) const {
  const Stream& s = stream();
  const array& updates = primals.back();
  array at = read(ct, primals), zero = array(0, ct.dtype());
  switch (mode_) {
    case Combine::Set: return where(written(primals), at, zero, s);
    case Combine::Sum: return at;
    case Combine::Prod: return multiply(at, conjugate(product_of_others(updates, primals, true), s), s);
    default: {
      array won = multiply(at, read(share(primals, out), primals), s);
      return where(equal(updates, read(out, primals), s), won, zero, s);
    }
  }
}

Arrays Scatter::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                    const Arrays& outputs) {
  int last = static_cast<int>(primals.size()) - 1;
  Arrays result;
  for (int i : argnums) {
    if (i == 0) result.push_back(source_cotangent(primals, cotangents[0], outputs[0]));
    else if (i == last) result.push_back(update_cotangent(primals, cotangents[0], outputs[0]));
    else raise_index_derivative(names[static_cast<int>(mode_)]);
  }
  return result;
}

// As for Gather: the batch is an axis of the windows, or an indexed axis when the indices are batched too.
std::pair<Arrays, std::vector<int>> Scatter::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  const Stream& s = stream();
  Arrays indices = indices_of(inputs);
  std::vector<int> index_axes(axes.begin() + 1, axes.end() - 1), scatter_axes = shifted(axes_);
  bool indices_batched = std::any_of(index_axes.begin(), index_axes.end(), [](int axis) { return axis >= 0; });
  ShapeElem size = batch_size(inputs, axes);
  array a = batch_to_front(inputs[0], axes[0], size, s), updates = batch_to_front(inputs.back(), axes.back(), size, s);
  if (!indices_batched) {
    int index_ndim = static_cast<int>(common_shape(indices).size());
    return {{scatter(mode_, a, indices, moveaxis(updates, 0, index_ndim, s), scatter_axes, s)}, {0}};
  }
  indices = align_batch(indices, index_axes, s);
  int index_ndim = static_cast<int>(common_shape(indices).size());
  Shape column(static_cast<size_t>(index_ndim), 1);
  column[0] = size;
  indices.push_back(reshape(arange(0, static_cast<double>(size), 1, index_dtype(a.size()), s), column, s));
  scatter_axes.push_back(0);
  return {{scatter(mode_, a, indices, expand_dims(updates, index_ndim, s), scatter_axes, s)}, {0}};
}

}  // namespace mlx::core
