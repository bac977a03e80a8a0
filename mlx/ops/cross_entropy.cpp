// fast::cross_entropy.

#include "mlx/core/error.h"
#include "mlx/fast.h"
#include "mlx/ops.h"

namespace mlx::core::fast {

array cross_entropy(const array& logits, const array& targets, StreamOrDevice s) {
  if (!issubdtype(logits.dtype(), floating))
    raise("[cross_entropy] The logits must be real floating-point, but are ", dtype_name(logits.dtype()),
          ".");
  if (!issubdtype(targets.dtype(), integer))
    raise("[cross_entropy] The targets must be integer class ids, but are ", dtype_name(targets.dtype()),
          ".");
  if (logits.ndim() == 0 || targets.shape() != Shape(logits.shape().begin(), logits.shape().end() - 1))
    raise("[cross_entropy] The targets must have the shape of the logits ", logits.shape(),
          " without the last axis, but have ", targets.shape(), ".");
  if (logits.size() == 0) raise("[cross_entropy] The logits of shape ", logits.shape(), " are empty.");
  array x = logits.dtype() == float64 ? logits : astype(logits, float32, s);
  array picked = squeeze(take_along_axis(x, expand_dims(targets, -1, s), -1, s), -1, s);
  return astype(subtract(logsumexp(x, -1, false, s), picked, s), float32, s);
}

}  // namespace mlx::core::fast
