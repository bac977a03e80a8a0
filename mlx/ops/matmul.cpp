// matmul and addmm. A product of integers or bools has the dtype of their sum.

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/matmul_primitives.h"
#include "mlx/ops/matrices.h"
#include "mlx/ops/reduce_axes.h"
#include "mlx/ops/rules.h"
#include "mlx/utils.h"

namespace mlx::core {

namespace {

// Of operands with at least two dimensions.
Shape product_shape(const Shape& a, const Shape& b, const char* name) {
  if (a.back() != b[b.size() - 2]) {
    raise("[", name, "] Last dimension of first input with shape ", a,
          " must match second to last dimension of second input with shape ", b, ".");
  }
  Shape out = broadcast_shapes(batch_shape(a), batch_shape(b));
  out.push_back(a[a.size() - 2]);
  out.push_back(b.back());
  return out;
}

struct Operands {
  array a, b;
  std::vector<int> added;  // axes of the product that vectors brought along
};

// Vectors become matrices of one row or column.
Operands as_matrices(const array& a, const array& b, const char* name, StreamOrDevice s) {
  if (a.ndim() == 0 || b.ndim() == 0) {
    raise("[", name, "] Got 0 dimension input. Inputs must have at least one dimension.");
  }
  Operands m{a, b, {}};
  if (a.ndim() == 1) {
    m.a = expand_dims(a, 0, s);
    m.added.push_back(-2);
  }
  if (b.ndim() == 1) {
    m.b = expand_dims(b, 1, s);
    m.added.push_back(-1);
  }
  return m;
}

array adjoint(const array& x, const Stream& s) { return transposed(conjugate(x, s), s); }

// Cotangent of a in a @ b.
array left_cotangent(const array& a, const array& b, const array& ct, const Stream& s) {
  return sum_to_shape(matmul(ct, adjoint(b, s), s), a.shape(), s);
}
// Cotangent of b; a plain matrix b shared by a whole batch is one product over all rows.
array right_cotangent(const array& a, const array& b, const array& ct, const Stream& s) {
  if (b.ndim() == 2) return matmul(adjoint(flatten(a, 0, -2, s), s), flatten(ct, 0, -2, s), s);
  return sum_to_shape(matmul(adjoint(a, s), ct, s), b.shape(), s);
}

}  // namespace

array matmul(const array& a, const array& b, StreamOrDevice s) {
  Stream stream = to_stream(s);
  Dtype t = sum_dtype(result_type(a, b));
  Operands m = as_matrices(astype(a, t, stream), astype(b, t, stream), "matmul", stream);
  Shape shape = product_shape(m.a.shape(), m.b.shape(), "matmul");
  array out(std::move(shape), t, std::make_shared<Matmul>(stream), {m.a, m.b});
  return squeeze(out, m.added, stream);
}

array addmm(array c, array a, array b, const float& alpha, const float& beta, StreamOrDevice s) {
  Stream stream = to_stream(s);
  Dtype t = result_type(a, b, c);
  if (!issubdtype(t, inexact)) {
    raise("[addmm] Only real and complex floating-point types are supported, but the inputs promote to ", t, ".");
  }
  Operands m = as_matrices(astype(a, t, stream), astype(b, t, stream), "addmm", stream);
  Shape shape = product_shape(m.a.shape(), m.b.shape(), "addmm");
  array addend = astype(c, t, stream);
  if (m.added.size() == 1 && m.added[0] == -1 && addend.ndim() > 0)
    addend = expand_dims(addend, -1, stream);
  if (broadcast_shapes(addend.shape(), shape) != shape) {
    raise("[addmm] The first input of shape ", c.shape(), " does not broadcast to the shape ",
          shape, " of the product.");
  }
  array out(std::move(shape), t, std::make_shared<AddMM>(stream, alpha, beta), {m.a, m.b, addend});
  return squeeze(out, m.added, stream);
}

std::vector<Shape> Matmul::output_shapes(const Arrays& inputs) {
  return {product_shape(inputs[0].shape(), inputs[1].shape(), "matmul")};
}
Arrays Matmul::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  std::vector<array> terms;
  for (size_t k = 0; k < argnums.size(); k++) {
    terms.push_back(argnums[k] == 0 ? matmul(tangents[k], primals[1], stream())
                                    : matmul(primals[0], tangents[k], stream()));
  }
  return {terms.size() == 1 ? terms[0] : add(terms[0], terms[1], stream())};
}
Arrays Matmul::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                   const Arrays&) {
  Arrays result;
  for (int i : argnums) {
    result.push_back(i == 0 ? left_cotangent(primals[0], primals[1], cotangents[0], stream())
                            : right_cotangent(primals[0], primals[1], cotangents[0], stream()));
  }
  return result;
}
std::pair<Arrays, std::vector<int>> Matmul::vmap(const Arrays& inputs,
                                                 const std::vector<int>& axes) {
  if (axes[1] < 0 && inputs[1].ndim() == 2) {  // stays one matrix for all rows
    return {{matmul(moveaxis(inputs[0], axes[0], 0, stream()), inputs[1], stream())}, {0}};
  }
  Arrays in = align_batch(inputs, axes, stream());
  return {{matmul(in[0], in[1], stream())}, {0}};
}

std::vector<Shape> AddMM::output_shapes(const Arrays& inputs) {
  Shape shape = product_shape(inputs[0].shape(), inputs[1].shape(), "addmm");
  if (broadcast_shapes(inputs[2].shape(), shape) != shape) {
    raise("[addmm] The first input of shape ", inputs[2].shape(), " does not broadcast to ", shape,
          ".");
  }
  return {shape};
}
Arrays AddMM::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  const Stream& s = stream();
  array alpha(alpha_, primals[0].dtype()), beta(beta_, primals[0].dtype());
  Shape shape = output_shapes(primals)[0];
  array total = zeros(shape, primals[0].dtype(), s);
  for (size_t k = 0; k < argnums.size(); k++) {
    const array& t = tangents[k];
    array term =
        argnums[k] == 2
            ? multiply(beta, t, s)
            : multiply(alpha, argnums[k] == 0 ? matmul(t, primals[1], s) : matmul(primals[0], t, s),
                       s);
    total = add(total, term, s);
  }
  return {total};
}
Arrays AddMM::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                  const Arrays&) {
  const Stream& s = stream();
  const array& ct = cotangents[0];
  auto scaled = [&](float factor, const array& x) {
    return factor == 1 ? x : multiply(array(factor, x.dtype()), x, s);
  };
  Arrays result;
  for (int i : argnums) {
    if (i == 0)
      result.push_back(scaled(alpha_, left_cotangent(primals[0], primals[1], ct, s)));
    else if (i == 1)
      result.push_back(scaled(alpha_, right_cotangent(primals[0], primals[1], ct, s)));
    else
      result.push_back(sum_to_shape(scaled(beta_, ct), primals[2].shape(), s));
  }
  return result;
}
std::pair<Arrays, std::vector<int>> AddMM::vmap(const Arrays& inputs,
                                                const std::vector<int>& axes) {
  Arrays in = align_batch(inputs, axes, stream());
  // A batch of addends alone still makes a batch of products.
  if (axes[0] < 0 && axes[1] < 0) {
    Shape repeated = in[0].shape();
    repeated[0] = batch_size(inputs, axes);
    in[0] = broadcast_to(in[0], repeated, stream());
  }
  Shape shape = output_shapes(in)[0];
  return {{array(shape, in[0].dtype(), std::make_shared<AddMM>(stream(), alpha_, beta_), in)}, {0}};
}

}  // namespace mlx::core
