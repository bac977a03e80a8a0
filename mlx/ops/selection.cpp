// partition, argpartition, topk and median: elements at given places of the sorted order, without sorting all.

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/reduce_axes.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/slice_primitives.h"
#include "mlx/ops/sort_primitives.h"

namespace mlx::core {

namespace {

void check_kth(const char* name, const Shape& shape, ShapeElem kth, int axis) {
  ShapeElem n = shape[axis];
  if (kth >= -n && kth < n) return;
  raise("[", name, "] Element ", kth, " is out of range for axis ", axis, " with size ", n, ".");
}

array partition_at(const array& a, const Shape& kths, int axis, const Stream& s) {
  return array(a.shape(), a.dtype(), std::make_shared<Partition>(s, kths, axis), {a});
}
array argpartition_at(const array& a, const Shape& kths, int axis, const Stream& s) {
  check_sort_index("argpartition", a.shape(axis));
  return array(a.shape(), uint32, std::make_shared<ArgPartition>(s, kths, axis), {a});
}

}  // namespace

array partition(const array& a, int kth, int axis, StreamOrDevice s) {
  int ax = checked_axis("partition", axis, a.ndim());
  check_kth("partition", a.shape(), kth, ax);
  return partition_at(a, {kth}, ax, to_stream(s));
}
array partition(const array& a, int kth, StreamOrDevice s) { return partition(flatten(a, s), kth, 0, s); }
array argpartition(const array& a, int kth, int axis, StreamOrDevice s) {
  int ax = checked_axis("argpartition", axis, a.ndim());
  check_kth("argpartition", a.shape(), kth, ax);
  return argpartition_at(a, {kth}, ax, to_stream(s));
}
array argpartition(const array& a, int kth, StreamOrDevice s) { return argpartition(flatten(a, s), kth, 0, s); }

array topk(const array& a, int k, int axis, StreamOrDevice s) {
  int ax = checked_axis("topk", axis, a.ndim());
  ShapeElem n = a.shape(ax);
  if (k < 0 || k > n) raise("[topk] ", k, " elements cannot be taken from axis ", ax, " with size ", n, ".");
  note_size_read();
  if (k == n) return a;
  Stream stream = to_stream(s);
  return slice_along(k == 0 ? a : partition_at(a, {-k}, ax, stream), ax, n - k, n, stream);
}
array topk(const array& a, int k, StreamOrDevice s) { return topk(flatten(a, s), k, 0, s); }

namespace {

// (a + b) / 2 of integers in float32, rounded once.
array mean_of_integers(const array& a, const array& b, const Stream& s) {
  array half(0.5f);
  if (a.itemsize() < 8) return multiply(astype(add(astype(a, int64, s), astype(b, int64, s), s), float32, s), half, s);
  // The sum may need 65 bits: `low` is its half, `odd` the bit that was cut off. Where 2 low + odd fits, it is
  // rounded; above, `odd` only has to tell a tie from what lies beyond one.
  array one(1, a.dtype()), differ = bitwise_xor(a, b, s);
  array low = add(bitwise_and(a, b, s), right_shift(differ, one, s), s), odd = bitwise_and(differ, one, s);
  array far(int64_t{1} << 61, a.dtype()), fits = less(low, far, s);
  if (a.dtype() == int64) fits = logical_and(fits, greater(low, negative(far, s), s), s);
  array exact = multiply(astype(add(left_shift(low, one, s), odd, s), float32, s), half, s);
  return where(fits, exact, astype(bitwise_or(low, odd, s), float32, s), s);
}

// The one or two middle elements, and the last, which is NaN if one is. Integers give float32.
array median_along(const array& x, int axis, const Stream& s) {
  ShapeElem n = x.shape(axis);
  bool integers = issubdtype(x.dtype(), integer);
  array parts = partition_at(x, {(n - 1) / 2, n / 2, n - 1}, axis, s);
  auto at = [&](ShapeElem place) { return slice_along(parts, axis, place, place + 1, s); };
  array middle = at((n - 1) / 2);
  if (integers && n % 2) return astype(middle, float32, s);
  if (integers) return mean_of_integers(middle, at(n / 2), s);
  if (n % 2 == 0) middle = divide(add(middle, at(n / 2), s), array(2, x.dtype()), s);
  array largest = stop_gradient(at(n - 1), s);
  return where(isnan(largest, s), largest, middle, s);
}

}  // namespace

array median(const array& a, const std::vector<int>& axes, bool keepdims, StreamOrDevice s) {
  std::vector<int> sorted = sorted_axes("median", axes, a.ndim());
  Stream stream = to_stream(s);
  Dtype dtype = issubdtype(a.dtype(), inexact) ? a.dtype() : float32;
  if (sorted.empty()) return astype(a, dtype, stream);
  array x = a.dtype() == bool_ ? astype(a, uint8, stream) : a;
  Shape kept = reduced_shape("median", a.shape(), sorted);
  note_size_read();
  array out = zeros(kept, dtype, stream);
  if (element_count(kept) > 0) {
    std::vector<int> order = other_axes(static_cast<int>(a.ndim()), sorted);
    int first = static_cast<int>(order.size());
    order.insert(order.end(), sorted.begin(), sorted.end());
    array rows = flatten(transpose(x, order, stream), first, -1, stream);
    out = reshape(median_along(rows, first, stream), kept, stream);
  }
  return keepdims ? out : squeeze(out, sorted, stream);
}
array median(const array& a, bool keepdims, StreamOrDevice s) { return median(a, all_axes(a), keepdims, s); }
array median(const array& a, int axis, bool keepdims, StreamOrDevice s) {
  return median(a, std::vector<int>{axis}, keepdims, s);
}

std::vector<Shape> Partition::output_shapes(const Arrays& inputs) {
  for (ShapeElem kth : kths_) check_kth("partition", inputs[0].shape(), kth, axis_);
  return {inputs[0].shape()};
}
Arrays Partition::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>&) {
  array source = stop_gradient(argpartition_at(primals[0], kths_, axis_, stream()), stream());
  return {take_along_axis(tangents[0], source, axis_, stream())};
}
Arrays Partition::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>&, const Arrays&) {
  array source = stop_gradient(argpartition_at(primals[0], kths_, axis_, stream()), stream());
  array zero = zeros_like(primals[0], cotangents[0].dtype(), stream());
  return {put_along_axis(zero, source, cotangents[0], axis_, stream())};
}
std::pair<Arrays, std::vector<int>> Partition::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return {{partition_at(inputs[0], kths_, axis_ + (axis_ >= axes[0]), stream())}, axes};
}

std::vector<Shape> ArgPartition::output_shapes(const Arrays& inputs) {
  check_sort_index("argpartition", inputs[0].shape(axis_));
  for (ShapeElem kth : kths_) check_kth("argpartition", inputs[0].shape(), kth, axis_);
  return {inputs[0].shape()};
}
Arrays ArgPartition::jvp(const Arrays& primals, const Arrays&, const std::vector<int>&) {
  return {zeros_like(primals[0], uint32, stream())};
}
Arrays ArgPartition::vjp(const Arrays& primals, const Arrays&, const std::vector<int>&, const Arrays&) {
  return {zeros_like(primals[0], stream())};
}
std::pair<Arrays, std::vector<int>> ArgPartition::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return {{argpartition_at(inputs[0], kths_, axis_ + (axis_ >= axes[0]), stream())}, axes};
}

}  // namespace mlx::core
