// Reading the items of an index: see index.h.

#include "arguments.h"
#include "convert.h"
#include "evaluate.h"
#include "index.h"
#include "scalars.h"

namespace mlx::python {

namespace {

[[noreturn]] void raise_item(PyObject* o) {
  raise("[index] An index must be made of ints, slices, None, ... and arrays or lists of ints or bools, not ",
        type_name(o), ".");
}

// Anything with __index__ but bools and arrays, whose dtype decides.
bool is_int(PyObject* o) {
  if (PyLong_CheckExact(o)) return true;
  if (PyBool_Check(o) || is_array(o) || !PyIndex_Check(o) || is_numpy_bool(o)) return false;
  nb::object index = nb::steal(PyNumber_Index(o));
  if (index.is_valid()) return true;
  if (!PyErr_ExceptionMatches(PyExc_TypeError)) raise_python();
  PyErr_Clear();
  return false;
}

// Clipped to 64 bits: such an index is out of range, and such a bound beyond the end.
int64_t to_int(PyObject* o) {
  Py_ssize_t value = PyNumber_AsSsize_t(o, nullptr);
  if (value == -1 && PyErr_Occurred()) raise_python();
  return value;
}

// As NumPy sees it, a list without elements holds ints.
mx::array array_of_list(PyObject* list) {
  mx::array a = array_from_list(list, std::nullopt);
  return a.size() == 0 && a.dtype() == mx::float32 ? mx::zeros(a.shape(), mx::int32) : a;
}

mx::array array_of(PyObject* o) {
  if (PyBool_Check(o)) return mx::array(o == Py_True);
  if (is_array(o)) return as_array(o);
  if (PyList_Check(o) || PyTuple_Check(o)) return array_of_list(o);
  if (PyUnicode_Check(o) || PyBytes_Check(o) || PyDict_Check(o)) raise_item(o);
  if (auto a = from_mlx_array_hook(o)) return *a;
  if (is_numpy_value(o) || PyObject_CheckBuffer(o)) {
    try {
      return array_from_buffer(o, std::nullopt);
    } catch (const std::runtime_error&) {  // a dtype that arrays do not have
      raise_item(o);
    }
  }
  if (!PySequence_Check(o)) raise_item(o);
  nb::object list = steal(PySequence_List(o));  // a range
  return array_of_list(list.ptr());
}

// An item before its axes are counted.
struct RawItem {
  PyObject* object;
  int axes;  // of the array that it takes
  std::optional<mx::array> array = {};
};

RawItem raw_item(PyObject* o) {
  if (o == Py_None || o == Py_Ellipsis) return {o, 0};
  if (PySlice_Check(o) || is_int(o)) return {o, 1};
  mx::array a = array_of(o);
  if (a.dtype() == mx::bool_) return {o, static_cast<int>(a.ndim()), a};
  if (!mx::issubdtype(a.dtype(), mx::integer)) {
    raise("[index] An index array must have an integer dtype or bool, not ", mx::dtype_name(a.dtype()), ".");
  }
  return {o, 1, a};
}

int64_t bound(PyObject* o, int64_t absent) {
  if (o == Py_None) return absent;
  if (!PyBool_Check(o) && !is_int(o))
    raise("[index] The bounds of a slice must be ints, not ", type_name(o), ".");
  return to_int(o);
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

IndexItem integer_item(PyObject* o, int axis, int64_t size, int axis_of_array) {
  int64_t value = to_int(o);
  if (value < -size || value >= size) {
    raise<mx::AxisError>("[index] Index ", int_text(o), " is out of bounds for axis ", axis_of_array,
                         " with size ", size, ".");
  }
  return {IndexItem::integer, axis, value, value == -1 ? mx::slice_end : value + 1, 1, 1};
}

// Gives the items their axes, from the first one on.
class Layout {
 public:
  explicit Layout(const mx::array& a) : a_(a) {}

  void slices(int count) {
    for (int i = 0; i < count; i++) {
      int64_t size = a_.shape()[source_++];
      index_.items.push_back({IndexItem::slice, add_axis(size), 0, mx::slice_end, 1, size});
    }
  }

  void add(const RawItem& item) {
    if (item.object == Py_None)
      index_.items.push_back({IndexItem::newaxis});
    else if (!item.array)
      add_range(item.object);
    else if (item.array->dtype() == mx::bool_)
      add_mask(*item.array);
    else
      add_ids(*item.array);
  }

  void gap() { index_.items.push_back({IndexItem::gap}); }

  Index finish() {
    slices(static_cast<int>(a_.ndim()) - source_);
    return std::move(index_);
  }

 private:
  int add_axis(int64_t size) {
    index_.shape.push_back(size);
    return static_cast<int>(index_.shape.size()) - 1;
  }

  void add_range(PyObject* o) {
    int from = source_++;
    int64_t size = a_.shape()[from];
    int axis = add_axis(size);
    index_.items.push_back(PySlice_Check(o) ? slice_item(o, axis, size) : integer_item(o, axis, size, from));
  }

  void add_ids(const mx::array& ids) {
    int axis = add_axis(a_.shape()[source_++]);
    index_.items.push_back({IndexItem::ids, axis});
    index_.items.back().array = ids;
    index_.ids++;
  }

  void add_mask(const mx::array& mask) {
    note_size_read(a_);
    auto first = a_.shape().begin() + source_;
    mx::Shape taken(first, first + static_cast<int64_t>(mask.ndim()));
    for (size_t i = 0; i < taken.size(); i++) {
      if (mask.shape()[i] == taken[i] || mask.shape()[i] == 0) continue;
      raise("[index] The shape ", mask.shape(), " of a mask does not fit the axes of shape ", taken,
            " that it stands for.");
    }
    source_ += static_cast<int>(mask.ndim());
    int64_t size = static_cast<int64_t>(mx::element_count(taken));
    // As in NumPy a mask without elements fits axes of any size, and selects nothing.
    mx::array flat = static_cast<int64_t>(mask.size()) == size ? mx::reshape(mask, {size})
                                                               : mx::zeros({size}, mx::bool_);
    index_.items.push_back({IndexItem::mask, add_axis(size)});
    index_.items.back().array = flat;
    index_.masks++;
  }

  const mx::array& a_;
  int source_ = 0;  // the next axis of the array
  Index index_;
};

Index parse_items(PyObject* const* objects, Py_ssize_t n, const mx::array& a) {
  std::vector<RawItem> items;
  int taken = 0, ndim = static_cast<int>(a.ndim());
  bool has_ellipsis = false;
  for (Py_ssize_t i = 0; i < n; i++) {
    items.push_back(raw_item(objects[i]));
    taken += items.back().axes;
    if (objects[i] != Py_Ellipsis) continue;
    if (has_ellipsis) raise("[index] An index can only have one ellipsis.");
    has_ellipsis = true;
  }
  if (taken > ndim) raise("[index] Too many indices: ", taken, " for an array with ", ndim, " dimensions.");
  Layout layout(a);
  for (const RawItem& item : items) {
    if (item.object == Py_Ellipsis) {
      layout.gap();
      layout.slices(ndim - taken);
    } else {
      layout.add(item);
    }
  }
  return layout.finish();
}

mx::array places_of(const mx::array& mask) {
  try {
    evaluate(mask);
  } catch (const mx::NoValue&) {
    raise(
        "[index] How many elements a mask selects depends on its values, which are not known inside vmap and "
        "compile. Index with mx.nonzero(mask, size=..., fill_value=...) for a fixed number of elements, or "
        "use mx.where.");
  }
  std::optional<mx::array> places;
  without_gil([&] { places = mx::nonzero(mask)[0]; });
  return *places;
}

}  // namespace

Index parse_index(PyObject* index, const mx::array& a) {
  if (PyTuple_Check(index)) return parse_items(PySequence_Fast_ITEMS(index), PyTuple_GET_SIZE(index), a);
  return parse_items(&index, 1, a);
}

mx::array seen_by(const Index& index, const mx::array& a) {
  if (a.shape() == index.shape) return a;
  note_size_read(a);
  return mx::reshape(a, index.shape);
}

void resolve_masks(Index* index) {
  for (IndexItem& item : index->items) {
    if (item.kind != IndexItem::mask) continue;
    item.array = places_of(*item.array);
    item.kind = IndexItem::ids;
  }
  index->ids += index->masks;
  index->masks = 0;
}

SliceBounds slice_bounds(const Index& index) {
  SliceBounds b{{}, {}, {}, true};
  for (const IndexItem& item : index.items) {
    if (item.axis < 0) continue;
    b.everything &= item.is_full();
    b.start.push_back(item.start);
    b.stop.push_back(item.stop);
    b.step.push_back(item.step);
  }
  return b;
}

int place_of_ids(const Index& index) {
  int before = 0, groups = 0, place = 0;
  bool inside = false;
  for (const IndexItem& item : index.items) {
    bool advances = item.kind == IndexItem::slice || item.kind == IndexItem::newaxis;
    if (advances || item.kind == IndexItem::gap) {
      inside = false;
      before += advances;
    } else {
      if (!inside && ++groups == 1) place = before;
      inside = true;
    }
  }
  return groups > 1 ? 0 : place;
}

IdsPlan plan_ids(const Index& index) {
  IdsPlan plan;
  for (const IndexItem& item : index.items) {
    if (item.kind != IndexItem::ids) continue;
    plan.ids.push_back(*item.array);
    plan.axes.push_back(item.axis);
    plan.shape = mx::broadcast_shapes(plan.shape, item.array->shape());
  }
  plan.place = place_of_ids(index);
  return plan;
}

}  // namespace mlx::python
