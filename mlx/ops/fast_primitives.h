// Rotary position embedding, attention and the gated delta rule; see mlx/fast.h.
#pragma once

#include "mlx/ops/operation.h"

namespace mlx::core {

// Inputs: x (batch, ..., time, features); offset, one element or one per batch entry; for base 0 freqs too.
// With forward false turns the other way.
class RoPE : public Operation {
 public:
  RoPE(Stream s, int dims, bool traditional, float base, float scale, bool forward)
      : Operation(s), dims_(dims), traditional_(traditional), base_(base), scale_(scale), forward_(forward) {}
  MLX_OPERATION(RoPE, dims_, traditional_, base_, scale_, forward_)
  int dims() const { return dims_; }
  bool traditional() const { return traditional_; }
  float base() const { return base_; }
  float scale() const { return scale_; }
  bool forward() const { return forward_; }

 private:
  array turned(const array& x, const Arrays& rest, bool forward) const;
  array derivative_by_angle(const array& out) const;
  array angle_by_frequency(const Arrays& primals) const;

  int dims_;
  bool traditional_;
  float base_, scale_;
  bool forward_;
};

// Inputs: queries, keys, values, the mask where has_mask, the sinks where has_sinks; all of the result's
// dtype but a bool mask, which broadcasts to (batch, heads, time, key time) and has four dimensions.
class ScaledDotProductAttention : public Operation {
 public:
  ScaledDotProductAttention(Stream s, double scale, bool causal, bool has_mask, bool has_sinks)
      : Operation(s), scale_(scale), causal_(causal), has_mask_(has_mask), has_sinks_(has_sinks) {}
  MLX_OPERATION(ScaledDotProductAttention, scale_, causal_, has_mask_, has_sinks_)
  double scale() const { return scale_; }
  bool causal() const { return causal_; }
  bool has_mask() const { return has_mask_; }
  bool has_sinks() const { return has_sinks_; }

 private:
  struct Parts;  // what the derivatives share
  Parts parts(const Arrays& primals) const;

  double scale_;
  bool causal_, has_mask_, has_sinks_;
};

// Inputs: q, k, v, gamma, beta, state, the mask (bool) where has_mask. Outputs: out and the last state. All
// but out and the mask are float32 (float64 where v is); out has v's dtype.
class GatedDeltaUpdate : public Operation {
 public:
  GatedDeltaUpdate(Stream s, bool has_mask) : Operation(s), has_mask_(has_mask) {}
  MLX_OPERATION(GatedDeltaUpdate, has_mask_)
  bool has_mask() const { return has_mask_; }

 private:
  bool has_mask_;
};

}  // namespace mlx::core
