// Comparisons of whole arrays and limits of values, composed of element-wise operations.

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/elementwise_primitive.h"

namespace mlx::core {

array array_equal(const array& a, const array& b, bool equal_nan, StreamOrDevice s) {
  if (a.ndim() == b.ndim() && a.ndim() > 0) note_size_read();  // other sizes may be equal, or no longer
  if (a.shape() != b.shape()) return array(false);
  bool has_nan = issubdtype(result_type(a, b), inexact);
  return all(elementwise(equal_nan && has_nan ? Op::NanEqual : Op::Equal, a, b, s), s);
}

// |a - b| <= atol + rtol |b|, in at least float32; equal infinities are close, an infinity and a number never.
array isclose(const array& a, const array& b, double rtol, double atol, bool equal_nan, StreamOrDevice s) {
  Stream stream = to_stream(s);
  Dtype t = promote_types(result_type(a, b), float32);
  array x = astype(a, t, stream), y = astype(b, t, stream);
  Dtype real_type = t == complex64 ? float32 : t;
  array limit = add(array(atol, real_type), multiply(array(rtol, real_type), abs(y, stream), stream), stream);
  array near = less_equal(abs(subtract(x, y, stream), stream), limit, stream);
  array finite = logical_and(isfinite(x, stream), isfinite(y, stream), stream);
  array same = elementwise(equal_nan ? Op::NanEqual : Op::Equal, x, y, stream);
  return logical_or(logical_and(near, finite, stream), same, stream);
}

array allclose(const array& a, const array& b, double rtol, double atol, bool equal_nan, StreamOrDevice s) {
  return all(isclose(a, b, rtol, atol, equal_nan, s), s);
}

array clip(const array& a, const std::optional<array>& a_min, const std::optional<array>& a_max, StreamOrDevice s) {
  if (!a_min && !a_max) raise("[clip] At least one of the bounds must be given.");
  array x = a_min ? maximum(a, *a_min, s) : a;
  return a_max ? minimum(x, *a_max, s) : x;
}

array nan_to_num(const array& a, float nan, const std::optional<float>& posinf, const std::optional<float>& neginf,
                 StreamOrDevice s) {
  Dtype t = a.dtype();
  if (!issubdtype(t, inexact)) return a;
  Stream stream = to_stream(s);
  if (t == complex64) {
    array re = nan_to_num(real(a, stream), nan, posinf, neginf, stream);
    array im = nan_to_num(imag(a, stream), nan, posinf, neginf, stream);
    return add(astype(re, t, stream), multiply(astype(im, t, stream), array(complex64_t(0.0f, 1.0f)), stream), stream);
  }
  finfo limits(t);
  array high = posinf ? array(*posinf, t) : array(limits.max, t);
  array low = neginf ? array(*neginf, t) : array(limits.min, t);
  array x = where(isnan(a, stream), array(nan, t), a, stream);
  x = where(isposinf(a, stream), high, x, stream);
  return where(isneginf(a, stream), low, x, stream);
}

}  // namespace mlx::core
