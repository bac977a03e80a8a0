// Fused operations.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "mlx/array.h"
#include "mlx/utils.h"

namespace mlx::core::fast {

// x / sqrt(mean(x^2) + eps) * weight over the last axis. The result has the promoted dtype of x and weight,
// which must be real floating-point; half types are computed in float32. The weight is one-dimensional.
array rms_norm(const array& x, const std::optional<array>& weight, double eps, StreamOrDevice s = {});

// (x - mean(x)) / sqrt(var(x) + eps) * weight + bias over the last axis, with the rules of rms_norm.
array layer_norm(const array& x, const std::optional<array>& weight, const std::optional<array>& bias,
                 double eps, StreamOrDevice s = {});

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
array scaled_dot_product_attention(const array& queries, const array& keys, const array& values, double scale,
                                   const std::string& mask_mode = "", std::optional<array> mask_arr = {},
                                   const std::optional<array>& sinks = {}, bool force_fused = false,
                                   StreamOrDevice s = {});

// logsumexp(logits) - logits[target] over the last axis, float32. Targets: integer class ids, taken as indices are.
array cross_entropy(const array& logits, const array& targets, StreamOrDevice s = {});

// The gated delta rule (Yang et al., "Gated Delta Networks", 2024). q, k (B, T, Hk, Dk), v (B, T, Hv, Dv), gamma, beta
// (B, T, Hv) or gamma (B, T, Hv, Dk), state (B, Hv, Dv, Dk), mask (B, T). Per step: state *= gamma;
// state += beta (v - state k) k^T; out = state q. Returns out (B, T, Hv, Dv) and the last state.
std::vector<array> gated_delta_update(const array& q, const array& k, const array& v, const array& gamma,
                                      const array& beta, const std::optional<array>& initial_state = std::nullopt,
                                      const std::optional<array>& mask = std::nullopt, StreamOrDevice s = {});

// Kernels given as text. No GPU backend is there yet: a Metal kernel throws std::runtime_error when it is called, a
// CUDA kernel when it is made.
using TemplateArg = std::variant<int, bool, Dtype>;
using ScalarArg = std::variant<bool, int, float>;
using CompileOptions = std::map<std::string, std::variant<bool, int, std::string>>;
// Takes inputs, output shapes, output dtypes, grid, threadgroup, template arguments, initial value, verbose, stream.
using CustomKernelFunction = std::function<std::vector<array>(
    const std::vector<array>&, const std::vector<Shape>&, const std::vector<Dtype>&, std::tuple<int, int, int>,
    std::tuple<int, int, int>, std::vector<std::pair<std::string, TemplateArg>>, std::optional<float>, bool,
    StreamOrDevice)>;

CustomKernelFunction metal_kernel(const std::string& name, const std::vector<std::string>& input_names,
                                  const std::vector<std::string>& output_names, const std::string& source,
                                  const std::string& header = "", bool ensure_row_contiguous = true,
                                  bool atomic_outputs = false, const CompileOptions& compile_options = {});
CustomKernelFunction cuda_kernel(const std::string& name, const std::vector<std::string>& input_names,
                                 const std::vector<std::string>& output_names, const std::string& source,
                                 const std::string& header = "", bool ensure_row_contiguous = true,
                                 int shared_memory = 0);
std::vector<array> precompiled_cuda_kernel(const std::string& name, const std::string& compiled_source,
                                           const std::vector<array>& inputs, const std::vector<Shape>& output_shapes,
                                           const std::vector<Dtype>& output_dtypes,
                                           const std::vector<ScalarArg>& scalars, std::tuple<int, int, int> grid,
                                           std::tuple<int, int, int> threadgroup, int shared_memory = 0,
                                           std::optional<float> init_value = std::nullopt,
                                           bool ensure_row_contiguous = false, StreamOrDevice s = {});

}  // namespace mlx::core::fast
