// See reduce_axes.h.

#include "mlx/ops/reduce_axes.h"

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"

namespace mlx::core {

Dtype sum_dtype(Dtype t) {
  if (t == bool_) return int32;
  if (issubdtype(t, signedinteger)) return t.size() < 4 ? int32 : t;
  if (issubdtype(t, unsignedinteger)) return t.size() < 4 ? uint32 : t;
  return t;
}

Shape kept_shape(const Shape& shape, const std::vector<int>& axes) {
  Shape out = shape;
  for (int axis : axes) out[axis] = 1;
  return out;
}

Shape reduced_shape(std::string_view name, const Shape& shape, const std::vector<int>& axes) {
  for (int axis : axes) {
    if (shape[axis] > 0) continue;
    raise("[", name, "] Cannot reduce the empty axes ", axes, " of an array of shape ", shape, ".");
  }
  return kept_shape(shape, axes);
}

array reduced_count(const array& x, const std::vector<int>& axes, Dtype dtype, const Stream& s) {
  if (tracing_shapeless()) return sum(ones_like(x, dtype, s), axes, true, s);
  double count = 1;
  for (int axis : axes) count *= static_cast<double>(x.shape(axis));
  return array(count, dtype);
}

}  // namespace mlx::core
