// Distributions, computed from random bits with the recipes that give the same numbers everywhere.

#include "mlx/random.h"

#include <cmath>

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/axes.h"
#include "mlx/types/limits.h"

namespace mlx::core::random {

namespace {

void check_real_floating(Dtype t, const char* name) {
  if (!issubdtype(t, floating)) {
    raise("[", name, "] The dtype must be a real floating-point type, but is ", t, ".");
  }
}

void check_broadcasts(const Shape& parameter, const Shape& shape, const char* name) {
  if (broadcast_shapes(parameter, shape) != shape) {
    raise("[", name, "] Cannot generate random values of shape ", shape, " from parameters of shape ", parameter, ".");
  }
}

// The largest value below one.
array below_one(Dtype t) {
  if (t == float64) return array(std::nextafter(1.0, 0.0), float64);
  if (t == float16) return array(detail::half_from_bits<float16_t>(0x3bff));
  if (t == bfloat16) return array(detail::half_from_bits<bfloat16_t>(0x3f7f));
  return array(std::nextafter(1.0f, 0.0f));
}

// In [0, 1): 32 random bits scaled, 64 for float64.
array unit_uniform(const Shape& shape, Dtype t, const std::optional<array>& key, StreamOrDevice s) {
  if (t != float64) {
    array scaled = divide(astype(bits(shape, 4, key, s), float32, s), array(0x1p32f), s);
    return astype(minimum(scaled, astype(below_one(t), float32, s), s), t, s);
  }
  Shape pairs = shape;
  pairs.push_back(2);
  array words = astype(bits(pairs, 4, key, s), float64, s);
  array high = multiply(take(words, 0, -1, s), array(0x1p-32, float64), s);
  array low = multiply(take(words, 1, -1, s), array(0x1p-64, float64), s);
  return minimum(add(high, low, s), below_one(float64), s);
}

}  // namespace

array uniform(const array& low, const array& high, const Shape& shape, Dtype dtype, const std::optional<array>& key,
              StreamOrDevice s) {
  check_real_floating(dtype, "uniform");
  check_broadcasts(broadcast_shapes(low.shape(), high.shape()), shape, "uniform");
  Stream stream = to_stream(s);
  array lo = astype(low, dtype, stream), hi = astype(high, dtype, stream);
  array unit = unit_uniform(shape, dtype, key, stream);
  return add(multiply(unit, subtract(hi, lo, stream), stream), lo, stream);
}

array uniform(const Shape& shape, Dtype dtype, const std::optional<array>& key, StreamOrDevice s) {
  return uniform(array(0.0f), array(1.0f), shape, dtype, key, s);
}

namespace {

// Uniform on (-1, 1) in float32: what the inverse error function and the Laplace quantile take.
array symmetric_uniform(const Shape& shape, const std::optional<array>& key, const Stream& s) {
  return uniform(array(std::nextafter(-1.0f, 0.0f)), array(1.0f), shape, float32, key, s);
}

array scaled_and_moved(array x, const std::optional<array>& scale, const std::optional<array>& loc, const Stream& s) {
  if (scale) x = multiply(x, *scale, s);
  return loc ? add(x, *loc, s) : x;
}

array complex_normal(const Shape& shape, const std::optional<array>& loc, const std::optional<array>& scale,
                     const std::optional<array>& key, const Stream& s) {
  Shape pairs = shape;
  pairs.push_back(2);
  array parts = erfinv(symmetric_uniform(pairs, key, s), s);
  array re = astype(take(parts, 0, -1, s), complex64, s), im = astype(take(parts, 1, -1, s), complex64, s);
  array z = add(re, multiply(im, array(complex64_t(0.0f, 1.0f)), s), s);
  return scaled_and_moved(z, scale, loc, s);
}

}  // namespace

array normal(const Shape& shape, Dtype dtype, const std::optional<array>& loc, const std::optional<array>& scale,
             const std::optional<array>& key, StreamOrDevice s) {
  Stream stream = to_stream(s);
  if (dtype == complex64) return complex_normal(shape, loc, scale, key, stream);
  check_real_floating(dtype, "normal");
  array z = astype(erfinv(symmetric_uniform(shape, key, stream), stream), dtype, stream);
  array factor = array(std::sqrt(2.0), dtype);
  if (scale) factor = multiply(factor, astype(*scale, dtype, stream), stream);
  std::optional<array> shift;
  if (loc) shift = astype(*loc, dtype, stream);
  return scaled_and_moved(z, factor, shift, stream);
}

array randint(const array& low, const array& high, const Shape& shape, Dtype dtype, const std::optional<array>& key,
              StreamOrDevice s) {
  if (issubdtype(dtype, inexact)) raise("[randint] The dtype must be an integer type, but is ", dtype, ".");
  Stream stream = to_stream(s);
  array lo = astype(low, dtype, stream), hi = astype(high, dtype, stream);
  array drawn = uniform(lo, hi, shape, float32, key, stream);
  array last = subtract(astype(hi, dtype == bool_ ? int32 : dtype, stream), array(1, dtype == bool_ ? int32 : dtype),
                        stream);
  array x = astype(floor(drawn, stream), dtype, stream);
  array clamped = astype(minimum(x, last, stream), dtype, stream);
  return where(less_equal(hi, lo, stream), lo, maximum(clamped, lo, stream), stream);
}

array bernoulli(const array& p, const Shape& shape, const std::optional<array>& key, StreamOrDevice s) {
  check_real_floating(p.dtype(), "bernoulli");
  check_broadcasts(p.shape(), shape, "bernoulli");
  Stream stream = to_stream(s);
  array drawn = astype(bits(shape, 4, key, stream), float32, stream);
  // The factor is the float32 after 2^32, so that p = 1 is always true.
  array bound = multiply(astype(p, float32, stream), array(std::nextafter(0x1p32f, INFINITY)), stream);
  return less(drawn, bound, stream);
}
array bernoulli(const array& p, const std::optional<array>& key, StreamOrDevice s) {
  return bernoulli(p, p.shape(), key, s);
}
array bernoulli(const std::optional<array>& key, StreamOrDevice s) { return bernoulli(array(0.5f), key, s); }

array truncated_normal(const array& lower, const array& upper, const Shape& shape, Dtype dtype,
                       const std::optional<array>& key, StreamOrDevice s) {
  check_real_floating(dtype, "truncated_normal");
  Stream stream = to_stream(s);
  array sqrt2(std::sqrt(2.0), dtype);
  array lo = astype(lower, dtype, stream), hi = astype(upper, dtype, stream);
  array a = erf(divide(lo, sqrt2, stream), stream), b = erf(divide(hi, sqrt2, stream), stream);
  array x = multiply(sqrt2, erfinv(uniform(a, b, shape, dtype, key, stream), stream), stream);
  return maximum(minimum(x, hi, stream), lo, stream);
}
array truncated_normal(const array& lower, const array& upper, Dtype dtype, const std::optional<array>& key,
                       StreamOrDevice s) {
  return truncated_normal(lower, upper, broadcast_shapes(lower.shape(), upper.shape()), dtype, key, s);
}

array gumbel(const Shape& shape, Dtype dtype, const std::optional<array>& key, StreamOrDevice s) {
  Stream stream = to_stream(s);
  array u = uniform(shape, dtype, key, stream);
  return negative(log(negative(log(u, stream), stream), stream), stream);
}

array laplace(const Shape& shape, Dtype dtype, const float loc, const float scale, const std::optional<array>& key,
              StreamOrDevice s) {
  check_real_floating(dtype, "laplace");
  Stream stream = to_stream(s);
  array u = symmetric_uniform(shape, key, stream);
  array x = multiply(sign(u, stream), log1p(negative(abs(u, stream), stream), stream), stream);
  std::optional<array> factor, shift;
  if (scale != 1.0f) factor = array(scale, dtype);
  if (loc != 0.0f) shift = array(loc, dtype);
  return scaled_and_moved(astype(x, dtype, stream), factor, shift, stream);
}

array permutation(int x, const std::optional<array>& key, StreamOrDevice s) {
  if (x < 0) raise("[permutation] The number of values must not be negative, but is ", x, ".");
  return argsort(bits({x}, 4, key, s), 0, s);
}
array permutation(const array& x, int axis, const std::optional<array>& key, StreamOrDevice s) {
  int ax = checked_axis("permutation", axis, x.ndim());
  note_size_read();
  return take(x, argsort(bits({x.shape(ax)}, 4, key, s), 0, s), ax, s);
}

}  // namespace mlx::core::random
