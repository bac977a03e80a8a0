// mean, var and std, which accumulate in a wider type than their result; count_nonzero and minmax.

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/reduce_axes.h"
#include "mlx/ops/reduce_primitives.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

namespace {

Dtype statistics_dtype(Dtype t) { return issubdtype(t, inexact) ? t : float32; }

array mean_over(const array& a, const std::vector<int>& axes, Dtype dtype, const Stream& s) {
  return array(kept_shape(a.shape(), axes), dtype, std::make_shared<Mean>(s, axes, dtype), {a});
}

// The axes are sorted; the result keeps them.
array variance_over(const array& a, const std::vector<int>& axes, int ddof, Dtype dtype, const Stream& s) {
  if (a.dtype() == complex64) {
    return add(variance_over(real(a, s), axes, ddof, dtype, s),
               variance_over(imag(a, s), axes, ddof, dtype, s), s);
  }
  return array(kept_shape(a.shape(), axes), dtype, std::make_shared<Variance>(s, axes, ddof, dtype), {a});
}

Dtype variance_dtype(Dtype t) { return t == complex64 ? float32 : statistics_dtype(t); }

}  // namespace

array mean(const array& a, const std::vector<int>& axes, bool keepdims, StreamOrDevice s) {
  std::vector<int> sorted = sorted_axes("mean", axes, a.ndim());
  Dtype dtype = statistics_dtype(a.dtype());
  if (sorted.empty()) return astype(a, dtype, s);
  array result = mean_over(a, sorted, dtype, to_stream(s));
  return keepdims ? result : squeeze(result, sorted, s);
}

array var(const array& a, const std::vector<int>& axes, bool keepdims, int ddof, StreamOrDevice s) {
  std::vector<int> sorted = sorted_axes("var", axes, a.ndim());
  array result = variance_over(a, sorted, ddof, variance_dtype(a.dtype()), to_stream(s));
  return keepdims ? result : squeeze(result, sorted, s);
}

// The variance of half types may exceed their range where its root does not.
array std(const array& a, const std::vector<int>& axes, bool keepdims, int ddof, StreamOrDevice s) {
  std::vector<int> sorted = sorted_axes("std", axes, a.ndim());
  Dtype dtype = variance_dtype(a.dtype()), wide = dtype == float64 ? float64 : float32;
  array variance = variance_over(a, sorted, ddof, wide, to_stream(s));
  array result = astype(sqrt(variance, s), dtype, s);
  return keepdims ? result : squeeze(result, sorted, s);
}

array mean(const array& a, bool keepdims, StreamOrDevice s) { return mean(a, all_axes(a), keepdims, s); }
array mean(const array& a, int axis, bool keepdims, StreamOrDevice s) {
  return mean(a, std::vector<int>{axis}, keepdims, s);
}
array var(const array& a, bool keepdims, int ddof, StreamOrDevice s) {
  return var(a, all_axes(a), keepdims, ddof, s);
}
array var(const array& a, int axis, bool keepdims, int ddof, StreamOrDevice s) {
  return var(a, std::vector<int>{axis}, keepdims, ddof, s);
}
array std(const array& a, bool keepdims, int ddof, StreamOrDevice s) {
  return std(a, all_axes(a), keepdims, ddof, s);
}
array std(const array& a, int axis, bool keepdims, int ddof, StreamOrDevice s) {
  return std(a, std::vector<int>{axis}, keepdims, ddof, s);
}

array count_nonzero(const array& a, const std::vector<int>& axes, bool keepdims, StreamOrDevice s) {
  std::vector<int> sorted = sorted_axes("count_nonzero", axes, a.ndim());
  return sum(astype(not_equal(a, array(0, a.dtype()), s), int32, s), sorted, keepdims, s);
}
array count_nonzero(const array& a, bool keepdims, StreamOrDevice s) {
  return count_nonzero(a, all_axes(a), keepdims, s);
}
array count_nonzero(const array& a, int axis, bool keepdims, StreamOrDevice s) {
  return count_nonzero(a, std::vector<int>{axis}, keepdims, s);
}

std::pair<array, array> minmax(const array& a, const std::vector<int>& axes, bool keepdims, StreamOrDevice s) {
  std::vector<int> sorted = sorted_axes("minmax", axes, a.ndim());
  reduced_shape("minmax", a.shape(), sorted);
  return {min(a, sorted, keepdims, s), max(a, sorted, keepdims, s)};
}
std::pair<array, array> minmax(const array& a, bool keepdims, StreamOrDevice s) {
  return minmax(a, all_axes(a), keepdims, s);
}

std::vector<Shape> Mean::output_shapes(const Arrays& inputs) {
  return {kept_shape(inputs[0].shape(), axes_)};
}
Arrays Mean::jvp(const Arrays&, const Arrays& tangents, const std::vector<int>&) {
  return {mean_over(tangents[0], axes_, dtype_, stream())};
}
Arrays Mean::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>&, const Arrays&) {
  const array& x = primals[0];
  // Half types would overflow on a count of 65520 or more.
  Dtype wide = dtype_ == float64 || dtype_ == complex64 ? dtype_ : float32;
  array share =
      divide(astype(cotangents[0], wide, stream()), reduced_count(x, axes_, wide, stream()), stream());
  return {broadcast_like(astype(share, x.dtype(), stream()), x, stream())};
}
std::pair<Arrays, std::vector<int>> Mean::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return {{mean_over(moveaxis(inputs[0], axes[0], 0, stream()), shifted(axes_), dtype_, stream())}, {0}};
}

std::vector<Shape> Variance::output_shapes(const Arrays& inputs) {
  return {kept_shape(inputs[0].shape(), axes_)};
}

array Variance::slope(const array& x) const {
  const Stream& s = stream();
  Dtype wide = dtype_ == float64 ? float64 : float32;
  array xs = astype(x, wide, s);
  array deviation = subtract(xs, mean_over(xs, axes_, wide, s), s);
  array divisor = subtract(reduced_count(x, axes_, wide, s), array(static_cast<double>(ddof_), wide), s);
  return multiply(deviation, divide(array(2.0, wide), maximum(divisor, array(0.0, wide), s), s), s);
}
Arrays Variance::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>&) {
  array terms = multiply(slope(primals[0]), tangents[0], stream());
  return {astype(sum(terms, axes_, true, stream()), dtype_, stream())};
}
Arrays Variance::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>&,
                     const Arrays&) {
  return {astype(multiply(slope(primals[0]), cotangents[0], stream()), primals[0].dtype(), stream())};
}
std::pair<Arrays, std::vector<int>> Variance::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  array x = moveaxis(inputs[0], axes[0], 0, stream());
  return {{variance_over(x, shifted(axes_), ddof_, dtype_, stream())}, {0}};
}

}  // namespace mlx::core
