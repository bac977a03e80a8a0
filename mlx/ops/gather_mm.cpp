// gather_mm, gather_qmm and segmented_mm: products of matrices that indices or segments name.

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/matmul_primitives.h"
#include "mlx/ops/matrices.h"
#include "mlx/ops/quantize_checks.h"
#include "mlx/ops/quantized_product.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

namespace {

struct Indices {
  array left, right;
};

void check_integer(const char* op, const char* what, const array& x) {
  if (!issubdtype(x.dtype(), integer))
    raise("[", op, "] ", what, " must be integers, but are ", dtype_name(x.dtype()), ".");
}

// Numbers of the matrices over the flattened leading axes.
array all_matrices(const array& x, const Stream& s) {
  note_size_read();
  Shape leading = batch_shape(x.shape());
  return reshape(arange(double(element_count(leading)), uint32, s), leading, s);
}

Indices checked_indices(const char* op, const array& a, const array& b, const std::optional<array>& left,
                        const std::optional<array>& right, const Stream& s) {
  if (a.ndim() < 2 || b.ndim() < 2)
    raise("[", op, "] The operands must have at least 2 dimensions, but have shapes ", a.shape(), " and ",
          b.shape(), ".");
  array l = left ? *left : all_matrices(a, s), r = right ? *right : all_matrices(b, s);
  check_integer(op, "lhs_indices", l);
  check_integer(op, "rhs_indices", r);
  if (l.shape() == r.shape()) return {l, r};  // the shape rules see that this stays so
  Arrays both = broadcast_arrays({l, r}, s);
  return {both[0], both[1]};
}

Shape gathered_shape(const char* op, const Indices& i, ShapeElem rows, ShapeElem columns) {
  if (i.left.shape() != i.right.shape())
    raise("[", op, "] The indices had one shape when the function was traced, but have shapes ", i.left.shape(),
          " and ", i.right.shape(), ".");
  Shape shape = i.left.shape();
  shape.push_back(rows);
  shape.push_back(columns);
  return shape;
}

// The matrices with the leading axes as one.
array listed(const array& x, const Stream& s) {
  return x.ndim() == 2 ? expand_dims(x, 0, s) : flatten(x, 0, -3, s);
}

array taken(const array& x, const array& indices, const Stream& s) {
  return take(listed(x, s), indices, 0, s);
}

// Adds matrices (indices..., m, n) up where the indices say, in the shape of x.
array scattered(const array& x, const array& indices, const array& updates, const Stream& s) {
  array zero = zeros_like(listed(x, s), updates.dtype(), s);
  array sum = scatter_add(zero, indices, expand_dims(updates, static_cast<int>(indices.ndim()), s), 0, s);
  return astype(reshape(sum, x.shape(), s), x.dtype(), s);
}

// Each product's own number, as an index.
array own_numbers(const array& indices, const Stream& s) {
  note_size_read();
  return reshape(arange(double(indices.size()), uint32, s), indices.shape(), s);
}

array gather_product(const array& a, const array& b, const Indices& i, const Stream& s) {
  if (a.shape(-1) != b.shape(-2))
    raise("[gather_mm] Last dimension of first input with shape ", a.shape(),
          " must match second to last dimension of second input with shape ", b.shape(), ".");
  return array(gathered_shape("gather_mm", i, a.shape(-2), b.shape(-1)), a.dtype(), std::make_shared<GatherMM>(s),
               {a, b, i.left, i.right});
}

// A batch of indices goes in front; batches of matrices run one by one.
Arrays batched_indices(const Arrays& inputs, const std::vector<int>& axes, const Stream& s) {
  size_t first = inputs.size() - 2;
  for (size_t i = 0; i < first; i++) {
    if (axes[i] >= 0) throw NoRule("[vmap] No rule for a batch of matrices to gather from.");
  }
  Arrays in = inputs;
  ShapeElem size = batch_size(inputs, axes);
  for (size_t i = first; i < inputs.size(); i++) in[i] = batch_to_front(inputs[i], axes[i], size, s);
  return in;
}

}  // namespace

array gather_mm(array a, array b, std::optional<array> lhs_indices, std::optional<array> rhs_indices, bool,
                StreamOrDevice s) {
  Stream stream = to_stream(s);
  Dtype t = result_type(a, b);
  if (!issubdtype(t, floating))
    raise("[gather_mm] The operands must be real floating-point, but promote to ", dtype_name(t), ".");
  Indices i = checked_indices("gather_mm", a, b, lhs_indices, rhs_indices, stream);
  return gather_product(astype(a, t, stream), astype(b, t, stream), i, stream);
}

std::vector<Shape> GatherMM::output_shapes(const Arrays& inputs) {
  return {gather_product(inputs[0], inputs[1], {inputs[2], inputs[3]}, stream()).shape()};
}
Arrays GatherMM::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  std::optional<array> total;
  Indices i{primals[2], primals[3]};
  for (size_t k = 0; k < argnums.size(); k++) {
    if (argnums[k] > 1) continue;
    array term = argnums[k] == 0 ? gather_product(tangents[k], primals[1], i, stream())
                                 : gather_product(primals[0], tangents[k], i, stream());
    accumulate(total, term, stream());
  }
  return {total ? *total : zeros(output_shapes(primals)[0], primals[0].dtype(), stream())};
}
Arrays GatherMM::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                     const Arrays&) {
  const Stream& s = stream();
  const array &a = primals[0], &b = primals[1];
  Indices i{primals[2], primals[3]};
  Arrays result;
  for (int input : argnums) {
    if (input > 1) {
      result.push_back(zeros_like(primals[input], s));
      continue;
    }
    array ct = cotangents[0], own = own_numbers(i.left, s);
    if (ct.ndim() == 2) ct = expand_dims(ct, 0, s);
    if (input == 0)
      result.push_back(scattered(a, i.left, gather_product(ct, transposed(b, s), {own, i.right}, s), s));
    else
      result.push_back(scattered(b, i.right, gather_product(transposed(a, s), ct, {i.left, own}, s), s));
  }
  return result;
}
std::pair<Arrays, std::vector<int>> GatherMM::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  Arrays in = batched_indices(inputs, axes, stream());
  return {{gather_product(in[0], in[1], {in[2], in[3]}, stream())}, {0}};
}

