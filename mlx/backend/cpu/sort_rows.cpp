// See sort_rows.h.

#include "mlx/backend/cpu/sort_rows.h"

#include "mlx/backend/cpu/copy.h"

namespace mlx::core::cpu {

namespace {

// The same axes with the sorted one last.
template <typename V>
V axis_last(V values, int axis) {
  auto value = values[axis];
  values.erase(values.begin() + axis);
  values.push_back(value);
  return values;
}

bool rows_in_place(const array& x, int axis) {
  for (int i = axis + 1; i < static_cast<int>(x.ndim()); i++) {
    if (x.shape(i) != 1) return false;
  }
  return x.flags().row_contiguous;
}

// A row-major copy with the axis last.
array gather_rows(const array& x, int axis) {
  array rows(axis_last(x.shape(), axis), x.dtype(), nullptr, {});
  rows.set_data(allocator::malloc(rows.nbytes()));
  copy_strided(x.data<void>(), axis_last(x.strides(), axis), rows.data<void>(), row_major_strides(rows.shape()),
               rows.shape(), x.itemsize());
  rows.set_status(array::available);
  return rows;
}

// Gives `out` a buffer with those rows along the axis.
void spread_rows(const array& rows, int axis, array& out) {
  out.set_data(allocator::malloc(out.nbytes()));
  copy_strided(rows.data<void>(), row_major_strides(rows.shape()), out.data<void>(),
               axis_last(row_major_strides(out.shape()), axis), rows.shape(), out.itemsize());
}

}  // namespace

void order_rows(const array& in, int axis, array& out,
                const std::function<void(const array&, array&, int64_t)>& order) {
  if (in.size() == 0) {
    out.set_data(allocator::malloc(0));
  } else if (rows_in_place(in, axis)) {
    if (in.is_donatable()) out.copy_shared_buffer(in);
    else out.set_data(allocator::malloc(out.nbytes()));
    order(in, out, in.shape(axis));
  } else {
    array rows = gather_rows(in, axis);
    order(rows, rows, in.shape(axis));
    spread_rows(rows, axis, out);
  }
}

void place_rows(const array& in, int axis, array& out,
                const std::function<void(const array&, uint32_t*, int64_t)>& place) {
  if (out.size() == 0) {
    out.set_data(allocator::malloc(0));
    return;
  }
  bool in_place = rows_in_place(in, axis);
  array rows = in_place ? in : gather_rows(in, axis);
  array places(rows.shape(), uint32, nullptr, {});
  array& result = in_place ? out : places;
  result.set_data(allocator::malloc(out.nbytes()));
  place(rows, result.data<uint32_t>(), out.shape(axis));
  if (!in_place) spread_rows(places, axis, out);
}

}  // namespace mlx::core::cpu
