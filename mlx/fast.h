// Fused operations.
#pragma once

#include <optional>

#include "mlx/array.h"
#include "mlx/utils.h"

namespace mlx::core::fast {

// x / sqrt(mean(x^2) + eps) * weight over the last axis. The result has the promoted dtype of x and weight,
// which must be real floating-point; half types are computed in float32. The weight is one-dimensional.
array rms_norm(const array& x, const std::optional<array>& weight, float eps, StreamOrDevice s = {});

// (x - mean(x)) / sqrt(var(x) + eps) * weight + bias over the last axis, with the rules of rms_norm.
array layer_norm(const array& x, const std::optional<array>& weight, const std::optional<array>& bias,
                 float eps, StreamOrDevice s = {});

}  // namespace mlx::core::fast
