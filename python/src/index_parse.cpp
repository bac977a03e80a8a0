// Reading the items of an index: see index.h.

#include "arguments.h"
#include "convert.h"
#include "index.h"

namespace mlx::python {

namespace {

[[noreturn]] void raise_item(PyObject* o) {
  const char* advice = is_numpy_value(o) ? " Convert it with mx.array." : "";
  raise("[index] An index must be made of ints, slices, None, ... and integer arrays or lists, not ",
        type_name(o), ".", advice);
}

mx::array checked_ids(mx::array ids) {
  if (ids.dtype() == mx::bool_) {
    raise(
        "[index] boolean indices are not yet supported for reading: the size of the result would depend on "
        "values. Use mx.where.");
  }
  if (!mx::issubdtype(ids.dtype(), mx::integer)) {
    raise("[index] An index array must have an integer dtype, not ", mx::dtype_name(ids.dtype()), ".");
  }
  return ids;
}

mx::array ids_of_list(PyObject* list) {
  mx::array ids = array_from_list(list, std::nullopt);
  if (ids.size() == 0 && ids.dtype() == mx::float32) return mx::zeros(ids.shape(), mx::int32);
  return checked_ids(ids);
}

int64_t bound(PyObject* o, int64_t absent) {
  if (o == Py_None) return absent;
  int64_t value;
  if (is_array(o) || !to_integer(o, &value))
    raise("[index] The bounds of a slice must be ints, not ", type_name(o), ".");
  return value;
}

IndexItem slice_item(PyObject* o, int axis, int64_t size) {
  auto* s = reinterpret_cast<PySliceObject*>(o);
  IndexItem item{IndexItem::slice, axis};
  item.step = bound(s->step, 1);
  if (item.step == 0) raise("[index] The step of a slice must not be 0.");
  item.step = std::max<int64_t>(item.step, -PY_SSIZE_T_MAX);
  item.start = bound(s->start, item.step < 0 ? mx::slice_end : 0);
  item.stop = bound(s->stop, item.step < 0 ? mx::slice_begin : mx::slice_end);
  Py_ssize_t start = item.start, stop = item.stop;
  item.length = PySlice_AdjustIndices(size, &start, &stop, item.step);
  return item;
}

IndexItem integer_item(int64_t value, int axis, int64_t size) {
  if (value < -size || value >= size) {
    raise<mx::AxisError>("[index] Index ", value, " is out of bounds for axis ", axis, " with size ", size,
                         ".");
  }
  return {IndexItem::integer, axis, value, value == -1 ? mx::slice_end : value + 1, 1, 1};
}

IndexItem axis_item(PyObject* o, int axis, int64_t size) {
  if (PySlice_Check(o)) return slice_item(o, axis, size);
  int64_t value;
  if (!is_array(o) && to_integer(o, &value)) return integer_item(value, axis, size);
  IndexItem item{IndexItem::ids, axis};
  if (is_array(o))
    item.array = checked_ids(as_array(o));
  else if (PyList_Check(o))
    item.array = ids_of_list(o);
  else
    raise_item(o);
  return item;
}

bool takes_axis(PyObject* o) { return o != Py_None && o != Py_Ellipsis; }

Index parse_items(PyObject* const* items, Py_ssize_t n, const mx::array& a) {
  int taken = 0;
  bool has_ellipsis = false;
  for (Py_ssize_t i = 0; i < n; i++) {
    taken += takes_axis(items[i]);
    if (items[i] != Py_Ellipsis) continue;
    if (has_ellipsis) raise("[index] An index can only have one ellipsis.");
    has_ellipsis = true;
  }
  int ndim = static_cast<int>(a.ndim());
  if (taken > ndim) raise("[index] Too many indices: ", taken, " for an array with ", ndim, " dimensions.");
  Index index;
  int axis = 0;
  auto fill = [&](int until) {
    for (; axis < until; axis++)
      index.items.push_back({IndexItem::slice, axis, 0, mx::slice_end, 1, a.shape()[axis]});
  };
  for (Py_ssize_t i = 0; i < n; i++) {
    if (items[i] == Py_None) {
      index.items.push_back({IndexItem::newaxis});
    } else if (items[i] == Py_Ellipsis) {
      fill(axis + ndim - taken);
    } else {
      index.items.push_back(axis_item(items[i], axis, a.shape()[axis]));
      index.has_ids |= index.items.back().kind == IndexItem::ids;
      axis++;
    }
  }
  fill(ndim);
  return index;
}

}  // namespace

Index parse_index(PyObject* index, const mx::array& a) {
  if (PyTuple_Check(index)) return parse_items(PySequence_Fast_ITEMS(index), PyTuple_GET_SIZE(index), a);
  return parse_items(&index, 1, a);
}

std::optional<mx::array> parse_mask(PyObject* o) {
  if (PyBool_Check(o)) return mx::array(o == Py_True);
  std::optional<mx::array> mask;
  if (is_array(o))
    mask = as_array(o);
  else if (PyList_Check(o) && PyList_GET_SIZE(o) && !PyLong_CheckExact(PyList_GET_ITEM(o, 0))) {
    mask = array_from_list(o, std::nullopt);
  } else if (is_numpy_value(o)) {
    mask = array_from_buffer(o, std::nullopt);
  }
  if (mask && mask->dtype() == mx::bool_) return mask;
  return std::nullopt;
}

SliceBounds slice_bounds(const Index& index) {
  SliceBounds b{{}, {}, {}, true};
  for (const IndexItem& item : index.items) {
    if (item.kind == IndexItem::newaxis) continue;
    b.everything &= item.is_full();
    b.start.push_back(item.start);
    b.stop.push_back(item.stop);
    b.step.push_back(item.step);
  }
  return b;
}

}  // namespace mlx::python
