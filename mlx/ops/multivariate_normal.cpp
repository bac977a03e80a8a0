// random::multivariate_normal.

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/linalg.h"
#include "mlx/ops.h"
#include "mlx/ops/matrices.h"
#include "mlx/random.h"

namespace mlx::core::random {

namespace {

void check(const array& mean, const array& cov, Dtype dtype) {
  if (dtype != float32) raise("[multivariate_normal] The dtype must be float32, but is ", dtype_name(dtype), ".");
  if (mean.ndim() < 1) raise("[multivariate_normal] The mean must have at least one dimension.");
  bool fits = cov.ndim() >= 2 && cov.shape(-1) == cov.shape(-2) && cov.shape(-1) == mean.shape(-1);
  if (!fits) {
    raise("[multivariate_normal] The covariance of shape ", cov.shape(), " is no square matrix for a mean of shape ",
          mean.shape(), ".");
  }
}

}  // namespace

// The symmetric root of the covariance, which does not depend on the choice of the vectors.
array multivariate_normal(const array& mean, const array& cov, const Shape& shape, Dtype dtype,
                          const std::optional<array>& key, StreamOrDevice s) {
  check(mean, cov, dtype);
  note_size_read();
  Stream stream = to_stream(s);
  array center = astype(mean, dtype, stream);
  Shape batch = broadcast_shapes(Shape(mean.shape().begin(), mean.shape().end() - 1),
                                 batch_shape(cov.shape()));
  Shape full = broadcast_shapes(shape, batch);
  full.push_back(mean.shape(-1));
  auto parts = linalg::svd(astype(cov, dtype, stream), true, stream);
  array scaled = multiply(parts[0], expand_dims(sqrt(parts[1], stream), -2, stream), stream);
  array root = matmul(scaled, parts[2], stream);
  array draws = expand_dims(normal(full, dtype, key, stream), -1, stream);
  return add(squeeze(matmul(root, draws, stream), -1, stream), center, stream);
}

}  // namespace mlx::core::random
