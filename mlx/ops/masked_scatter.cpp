// masked_scatter: the elements of an array where a mask is true, replaced one after the other by given ones.

#include <algorithm>

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/index_primitives.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/search_primitives.h"

namespace mlx::core {

namespace {

array scatter_rows(const array& a, const array& mask, const array& src, const Stream& s) {
  return array(a.shape(), a.dtype(), std::make_shared<MaskedScatter>(s), {a, mask, src});
}

}  // namespace

array masked_scatter(const array& a, const array& mask, const array& src, StreamOrDevice s) {
  if (mask.dtype() != bool_) raise("[masked_scatter] The mask must be bool, not ", dtype_name(mask.dtype()), ".");
  if (mask.ndim() > a.ndim() || !std::equal(mask.shape().begin(), mask.shape().end(), a.shape().begin())) {
    raise("[masked_scatter] A mask of shape ", mask.shape(), " does not fit the leading axes of an array of shape ",
          a.shape(), ".");
  }
  note_size_read();
  Stream stream = to_stream(s);
  ShapeElem places = static_cast<ShapeElem>(mask.size()), row = 1;
  for (size_t i = mask.ndim(); i < a.ndim(); i++) row *= a.shape()[i];
  array values = reshape(astype(src, a.dtype(), stream), {1, static_cast<ShapeElem>(src.size())}, stream);
  array rows = scatter_rows(reshape(a, {1, places, row}, stream), reshape(mask, {1, places}, stream), values, stream);
  return reshape(rows, a.shape(), stream);
}

std::vector<Shape> MaskedScatter::output_shapes(const Arrays& inputs) {
  const Shape &a = inputs[0].shape(), &mask = inputs[1].shape(), &src = inputs[2].shape();
  if (mask[0] != a[0] || mask[1] != a[1] || src[0] != a[0]) {
    raise("[masked_scatter] Shapes ", a, ", ", mask, " and ", src, " do not fit.");
  }
  return {a};
}

Arrays MaskedScatter::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  array a_t = zeros_like(primals[0], stream()), src_t = zeros_like(primals[2], stream());
  for (size_t k = 0; k < argnums.size(); k++) {
    if (argnums[k] == 0) a_t = tangents[k];
    if (argnums[k] == 2) src_t = tangents[k];
  }
  return {scatter_rows(a_t, primals[1], src_t, stream())};
}

// The rows of the cotangent where the mask is true, in order; zeros for values that were left over.
array MaskedScatter::src_cotangent(const array& mask, const array& src, const array& ct) const {
  const Stream& s = stream();
  ShapeElem batch = ct.shape(0), places = ct.shape(1), row = ct.shape(2), size = src.shape(1);
  ShapeElem used = row == 0 ? 0 : std::min(size / row, places);
  array order = expand_dims(nonzero_places(mask, used, s), 2, s);
  array is_place = less(order, array(places, order.dtype()), s);
  array rows = take_along_axis(ct, where(is_place, order, array(0, order.dtype()), s), 1, s);
  array flat = reshape(where(is_place, rows, array(0, ct.dtype()), s), {batch, used * row}, s);
  return pad(flat, {1}, {0}, {size - used * row}, array(0, ct.dtype()), "constant", s);
}

Arrays MaskedScatter::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                          const Arrays&) {
  const array &ct = cotangents[0], &mask = primals[1];
  Arrays result;
  for (int i : argnums) {
    if (i == 0) result.push_back(where(expand_dims(mask, 2, stream()), array(0, ct.dtype()), ct, stream()));
    else if (i == 1) result.push_back(zeros_like(mask, stream()));
    else result.push_back(src_cotangent(mask, primals[2], ct));
  }
  return result;
}

// The batch joins the leading axis, which all inputs have.
std::pair<Arrays, std::vector<int>> MaskedScatter::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  ShapeElem size = batch_size(inputs, axes);
  Arrays joined;
  for (size_t i = 0; i < inputs.size(); i++) {
    joined.push_back(flatten(batch_to_front(inputs[i], axes[i], size, stream()), 0, 1, stream()));
  }
  array rows = scatter_rows(joined[0], joined[1], joined[2], stream());
  ShapeElem inner = inputs[0].shape(axes[0] == 0 ? 1 : 0);
  return {{unflatten(rows, 0, {size, inner}, stream())}, {0}};
}

}  // namespace mlx::core
