// Shapes and axes.

#include "define.h"

namespace mlx::python {

namespace {

// The axes of *axes: ints, or one sequence of ints.
template <typename List>
List rest_as_ints(Args& x, const char* what) {
  List list;
  auto read = [&](PyObject* o) {
    int64_t value = 0;
    bool fits = true;
    try {
      if (!to_integer(o, &value))
        raise_type_error("[", x.op(), "] The ", what, " must be ints, not ", type_name(o), ".");
    } catch (const std::overflow_error&) {
      fits = false;
    }
    list.push_back(static_cast<typename List::value_type>(value));
    if (!fits || list.back() != value) {
      raise<std::overflow_error>("[", x.op(), "] The ", what, " hold ", int_text(o), ", which does not fit in ",
                                 8 * sizeof(list.back()), " bits.");
    }
  };
  PyObject* only = x.rest_count() == 1 ? x.rest()[0] : nullptr;
  bool is_text = only && (PyUnicode_Check(only) || PyBytes_Check(only));
  nb::object items;
  if (only && !is_text && (PySequence_Check(only) || is_array(only))) {
    items = nb::steal(PySequence_Fast(only, ""));
    if (!items.is_valid()) PyErr_Clear();  // an array without axes: read as an int
  }
  if (items.is_valid()) {
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.ptr()); i++)
      read(PySequence_Fast_GET_ITEM(items.ptr(), i));
  } else {
    for (Py_ssize_t i = 0; i < x.rest_count(); i++) read(x.rest()[i]);
  }
  return list;
}

template <auto f>
PyObject* at_least(Args& x) {
  std::vector<mx::array> arrays = x.rest_arrays();
  for (mx::array& a : arrays) a = f(a, x.stream());
  return arrays.size() == 1 ? wrap(arrays[0]) : to_python(std::move(arrays));
}

mx::array at_least_1d(const mx::array& a, mx::StreamOrDevice s) { return mx::atleast_1d(a, s); }
mx::array at_least_2d(const mx::array& a, mx::StreamOrDevice s) { return mx::atleast_2d(a, s); }
mx::array at_least_3d(const mx::array& a, mx::StreamOrDevice s) { return mx::atleast_3d(a, s); }

void bind_shapes(Functions& m) {
  m.def(
      "reshape(a: array, /, shape: Sequence[int], *, stream: StreamOrDevice = None) -> array",
      "Give the elements another shape, in row-major order. One size may be -1: it follows from the others.",
      [](Args& x) { return mx::reshape(x.array(0), x.shape_sequence(1), x.stream()); });
  Methods().def("reshape(self, *shape, stream: StreamOrDevice = None) -> array",
                "Give the elements another shape: ints, or one sequence of ints.", [](Args& x) {
                  if (x.rest_count() == 0) raise_type_error("[reshape] A shape is missing.");
                  return mx::reshape(x.array(0), rest_as_ints<mx::Shape>(x, "sizes"), x.stream());
                });
  m.def_both(
      "flatten(a: array, /, start_axis: int = 0, end_axis: int = -1, *, stream: StreamOrDevice = None) -> "
      "array",
      "Join the axes from start_axis to end_axis into one.",
      [](Args& x) { return mx::flatten(x.array(0), x.small_int(1, 0), x.small_int(2, -1), x.stream()); });
  m.def("unflatten(a: array, /, axis: int, shape: Sequence[int], *, stream: StreamOrDevice = None) -> array",
        "Split an axis into several of the given sizes; one size may be -1.",
        [](Args& x) { return mx::unflatten(x.array(0), x.small_int(1), x.shape_sequence(2), x.stream()); });
  m.def_both(
      "squeeze(a: array, /, axis: None | int | Sequence[int] = None, *, stream: StreamOrDevice = None) -> "
      "array",
      "Remove axes of size 1: the given ones, or all.", [](Args& x) {
        auto axes = x.axes(1);
        return axes ? mx::squeeze(x.array(0), *axes, x.stream()) : mx::squeeze(x.array(0), x.stream());
      });
  m.def("expand_dims(a: array, /, axis: int | Sequence[int], *, stream: StreamOrDevice = None) -> array",
        "Insert axes of size 1 at the given places of the result.",
        [](Args& x) { return mx::expand_dims(x.array(0), x.ints(1), x.stream()); });
  m.def("atleast_1d(*arys: array, stream: StreamOrDevice = None) -> array | list[array]",
        "Arrays with at least one axis; a list for several arrays.",
        [](Args& x) { return at_least<at_least_1d>(x); });
  m.def("atleast_2d(*arys: array, stream: StreamOrDevice = None) -> array | list[array]",
        "Arrays with at least two axes; a list for several arrays.",
        [](Args& x) { return at_least<at_least_2d>(x); });
  m.def("atleast_3d(*arys: array, stream: StreamOrDevice = None) -> array | list[array]",
        "Arrays with at least three axes; a list for several arrays.",
        [](Args& x) { return at_least<at_least_3d>(x); });
}

mx::array transposed(const mx::array& a, std::optional<std::vector<int>> axes, mx::StreamOrDevice s) {
  return axes ? mx::transpose(a, std::move(*axes), s) : mx::transpose(a, s);
}

std::optional<std::vector<int>> axes_sequence(Args& x, int i) {
  if (!x.has(i)) return std::nullopt;
  x.shape_sequence(i);  // an int alone is no sequence
  return x.ints(i);
}

