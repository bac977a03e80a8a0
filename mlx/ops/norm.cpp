// fast::layer_norm and fast::rms_norm: arguments, nodes, and the primitives' rules by reference to
// norm_rules.cpp.

#include "mlx/core/error.h"
#include "mlx/fast.h"
#include "mlx/ops.h"
#include "mlx/ops/norm_primitives.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

namespace {

const char* name_of(bool centered) { return centered ? "layer_norm" : "rms_norm"; }

void check_parameter(const char* name, const char* what, const array& p, const array& x) {
  if (p.ndim() == 1 && p.shape(0) == x.shape(-1)) return;
  raise("[", name, "] The ", what, " must have one dimension of the size of x's last axis, ", x.shape(-1),
        ", but has shape ", p.shape(), ".");
}

array normalize(bool centered, const array& x, const std::optional<array>& weight, const std::optional<array>& bias,
                double eps, StreamOrDevice s) {
  const char* name = name_of(centered);
  if (x.ndim() == 0) raise("[", name, "] x must have at least one dimension.");
  Dtype dtype = x.dtype();
  if (weight) dtype = promote_types(dtype, weight->dtype());
  if (bias) dtype = promote_types(dtype, bias->dtype());
  if (!issubdtype(dtype, floating)) {
    raise("[", name, "] The promoted dtype of the arguments must be real floating-point, but is ",
          dtype_name(dtype), ".");
  }
  Arrays inputs{astype(x, dtype, s)};
  if (weight) {
    check_parameter(name, "weight", *weight, x);
    inputs.push_back(astype(*weight, dtype, s));
  }
  if (bias) {
    check_parameter(name, "bias", *bias, x);
    inputs.push_back(astype(*bias, dtype, s));
  }
  return norm({eps, centered, weight.has_value(), bias.has_value()}, inputs, to_stream(s));
}

std::vector<Shape> norm_shapes(const NormSpec& spec, const Arrays& inputs) {
  const char* name = name_of(spec.centered);
  if (spec.has_weight) check_parameter(name, "weight", inputs[1], inputs[0]);
  if (spec.has_bias) check_parameter(name, "bias", inputs.back(), inputs[0]);
  return {inputs[0].shape()};
}

std::vector<Shape> gradient_shapes(const NormSpec& spec, const Arrays& inputs) {
  std::vector<Shape> shapes{inputs[0].shape()};
  Shape parameter{inputs[0].shape(-1)};
  if (spec.has_weight) shapes.push_back(parameter);
  if (spec.has_bias) shapes.push_back(parameter);
  return shapes;
}

Arrays picked(const Arrays& all, const std::vector<int>& argnums) {
  Arrays result;
  for (int i : argnums) result.push_back(all[i]);
  return result;
}

// The gradients in the order of the inputs.
Arrays norm_vjp(const NormSpec& spec, const Arrays& primals, const array& cotangent,
                const std::vector<int>& argnums, const Stream& s) {
  Arrays inputs{primals[0]};
  if (spec.has_weight) inputs.push_back(primals[1]);
  inputs.push_back(cotangent);
  return picked(norm_gradients(spec, inputs, s), argnums);
}

std::vector<int> zeros_of(size_t n) { return std::vector<int>(n, 0); }

}  // namespace

namespace fast {

array rms_norm(const array& x, const std::optional<array>& weight, double eps, StreamOrDevice s) {
  return normalize(false, x, weight, std::nullopt, eps, s);
}
array layer_norm(const array& x, const std::optional<array>& weight, const std::optional<array>& bias,
                 double eps, StreamOrDevice s) {
  return normalize(true, x, weight, bias, eps, s);
}

}  // namespace fast

array norm(const NormSpec& spec, const Arrays& inputs, const Stream& s) {
  std::shared_ptr<Primitive> p;
  if (spec.centered)
    p = std::make_shared<LayerNorm>(s, spec);
  else
    p = std::make_shared<RMSNorm>(s, spec);
  return array(inputs[0].shape(), inputs[0].dtype(), std::move(p), inputs);
}

Arrays norm_gradients(const NormSpec& spec, const Arrays& inputs, const Stream& s) {
  std::shared_ptr<Primitive> p;
  if (spec.centered)
    p = std::make_shared<LayerNormVJP>(s, spec);
  else
    p = std::make_shared<RMSNormVJP>(s, spec);
  std::vector<Shape> shapes = gradient_shapes(spec, inputs);
  std::vector<Dtype> dtypes(shapes.size(), inputs[0].dtype());
  return array::make_arrays(std::move(shapes), dtypes, p, inputs);
}

#define MLX_NORM_RULES(Class)                                                                           \
  std::vector<Shape> Class::output_shapes(const Arrays& inputs) { return norm_shapes(spec_, inputs); }  \
  Arrays Class::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {   \
    return norm_jvp(spec_, primals, tangents, argnums, stream());                                       \
  }                                                                                                     \
  Arrays Class::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,   \
                    const Arrays&) {                                                                    \
    return norm_vjp(spec_, primals, cotangents[0], argnums, stream());                                  \
  }                                                                                                     \
  std::pair<Arrays, std::vector<int>> Class::vmap(const Arrays& inputs, const std::vector<int>& axes) { \
    return {{norm_vmap(spec_, inputs, axes, stream())}, {0}};                                           \
  }
MLX_NORM_RULES(LayerNorm)
MLX_NORM_RULES(RMSNorm)
#undef MLX_NORM_RULES

#define MLX_NORM_VJP_RULES(Class)                                                                          \
  std::vector<Shape> Class::output_shapes(const Arrays& inputs) { return gradient_shapes(spec_, inputs); } \
  Arrays Class::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {      \
    return norm_gradients_jvp(spec_, primals, tangents, argnums, stream());                                \
  }                                                                                                        \
  Arrays Class::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,      \
                    const Arrays&) {                                                                       \
    return norm_gradients_vjp(spec_, primals, cotangents, argnums, stream());                              \
  }                                                                                                        \
  std::pair<Arrays, std::vector<int>> Class::vmap(const Arrays& inputs, const std::vector<int>& axes) {    \
    Arrays out = norm_gradients_vmap(spec_, inputs, axes, stream());                                       \
    return {out, zeros_of(out.size())};                                                                    \
  }
MLX_NORM_VJP_RULES(LayerNormVJP)
MLX_NORM_VJP_RULES(RMSNormVJP)
#undef MLX_NORM_VJP_RULES

}  // namespace mlx::core
