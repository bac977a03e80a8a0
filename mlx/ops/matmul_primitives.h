// Matrix products.
#pragma once

#include "mlx/ops/operation.h"

namespace mlx::core {

// a (..., m, k) @ b (..., k, n); the leading axes broadcast.
class Matmul : public Operation {
 public:
  explicit Matmul(Stream s) : Operation(s) {}
  MLX_OPERATION(Matmul)
};

// alpha * (a @ b) + beta * c; inputs a, b, c, and c broadcasts to the product.
class AddMM : public Operation {
 public:
  AddMM(Stream s, float alpha, float beta) : Operation(s), alpha_(alpha), beta_(beta) {}
  MLX_OPERATION(AddMM, alpha_, beta_)
  float alpha() const { return alpha_; }
  float beta() const { return beta_; }

 private:
  float alpha_, beta_;
};

// The products of the matrices that the indices name. Inputs: a (..., m, k), b (..., k, n), indices of the matrices of
// a and of b, which count over the flattened leading axes and have the same shape.
class GatherMM : public Operation {
 public:
  explicit GatherMM(Stream s) : Operation(s) {}
  MLX_OPERATION(GatherMM)
};

// a[:, start:end] @ b[start:end] for each (start, end) of segments (..., 2). Inputs: a (m, k), b (k, n), segments.
class SegmentedMM : public Operation {
 public:
  explicit SegmentedMM(Stream s) : Operation(s) {}
  MLX_OPERATION(SegmentedMM)
};

}  // namespace mlx::core
