// Checks of products, quantized arrays, norms, attention, linear algebra and Fourier transforms from a file. See
// export_check.h.

#include "mlx/fast.h"
#include "mlx/graph/export_check_step.h"
#include "mlx/ops.h"
#include "mlx/ops/linalg_nodes.h"
#include "mlx/ops/quantize_checks.h"

namespace mlx::core::export_detail {

// Products

Dtypes check(const Matmul& p, const Step& step) {
  return step.built(p, 2, [&] { return matmul(step.x[0], step.x[1], step.s); });
}
Dtypes check(const AddMM& p, const Step& step) {
  return step.built(p, 3, [&] { return addmm(step.x[2], step.x[0], step.x[1], p.alpha(), p.beta(), step.s); });
}
Dtypes check(const GatherMM& p, const Step& step) {
  return step.built(p, 4, [&] { return gather_mm(step.x[0], step.x[1], step.x[2], step.x[3], false, step.s); });
}
Dtypes check(const SegmentedMM& p, const Step& step) {
  return step.built(p, 3, [&] { return segmented_mm(step.x[0], step.x[1], step.x[2], step.s); });
}
Dtypes check(const Convolution& p, const Step& step) {
  const ConvolutionGeometry& g = p.geometry();
  return step.built(p, 2, [&] {
    return conv_general(step.x[0], step.x[1], g.stride, g.padding_lo, g.padding_hi, g.kernel_dilation,
                        g.input_dilation, g.groups, g.flip, step.s);
  });
}

// Quantization

static std::string mode_of(const Quantization& q, const Step& step) {
  step.need(q.mode >= QuantizationMode::Affine && q.mode <= QuantizationMode::Nvfp4);
  return quantization_mode_to_string(q.mode);
}
// The input at a place where the mode wants it, or where there may be one.
static std::optional<array> optional_input(const Step& step, size_t i, bool given) {
  return given ? std::optional(step.x[i]) : std::nullopt;
}

Dtypes check(const Quantize& p, const Step& step) {
  const Quantization& q = p.quantization();
  std::string mode = mode_of(q, step);
  size_t n = std::clamp<size_t>(step.x.size(), 1, 2);
  return step.built(p, n, [&] {
    return quantize(step.x[0], q.group_size, q.bits, mode, optional_input(step, 1, n == 2), step.s);
  });
}
Dtypes check(const Dequantize& p, const Step& step) {
  const Quantization& q = p.quantization();
  std::string mode = mode_of(q, step);
  size_t n = std::clamp<size_t>(step.x.size(), 2, 3);
  return step.built(p, n, [&] {
    std::optional<array> biases = optional_input(step, 2, n == 3 && q.affine());
    std::optional<array> global_scale = optional_input(step, 2, n == 3 && !q.affine());
    return dequantize(step.x[0], step.x[1], biases, q.group_size, q.bits, mode, global_scale, std::get<1>(p.state()),
                      step.s);
  });
}
Dtypes check(const RoundToQuantized& p, const Step& step) {
  const Quantization& q = p.quantization();
  checked_quantization("quantize", q.group_size, q.bits, mode_of(q, step));
  step.need(step.x.size() == 1 || step.x.size() == 2);
  step.is(0, floating);
  const array& x = step.x[0];
  step.need(x.dtype() != float64 && x.ndim() > 0 && x.shape(-1) % q.group_size == 0);
  check_global_scale("quantize", q, optional_input(step, 1, step.x.size() == 2));
  return {float32};
}
Dtypes check(const QuantizedMatmul& p, const Step& step) {
  const Quantization& q = p.quantization();
  std::string mode = mode_of(q, step);
  return step.built(p, 3 + q.affine(), [&] {
    return quantized_matmul(step.x[0], step.x[1], step.x[2], optional_input(step, 3, q.affine()), p.transpose(),
                            q.group_size, q.bits, mode, step.s);
  });
}
Dtypes check(const GatherQMM& p, const Step& step) {
  const Quantization& q = p.quantization();
  std::string mode = mode_of(q, step);
  size_t n = std::clamp<size_t>(step.x.size(), 5 + q.affine(), 6);
  return step.built(p, n, [&] {
    return gather_qmm(step.x[0], step.x[1], step.x[2], optional_input(step, 3, q.affine()), step.x[n - 2],
                      step.x[n - 1], p.transpose(), q.group_size, q.bits, mode, false, step.s,
                      optional_input(step, 3, n == 6 && !q.affine()));
  });
}
Dtypes check(const ConvertFP8& p, const Step& step) {
  Dtype t = std::get<0>(p.state());
  return step.built(p, 1, [&] { return t == uint8 ? to_fp8(step.x[0], step.s) : from_fp8(step.x[0], t, step.s); });
}

// Norms and attention

static Dtypes check_norm(const Operation& p, const NormSpec& spec, const Step& step) {
  size_t n = 1 + spec.has_weight + spec.has_bias;
  return step.built(p, n, [&] {
    std::optional<array> weight = optional_input(step, 1, spec.has_weight);
    std::optional<array> bias = optional_input(step, n - 1, spec.has_bias);
    return spec.centered ? fast::layer_norm(step.x[0], weight, bias, spec.eps, step.s)
                         : fast::rms_norm(step.x[0], weight, spec.eps, step.s);
  });
}
Dtypes check(const LayerNorm& p, const Step& step) { return check_norm(p, p.spec(), step); }
Dtypes check(const RMSNorm& p, const Step& step) { return check_norm(p, p.spec(), step); }

static Dtypes check_norm_gradients(const NormSpec& spec, bool centered, const Step& step) {
  step.count(2 + spec.has_weight);
  step.is(0, floating);
  step.common_dtype();
  const array& x = step.x[0];
  step.need(spec.centered == centered && (centered || !spec.has_bias) && x.ndim() > 0);
  step.need(step.x.back().shape() == x.shape());
  if (spec.has_weight) step.need(step.x[1].shape() == Shape{x.shape(-1)});
  return Dtypes(1 + spec.has_weight + spec.has_bias, x.dtype());
}
Dtypes check(const LayerNormVJP& p, const Step& step) { return check_norm_gradients(p.spec(), true, step); }
Dtypes check(const RMSNormVJP& p, const Step& step) { return check_norm_gradients(p.spec(), false, step); }

// The frequencies and the direction are not what a user gives: both directions check alike.
Dtypes check(const RoPE& p, const Step& step) {
  bool has_base = step.x.size() == 2;
  step.need(has_base || step.x.size() == 3);
  std::optional<float> base;
  if (has_base) base = p.base();
  step.need(has_base || p.base() == 0);
  array made = fast::rope(step.x[0], p.dims(), p.traditional(), base, p.scale(), step.x[1],
                          optional_input(step, 2, !has_base), step.s);
  step.need(has_base || made.inputs()[2].id() == step.x[2].id());
  return {made.dtype()};
}
Dtypes check(const ScaledDotProductAttention& p, const Step& step) {
  size_t n = 3 + p.has_mask() + p.has_sinks();
  return step.built(p, n, [&] {
    return fast::scaled_dot_product_attention(
        step.x[0], step.x[1], step.x[2], p.scale(), p.causal() ? "causal" : p.has_mask() ? "array" : "",
        optional_input(step, 3, p.has_mask()), optional_input(step, n - 1, p.has_sinks()), false, step.s);
  });
}
Dtypes check(const GatedDeltaUpdate& p, const Step& step) {
  constexpr size_t v = 2, state = 5, mask = 6;
  step.count(mask + p.has_mask());
  step.is(v, floating);
  Dtype wide = step.x[v].dtype() == float64 ? float64 : float32;
  for (size_t i = 0; i <= state; i++) step.need(i == v || step.x[i].dtype() == wide);
  if (p.has_mask()) step.need(step.x[mask].dtype() == bool_);
  return {step.x[v].dtype(), wide};
}

// Linear algebra

// The shape rules check that matrices are square where they have to be and fit the right-hand side.
static Dtypes matrices(const Operation& p, size_t n, const Step& step) {
  step.count(n);
  Dtype t = step.common_dtype()[0];
  step.need(t == float32 || t == float64 || t == complex64);
  for (const array& x : step.x) step.need(x.ndim() >= 2);
  return output_dtypes(p, t);
}
Dtypes check(const Det& p, const Step& step) {
  step.need(p.part() >= Det::Part::value && p.part() <= Det::Part::cofactors);
  return matrices(p, 1, step);
}
Dtypes check(const SVD& p, const Step& step) {
  step.need(p.part() >= SVD::Part::values && p.part() <= SVD::Part::full);
  return matrices(p, 1, step);
}
Dtypes check(const Cholesky& p, const Step& step) { return matrices(p, 1, step); }
Dtypes check(const Eig& p, const Step& step) { return matrices(p, 1, step); }
Dtypes check(const Eigh& p, const Step& step) { return matrices(p, 1, step); }
Dtypes check(const Inverse& p, const Step& step) { return matrices(p, 1, step); }
Dtypes check(const LU& p, const Step& step) { return matrices(p, 1, step); }
Dtypes check(const Pinv& p, const Step& step) { return matrices(p, 1, step); }
Dtypes check(const QR& p, const Step& step) { return matrices(p, 1, step); }
Dtypes check(const Solve& p, const Step& step) { return matrices(p, 2, step); }
Dtypes check(const SolveTriangular& p, const Step& step) { return matrices(p, 2, step); }

// Fourier transforms

Dtypes check(const FFT& p, const Step& step) {
  step.count(1);
  step.distinct(p.axes());
  step.need(p.scaling() >= 0 && p.scaling() <= 2 && (!p.real() || !p.axes().empty()));
  bool takes_real = p.real() && !p.inverse();
  step.need(step.x[0].dtype() == (takes_real ? float32 : complex64));
  ShapeElem real_size = std::get<3>(p.state());
  if (p.real() && p.inverse() && real_size != 0) {
    step.need(real_size > 0 && step.x[0].shape(p.axes().back()) == real_size / 2 + 1);
  }
  return {p.real() && p.inverse() ? float32 : complex64};
}

}  // namespace mlx::core::export_detail
