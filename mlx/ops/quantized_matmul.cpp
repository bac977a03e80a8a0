// quantized_matmul. The product is linear in x and in the scales and biases of the packed matrix.

#include <algorithm>

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/matrices.h"
#include "mlx/ops/quantize_checks.h"
#include "mlx/ops/quantized_product.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

Dtype product_dtype(const char* op, const Quantization& q, const array& x, const array& scales,
                    const std::optional<array>& biases) {
  Dtype t = q.affine() ? result_type(x, scales, *biases) : x.dtype();
  if (!issubdtype(t, floating))
    raise("[", op, "] The result must be real floating-point, but x is ", dtype_name(x.dtype()), ".");
  return t;
}

ShapeElem product_columns(const char* op, const Quantization& q, const array& x, const array& w,
                          bool transpose) {
  ShapeElem elements = q.elements(w.shape(-1)), inner = transpose ? elements : w.shape(-2);
  if (x.shape(-1) != inner)
    raise("[", op, "] The last axis of x with shape ", x.shape(), " must match the ", inner, " ",
          transpose ? "columns" : "rows", " of the packed w with shape ", w.shape(), ".");
  return transpose ? w.shape(-2) : elements;
}

namespace {

array product(const Quantization& q, bool transpose, const Arrays& inputs, const Stream& s) {
  Shape shape = broadcast_shapes(batch_shape(inputs[0].shape()), batch_shape(inputs[1].shape()));
  shape.push_back(inputs[0].shape(-2));
  shape.push_back(product_columns("quantized_matmul", q, inputs[0], inputs[1], transpose));
  return array(std::move(shape), inputs[0].dtype(), std::make_shared<QuantizedMatmul>(s, q, transpose),
               inputs);
}

}  // namespace

array packed_cotangent(const array& x, const array& ct, bool transpose, const Shape& leading,
                       const Stream& s) {
  const array &rows = transpose ? ct : x, &columns = transpose ? x : ct;
  if (leading.empty()) return matmul(transposed(flatten(rows, 0, -2, s), s), flatten(columns, 0, -2, s), s);
  array full = matmul(transposed(rows, s), columns, s);
  Shape shape = leading;
  shape.push_back(full.shape(-2));
  shape.push_back(full.shape(-1));
  return sum_to_shape(full, shape, s);
}

void check_product_argnums(const char* op, const Quantization& q, const std::vector<int>& argnums) {
  for (int i : argnums) {
    if (i == 1) raise<std::runtime_error>("[", op, "] There is no derivative by packed values.");
    if (i == 2 && !q.affine())
      raise("[", op, "] There is no derivative by the scales of the mode ",
            quantization_mode_to_string(q.mode), ".");
  }
}

array quantized_matmul(const array& x, const array& w, const array& scales,
                       const std::optional<array>& biases, bool transpose, std::optional<int> group_size,
                       std::optional<int> bits, const std::string& mode, StreamOrDevice s) {
  Quantization q = checked_quantization("quantized_matmul", group_size, bits, mode);
  check_packed("quantized_matmul", q, w, scales, biases);
  Dtype t = product_dtype("quantized_matmul", q, x, scales, biases);
  if (x.ndim() == 0) raise("[quantized_matmul] x must have at least one dimension.");
  Stream stream = to_stream(s);
  array rows = astype(x, t, stream);
  if (x.ndim() == 1) rows = expand_dims(rows, 0, stream);
  Arrays inputs{rows, w, q.affine() ? astype(scales, t, stream) : scales};
  if (q.affine()) inputs.push_back(astype(*biases, t, stream));
  array out = product(q, transpose, inputs, stream);
  return x.ndim() == 1 ? squeeze(out, -2, stream) : out;
}

std::vector<Shape> QuantizedMatmul::output_shapes(const Arrays& inputs) {
  std::optional<array> biases;
  if (q_.affine()) biases = inputs[3];
  check_packed("quantized_matmul", q_, inputs[1], inputs[2], biases);
  return {product(q_, transpose_, inputs, stream()).shape()};
}

Arrays QuantizedMatmul::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  check_product_argnums("quantized_matmul", q_, argnums);
  std::optional<array> total;
  Arrays by_scales = primals;
  bool scaled = false;
  for (size_t i = 2; i < primals.size() && q_.affine(); i++) by_scales[i] = zeros_like(primals[i], stream());
  for (size_t k = 0; k < argnums.size(); k++) {
    if (argnums[k] == 0) {
      Arrays in = primals;
      in[0] = tangents[k];
      total = product(q_, transpose_, in, stream());
    } else {
      by_scales[argnums[k]] = tangents[k];
      scaled = true;
    }
  }
  if (scaled) accumulate(total, product(q_, transpose_, by_scales, stream()), stream());
  return {*total};
}

Arrays QuantizedMatmul::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                            const Arrays&) {
  check_product_argnums("quantized_matmul", q_, argnums);
  const Stream& s = stream();
  Dtype wide = primals[0].dtype() == float64 ? float64 : float32;
  Arrays result;
  for (int i : argnums) {
    if (i == 0) {
      Arrays in = primals;
      in[0] = cotangents[0];
      result.push_back(sum_to_shape(product(q_, !transpose_, in, s), primals[0].shape(), s));
      continue;
    }
    array ct = packed_cotangent(astype(primals[0], wide, s), astype(cotangents[0], wide, s), transpose_,
                                batch_shape(primals[1].shape()), s);
    if (i == 2) ct = multiply(ct, codes_of(q_, primals[1], primals[2], wide, s), s);
    result.push_back(astype(group_sums(q_, ct, s), primals[i].dtype(), s));
  }
  return result;
}

std::pair<Arrays, std::vector<int>> QuantizedMatmul::vmap(const Arrays& inputs,
                                                          const std::vector<int>& axes) {
  const Stream& s = stream();
  bool shared = inputs[1].ndim() == 2;
  for (size_t i = 1; i < axes.size(); i++) shared &= axes[i] < 0;
  Arrays in;
  if (shared) {
    in = inputs;
    in[0] = moveaxis(inputs[0], axes[0], 0, s);
    return {{product(q_, transpose_, in, s)}, {0}};
  }
  // The parts of the packed matrix must stay of one shape.
  std::vector<int> packed_axes(axes.begin() + 1, axes.end());
  bool any = std::any_of(packed_axes.begin(), packed_axes.end(), [](int axis) { return axis >= 0; });
  ShapeElem size = batch_size(inputs, axes);
  Arrays in_front{inputs[0]};
  std::vector<int> front_axes{axes[0]};
  for (size_t i = 1; i < inputs.size(); i++) {
    in_front.push_back(any ? batch_to_front(inputs[i], axes[i], size, s) : inputs[i]);
    front_axes.push_back(any ? 0 : -1);
  }
  return {{product(q_, transpose_, align_batch(in_front, front_axes, s), s)}, {0}};
}

}  // namespace mlx::core
