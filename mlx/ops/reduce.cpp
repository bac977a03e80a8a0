// sum, prod, min, max, all, any: one primitive that keeps the reduced axes, followed by a squeeze unless they
// stay.

#include <optional>

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/reduce_axes.h"
#include "mlx/ops/reduce_primitives.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

namespace {

constexpr const char* names[] = {"all", "any", "sum", "prod", "min", "max"};

Dtype result_dtype(Reduce::Type type, Dtype t) {
  if (type == Reduce::And || type == Reduce::Or) return bool_;
  return type == Reduce::Sum || type == Reduce::Prod ? sum_dtype(t) : t;
}

// Sums and products of nothing have a value.
Shape shape_of(Reduce::Type type, const Shape& shape, const std::vector<int>& axes) {
  bool is_extreme = type == Reduce::Min || type == Reduce::Max;
  return is_extreme ? reduced_shape(names[type], shape, axes) : kept_shape(shape, axes);
}

array reduce(Reduce::Type type, const array& a, const std::vector<int>& axes, bool keepdims,
             StreamOrDevice s) {
  const char* name = names[type];
  Dtype dtype = result_dtype(type, a.dtype());
  std::vector<int> sorted = sorted_axes(name, axes, a.ndim());
  if (sorted.empty()) return astype(a, dtype, s);
  Shape kept = shape_of(type, a.shape(), sorted);
  array out(kept, dtype, std::make_shared<Reduce>(to_stream(s), type, sorted), {a});
  return keepdims ? out : squeeze(out, sorted, s);
}

}  // namespace

#define MLX_REDUCTION(function, type)                                                             \
  array function(const array& a, const std::vector<int>& axes, bool keepdims, StreamOrDevice s) { \
    return reduce(Reduce::type, a, axes, keepdims, s);                                            \
  }                                                                                               \
  array function(const array& a, bool keepdims, StreamOrDevice s) {                               \
    return reduce(Reduce::type, a, all_axes(a), keepdims, s);                                     \
  }                                                                                               \
  array function(const array& a, int axis, bool keepdims, StreamOrDevice s) {                     \
    return reduce(Reduce::type, a, {axis}, keepdims, s);                                          \
  }
MLX_REDUCTION(all, And)
MLX_REDUCTION(any, Or)
MLX_REDUCTION(sum, Sum)
MLX_REDUCTION(prod, Prod)
MLX_REDUCTION(min, Min)
MLX_REDUCTION(max, Max)
#undef MLX_REDUCTION

std::vector<Shape> Reduce::output_shapes(const Arrays& inputs) {
  return {shape_of(type_, inputs[0].shape(), axes_)};
}

std::pair<Arrays, std::vector<int>> Reduce::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return {{reduce(type_, moveaxis(inputs[0], axes[0], 0, stream()), shifted(axes_), true, stream())}, {0}};
}

namespace {

// Each of the elements that attain the extreme gets an equal share.
array extreme_share(const array& x, const array& y, const std::vector<int>& axes, const Stream& s) {
  array hit = astype(equal(x, y, s), x.dtype(), s);
  return astype(divide(hit, sum(hit, axes, true, s), s), x.dtype(), s);
}

// The product of all other elements along the axes: what lies before each one times what lies behind it, so that zeros
// need no division. Of several axes each is left to the product over the later ones.
array product_of_others(const array& x, const std::vector<int>& axes, const Stream& s) {
  array rest = x;
  std::optional<array> others;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    array before = cumprod(rest, *axis, false, false, s), behind = cumprod(rest, *axis, true, false, s);
    array beside = multiply(before, behind, s);
    others = others ? multiply(*others, beside, s) : beside;
    rest = prod(rest, std::vector<int>{*axis}, true, s);
  }
  return astype(*others, x.dtype(), s);
}

}  // namespace

Arrays Reduce::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>&) {
  const array &x = primals[0], &t = tangents[0];
  switch (type_) {
    case Sum:
      return {sum(t, axes_, true, stream())};
    case Prod:
      return {sum(multiply(t, product_of_others(x, axes_, stream()), stream()), axes_, true, stream())};
    case Min:
    case Max: {
      array y = reduce(type_, x, axes_, true, stream());
      return {sum(multiply(t, extreme_share(x, y, axes_, stream()), stream()), axes_, true, stream())};
    }
    default:
      return {zeros(kept_shape(x.shape(), axes_), bool_, stream())};
  }
}

Arrays Reduce::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>&,
                   const Arrays& outputs) {
  const array& x = primals[0];
  array ct = astype(cotangents[0], x.dtype(), stream());
  switch (type_) {
    case Sum:
      return {broadcast_like(ct, x, stream())};
    case Prod: {
      array others = product_of_others(x, axes_, stream());
      return {multiply(ct, conjugate(others, stream()), stream())};
    }
    case Min:
    case Max:
      return {multiply(ct, extreme_share(x, outputs[0], axes_, stream()), stream())};
    default:
      return {zeros_like(x, stream())};
  }
}

}  // namespace mlx::core
