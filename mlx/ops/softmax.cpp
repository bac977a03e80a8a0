// softmax and logsumexp.

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/reduce_axes.h"
#include "mlx/ops/reduce_primitives.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

namespace {

array at_least_float(const array& a, StreamOrDevice s) {
  return issubdtype(a.dtype(), inexact) ? a : astype(a, float32, s);
}

// The largest real part along the axes, as a constant that is 0 where it is infinite.
array complex_shift(const array& z, const std::vector<int>& axes, StreamOrDevice s) {
  array largest = stop_gradient(max(real(z, s), axes, true, s), s);
  return where(isfinite(largest, s), largest, zeros_like(largest, s), s);
}

array softmax_over(const array& x, const std::vector<int>& axes, bool precise, const Stream& s) {
  return array(x.shape(), x.dtype(), std::make_shared<Softmax>(s, axes, precise), {x});
}
array logsumexp_over(const array& x, const std::vector<int>& axes, const Stream& s) {
  return array(kept_shape(x.shape(), axes), x.dtype(), std::make_shared<LogSumExp>(s, axes), {x});
}

}  // namespace

array softmax(const array& a, const std::vector<int>& axes, bool precise, StreamOrDevice s) {
  std::vector<int> sorted = sorted_axes("softmax", axes, a.ndim());
  array x = at_least_float(a, s);
  if (x.dtype() != complex64 || x.size() == 0) return softmax_over(x, sorted, precise, to_stream(s));
  array exponentials = exp(subtract(x, complex_shift(x, sorted, s), s), s);
  return divide(exponentials, sum(exponentials, sorted, true, s), s);
}
array softmax(const array& a, bool precise, StreamOrDevice s) { return softmax(a, all_axes(a), precise, s); }

array logsumexp(const array& a, const std::vector<int>& axes, bool keepdims, StreamOrDevice s) {
  std::vector<int> sorted = sorted_axes("logsumexp", axes, a.ndim());
  array x = at_least_float(a, s);
  if (sorted.empty()) return x;
  reduced_shape("logsumexp", a.shape(), sorted);
  array out = x;
  if (x.dtype() == complex64 && x.size() > 0) {
    array shift = complex_shift(x, sorted, s);
    out = add(log(sum(exp(subtract(x, shift, s), s), sorted, true, s), s), shift, s);
  } else {
    out = logsumexp_over(x, sorted, to_stream(s));
  }
  return keepdims ? out : squeeze(out, sorted, s);
}
array logsumexp(const array& a, bool keepdims, StreamOrDevice s) {
  return logsumexp(a, all_axes(a), keepdims, s);
}
array logsumexp(const array& a, int axis, bool keepdims, StreamOrDevice s) {
  return logsumexp(a, std::vector<int>{axis}, keepdims, s);
}

std::vector<Shape> Softmax::output_shapes(const Arrays& inputs) { return {inputs[0].shape()}; }

array Softmax::product(const array& y, const array& t) const {
  array weighted = multiply(y, t, stream());
  return subtract(weighted, multiply(y, sum(weighted, axes_, true, stream()), stream()), stream());
}
Arrays Softmax::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>&) {
  return {product(softmax_over(primals[0], axes_, precise_, stream()), tangents[0])};
}
Arrays Softmax::vjp(const Arrays&, const Arrays& cotangents, const std::vector<int>&, const Arrays& outputs) {
  return {product(outputs[0], cotangents[0])};
}
std::pair<Arrays, std::vector<int>> Softmax::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  array x = moveaxis(inputs[0], axes[0], 0, stream());
  return {{softmax_over(x, shifted(axes_), precise_, stream())}, {0}};
}

std::vector<Shape> LogSumExp::output_shapes(const Arrays& inputs) {
  return {reduced_shape("logsumexp", inputs[0].shape(), axes_)};
}
Arrays LogSumExp::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>&) {
  array weights = softmax_over(primals[0], axes_, true, stream());
  return {sum(multiply(weights, tangents[0], stream()), axes_, true, stream())};
}
Arrays LogSumExp::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>&,
                      const Arrays&) {
  return {multiply(cotangents[0], softmax_over(primals[0], axes_, true, stream()), stream())};
}
std::pair<Arrays, std::vector<int>> LogSumExp::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return {{logsumexp_over(moveaxis(inputs[0], axes[0], 0, stream()), shifted(axes_), stream())}, {0}};
}

}  // namespace mlx::core
