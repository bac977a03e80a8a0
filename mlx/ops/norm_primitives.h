// Layer norm and root mean square norm over the last axis, and their gradients.
#pragma once

#include "mlx/ops/operation.h"

namespace mlx::core {

struct NormSpec {
  double eps;
  bool centered;  // layer norm
  bool has_weight, has_bias;
  bool operator==(const NormSpec&) const = default;
  auto fields() { return std::tie(eps, centered, has_weight, has_bias); }
};

// Inputs: x and, where present, weight and bias, all of the output's dtype.
#define MLX_NORM_PRIMITIVE(Class)                                 \
  class Class : public Operation {                                \
   public:                                                        \
    Class(Stream s, NormSpec spec) : Operation(s), spec_(spec) {} \
    MLX_OPERATION(Class, spec_)                                   \
    const NormSpec& spec() const { return spec_; }                \
                                                                  \
   private:                                                       \
    NormSpec spec_;                                               \
  };
MLX_NORM_PRIMITIVE(LayerNorm)
MLX_NORM_PRIMITIVE(RMSNorm)
// Inputs: x, weight where present, cotangent. Outputs: the gradients of x and, where present, of
// weight and bias.
MLX_NORM_PRIMITIVE(LayerNormVJP)
MLX_NORM_PRIMITIVE(RMSNormVJP)
#undef MLX_NORM_PRIMITIVE

// The primitives' nodes.
array norm(const NormSpec& spec, const Arrays& inputs, const Stream& s);
Arrays norm_gradients(const NormSpec& spec, const Arrays& inputs, const Stream& s);

// Their rules, shared by both kinds; see norm_rules.cpp.
Arrays norm_jvp(const NormSpec& spec, const Arrays& primals, const Arrays& tangents,
                const std::vector<int>& argnums, const Stream& s);
array norm_vmap(const NormSpec& spec, const Arrays& inputs, const std::vector<int>& axes,
                const Stream& s);
Arrays norm_gradients_jvp(const NormSpec& spec, const Arrays& primals, const Arrays& tangents,
                          const std::vector<int>& argnums, const Stream& s);
Arrays norm_gradients_vjp(const NormSpec& spec, const Arrays& primals, const Arrays& cotangents,
                          const std::vector<int>& argnums, const Stream& s);
Arrays norm_gradients_vmap(const NormSpec& spec, const Arrays& inputs, const std::vector<int>& axes,
                           const Stream& s);

}  // namespace mlx::core
