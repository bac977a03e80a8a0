// What the linear algebra files share: building nodes, and the matrix expressions that derivative
// rules are made of.
#pragma once

#include <memory>

#include "mlx/ops/linalg_primitives.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

std::vector<Dtype> output_dtypes(const Operation& p, Dtype t);
Dtype real_dtype(Dtype t);

template <typename P>
Arrays make_nodes(std::shared_ptr<P> p, const Arrays& inputs) {
  std::vector<Shape> shapes = p->output_shapes(inputs);
  std::vector<Dtype> dtypes = output_dtypes(*p, inputs[0].dtype());
  if (shapes.size() == 1) return {array(shapes[0], dtypes[0], std::move(p), inputs)};
  return array::make_arrays(std::move(shapes), dtypes, std::move(p), inputs);
}

// The outputs of a primitive made from its members.
template <typename P, typename... Members>
Arrays build(const Stream& s, const Arrays& inputs, Members... members) {
  return make_nodes(std::make_shared<P>(s, members...), inputs);
}

// The shape of a batch of square matrices. Throws std::invalid_argument for others, which a shapeless program may meet.
const Shape& square_shape(const Operation& p, const array& a);

// Broadcasts the batch axes of several matrices to one shape.
Arrays with_same_batch(const Arrays& matrices, const Stream& s);

// vmap of a primitive on matrices: one more batch axis in front.
template <typename P>
std::pair<Arrays, std::vector<int>> batch_matrices(const P& p, const Arrays& inputs,
                                                   const std::vector<int>& axes) {
  Arrays batched = with_same_batch(align_batch(inputs, axes, p.stream()), p.stream());
  auto copy = std::apply(
      [&](auto... members) { return std::make_shared<P>(p.stream(), members...); }, p.state());
  Arrays outputs = make_nodes(std::move(copy), batched);
  return {outputs, std::vector<int>(outputs.size(), 0)};
}

// Expressions of batched matrices on one stream. Factors made here that may be singular give NaN
// then.
struct MatrixAlgebra {
  Stream s;
  bool nan = true;

  array mul(const array& a, const array& b) const;
  array mul(const array& a, const array& b, const array& c) const { return mul(mul(a, b), c); }
  array plus(const array& a, const array& b) const;
  array minus(const array& a, const array& b) const;
  array negated(const array& a) const;
  array half(const array& a) const;
  array conj(const array& a) const;
  array adjoint(const array& a) const;  // conjugate transpose
  array lower(const array& a, int k = 0) const;
  array upper(const array& a, int k = 0) const;
  array diagonal_of(const array& a) const;      // (..., k)
  array on_diagonal(const array& a) const;      // the matrix with all but its diagonal zero
  array off_diagonal(const array& a) const;     // and with its diagonal zero
  array diagonal_matrix(const array& v) const;  // a vector on the diagonal
  array times_rows(const array& v, const array& a) const;     // diag(v) a
  array times_columns(const array& a, const array& v) const;  // a diag(v)
  array columns(const array& a, ShapeElem from, ShapeElem to) const;
  array rows(const array& a, ShapeElem from, ShapeElem to) const;
  array join_columns(const array& a, const array& b) const;
  array join_rows(const array& a, const array& b) const;

  // t^-1 b and b t^-1 for triangular t.
  array solve_triangle(const array& t, const array& b, bool is_upper) const;
  array divide_triangle(const array& b, const array& t, bool is_upper) const;
  array inverse(const array& a) const;

  // Element (i, j) of the numerator over v[j] - v[i], 0 on the diagonal. Where the two values agree
  // up to rounding: 0 for a zero, else NaN. A zero of a tangent is an element that is exactly 0. In
  // a cotangent such an element may stand for 0 / 0 with any limit, unless the whole matrix is 0:
  // then nobody asked for the vectors.
  enum class Zero { element, matrix };
  array over_gaps(const array& numerator, const array& v, Zero zero) const;
  // Rows of the numerator over v, by the same rule for values that are 0 up to rounding.
  array over_values(const array& numerator, const array& v, Zero zero) const;

 private:
  array guarded_quotient(const array& numerator, const array& denominator, const array& vanishes,
                         Zero kind) const;
  array rounding(
      const array& v) const;  // what differences of the values v may be wrong by: (..., 1)
};

}  // namespace mlx::core
