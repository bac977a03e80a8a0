// x[...], iteration and `in`.

#include "array_slots.h"
#include "define.h"
#include "errors.h"
#include "index.h"
#include "scalars.h"

namespace mlx::python {

namespace {

// The iterator over the first axis.
struct RowIterator {
  mx::array array;
  int64_t next = 0;
};

mx::array row(const mx::array& a, int64_t i) {
  mx::Shape start(a.ndim(), 0), stop(a.ndim(), mx::slice_end);
  start[0] = i;
  if (i != -1) stop[0] = i + 1;
  return mx::squeeze(mx::slice(a, std::move(start), std::move(stop)), 0);
}

// Removes the axes of integers (and of ids, where `lead` axes in front stand for them) and inserts the new ones.
mx::array finish_axes(mx::array result, const Index& index, int lead, bool drop_ids) {
  std::vector<int> dropped, inserted;
  int source = lead, target = lead;
  for (const IndexItem& item : index.items) {
    if (item.kind == IndexItem::gap) continue;
    if (item.kind == IndexItem::newaxis) {
      inserted.push_back(target++);
      continue;
    }
    if (item.kind == IndexItem::integer || (item.kind == IndexItem::ids && drop_ids))
      dropped.push_back(source);
    else
      target++;
    source++;
  }
  if (!dropped.empty()) result = mx::squeeze(result, dropped);
  if (!inserted.empty()) result = mx::expand_dims(result, inserted);
  return result;
}

// Moves the first `count` axes behind the `place` axes that follow them.
mx::array move_ids(const mx::array& a, int count, int place) {
  if (place == 0 || count == 0) return a;
  std::vector<int> order;
  for (int i = 0; i < place; i++) order.push_back(count + i);
  for (int i = 0; i < count; i++) order.push_back(i);
  for (int i = count + place; i < static_cast<int>(a.ndim()); i++) order.push_back(i);
  return mx::transpose(a, order);
}

// One id array beside slices only: take puts its axes in place.
const IndexItem* only_ids(const Index& index) {
  const IndexItem* found = nullptr;
  for (const IndexItem& item : index.items) {
    if (item.kind == IndexItem::integer || item.kind == IndexItem::newaxis) return nullptr;
    if (item.kind != IndexItem::ids) continue;
    if (found) return nullptr;
    found = &item;
  }
  return found;
}

mx::array gather_ids(const mx::array& sliced, const Index& index) {
  if (const IndexItem* item = only_ids(index)) return mx::take(sliced, *item->array, item->axis);
  IdsPlan plan = plan_ids(index);
  mx::Shape sizes = sliced.shape();
  for (int axis : plan.axes) sizes[axis] = 1;
  mx::array gathered = mx::gather(sliced, plan.ids, plan.axes, sizes);
  int lead = static_cast<int>(plan.shape.size());
  return move_ids(finish_axes(gathered, index, lead, true), lead, plan.place);
}

}  // namespace

mx::array slice_of(const mx::array& a, const Index& index) {
  SliceBounds b = slice_bounds(index);
  return b.everything ? a : mx::slice(a, b.start, b.stop, b.step);
}

mx::array read_index(const mx::array& a, PyObject* o) {
  if (PyLong_CheckExact(o) && a.ndim()) {
    int overflow = 0;
    int64_t value = PyLong_AsLongLongAndOverflow(o, &overflow), size = a.shape()[0];
    if (!overflow && value < size && value >= -size) return row(a, value);
  }
  Index index = parse_index(o, a);
  resolve_masks(&index);
  mx::array sliced = slice_of(seen_by(index, a), index);
  return index.ids ? gather_ids(sliced, index) : finish_axes(sliced, index, 0, false);
}

namespace {

PyObject* get_item(PyObject* self, PyObject* index) noexcept {
  return guarded([&] { return wrap(read_index(as_array(self), index)); });
}

// C code that asks for a sequence (numpy.reshape with an array of sizes, say) reads by position.
PyObject* get_row(PyObject* self, Py_ssize_t i) noexcept {
  return guarded([&] {
    nb::object index = steal(PyLong_FromSsize_t(i));
    return wrap(read_index(as_array(self), index.ptr()));
  });
}

int set_item(PyObject* self, PyObject* index, PyObject* value) noexcept {
  return guarded(
      [&] {
        if (!value) {
          PyErr_SetString(PyExc_AttributeError, "[index] Elements of an array cannot be deleted.");
          return -1;
        }
        as_array(self) = write_index(as_array(self), index, value, Update::set, "setitem");
        return 0;
      },
      -1);
}

PyObject* iterate(PyObject* self) noexcept {
  return guarded([&]() -> PyObject* {
    if (as_array(self).ndim() == 0) raise_type_error("[iter] A 0-dimensional array cannot be iterated over.");
    note_size_read(as_array(self));
    return nb::cast(RowIterator{as_array(self)}).release().ptr();
  });
}

PyObject* next_row(PyObject* self) noexcept {
  return guarded([&]() -> PyObject* {
    RowIterator& it = *nb::inst_ptr<RowIterator>(self);
    if (it.next >= it.array.shape()[0]) return nullptr;
    return wrap(row(it.array, it.next++));
  });
}

PyObject* same_iterator(PyObject* self) noexcept { return Py_NewRef(self); }

int contains(PyObject* self, PyObject* value) noexcept {
  return guarded(
      [&] {
        mx::array v = to_operand_like(value, as_array(self).dtype(), "in", 1);
        nb::object found = nb::steal(wrap(mx::any(mx::equal(as_array(self), v))));
        return PyObject_IsTrue(found.ptr());
      },
      -1);
}

}  // namespace

void add_index_slots(std::vector<PyType_Slot>* slots) {
  add_slot(slots, Py_mp_subscript, get_item);
  add_slot(slots, Py_mp_ass_subscript, set_item);
  add_slot(slots, Py_tp_iter, iterate);
  add_slot(slots, Py_sq_contains, contains);
  add_slot(slots, Py_sq_item, get_row);
}

void bind_index(nb::module_& m) {
  static PyType_Slot slots[] = {{Py_tp_iter, reinterpret_cast<void*>(same_iterator)},
                                {Py_tp_iternext, reinterpret_cast<void*>(next_row)},
                                {0, nullptr}};
  nb::class_<RowIterator>(m, "ArrayIterator", "Iterates over the first axis of an array.",
                          nb::type_slots(slots));
  Methods().def("__reversed__(self) -> ArrayIterator", "Iterates over the first axis from its end.", [](Args& x) {
    const mx::array& a = x.array(0);
    if (a.ndim() == 0) raise_type_error("[reversed] An array without axes cannot be iterated over.");
    nb::object flipped = nb::steal(wrap(mx::flip(a, 0)));
    return steal(PyObject_GetIter(flipped.ptr()));
  });
  bind_at(m);
}

}  // namespace mlx::python
