// Sorting, and taking and putting elements by arrays of indices.

#include "define.h"

namespace mlx::python {

namespace {

// The axis of an operation whose default is the last one: None flattens.
constexpr int last = -1;
bool flattens(Args& x, int i) { return x[i] == Py_None; }

void bind_sorts(Functions& m) {
  m.def("sort(a: array, /, axis: None | int = -1, *, stream: StreamOrDevice = None) -> array",
        "The elements in ascending order along an axis, NaN last; axis=None flattens first.", [](Args& x) {
          return flattens(x, 1) ? mx::sort(x.array(0), x.stream())
                                : mx::sort(x.array(0), x.small_int(1, last), x.stream());
        });
  m.def("argsort(a: array, /, axis: None | int = -1, *, stream: StreamOrDevice = None) -> array",
        "The indices (uint32) that sort an array, equal elements in their order; axis=None flattens first.",
        [](Args& x) {
          return flattens(x, 1) ? mx::argsort(x.array(0), x.stream())
                                : mx::argsort(x.array(0), x.small_int(1, last), x.stream());
        });
  m.def("partition(a: array, /, kth: int, axis: None | int = -1, *, stream: StreamOrDevice = None) -> array",
        "The elements with the kth at its sorted place, smaller ones before it and larger ones after it.",
        [](Args& x) {
          return flattens(x, 2) ? mx::partition(x.array(0), x.small_int(1), x.stream())
                                : mx::partition(x.array(0), x.small_int(1), x.small_int(2, last), x.stream());
        });
  m.def(
      "argpartition(a: array, /, kth: int, axis: None | int = -1, *, stream: StreamOrDevice = None) -> array",
      "The indices (uint32) that partition an array.", [](Args& x) {
        return flattens(x, 2)
                   ? mx::argpartition(x.array(0), x.small_int(1), x.stream())
                   : mx::argpartition(x.array(0), x.small_int(1), x.small_int(2, last), x.stream());
      });
  m.def("topk(a: array, /, k: int, axis: None | int = -1, *, stream: StreamOrDevice = None) -> array",
        "The k largest elements along an axis, in no particular order.", [](Args& x) {
          return flattens(x, 2) ? mx::topk(x.array(0), x.small_int(1), x.stream())
                                : mx::topk(x.array(0), x.small_int(1), x.small_int(2, last), x.stream());
        });
}

mx::array take_one(Args& x, int64_t index, std::optional<int> axis) {
  mx::array a = axis ? x.array(0) : mx::flatten(x.array(0), x.stream());
  int along = mx::normalize_axis_index(axis.value_or(0), static_cast<int>(a.ndim()), "[take] ");
  if (index == static_cast<int>(index)) return mx::take(a, static_cast<int>(index), along, x.stream());
  int64_t size = a.shape()[static_cast<size_t>(along)];
  if (index < -size || index >= size)
    raise<mx::AxisError>("[take] Index ", index, " is out of bounds for axis ", along, " with size ", size, ".");
  mx::Shape start(a.ndim(), 0), stop(a.ndim(), mx::slice_end);
  start[static_cast<size_t>(along)] = index;
  stop[static_cast<size_t>(along)] = index + 1;
  return mx::squeeze(mx::slice(a, start, stop, x.stream()), along, x.stream());
}

mx::array take(Args& x) {
  auto axis = x.optional_int(2);
  int64_t index;
  if (!is_array(x[1]) && to_integer(x[1], &index, &x, 1)) return take_one(x, index, axis);
  const mx::array& indices = x.array(1, "an int or an array");
  return axis ? mx::take(x.array(0), indices, *axis, x.stream()) : mx::take(x.array(0), indices, x.stream());
}

void bind_takes(Functions& m) {
  m.def(
      "take(a: array, /, indices: int | array, axis: int | None = None, *, stream: StreamOrDevice = None) -> "
      "array",
      "The elements at indices along an axis; without an axis of the flat array.",
      [](Args& x) { return take(x); });
  m.def(
      "take_along_axis(a: array, /, indices: array, axis: int | None = -1, *, stream: StreamOrDevice = None) "
      "-> array",
      "For each place along an axis the element that the index there names; axis=None flattens first.",
      [](Args& x) {
        if (!flattens(x, 2))
          return mx::take_along_axis(x.array(0), x.array(1), x.small_int(2, last), x.stream());
        return mx::take_along_axis(mx::flatten(x.array(0), x.stream()), x.array(1), 0, x.stream());
      });
  m.def(
      "put_along_axis(a: array, /, indices: array, values: array, axis: int | None = None, *, stream: "
      "StreamOrDevice = None) -> array",
      "A copy with values put where the indices name places along an axis; without an axis of the flat "
      "array.",
      [](Args& x) {
        auto axis = x.optional_int(3);
        if (axis) return mx::put_along_axis(x.array(0), x.array(1), x.array(2), *axis, x.stream());
        mx::array flat = mx::flatten(x.array(0), x.stream());
        mx::array put = mx::put_along_axis(flat, x.array(1), x.array(2), 0, x.stream());
        return mx::reshape(put, x.array(0).shape(), x.stream());
      });
}

}  // namespace

void bind_sort_ops(nb::module_& module) {
  Functions m(module);
  bind_sorts(m);
  bind_takes(m);
}

}  // namespace mlx::python
