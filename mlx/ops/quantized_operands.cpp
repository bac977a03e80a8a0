// qqmm and gather_qqmm, products of two quantized operands: x is rounded to what its quantized form holds,
// and the derivatives pass straight through the rounding (Bengio et al., 2013).

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/matrices.h"
#include "mlx/ops/quantize_checks.h"
#include "mlx/ops/quantized_product.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

namespace {

array rounded(const Quantization& q, const Arrays& inputs, const Stream& s) {
  const Shape& shape = inputs[0].shape();
  if (shape.back() % q.group_size != 0)
    raise("[quantize] The last axis of an array of shape ", shape, " must be divisible by the group size ",
          q.group_size, ".");
  return array(shape, float32, std::make_shared<RoundToQuantized>(s, q), inputs);
}

}  // namespace

QuantizedOperands quantized_operands(const char* op, const array& x, const array& w,
                                     const std::optional<array>& scales, std::optional<int> group_size,
                                     std::optional<int> bits, const std::string& mode,
                                     const std::optional<array>& global_scale_x,
                                     const std::optional<array>& global_scale_w, ShapeElem matrices,
                                     StreamOrDevice s) {
  Quantization q = checked_quantization(op, group_size, bits, mode);
  if (!issubdtype(x.dtype(), floating) || x.dtype() == float64)
    raise("[", op, "] x must be float16, bfloat16 or float32, but is ", dtype_name(x.dtype()), ".");
  if (x.ndim() == 0) raise("[", op, "] x must have at least one dimension.");
  if (global_scale_x.has_value() != global_scale_w.has_value())
    raise("[", op, "] Global scales must be given for both x and w or for none.");
  check_global_scale(op, q, global_scale_x);
  check_global_scale(op, q, global_scale_w, matrices);
  bool packed = w.dtype() == uint32;
  if (packed != scales.has_value())
    raise("[", op, "] ", packed ? "A packed w needs scales." : "A w that is not packed has no scales.");
  Stream stream = to_stream(s);
  Arrays in{x};
  if (global_scale_x) in.push_back(*global_scale_x);
  QuantizedOperands o{q, rounded(q, in, stream), w, {}, {}};
  if (packed) {
    check_packed(op, q, w, *scales, std::nullopt);
    o.packed = w;
    o.scales = *scales;
    return o;
  }
  if (!issubdtype(w.dtype(), floating) || w.dtype() == float64)
    raise("[", op, "] w must be packed (uint32), float16, bfloat16 or float32, but is ",
          dtype_name(w.dtype()), ".");
  if (w.shape(-1) != x.shape(-1))
    raise("[", op, "] The last axes of x with shape ", x.shape(), " and w with shape ", w.shape(),
          " must match.");
  Arrays in_w{w};
  if (global_scale_w && matrices == 1) in_w.push_back(*global_scale_w);
  o.w = rounded(q, in_w, stream);
  return o;
}

array qqmm(const array& x, const array& w, const std::optional<array>& w_scales,
           std::optional<int> group_size, std::optional<int> bits, const std::string& mode,
           const std::optional<array>& global_scale_x, const std::optional<array>& global_scale_w,
           StreamOrDevice s) {
  if (w.ndim() != 2) raise("[qqmm] w must have 2 dimensions, but has shape ", w.shape(), ".");
  QuantizedOperands o = quantized_operands("qqmm", x, w, w_scales, group_size, bits, mode, global_scale_x,
                                           global_scale_w, 1, s);
  if (!o.packed) return astype(matmul(o.x, swapaxes(o.w, -1, -2, s), s), x.dtype(), s);
  array out =
      quantized_matmul(o.x, *o.packed, *o.scales, std::nullopt, true, o.q.group_size, o.q.bits, mode, s);
  if (global_scale_w) {
    array relative = divide(reshape(*global_scale_w, {}, s), array(kGlobalRange, float32), s);
    out = multiply(out, relative, s);
  }
  return astype(out, x.dtype(), s);
}

array gather_qqmm(const array& x, const array& w, const std::optional<array>& scales_w,
                  const std::optional<array>& lhs_indices, const std::optional<array>& rhs_indices,
                  std::optional<int> group_size, std::optional<int> bits, const std::string& mode,
                  const std::optional<array>& global_scale_x, const std::optional<array>& global_scale_w,
                  bool sorted_indices, StreamOrDevice s) {
  if (w.ndim() < 2 || x.ndim() < 2)
    raise("[gather_qqmm] x and w must have at least 2 dimensions, but have shapes ", x.shape(), " and ",
          w.shape(), ".");
  ShapeElem matrices = static_cast<ShapeElem>(element_count(batch_shape(w.shape())));
  Stream stream = to_stream(s);
  if (w.dtype() != uint32 && global_scale_w && matrices != 1) {
    raise("[gather_qqmm] A w that is not packed takes no global scales.");
  }
  QuantizedOperands o = quantized_operands("gather_qqmm", x, w, scales_w, group_size, bits, mode,
                                           global_scale_x, global_scale_w, matrices, stream);
  array out = o.x;
  if (o.packed)
    out = gather_qmm(o.x, *o.packed, *o.scales, std::nullopt, lhs_indices, rhs_indices, true, o.q.group_size,
                     o.q.bits, mode, sorted_indices, stream, global_scale_w);
  else
    out = gather_mm(o.x, swapaxes(o.w, -1, -2, stream), lhs_indices, rhs_indices, sorted_indices, stream);
  return astype(out, x.dtype(), stream);
}

std::vector<Shape> RoundToQuantized::output_shapes(const Arrays& inputs) { return {inputs[0].shape()}; }
Arrays RoundToQuantized::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  for (size_t k = 0; k < argnums.size(); k++) {
    if (argnums[k] == 0) return {astype(tangents[k], float32, stream())};
  }
  return {zeros_like(primals[0], float32, stream())};
}
Arrays RoundToQuantized::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                             const Arrays&) {
  Arrays result;
  for (int i : argnums)
    result.push_back(i == 0 ? astype(cotangents[0], primals[0].dtype(), stream())
                            : zeros_like(primals[i], stream()));
  return result;
}
std::pair<Arrays, std::vector<int>> RoundToQuantized::vmap(const Arrays& inputs,
                                                           const std::vector<int>& axes) {
  if (inputs.size() > 1 && axes[1] >= 0) throw NoRule("[vmap] No rule for a batch of global scales.");
  Arrays in = inputs;
  in[0] = moveaxis(inputs[0], axes[0], 0, stream());
  return {{rounded(q_, in, stream())}, {0}};
}

}  // namespace mlx::core
