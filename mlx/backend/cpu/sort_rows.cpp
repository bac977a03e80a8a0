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

}  // namespace

bool rows_in_place(const array& x, int axis) {
  for (int i = axis + 1; i < static_cast<int>(x.ndim()); i++) {
    if (x.shape(i) != 1) return false;
  }
  return x.flags().row_contiguous;
}

array gather_rows(const array& x, int axis) {
  array rows(axis_last(x.shape(), axis), x.dtype(), nullptr, {});
  rows.set_data(allocator::malloc(rows.nbytes()));
  copy_strided(x.data<void>(), axis_last(x.strides(), axis), rows.data<void>(), row_major_strides(rows.shape()),
               rows.shape(), x.itemsize());
  rows.set_status(array::available);
  return rows;
}

void spread_rows(const array& rows, int axis, array& out) {
  out.set_data(allocator::malloc(out.nbytes()));
  copy_strided(rows.data<void>(), row_major_strides(rows.shape()), out.data<void>(),
               axis_last(row_major_strides(out.shape()), axis), rows.shape(), out.itemsize());
}

}  // namespace mlx::core::cpu
