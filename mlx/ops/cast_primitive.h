// Change of the element type.
#pragma once

#include "mlx/ops/operation.h"

namespace mlx::core {

class AsType : public Operation {
 public:
  AsType(Stream s, Dtype dtype) : Operation(s), dtype_(dtype) {}
  MLX_OPERATION(AsType, dtype_)
  int tape_op() const override;
  Dtype dtype() const { return dtype_; }

 private:
  Dtype dtype_;
};

}  // namespace mlx::core
