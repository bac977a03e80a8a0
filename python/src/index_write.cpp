// x[...] = v and x.at[...].add(v): the value is brought to the shape of the region, then a slice or the ids
// are updated.

#include "convert.h"
#include "define.h"
#include "evaluate.h"
#include "index.h"
#include "scalars.h"

namespace mlx::python {

namespace {

// The region of an index without ids, as NumPy sees it: integers dropped, new axes in.
mx::Shape region_shape(const Index& index) {
  mx::Shape shape;
  for (const IndexItem& item : index.items) {
    if (item.kind == IndexItem::newaxis) shape.push_back(1);
    if (item.kind == IndexItem::slice) shape.push_back(item.length);
  }
  return shape;
}

bool broadcasts(const mx::Shape& from, const mx::Shape& to) {
  if (from.size() > to.size()) return false;
  for (size_t i = 1; i <= from.size(); i++) {
    int64_t n = from[from.size() - i];
    if (n != 1 && n != to[to.size() - i]) return false;
  }
  return true;
}

// Drops leading axes of size 1 that the region does not have, then broadcasts.
mx::array fit(mx::array v, const mx::Shape& region, const char* op) {
  std::vector<int> extra;
  while (v.ndim() - extra.size() > region.size() && v.shape()[extra.size()] == 1) {
    extra.push_back(static_cast<int>(extra.size()));
  }
  if (!extra.empty()) v = mx::squeeze(v, extra);
  if (v.shape() == region) return v;
  if (!broadcasts(v.shape(), region)) {
    raise("[", op, "] A value of shape ", v.shape(), " does not broadcast to the indexed region of shape ",
          region, ".");
  }
  return mx::broadcast_to(v, region);
}

// From the region to one axis per axis of the array (and `lead` axes of ids before): new axes go, integers
// and ids get an axis of size 1.
mx::array to_array_axes(mx::array v, const Index& index, int lead) {
  std::vector<int> dropped, inserted;
  int source = lead, target = lead;
  for (const IndexItem& item : index.items) {
    if (item.kind == IndexItem::newaxis) {
      dropped.push_back(source++);
    } else {
      if (item.kind == IndexItem::slice)
        source++;
      else
        inserted.push_back(target);
      target++;
    }
  }
  if (!dropped.empty()) v = mx::squeeze(v, dropped);
  if (!inserted.empty()) v = mx::expand_dims(v, inserted);
  return v;
}

mx::array update_slice(const mx::array& a, const mx::array& v, const SliceBounds& b, Update update) {
  switch (update) {
    case Update::add:
      return mx::slice_update_add(a, v, b.start, b.stop, b.step);
    case Update::multiply:
      return mx::slice_update_prod(a, v, b.start, b.stop, b.step);
    case Update::maximum:
      return mx::slice_update_max(a, v, b.start, b.stop, b.step);
    case Update::minimum:
      return mx::slice_update_min(a, v, b.start, b.stop, b.step);
    default:
      return mx::slice_update(a, v, b.start, b.stop, b.step);
  }
}

mx::array update_ids(const mx::array& a, const IdsPlan& plan, const mx::array& v, Update update) {
  switch (update) {
    case Update::add:
      return mx::scatter_add(a, plan.ids, v, plan.axes);
    case Update::multiply:
      return mx::scatter_prod(a, plan.ids, v, plan.axes);
    case Update::maximum:
      return mx::scatter_max(a, plan.ids, v, plan.axes);
    case Update::minimum:
      return mx::scatter_min(a, plan.ids, v, plan.axes);
    default:
      return mx::scatter(a, plan.ids, v, plan.axes);
  }
}

mx::array write_ids(const mx::array& a, const Index& index, const mx::array& value, Update update,
                    const char* op) {
  mx::array sliced = slice_of(a, index);
  IdsPlan plan = plan_ids(index, false);
  mx::Shape region = region_shape(index);
  region.insert(region.begin() + plan.place, plan.shape.begin(), plan.shape.end());
  mx::array v = fit(value, region, op);
  int lead = static_cast<int>(plan.shape.size());
  if (plan.place && lead) {  // the axes of the ids to the front, as scatter wants them
    std::vector<int> order;
    for (int i = 0; i < lead; i++) order.push_back(plan.place + i);
    for (int i = 0; i < static_cast<int>(v.ndim()); i++) {
      if (i < plan.place || i >= plan.place + lead) order.push_back(i);
    }
    v = mx::transpose(v, order);
  }
  mx::array updated = update_ids(sliced, plan, to_array_axes(v, index, lead), update);
  SliceBounds b = slice_bounds(index);
  return b.everything ? updated : mx::slice_update(a, updated, b.start, b.stop, b.step);
}

// The places where a mask holds, in row-major order. The mask is evaluated.
mx::array places_of(const mx::array& mask) {
  mx::array flat = mx::contiguous(mx::flatten(mask));
  evaluate(flat);
  const bool* values = flat.data<bool>();
  std::vector<int64_t> places;
  for (size_t i = 0; i < flat.size(); i++) {
    if (values[i]) places.push_back(static_cast<int64_t>(i));
  }
  return mx::array(places.begin(), mx::Shape{static_cast<int64_t>(places.size())});
}

// Rows of v, one for each place where the mask holds.
mx::array write_rows(const mx::array& a, const mx::array& mask, const mx::array& v, const char* op) {
  mx::array places = places_of(mask);
  int64_t count = places.shape()[0];
  if (v.shape()[0] < count) {
    raise<std::runtime_error>("[", op, "] The mask selects ", count, " places, but the value has ",
                              v.shape()[0], " rows.");
  }
  if (count == 0) return a;
  mx::Shape flat{static_cast<int64_t>(mask.size())}, rows{count};
  auto rest = a.shape().begin() + static_cast<int64_t>(mask.ndim());
  flat.insert(flat.end(), rest, a.shape().end());
  rows.insert(rows.end(), rest, a.shape().end());
  mx::Shape start(v.ndim(), 0), stop(v.ndim(), mx::slice_end);
  stop[0] = count;
  mx::array updates = mx::expand_dims(fit(mx::slice(v, start, stop), rows, op), 1);
  return mx::reshape(mx::scatter(mx::reshape(a, flat), places, updates, 0), a.shape());
}

// One value for all masked elements, or rows of values.
mx::array write_mask(const mx::array& a, const mx::array& mask, const mx::array& v, const char* op) {
  if (mask.ndim() > a.ndim() || !std::equal(mask.shape().begin(), mask.shape().end(), a.shape().begin())) {
    raise("[", op, "] The shape ", mask.shape(), " of a mask must be that of the first axes of the array, ",
          a.shape(), ".");
  }
  size_t rest = a.ndim() - mask.ndim();
  if (v.ndim() > rest + 1) {
    raise("[", op, "] A value of shape ", v.shape(),
          " has too many dimensions for the masked elements of an array of ", a.ndim(), ".");
  }
  if (v.ndim() == rest + 1) return write_rows(a, mask, v, op);
  mx::Shape wide = mask.shape();
  wide.insert(wide.end(), rest, 1);
  return mx::where(mx::reshape(mask, wide), fit(v, a.shape(), op), a);
}

mx::array value_for(PyObject* value, mx::Dtype dtype, const char* op) {
  mx::array v = to_operand_like(value, dtype, op, 2);
  return v.dtype() == dtype ? v : mx::astype(v, dtype);
}

}  // namespace

mx::array write_index(const mx::array& a, PyObject* o, PyObject* value, Update update, const char* op) {
  note_size_read(a);  // of the region, which the value is brought to
  std::optional<mx::array> mask = parse_mask(o);
  if (mask && update != Update::set) raise("[", op, "] A mask is only supported in assignments.");
  mx::array v = value_for(value, a.dtype(), op);
  if (mask) return write_mask(a, *mask, v, op);
  Index index = parse_index(o, a);
  if (index.has_ids) return write_ids(a, index, v, update, op);
  v = to_array_axes(fit(v, region_shape(index), op), index, 0);
  SliceBounds b = slice_bounds(index);
  if (b.everything && update == Update::set) return v;
  return update_slice(a, v, b, update);
}

namespace {

// x.at[index], which waits for the update.
struct ArrayAt {
  mx::array array;
  nb::object index;
};

mx::array apply_at(Args& x, Update update, bool reciprocal, bool negative) {
  ArrayAt& at = *nb::inst_ptr<ArrayAt>(x[0]);
  if (!at.index.is_valid()) raise("[at] Give the index first: x.at[index].", x.op(), "(value).");
  if (!reciprocal && !negative) return write_index(at.array, at.index.ptr(), x[1], update, x.op());
  mx::array v = value_for(x[1], at.array.dtype(), x.op());
  v = negative ? mx::negative(v) : mx::astype(mx::reciprocal(v), at.array.dtype());
  nb::object wrapped = nb::steal(wrap(std::move(v)));
  return write_index(at.array, at.index.ptr(), wrapped.ptr(), update, x.op());
}

int traverse_at(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  Py_VISIT(nb::inst_ptr<ArrayAt>(self)->index.ptr());
  return 0;
}

int clear_at(PyObject* self) {
  nb::inst_ptr<ArrayAt>(self)->index.reset();
  return 0;
}

}  // namespace

void bind_at(nb::module_& m) {
  static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_at)},
                                {Py_tp_clear, reinterpret_cast<void*>(clear_at)},
                                {0, nullptr}};
  nb::class_<ArrayAt> type(m, "ArrayAt", "Updates of parts of an array: x.at[index].add(value).",
                           nb::type_slots(slots));
  Methods(type)
      .def("__getitem__(self, indices: object, /) -> ArrayAt", "",
           [](Args& x) { return nb::cast(ArrayAt{nb::inst_ptr<ArrayAt>(x[0])->array, nb::borrow(x[1])}); })
      .def("add(self, value: scalar | array) -> array",
           "A copy with the value added; repeated indices accumulate.",
           [](Args& x) { return apply_at(x, Update::add, false, false); })
      .def("subtract(self, value: scalar | array) -> array", "A copy with the value subtracted.",
           [](Args& x) { return apply_at(x, Update::add, false, true); })
      .def("multiply(self, value: scalar | array) -> array", "A copy multiplied by the value.",
           [](Args& x) { return apply_at(x, Update::multiply, false, false); })
      .def("divide(self, value: scalar | array) -> array", "A copy divided by the value.",
           [](Args& x) { return apply_at(x, Update::multiply, true, false); })
      .def("maximum(self, value: scalar | array) -> array", "A copy with the larger of element and value.",
           [](Args& x) { return apply_at(x, Update::maximum, false, false); })
      .def("minimum(self, value: scalar | array) -> array", "A copy with the smaller of element and value.",
           [](Args& x) { return apply_at(x, Update::minimum, false, false); });
  Methods().property("at", "ArrayAt",
                     "Updates of parts of the array: x.at[index].add(value) accumulates repeated indices.",
                     [](const mx::array& a) { return nb::cast(ArrayAt{a, nb::object()}); });
}

}  // namespace mlx::python