void bind_axes(Functions& m) {
  m.def(
      "transpose(a: array, /, axes: Sequence[int] | None = None, *, stream: StreamOrDevice = None) -> array",
      "Permute the axes; without axes their order is reversed.",
      [](Args& x) { return transposed(x.array(0), axes_sequence(x, 1), x.stream()); });
  m.def(
      "permute_dims(a: array, /, axes: Sequence[int] | None = None, *, stream: StreamOrDevice = None) -> "
      "array",
      "Permute the axes; without axes their order is reversed.",
      [](Args& x) { return transposed(x.array(0), axes_sequence(x, 1), x.stream()); });
  Methods().def("transpose(self, *axes, stream: StreamOrDevice = None) -> array",
                "Permute the axes: ints, or one sequence of ints; without axes their order is reversed.",
                [](Args& x) {
                  std::optional<std::vector<int>> axes;
                  bool none = x.rest_count() == 0 || (x.rest_count() == 1 && x.rest()[0] == Py_None);
                  if (!none) axes = rest_as_ints<std::vector<int>>(x, "axes");
                  return transposed(x.array(0), std::move(axes), x.stream());
                });
  m.def("matrix_transpose(a: array, /, *, stream: StreamOrDevice = None) -> array",
        "Exchange the last two axes.", [](Args& x) {
          size_t ndim = x.array(0).ndim();
          if (ndim < 2)
            raise("[matrix_transpose] At least 2 dimensions are needed, but the array has ", ndim, ".");
          return mx::swapaxes(x.array(0), -1, -2, x.stream());
        });
  m.def_both("swapaxes(a: array, /, axis1: int, axis2: int, *, stream: StreamOrDevice = None) -> array",
             "Exchange two axes.",
             [](Args& x) { return mx::swapaxes(x.array(0), x.small_int(1), x.small_int(2), x.stream()); });
  m.def_both(
      "moveaxis(a: array, /, source: int, destination: int, *, stream: StreamOrDevice = None) -> array",
      "Move an axis to another place.",
      [](Args& x) { return mx::moveaxis(x.array(0), x.small_int(1), x.small_int(2), x.stream()); });
  m.def("broadcast_to(a: scalar | array, /, shape: Sequence[int], *, stream: StreamOrDevice = None) -> array",
        "Repeat an array along axes of size 1, and along new leading axes, without a copy.",
        [](Args& x) { return mx::broadcast_to(x.operand(0), x.shape(1), x.stream()); });
  m.def("broadcast_arrays(*arrays: array, stream: StreamOrDevice = None) -> list[array]",
        "Broadcast arrays against each other.",
        [](Args& x) { return mx::broadcast_arrays(x.rest_arrays(), x.stream()); });
  m.def("broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]", "The shape that shapes broadcast to.",
        [](Args& x) {
          if (x.rest_count() == 0) raise("[broadcast_shapes] At least one shape is needed.");
          mx::Shape shape;
          for (Py_ssize_t i = 0; i < x.rest_count(); i++) {
            shape = mx::broadcast_shapes(shape,
                                         to_shape(x.rest()[i], "broadcast_shapes", static_cast<int>(i) + 1));
          }
          return to_python(shape);
        });
  m.def(
      "meshgrid(*arrays: array, sparse: bool = False, indexing: str = 'xy', stream: StreamOrDevice = None) -> "
      "tuple[array, ...]",
      "One array per input, in which its values run along an axis of their own. sparse: the other axes keep size 1. "
      "indexing: 'ij', or 'xy' with the first two axes exchanged.",
      [](Args& x) {
        std::vector<mx::array> grids =
            mx::meshgrid(x.rest_arrays(), x.boolean(0, false), x.text(1, "xy"), x.stream());
        return nb::tuple(nb::steal<nb::object>(to_python(std::move(grids))));
      });
}

void bind_views(Functions& m) {
  m.def("stop_gradient(a: array, /, *, stream: StreamOrDevice = None) -> array",
        "The array itself, as a constant to differentiation.",
        [](Args& x) { return mx::stop_gradient(x.array(0), x.stream()); });
  m.def("view(a: scalar | array, /, dtype: Dtype, *, stream: StreamOrDevice = None) -> array",
        "The bytes of the row-major content as values of another dtype; the last axis shrinks or grows by the ratio "
        "of the sizes.",
        [](Args& x) { return mx::view(x.operand(0), x.dtype(1), x.stream()); });
  Methods().def("view(self, dtype: Dtype, *, stream: StreamOrDevice = None) -> array",
                "The bytes of the row-major content as values of another dtype.",
                [](Args& x) { return mx::view(x.array(0), x.dtype(1), x.stream()); });
  m.def(
      "slice(a: array, /, start_indices: array, axes: Sequence[int], slice_size: Sequence[int], *, stream: "
      "StreamOrDevice = None) -> array",
      "A window of a, of one size per axis of a, that begins where an integer array says: one index for each of axes. "
      "Where it would not fit, it is moved inside.",
      [](Args& x) { return mx::slice(x.array(0), x.array(1), x.ints(2), x.shape_sequence(3), x.stream()); });
  m.def(
      "slice_update(a: array, /, update: array, start_indices: array, axes: Sequence[int], *, stream: StreamOrDevice "
      "= None) -> array",
      "a with a window replaced by update, which broadcasts along the other axes and is cast to a's dtype. The window "
      "begins where an integer array says: one index for each of axes; it is moved inside where it would not fit.",
      [](Args& x) { return mx::slice_update(x.array(0), x.array(1), x.array(2), x.ints(3), x.stream()); });
}

}  // namespace

void bind_shape_ops(nb::module_& module) {
  Functions m(module);
  bind_shapes(m);
  bind_axes(m);
  bind_views(m);
}

}  // namespace mlx::python
