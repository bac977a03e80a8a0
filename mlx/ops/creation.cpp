// Arrays made from a value: full, zeros, ones. They are broadcasts of a scalar and hold one element.

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

array full(Shape shape, array vals, Dtype dtype, StreamOrDevice s) {
  element_count(shape);
  return broadcast_to(astype(vals, dtype, s), shape, s);
}
array full(Shape shape, array vals, StreamOrDevice s) {
  Dtype dtype = vals.dtype();
  return full(std::move(shape), std::move(vals), dtype, s);
}
array full_like(const array& a, array vals, Dtype dtype, StreamOrDevice s) {
  return broadcast_like(astype(vals, dtype, s), a, to_stream(s));
}
array full_like(const array& a, array vals, StreamOrDevice s) { return full_like(a, vals, a.dtype(), s); }

array zeros(const Shape& shape, Dtype dtype, StreamOrDevice s) { return full(shape, array(0, dtype), dtype, s); }
array ones(const Shape& shape, Dtype dtype, StreamOrDevice s) { return full(shape, array(1, dtype), dtype, s); }
array zeros_like(const array& a, Dtype dtype, StreamOrDevice s) { return full_like(a, array(0, dtype), dtype, s); }
array zeros_like(const array& a, StreamOrDevice s) { return zeros_like(a, a.dtype(), s); }
array ones_like(const array& a, Dtype dtype, StreamOrDevice s) { return full_like(a, array(1, dtype), dtype, s); }
array ones_like(const array& a, StreamOrDevice s) { return ones_like(a, a.dtype(), s); }

}  // namespace mlx::core
