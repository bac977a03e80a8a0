// x[...] = v and x.at[...].add(v): the value is brought to the shape of the region, then a slice, the ids or the
// places of a mask are updated.

#include "convert.h"
#include "define.h"
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

// Drops leading axes of size 1 beyond so many axes.
mx::array without_extra_axes(const mx::array& v, size_t ndim) {
  std::vector<int> extra;
  while (v.ndim() - extra.size() > ndim && v.shape()[extra.size()] == 1) {
    extra.push_back(static_cast<int>(extra.size()));
  }
  return extra.empty() ? v : mx::squeeze(v, extra);
}

mx::array fit(mx::array v, const mx::Shape& region, const char* op) {
  v = without_extra_axes(v, region.size());
  if (v.shape() == region) return v;
  if (!broadcasts(v.shape(), region)) {
    raise("[", op, "] A value of shape ", v.shape(), " does not broadcast to the indexed region of shape ",
          region, ".");
  }
  return mx::broadcast_to(v, region);
}

// From the region to one axis per axis of the array (and `lead` axes of ids before): new axes go, integers,
// ids and masks get an axis of size 1.
mx::array to_array_axes(mx::array v, const Index& index, int lead) {
  std::vector<int> dropped, inserted;
  int source = lead, target = lead;
  for (const IndexItem& item : index.items) {
    if (item.kind == IndexItem::gap) continue;
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

// The quotient in the dtype of x: that of integers is cut off, so that repeated divisions may come in any order.
mx::array quotient(const mx::array& x, const mx::array& v) {
  if (mx::issubdtype(x.dtype(), mx::inexact)) return mx::divide(x, v);
  mx::array down = mx::floor_divide(x, v);
  if (mx::issubdtype(x.dtype(), mx::unsignedinteger)) return down;
  mx::array zero(0, x.dtype());
  mx::array is_negative = mx::not_equal(mx::less(x, zero), mx::less(v, zero));
  mx::array is_cut = mx::not_equal(mx::multiply(down, v), x);
  mx::array up = mx::logical_and(mx::logical_and(is_negative, is_cut), mx::not_equal(v, zero));
  return mx::add(down, mx::astype(up, x.dtype()));
}

mx::array updated(const mx::array& x, const mx::array& v, Update update) {
  switch (update) {
    case Update::add:
      return mx::add(x, v);
    case Update::multiply:
      return mx::multiply(x, v);
    case Update::divide:
      return quotient(x, v);
    case Update::maximum:
      return mx::maximum(x, v);
    case Update::minimum:
      return mx::minimum(x, v);
    default:
      return v;
  }
}

mx::array update_slice(const mx::array& a, const mx::array& v, const SliceBounds& b, Update update) {
  switch (update) {
    case Update::add:
      return mx::slice_update_add(a, v, b.start, b.stop, b.step);
    case Update::multiply:
      return mx::slice_update_prod(a, v, b.start, b.stop, b.step);
    case Update::divide:
      return mx::slice_update(a, quotient(mx::slice(a, b.start, b.stop, b.step), v), b.start, b.stop, b.step);
    case Update::maximum:
      return mx::slice_update_max(a, v, b.start, b.stop, b.step);
    case Update::minimum:
      return mx::slice_update_min(a, v, b.start, b.stop, b.step);
    default:
      return mx::slice_update(a, v, b.start, b.stop, b.step);
  }
}

// |x| of integers, that of the lowest int64 too.
mx::array magnitude(const mx::array& x) {
  mx::array bits = mx::astype(x, mx::uint64);
  return mx::where(mx::less(x, mx::array(0, x.dtype())), mx::negative(bits), bits);
}

// Values that meet in one place are multiplied first. The product of integers is kept as 64 bits of magnitude, its
// sign, and about its size: where it lies beyond 64 bits every quotient is 0.
mx::array divide_ids(const mx::array& a, const IdsPlan& plan, const mx::array& v) {
  auto product = [&](const mx::array& factors) {
    return mx::scatter_prod(mx::ones(a.shape(), factors.dtype()), plan.ids, factors, plan.axes);
  };
  if (mx::issubdtype(a.dtype(), mx::inexact)) return mx::divide(a, product(v));
  mx::array zero(0, a.dtype()), factors = magnitude(v), divisor = product(factors);
  mx::array sign = product(mx::where(mx::less(v, zero), mx::array(-1), mx::array(1)));
  mx::array about = product(mx::astype(factors, mx::float32));
  mx::array wrapped = mx::logical_and(mx::greater(about, mx::array(0x1.8p63f)),
                                      mx::less(divisor, mx::array(uint64_t{1} << 63)));
  wrapped = mx::logical_or(wrapped, mx::greater(about, mx::array(0x1.4p64f)));
  mx::array size = mx::floor_divide(magnitude(a), mx::where(wrapped, mx::array(uint64_t{0}), divisor));
  mx::array is_negative = mx::not_equal(mx::less(a, zero), mx::less(sign, mx::array(0)));
  return mx::astype(mx::where(is_negative, mx::negative(size), size), a.dtype());
}

mx::array update_ids(const mx::array& a, const IdsPlan& plan, const mx::array& v, Update update) {
  switch (update) {
    case Update::add:
      return mx::scatter_add(a, plan.ids, v, plan.axes);
    case Update::multiply:
      return mx::scatter_prod(a, plan.ids, v, plan.axes);
    case Update::divide:
      return divide_ids(a, plan, v);
    case Update::maximum:
      return mx::scatter_max(a, plan.ids, v, plan.axes);
    case Update::minimum:
      return mx::scatter_min(a, plan.ids, v, plan.axes);
    default:
      return mx::scatter(a, plan.ids, v, plan.axes);
  }
}

// The axes of the ids, at their place in the region, go to the front.
mx::array ids_to_front(const mx::array& v, int place, int count) {
  if (place == 0 || count == 0) return v;
  std::vector<int> order;
  for (int i = 0; i < count; i++) order.push_back(place + i);
  for (int i = 0; i < static_cast<int>(v.ndim()); i++) {
    if (i < place || i >= place + count) order.push_back(i);
  }
  return mx::transpose(v, order);
}

// Puts the part that integers and slices select back.
mx::array with_part(const mx::array& a, const Index& index, const mx::array& part) {
  SliceBounds b = slice_bounds(index);
  return b.everything ? part : mx::slice_update(a, part, b.start, b.stop, b.step);
}

mx::array write_ids(const mx::array& a, const Index& index, const mx::array& value, Update update,
                    const char* op) {
  IdsPlan plan = plan_ids(index);
  mx::Shape region = region_shape(index);
  region.insert(region.begin() + plan.place, plan.shape.begin(), plan.shape.end());
  int lead = static_cast<int>(plan.shape.size());
  mx::array v = to_array_axes(ids_to_front(fit(value, region, op), plan.place, lead), index, lead);
  return with_part(a, index, update_ids(slice_of(a, index), plan, v, update));
}

// The value of a mask's region: one for all places, or one for each, in order.
struct MaskedValue {
  mx::array rows;  // one axis for the places, then one per axis of the array but that of the mask
  bool one_for_all;
};

MaskedValue masked_value(const mx::array& value, const Index& index, int mask_axis, const char* op) {
  mx::Shape region = region_shape(index);
  int place = place_of_ids(index);
  size_t behind = region.size() - static_cast<size_t>(place);
  mx::array v = without_extra_axes(value, region.size() + 1);
  int64_t count = v.ndim() > behind ? v.shape()[v.ndim() - 1 - behind] : 1;
  region.insert(region.begin() + place, count);
  v = to_array_axes(ids_to_front(fit(v, region, op), place, 1), index, 1);
  return {mx::squeeze(v, 1 + mask_axis), count == 1};
}

// One mask beside slices and integers. Which places it selects need not be known here, so this can be traced.
mx::array write_mask(const mx::array& a, const Index& index, const mx::array& value, Update update,
                     const char* op) {
  const IndexItem* item = nullptr;
  for (const IndexItem& i : index.items) {
    if (i.kind == IndexItem::mask) item = &i;
  }
  const mx::array& mask = *item->array;
  MaskedValue v = masked_value(value, index, item->axis, op);
  mx::array part = mx::moveaxis(slice_of(a, index), item->axis, 0);
  mx::Shape column(part.ndim(), 1);
  column[0] = part.shape()[0];
  mx::array holds = mx::reshape(mask, column), result = part;
  if (update == Update::set) {
    result = v.one_for_all ? mx::where(holds, v.rows, part) : mx::masked_scatter(part, mask, v.rows);
  } else {
    // Ones elsewhere are good operands of all updates, also in derivatives.
    mx::array one(1, a.dtype());
    mx::array operand = v.one_for_all ? mx::where(holds, v.rows, one)
                                      : mx::masked_scatter(mx::full_like(part, one), mask, v.rows);
    result = mx::where(holds, updated(part, operand, update), part);
  }
  return with_part(a, index, mx::moveaxis(result, 0, item->axis));
}

void check_update(const mx::array& a, Update update, const char* op) {
  if (a.dtype() == mx::bool_ && update == Update::divide)
    raise("[", op, "] Elements of bool have no quotient.");
}

mx::array value_for(PyObject* value, mx::Dtype dtype, const char* op) {
  mx::array v = to_operand_like(value, dtype, op, 2);
  return v.dtype() == dtype ? v : mx::astype(v, dtype);
}

}  // namespace

mx::array write_value(const mx::array& a, PyObject* o, const mx::array& value, Update update, const char* op) {
  note_size_read(a);  // of the region, which the value is brought to
  check_update(a, update, op);
  Index index = parse_index(o, a);
  if (index.masks > 1 || (index.masks && index.ids)) resolve_masks(&index);
  if (index.masks) return mx::reshape(write_mask(seen_by(index, a), index, value, update, op), a.shape());
  if (index.ids) return mx::reshape(write_ids(seen_by(index, a), index, value, update, op), a.shape());
  mx::array v = to_array_axes(fit(value, region_shape(index), op), index, 0);
  SliceBounds b = slice_bounds(index);
  if (b.everything) return updated(a, v, update);
  return update_slice(a, v, b, update);
}

mx::array write_index(const mx::array& a, PyObject* o, PyObject* value, Update update, const char* op) {
  return write_value(a, o, value_for(value, a.dtype(), op), update, op);
}

namespace {

// x.at[index], which waits for the update.
struct ArrayAt {
  mx::array array;
  nb::object index;
};

mx::array apply_at(Args& x, Update update, bool negative = false) {
  ArrayAt& at = *nb::inst_ptr<ArrayAt>(x[0]);
  if (!at.index.is_valid()) raise("[at] Give the index first: x.at[index].", x.op(), "(value).");
  mx::array v = value_for(x[1], at.array.dtype(), x.op());
  return write_value(at.array, at.index.ptr(), negative ? mx::negative(v) : v, update, x.op());
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
           [](Args& x) { return apply_at(x, Update::add); })
      .def("subtract(self, value: scalar | array) -> array", "A copy with the value subtracted.",
           [](Args& x) { return apply_at(x, Update::add, true); })
      .def("multiply(self, value: scalar | array) -> array", "A copy multiplied by the value.",
           [](Args& x) { return apply_at(x, Update::multiply); })
      .def("divide(self, value: scalar | array) -> array",
           "A copy divided by the value; the quotients of integers are cut off.",
           [](Args& x) { return apply_at(x, Update::divide); })
      .def("maximum(self, value: scalar | array) -> array", "A copy with the larger of element and value.",
           [](Args& x) { return apply_at(x, Update::maximum); })
      .def("minimum(self, value: scalar | array) -> array", "A copy with the smaller of element and value.",
           [](Args& x) { return apply_at(x, Update::minimum); });
  Methods().property("at", "ArrayAt",
                     "Updates of parts of the array: x.at[index].add(value) accumulates repeated indices.",
                     [](const mx::array& a) { return nb::cast(ArrayAt{a, nb::object()}); });
}

}  // namespace mlx::python
