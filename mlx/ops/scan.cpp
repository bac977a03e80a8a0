// cumsum, cumprod, cummax, cummin and logcumsumexp; and diff, which undoes a sum.

#include <limits>

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/index_primitives.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/scan_primitives.h"
#include "mlx/ops/slice_primitives.h"

namespace mlx::core {

namespace {

constexpr const char* names[] = {"cumsum", "cumprod", "cummin", "cummax", "logcumsumexp"};

// The dtype is one that the scan keeps.
array scan_along(Scan::Type type, const array& x, int axis, bool reverse, bool inclusive, const Stream& s) {
  return array(x.shape(), x.dtype(), std::make_shared<Scan>(s, type, axis, reverse, inclusive), {x});
}

Dtype scan_dtype(Scan::Type type, Dtype t) {
  if (type == Scan::Sum) return t == bool_ ? int32 : t;
  return type == Scan::LogSumExp && !issubdtype(t, inexact) ? float32 : t;
}

array scan(Scan::Type type, const array& a, int axis, bool reverse, bool inclusive, std::optional<Dtype> dtype,
           StreamOrDevice s) {
  int ax = checked_axis(names[type], axis, a.ndim());
  Stream stream = to_stream(s);
  array given = dtype ? astype(a, *dtype, stream) : a;
  array x = astype(given, scan_dtype(type, given.dtype()), stream);
  return scan_along(type, x, ax, reverse, inclusive, stream);
}

array recurrence(const array& a, const array& b, int axis, bool reverse, const Stream& s) {
  return array(b.shape(), b.dtype(), std::make_shared<Recurrence>(s, axis, reverse), {a, b});
}

// What stands before each element in the order of the scan, and `first` before the first one.
array before(const array& x, int axis, bool reverse, const array& first, const Stream& s) {
  array padded = pad(x, {axis}, Shape{!reverse}, Shape{reverse}, first, "constant", s);
  return reverse ? slice_along(padded, axis, 1, slice_end, s) : slice_along(padded, axis, 0, -1, s);
}

// Half types would lose what the scan itself keeps.
Dtype wide_dtype(Dtype t) { return t == float16 || t == bfloat16 ? float32 : t; }

}  // namespace

#define MLX_SCAN_OF(function, type)                                                                            \
  array function(const array& a, int axis, bool reverse, bool inclusive, std::optional<Dtype> dtype,           \
                 StreamOrDevice s) {                                                                           \
    return scan(Scan::type, a, axis, reverse, inclusive, dtype, s);                                            \
  }                                                                                                            \
  array function(const array& a, bool reverse, bool inclusive, std::optional<Dtype> dtype, StreamOrDevice s) { \
    return scan(Scan::type, flatten(a, s), 0, reverse, inclusive, dtype, s);                                   \
  }
#define MLX_SCAN(function, type)                                                                               \
  array function(const array& a, int axis, bool reverse, bool inclusive, StreamOrDevice s) {                   \
    return scan(Scan::type, a, axis, reverse, inclusive, std::nullopt, s);                                     \
  }                                                                                                            \
  array function(const array& a, bool reverse, bool inclusive, StreamOrDevice s) {                             \
    return scan(Scan::type, flatten(a, s), 0, reverse, inclusive, std::nullopt, s);                            \
  }
MLX_SCAN_OF(cumsum, Sum)
MLX_SCAN_OF(cumprod, Prod)
MLX_SCAN(cummax, Max)
MLX_SCAN(cummin, Min)
MLX_SCAN(logcumsumexp, LogSumExp)
#undef MLX_SCAN_OF
#undef MLX_SCAN

array diff(const array& a, int n, int axis, StreamOrDevice s) {
  int ax = checked_axis("diff", axis, a.ndim());
  if (n < 0) raise("[diff] The number of differences cannot be negative, but is ", n, ".");
  Stream stream = to_stream(s);
  array x = a;
  if (n > a.shape(ax)) {
    note_size_read();
    n = static_cast<int>(a.shape(ax));
  }
  for (; n > 0; n--) {
    array next = slice_along(x, ax, 1, slice_end, stream), last = slice_along(x, ax, 0, -1, stream);
    x = x.dtype() == bool_ ? not_equal(next, last, stream) : subtract(next, last, stream);
  }
  return x;
}

std::vector<Shape> Scan::output_shapes(const Arrays& inputs) { return {inputs[0].shape()}; }

// The tangent of an inclusive scan y of x is the recurrence dy[i] = carry[i] dy[i - 1] + own[i] dx[i], exact also where
// elements are zero.
struct Scan::Weights {
  array carry, own;
};
Scan::Weights Scan::weights(const array& x) const {
  const Stream& s = stream();
  array y = scan_along(type_, x, axis_, reverse_, true, s);
  if (type_ == Prod) return {x, before(y, axis_, reverse_, array(1, x.dtype()), s)};
  // 0 instead of -infinity, where all elements so far are -infinity and nothing depends on them.
  array lowest(-std::numeric_limits<double>::infinity(), x.dtype());
  array shift = where(equal(y, lowest, s), zeros_like(y, s), y, s);
  array carry = exp(subtract(before(y, axis_, reverse_, lowest, s), shift, s), s);
  return {carry, exp(subtract(x, shift, s), s)};
}

// Where along the axis an inclusive maximum or minimum comes from: of equal elements the last one.
array Scan::source(const array& x) const {
  const Stream& s = stream();
  note_size_read();
  ShapeElem n = x.shape(axis_);
  Shape line(x.ndim(), 1);
  line[axis_] = n;
  Dtype t = index_dtype(static_cast<size_t>(n));
  array places = reshape(arange(0, static_cast<double>(n), 1, t, s), line, s);
  array y = scan_along(type_, x, axis_, reverse_, true, s);
  array attained = logical_or(equal(x, y, s), isnan(x, s), s);
  array held = where(attained, places, array(reverse_ ? n - 1 : 0, t), s);
  return stop_gradient(scan_along(reverse_ ? Min : Max, held, axis_, reverse_, true, s), s);
}

Arrays Scan::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>&) {
  const Stream& s = stream();
  Dtype dtype = primals[0].dtype();
  if (type_ == Sum) return {scan_along(Sum, tangents[0], axis_, reverse_, inclusive_, s)};
  if (dtype == bool_ || primals[0].shape(axis_) == 0) return {zeros_like(primals[0], s)};
  array x = astype(primals[0], wide_dtype(dtype), s), t = astype(tangents[0], wide_dtype(dtype), s);
  array dy = t;
  if (type_ == Max || type_ == Min) {
    dy = take_along_axis(t, source(x), axis_, s);
  } else {
    Weights w = weights(x);
    dy = recurrence(w.carry, multiply(w.own, t, s), axis_, reverse_, s);
  }
  return {astype(inclusive_ ? dy : before(dy, axis_, reverse_, array(0, dy.dtype()), s), dtype, s)};
}