// --- quantized

namespace {

array gather_packed(const Quantization& q, bool transpose, const Arrays& in, const Stream& s) {
  ShapeElem columns = product_columns("gather_qmm", q, in[0], in[1], transpose);
  Shape shape = gathered_shape("gather_qmm", {in[in.size() - 2], in.back()}, in[0].shape(-2), columns);
  return array(std::move(shape), in[0].dtype(), std::make_shared<GatherQMM>(s, q, transpose), in);
}

}  // namespace

array gather_qmm(const array& x, const array& w, const array& scales, const std::optional<array>& biases,
                 std::optional<array> lhs_indices, std::optional<array> rhs_indices, bool transpose,
                 std::optional<int> group_size, std::optional<int> bits, const std::string& mode, bool,
                 StreamOrDevice s, const std::optional<array>& global_scale) {
  Stream stream = to_stream(s);
  Quantization q = checked_quantization("gather_qmm", group_size, bits, mode);
  check_packed("gather_qmm", q, w, scales, biases);
  Dtype t = product_dtype("gather_qmm", q, x, scales, biases);
  check_global_scale("gather_qmm", q, global_scale, static_cast<ShapeElem>(element_count(batch_shape(w.shape()))));
  Indices i = checked_indices("gather_qmm", x, w, lhs_indices, rhs_indices, stream);
  Arrays in{astype(x, t, stream), w, q.affine() ? astype(scales, t, stream) : scales};
  if (biases) in.push_back(astype(*biases, t, stream));
  if (global_scale) in.push_back(*global_scale);
  in.push_back(i.left);
  in.push_back(i.right);
  return gather_packed(q, transpose, in, stream);
}

std::vector<Shape> GatherQMM::output_shapes(const Arrays& inputs) {
  std::optional<array> biases;
  if (q_.affine()) biases = inputs[3];
  check_packed("gather_qmm", q_, inputs[1], inputs[2], biases);
  return {gather_packed(q_, transpose_, inputs, stream()).shape()};
}
Arrays GatherQMM::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  check_product_argnums("gather_qmm", q_, argnums);
  std::optional<array> total;
  Arrays by_scales = primals;
  bool scaled = false;
  int parameters = static_cast<int>(primals.size()) - 2;
  for (int i = q_.affine() ? 2 : 3; i < parameters; i++) by_scales[i] = zeros_like(primals[i], stream());
  for (size_t k = 0; k < argnums.size(); k++) {
    if (argnums[k] == 0) {
      Arrays in = primals;
      in[0] = tangents[k];
      total = gather_packed(q_, transpose_, in, stream());
    } else if (argnums[k] < parameters) {
      by_scales[argnums[k]] = tangents[k];
      scaled = true;
    }
  }
  if (scaled) accumulate(total, gather_packed(q_, transpose_, by_scales, stream()), stream());
  return {total ? *total : zeros(output_shapes(primals)[0], primals[0].dtype(), stream())};
}
Arrays GatherQMM::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                      const Arrays&) {
  check_product_argnums("gather_qmm", q_, argnums);
  const Stream& s = stream();
  int last = static_cast<int>(primals.size()) - 1;
  const array &x = primals[0], &w = primals[1], &left = primals[last - 1], &right = primals[last];
  Dtype wide = x.dtype() == float64 ? float64 : float32;
  array ct = cotangents[0].ndim() == 2 ? expand_dims(cotangents[0], 0, s) : cotangents[0];
  Arrays result;
  for (int i : argnums) {
    if (i >= last - 1) {
      result.push_back(zeros_like(primals[i], s));
    } else if (i == 0) {
      Arrays in = primals;
      in[0] = ct;
      in[last - 1] = own_numbers(left, s);
      result.push_back(scattered(x, left, gather_packed(q_, !transpose_, in, s), s));
    } else if (q_.affine()) {
      array rows = astype(taken(x, left, s), wide, s), out = astype(cotangents[0], wide, s);
      array full = packed_cotangent(rows, out, transpose_, left.shape(), s);
      if (i == 2) full = multiply(full, taken(codes_of(q_, w, primals[2], wide, s), right, s), s);
      result.push_back(scattered(primals[i], right, group_sums(q_, full, s), s));
    } else {  // global scales, in which the product is linear
      Arrays in = primals;
      in[i] = ones_like(primals[i], s);
      array unit = multiply(cotangents[0], gather_packed(q_, transpose_, in, s), s);
      array each = sum(unit, std::vector<int>{-2, -1}, false, s);
      array zero = zeros_like(reshape(primals[i], {-1}, s), each.dtype(), s);
      array total = scatter_add(zero, right, expand_dims(each, -1, s), 0, s);
      result.push_back(astype(reshape(total, primals[i].shape(), s), primals[i].dtype(), s));
    }
  }
  return result;
}
std::pair<Arrays, std::vector<int>> GatherQMM::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return {{gather_packed(q_, transpose_, batched_indices(inputs, axes, stream()), stream())}, {0}};
}

}  // namespace mlx::core
