// unique and bincount: which values occur, and how often.

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/index_primitives.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/search_primitives.h"
#include "mlx/ops/slice_primitives.h"

namespace mlx::core {

namespace {

// Of an array without elements: nothing but fill values.
UniqueResult unique_of_nothing(const array& a, int64_t size, const std::optional<array>& fill_value, const Stream& s) {
  if (size > 0 && !fill_value) {
    raise("[unique] An array without elements has no value to fill a result of size ", size, ": give a fill_value.");
  }
  array fill = fill_value ? single_fill("unique", *fill_value, a.dtype(), s) : array(0, a.dtype());
  return {full({size}, fill, a.dtype(), s), zeros({size}, uint32, s), zeros(a.shape(), uint32, s),
          zeros({size}, int32, s)};
}

// Whether each element of a sorted vector differs from the one before it. NaN differs from NaN.
array starts_of_runs(const array& sorted, const Stream& s) {
  array changes = not_equal(slice_along(sorted, 0, 1, slice_end, s), slice_along(sorted, 0, 0, -1, s), s);
  return pad(changes, {0}, Shape{1}, Shape{0}, array(true), "constant", s);
}

}  // namespace

UniqueResult unique(const array& a, std::optional<int64_t> size, const std::optional<array>& fill_value,
                    StreamOrDevice s) {
  Stream stream = to_stream(s);
  if (size) check_fixed_size("unique", *size);
  note_size_read();
  if (a.size() == 0) return unique_of_nothing(a, size.value_or(0), fill_value, stream);
  array flat = flatten(a, stream), still = stop_gradient(flat, stream);
  array order = argsort(still, 0, stream);
  array starts = starts_of_runs(take(still, order, 0, stream), stream);
  int64_t n = size ? *size : count_true("unique", "size= (and fill_value=)", starts, stream);

  // One more, so that the last run has an end.
  array places = nonzero_places(starts, n + 1, stream);
  array counts = astype(diff(astype(places, int64, stream), 1, 0, stream), int32, stream);
  array first = slice_along(places, 0, 0, -1, stream);
  array missing = equal(first, array(flat.shape(0), first.dtype()), stream);
  array index = take(order, where(missing, array(0, first.dtype()), first, stream), 0, stream);
  array values = take(flat, index, 0, stream);
  if (fill_value) values = where(missing, single_fill("unique", *fill_value, a.dtype(), stream), values, stream);

  array rank = subtract(cumsum(astype(starts, uint32, stream), 0, false, true, std::nullopt, stream),
                        array(1, uint32), stream);
  rank = minimum(rank, array(std::max<int64_t>(n - 1, 0), uint32), stream);
  array inverse = put_along_axis(zeros(flat.shape(), uint32, stream), order, rank, 0, stream);
  return {values, index, reshape(inverse, a.shape(), stream), counts};
}

namespace {

int64_t length_by_values(const array& x, int64_t min_length, const Stream& s) {
  if (x.size() == 0) return min_length;
  auto value = [&](const array& extreme) { return astype(extreme, int64, s).item<int64_t>(); };
  try {
    int64_t low = value(min(x, false, s));
    if (low < 0) raise("[bincount] The values cannot be negative, but there is ", low, ".");
    return std::max(min_length, value(max(x, false, s)) + 1);
  } catch (const NoValue&) {
    raise("[bincount] The size of the result depends on values, which a function inside vmap or compile does not ",
          "know: give size= for a result of fixed size.");
  }
}

}  // namespace

array bincount(const array& a, const std::optional<array>& weights, int64_t min_length, std::optional<int64_t> size,
               StreamOrDevice s) {
  if (a.ndim() != 1) raise("[bincount] The values must be a vector, but have shape ", a.shape(), ".");
  if (issubdtype(a.dtype(), inexact)) raise("[bincount] The values must be integers, but are ", a.dtype(), ".");
  if (weights && weights->shape() != a.shape()) {
    raise("[bincount] Weights of shape ", weights->shape(), " do not fit values of shape ", a.shape(), ".");
  }
  if (min_length < 0) raise("[bincount] The least length cannot be negative, but is ", min_length, ".");
  Stream stream = to_stream(s);
  if (size) check_fixed_size("bincount", *size);
  array x = stop_gradient(a, stream);
  if (x.dtype() == bool_) x = astype(x, uint8, stream);
  int64_t n = size ? *size : length_by_values(x, min_length, stream), length = n;
  if (size) {  // values outside of it are counted behind it
    x = astype(x, a.dtype() == uint64 ? uint64 : int64, stream);
    array last(n, x.dtype()), inside = less(x, last, stream);
    if (x.dtype() == int64) inside = logical_and(inside, greater_equal(x, array(int64_t{0}), stream), stream);
    x = astype(where(inside, x, last, stream), int64, stream);
    length++;
  }
  // Half types would stop to count at 2048 or 256.
  Dtype result = weights ? weights->dtype() : int32;
  Dtype dtype = result == float16 || result == bfloat16 ? float32 : result;
  if (issubdtype(dtype, integer) || dtype == bool_) dtype = result = dtype.size() < 4 ? int32 : dtype;
  array terms = weights ? astype(*weights, dtype, stream) : broadcast_to(array(1, dtype), a.shape(), stream);
  array sums = scatter_add_axis(zeros({length}, dtype, stream), x, terms, 0, stream);
  return astype(slice_along(sums, 0, 0, n, stream), result, stream);
}

}  // namespace mlx::core
