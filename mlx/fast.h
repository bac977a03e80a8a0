// Fused operations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mlx/array.h"
#include "mlx/utils.h"

namespace mlx::core::fast {

// x / sqrt(mean(x^2) + eps) * weight over the last axis. The result has the promoted dtype of x and weight,
// which must be real floating-point; half types are computed in float32. The weight is one-dimensional.
array rms_norm(const array& x, const std::optional<array>& weight, float eps, StreamOrDevice s = {});

// (x - mean(x)) / sqrt(var(x) + eps) * weight + bias over the last axis, with the rules of rms_norm.
array layer_norm(const array& x, const std::optional<array>& weight, const std::optional<array>& bias,
                 float eps, StreamOrDevice s = {});

// Rotary position embedding (Su et al., "RoFormer", 2021) of x (batch, ..., time, features): the first dims features
// are pairs (i, i + dims / 2), or (2 i, 2 i + 1) if traditional, turned by the angle (offset + time) * scale *
// base^(-2 i / dims), or / freqs[i]. Exactly one of base and freqs (dims / 2) is given. The offset is one integer, or
// one per batch entry.
array rope(const array& x, int dims, bool traditional, std::optional<float> base, float scale, int offset,
           const std::optional<array>& freqs = std::nullopt, StreamOrDevice s = {});
array rope(const array& x, int dims, bool traditional, std::optional<float> base, float scale, const array& offset,
           const std::optional<array>& freqs = std::nullopt, StreamOrDevice s = {});

// softmax(scale * queries @ keys.T + mask) @ values, softmax in float32 (float64 for float64), without the matrix of
// scores in memory. Queries (batch, heads, time, features); keys and values (batch, key heads, key time, features),
// where heads is a multiple of key heads. mask_mode: "", "array" or "causal" (aligned to the end of the keys). A bool
// mask keeps where true, another is added. sinks: one logit per head that takes part in the softmax without a value.
array scaled_dot_product_attention(const array& queries, const array& keys, const array& values, const float scale,
                                   const std::string& mask_mode = "", std::optional<array> mask_arr = {},
                                   const std::optional<array>& sinks = {}, bool force_fused = false,
                                   StreamOrDevice s = {});

// logsumexp(logits) - logits[target] over the last axis, float32. Targets: integer class ids.
array cross_entropy(const array& logits, const array& targets, StreamOrDevice s = {});

// The gated delta rule (Yang et al., "Gated Delta Networks", 2024). q, k (B, T, Hk, Dk), v (B, T, Hv, Dv), gamma, beta
// (B, T, Hv) or gamma (B, T, Hv, Dk), state (B, Hv, Dv, Dk), mask (B, T). Per step: state *= gamma;
// state += beta (v - state k) k^T; out = state q. Returns out (B, T, Hv, Dv) and the last state.
std::vector<array> gated_delta_update(const array& q, const array& k, const array& v, const array& gamma,
                                      const array& beta, const std::optional<array>& initial_state = std::nullopt,
                                      const std::optional<array>& mask = std::nullopt, StreamOrDevice s = {});

}  // namespace mlx::core::fast
