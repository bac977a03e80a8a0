// eye, tri, tril and triu.

#include <algorithm>

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/slice_primitives.h"

namespace mlx::core {

namespace {

// True on the k-th diagonal and below.
array tri_mask(ShapeElem rows, ShapeElem columns, ShapeElem k, const Stream& s) {
  if (rows == 0 || columns == 0) return zeros({rows, columns}, bool_, s);
  k = std::clamp(k, -rows - 1, columns + 1);
  Dtype t = rows + columns < INT32_MAX ? int32 : int64;
  double first = static_cast<double>(k);
  array row = expand_dims(arange(first, first + static_cast<double>(rows), 1.0, t, s), 1, s);
  array column = expand_dims(arange(0.0, static_cast<double>(columns), 1.0, t, s), 0, s);
  return greater_equal(row, column, s);
}

array masked(const char* name, const array& x, ShapeElem k, bool keep_lower, StreamOrDevice s) {
  if (x.ndim() < 2) raise("[", name, "] The array must have at least two dimensions, but has ", x.ndim(), ".");
  Stream stream = to_stream(s);
  note_size_read();
  array lower = tri_mask(x.shape(-2), x.shape(-1), k, stream), zero(0, x.dtype());
  return keep_lower ? where(lower, x, zero, stream) : where(lower, zero, x, stream);
}

}  // namespace

array eye(int n, int m, int k, Dtype dtype, StreamOrDevice s) {
  if (n < 0 || m < 0) raise("[eye] Sizes cannot be negative, but got ", n, " and ", m, ".");
  ShapeElem rows = n, columns = m, shift = k;
  ShapeElem length = std::min(rows - std::max<ShapeElem>(-shift, 0), columns - std::max<ShapeElem>(shift, 0));
  if (length <= 0) return zeros({rows, columns}, dtype, s);
  ShapeElem first = shift >= 0 ? shift : -shift * columns;
  SliceRequest ones{{first}, {first + (length - 1) * (columns + 1) + 1}, {columns + 1}, {-1}};
  array flat = zeros({rows * columns}, dtype, s);
  return reshape(slice_update(Combine::Set, flat, array(1, dtype), ones, to_stream(s)), {rows, columns}, s);
}

array tri(int n, int m, int k, Dtype dtype, StreamOrDevice s) {
  return astype(tri_mask(std::max(n, 0), std::max(m, 0), k, to_stream(s)), dtype, s);
}
array tril(array x, int k, StreamOrDevice s) { return masked("tril", x, k, true, s); }
array triu(array x, int k, StreamOrDevice s) { return masked("triu", x, static_cast<ShapeElem>(k) - 1, false, s); }

}  // namespace mlx::core