Arrays Scan::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>&, const Arrays&) {
  const Stream& s = stream();
  Dtype dtype = primals[0].dtype();
  if (dtype == bool_ || primals[0].shape(axis_) == 0) return {zeros_like(primals[0], s)};
  array x = astype(primals[0], wide_dtype(dtype), s), ct = astype(cotangents[0], wide_dtype(dtype), s);
  if (type_ == Sum) return {astype(scan_along(Sum, ct, axis_, !reverse_, inclusive_, s), dtype, s)};
  array zero(0, ct.dtype());
  if (!inclusive_) ct = before(ct, axis_, !reverse_, zero, s);
  if (type_ == Max || type_ == Min) {
    return {astype(scatter_add_axis(zeros_like(x, s), source(x), ct, axis_, s), dtype, s)};
  }
  Weights w = weights(x);
  array carry = before(conjugate(w.carry, s), axis_, !reverse_, zero, s);
  array sums = recurrence(carry, ct, axis_, !reverse_, s);
  return {astype(multiply(conjugate(w.own, s), sums, s), dtype, s)};
}

std::pair<Arrays, std::vector<int>> Scan::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  int axis = axis_ + (axis_ >= axes[0]);
  return {{scan_along(type_, inputs[0], axis, reverse_, inclusive_, stream())}, axes};
}

std::vector<Shape> Recurrence::output_shapes(const Arrays& inputs) {
  if (inputs[0].shape() != inputs[1].shape()) {
    raise("[recurrence] Shapes ", inputs[0].shape(), " and ", inputs[1].shape(), " differ.");
  }
  return {inputs[1].shape()};
}
Arrays Recurrence::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  const Stream& s = stream();
  const array &a = primals[0], &b = primals[1];
  array change = zeros_like(b, s);
  for (size_t k = 0; k < argnums.size(); k++) {
    array term = tangents[k];
    if (argnums[k] == 0) {
      array y = recurrence(a, b, axis_, reverse_, s);
      term = multiply(term, before(y, axis_, reverse_, array(0, y.dtype()), s), s);
    }
    change = add(change, term, s);
  }
  return {recurrence(a, change, axis_, reverse_, s)};
}
Arrays Recurrence::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                       const Arrays& outputs) {
  const Stream& s = stream();
  array zero(0, primals[1].dtype());
  array carry = before(conjugate(primals[0], s), axis_, !reverse_, zero, s);
  array sums = recurrence(carry, cotangents[0], axis_, !reverse_, s);
  Arrays result;
  for (int i : argnums) {
    if (i == 1) {
      result.push_back(sums);
    } else {
      array last = conjugate(before(outputs[0], axis_, reverse_, zero, s), s);
      result.push_back(multiply(sums, last, s));
    }
  }
  return result;
}
std::pair<Arrays, std::vector<int>> Recurrence::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  ShapeElem size = batch_size(inputs, axes);
  array a = batch_to_front(inputs[0], axes[0], size, stream()), b = batch_to_front(inputs[1], axes[1], size, stream());
  return {{recurrence(a, b, axis_ + 1, reverse_, stream())}, {0}};
}

}  // namespace mlx::core
