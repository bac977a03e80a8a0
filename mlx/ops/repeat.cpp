// repeat, tile and roll.

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/join_primitives.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/slice_primitives.h"

namespace mlx::core {

array repeat_along(const array& x, int axis, ShapeElem n, const Stream& s) {
  if (n == 1) return x;
  if (n == 0) return slice_along(x, axis, 0, 0, s);
  note_size_read();
  Shape shape = x.shape();
  shape[axis] = n;
  return broadcast_to(x, shape, s);
}

array repeat(const array& arr, int repeats, int axis, StreamOrDevice s) {
  int ax = checked_axis("repeat", axis, arr.ndim());
  if (repeats < 0) raise("[repeat] The number of repeats cannot be negative, but got ", repeats, ".");
  if (repeats == 1) return arr;
  return flatten(repeat_along(expand_dims(arr, ax + 1, s), ax + 1, repeats, to_stream(s)), ax, ax + 1, s);
}
array repeat(const array& arr, int repeats, StreamOrDevice s) { return repeat(flatten(arr, s), repeats, 0, s); }

array tile(const array& arr, std::vector<int> reps, StreamOrDevice s) {
  for (int n : reps) {
    if (n < 0) raise("[tile] The number of repeats cannot be negative, but got ", reps, ".");
  }
  array x = arr;
  if (reps.size() > x.ndim()) {
    std::vector<int> leading;
    for (size_t i = 0; i < reps.size() - arr.ndim(); i++) leading.push_back(static_cast<int>(i));
    x = expand_dims(x, leading, s);
  }
  int ndim = static_cast<int>(x.ndim());
  reps.insert(reps.begin(), x.ndim() - reps.size(), 1);
  // A new axis before each repeated one, then both joined; from the back, so that axes keep their numbers.
  for (int axis = ndim - 1; axis >= 0; axis--) {
    if (reps[axis] != 1) x = repeat_along(expand_dims(x, axis, s), axis, reps[axis], to_stream(s));
  }
  for (int axis = 0; axis < ndim; axis++) {
    if (reps[axis] != 1) x = flatten(x, axis, axis + 1, s);
  }
  return x;
}

namespace {

array roll_axis(const array& a, ShapeElem shift, int axis, const Stream& s) {
  ShapeElem n = a.shape(axis);
  ShapeElem by = n == 0 ? 0 : (shift % n + n) % n;
  note_size_read();
  if (by == 0) return a;
  return concatenate({slice_along(a, axis, n - by, n, s), slice_along(a, axis, 0, n - by, s)}, axis, s);
}

// Several shifts of one axis, whose sum need not fit in 64 bits.
array roll_axis(const array& a, const Shape& shifts, int axis, const Stream& s) {
  ShapeElem n = a.shape(axis), sum = 0;
  for (ShapeElem shift : shifts) sum = n == 0 ? 0 : (sum + shift % n) % n;
  return roll_axis(a, sum, axis, s);
}

}  // namespace

array roll(const array& a, const Shape& shift, const std::vector<int>& axes, StreamOrDevice s) {
  if (shift.size() < axes.size()) raise("[roll] ", shift.size(), " shifts were given for ", axes.size(), " axes.");
  array x = a;
  for (size_t i = 0; i < axes.size(); i++) {
    x = roll_axis(x, shift[i], checked_axis("roll", axes[i], a.ndim()), to_stream(s));
  }
  return x;
}
array roll(const array& a, const Shape& shift, int axis, StreamOrDevice s) {
  return roll_axis(a, shift, checked_axis("roll", axis, a.ndim()), to_stream(s));
}
array roll(const array& a, int shift, const std::vector<int>& axes, StreamOrDevice s) {
  return roll(a, Shape(axes.size(), shift), axes, s);
}
array roll(const array& a, int shift, int axis, StreamOrDevice s) {
  return roll(a, Shape{shift}, std::vector<int>{axis}, s);
}
array roll(const array& a, const Shape& shift, StreamOrDevice s) {
  note_size_read();
  return reshape(roll_axis(flatten(a, s), shift, 0, to_stream(s)), a.shape(), s);
}
array roll(const array& a, int shift, StreamOrDevice s) { return roll(a, Shape{shift}, s); }

}  // namespace mlx::core
