// Joining, splitting, repeating, padding, layout.

#include "convert.h"
#include "define.h"
#include "scalars.h"

namespace mlx::python {

namespace {

using Arrays = std::vector<mx::array>;

// What is joined: a list of arrays, or the rows of one.
Arrays parts(Args& x) {
  bool has_rows = is_array(x[0]) && as_array(x[0]).ndim() > 0;
  return has_rows ? mx::unstack(x.array(0), x.stream()) : x.arrays(0);
}

Arrays split(Args& x, int axis_place) {
  const mx::array& a = x.array(0);
  int axis = x.small_int(axis_place, 0);
  int64_t sections;
  bool is_vector = is_array(x[1]) && as_array(x[1]).ndim() > 0;
  if (!is_vector && to_integer(x[1], &sections, &x, 1)) return mx::split(a, x.small_int(1), axis, x.stream());
  if (!is_array(x[1])) return mx::split(a, x.shape_sequence(1), axis, x.stream());
  mx::array cuts = x.array(1);
  if (cuts.ndim() != 1 || !mx::issubdtype(cuts.dtype(), mx::integer)) {
    raise(x.describe(1), " must be an int or a vector of integers, not ", cuts.dtype(), " of shape ", cuts.shape(),
          ".");
  }
  nb::object list = nb::steal(to_list(cuts));
  return mx::split(a, to_shape(list.ptr(), x.op(), 2), axis, x.stream());
}

void bind_joins(Functions& m) {
  m.def(
      "concatenate(arrays: list[array], /, axis: int | None = 0, *, stream: StreamOrDevice = None) -> array",
      "Join arrays along an axis they have; axis=None flattens them first.", [](Args& x) {
        if (x[1] == Py_None) return mx::concatenate(parts(x), x.stream());
        return mx::concatenate(parts(x), x.small_int(1, 0), x.stream());
      });
  m.alias("concat", "concatenate");
  m.def("stack(arrays: list[array], /, axis: int | None = 0, *, stream: StreamOrDevice = None) -> array",
        "Join arrays of one shape along a new axis.",
        [](Args& x) { return mx::stack(parts(x), x.optional_int(1).value_or(0), x.stream()); });
  m.def_both(
      "split(a: array, /, indices_or_sections: int | Sequence[int], axis: int = 0, *, stream: StreamOrDevice "
      "= None) -> list[array]",
      "Split into equal parts, or at the given places of an axis.", [](Args& x) { return split(x, 2); });
  m.def("unstack(x: array, /, *, axis: int = 0, stream: StreamOrDevice = None) -> tuple[array, ...]",
        "The parts along an axis, without it, as a tuple.",
        [](Args& x) { return tuple_of(mx::unstack(x.array(0), x.small_int(1, 0), x.stream())); });
}

void bind_repeats(Functions& m) {
  m.def(
      "repeat(array: array, /, repeats: int, axis: int | None = None, *, stream: StreamOrDevice = None) -> "
      "array",
      "Repeat each element along an axis; without an axis the array is flattened.", [](Args& x) {
        auto axis = x.optional_int(2);
        return axis ? mx::repeat(x.array(0), x.small_int(1), *axis, x.stream())
                    : mx::repeat(x.array(0), x.small_int(1), x.stream());
      });
  m.def("tile(a: array, reps: int | Sequence[int], /, *, stream: StreamOrDevice = None) -> array",
        "Repeat the whole array a number of times along each axis.",
        [](Args& x) { return mx::tile(x.array(0), x.ints(1), x.stream()); });
  m.def(
      "roll(a: array, /, shift: int | tuple[int, ...], axis: None | int | tuple[int, ...] = None, *, stream: "
      "StreamOrDevice = None) -> array",
      "Shift elements along axes, those pushed out coming in at the other end; without an axis over the flat "
      "array.",
      [](Args& x) {
        auto axes = x.axes(2);
        mx::Shape shift = x.shape(1);
        if (!axes) return mx::roll(x.array(0), shift, x.stream());
        // One axis is moved by the sum of the shifts, several axes by one shift or by one each.
        if (axes->size() == 1) return mx::roll(x.array(0), shift, (*axes)[0], x.stream());
        if (shift.size() == 1) shift = mx::Shape(axes->size(), shift[0]);
        return mx::roll(x.array(0), shift, *axes, x.stream());
      });
  m.def(
      "flip(a: array, /, axis: None | int | Sequence[int] = None, *, stream: StreamOrDevice = None) -> array",
      "Reverse the order of elements along axes, by default all.", [](Args& x) {
        auto axes = x.axes(1);
        return axes ? mx::flip(x.array(0), *axes, x.stream()) : mx::flip(x.array(0), x.stream());
      });
}

// An int, (n,), (low, high) for every axis, or a list of pairs, one per axis.
std::vector<std::pair<int64_t, int64_t>> pad_widths(Args& x, int i, size_t ndim) {
  auto pair_of = [&](PyObject* o, std::pair<int64_t, int64_t>* out) {
    mx::Shape two;
    int64_t value;
    if (to_integer(o, &value, &x, i))
      two = {value, value};
    else if (PyList_Check(o) || PyTuple_Check(o))
      two = to_shape(o, x.op(), i + 1);
    if (two.size() == 1) two.push_back(two[0]);
    if (two.size() != 2) return false;
    *out = {two[0], two[1]};
    return true;
  };
  PyObject* o = x[i];
  nb::object list;
  if (o && (is_array(o) || is_numpy_value(o))) {
    list = steal(PyObject_CallMethod(o, "tolist", nullptr));
    o = list.ptr();
  }
  bool nested =
      (PyList_Check(o) || PyTuple_Check(o)) && PySequence_Fast_GET_SIZE(o) &&
      (PyList_Check(PySequence_Fast_GET_ITEM(o, 0)) || PyTuple_Check(PySequence_Fast_GET_ITEM(o, 0)));
  std::pair<int64_t, int64_t> pair;
  if (!nested) {
    int64_t value;
    bool is_sequence = PyList_Check(o) || PyTuple_Check(o);
    if (!is_sequence && !to_integer(o, &value, &x, i)) x.raise_wrong(i, "an int, a pair of ints or a list of pairs");
    if (!pair_of(o, &pair)) raise("[pad] The widths must be an int, a pair of ints or a list of pairs.");
    return std::vector<std::pair<int64_t, int64_t>>(ndim, pair);
  }
  std::vector<std::pair<int64_t, int64_t>> widths;
  for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(o); k++) {
    if (!pair_of(PySequence_Fast_GET_ITEM(o, k), &pair))
      raise("[pad] Item ", k, " of the widths is no pair of ints.");
    widths.push_back(pair);
  }
  if (widths.size() == 1) widths.resize(ndim, widths[0]);
  return widths;
}

mx::array pad(Args& x) {
  const mx::array& a = x.array(0);
  mx::array value = x[3] ? x.operand_like(3, a.dtype()) : mx::array(0, a.dtype());
  auto widths = pad_widths(x, 1, a.ndim());
  if (widths.size() != a.ndim())
    raise("[pad] ", widths.size(), " pairs of widths do not fit an array with ", a.ndim(), " dimensions.");
  std::vector<int> axes;
  mx::Shape low, high;
  for (size_t i = 0; i < widths.size(); i++) {
    axes.push_back(static_cast<int>(i));
    low.push_back(widths[i].first);
    high.push_back(widths[i].second);
  }
  return mx::pad(a, axes, low, high, value, x.text(2, "constant"), x.stream());
}

void bind_padding(Functions& m) {
  m.def(
      "pad(a: array, /, pad_width: int | tuple[int] | tuple[int, int] | list[tuple[int, int]], mode: "
      "Literal['constant', 'edge', 'reflect', 'symmetric'] = 'constant', constant_values: scalar | array = "
      "0, *, stream: StreamOrDevice = None) -> array",
      "Put elements around an array.\n\npad_width: an int, a pair (before, after) for every axis, or a list "
      "of pairs, one per axis. mode: constant\n(constant_values), edge, reflect (without the edge) or "
      "symmetric (with it).",
      [](Args& x) { return pad(x); });
}

Arrays array_or_list(Args& x, int i, bool* is_list) {
  *is_list = PyList_Check(x[i]) || PyTuple_Check(x[i]);
  return *is_list ? x.arrays(i) : Arrays{x.array(i, "a list of arrays")};
}

void bind_layout(Functions& m) {
  m.def("contiguous(a: array, /, allow_col_major: bool = False, *, stream: StreamOrDevice = None) -> array",
        "The array in row-major layout; copied only where it is not.",
        [](Args& x) { return mx::contiguous(x.array(0), x.boolean(1, false), x.stream()); });
  m.def(
      "as_strided(a: array, /, shape: Sequence[int] | None = None, strides: Sequence[int] | None = None, "
      "offset: int = 0, *, stream: StreamOrDevice = None) -> array",
      "A view of the row-major content of an array with other sizes and strides, counted in elements.",
      [](Args& x) {
        const mx::array& a = x.array(0);
        mx::Shape shape = x.has(1) ? x.shape_sequence(1) : a.shape();
        mx::Shape given = x.has(2) ? x.shape_sequence(2) : mx::Shape{};
        mx::Strides strides =
            x.has(2) ? mx::Strides(given.begin(), given.end()) : mx::row_major_strides(shape);
        int64_t offset = x[3] ? x.integer(3) : 0;
        if (offset < 0) raise("[as_strided] The offset must not be negative, but it is ", offset, ".");
        return mx::as_strided(a, shape, strides, static_cast<size_t>(offset), x.stream());
      });
  m.def(
      "depends(inputs: array | Sequence[array], dependencies: array | Sequence[array], /) -> array | "
      "list[array]",
      "The inputs, computed after the dependencies.", [](Args& x) {
        bool is_list, ignored;
        Arrays outputs = mx::depends(array_or_list(x, 0, &is_list), array_or_list(x, 1, &ignored));
        return is_list ? to_python(std::move(outputs)) : wrap(outputs[0]);
      });
}

}  // namespace

void bind_join_ops(nb::module_& module) {
  Functions m(module);
  bind_joins(m);
  bind_repeats(m);
  bind_padding(m);
  bind_layout(m);
}

}  // namespace mlx::python
