// See linalg_nodes.h.

#include "mlx/ops/linalg_nodes.h"

#include <limits>

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/matrices.h"

namespace mlx::core {

Dtype real_dtype(Dtype t) { return t == complex64 ? float32 : t; }

std::vector<Dtype> output_dtypes(const Operation& p, Dtype t) {
  switch (static_cast<Kind>(p.kind())) {
    case Kind::Det:
      return static_cast<const Det&>(p).part() == Det::Part::log
                 ? std::vector<Dtype>{t, real_dtype(t)}
                 : std::vector<Dtype>{t};
    case Kind::Eig:
      return std::vector<Dtype>(static_cast<const Eig&>(p).vectors() ? 2 : 1, complex64);
    case Kind::Eigh:
      return static_cast<const Eigh&>(p).vectors() ? std::vector<Dtype>{real_dtype(t), t}
                                                   : std::vector<Dtype>{real_dtype(t)};
    case Kind::LU:
      return static_cast<const LU&>(p).packed() ? std::vector<Dtype>{t, uint32}
                                                : std::vector<Dtype>{uint32, t, t};
    case Kind::QR:
      return {t, t};
    case Kind::SVD:
      return static_cast<const SVD&>(p).part() == SVD::Part::values
                 ? std::vector<Dtype>{real_dtype(t)}
                 : std::vector<Dtype>{t, real_dtype(t), t};
    default:
      return {t};
  }
}

const Shape& square_shape(const Operation& p, const array& a) {
  if (a.shape(-1) != a.shape(-2)) {
    raise("[", p.name(), "] Matrices must be square, but the array has shape ", a.shape(), ".");
  }
  return a.shape();
}

Arrays with_same_batch(const Arrays& matrices, const Stream& s) {
  if (matrices.size() == 1) return matrices;
  Shape batch;
  for (const array& m : matrices) batch = broadcast_shapes(batch, batch_shape(m.shape()));
  Arrays result;
  for (const array& m : matrices) {
    Shape shape = batch;
    shape.insert(shape.end(), m.shape().end() - 2, m.shape().end());
    result.push_back(m.shape() == shape ? m : broadcast_to(m, shape, s));
  }
  return result;
}

array MatrixAlgebra::mul(const array& a, const array& b) const { return matmul(a, b, s); }
array MatrixAlgebra::plus(const array& a, const array& b) const { return add(a, b, s); }
array MatrixAlgebra::minus(const array& a, const array& b) const { return subtract(a, b, s); }
array MatrixAlgebra::negated(const array& a) const { return negative(a, s); }
array MatrixAlgebra::half(const array& a) const { return multiply(a, array(0.5, a.dtype()), s); }
array MatrixAlgebra::conj(const array& a) const { return conjugate(a, s); }
array MatrixAlgebra::adjoint(const array& a) const { return conj(transposed(a, s)); }
array MatrixAlgebra::lower(const array& a, int k) const { return tril(a, k, s); }
array MatrixAlgebra::upper(const array& a, int k) const { return triu(a, k, s); }
array MatrixAlgebra::diagonal_of(const array& a) const { return diagonal(a, 0, -2, -1, s); }
array MatrixAlgebra::on_diagonal(const array& a) const { return tril(triu(a, 0, s), 0, s); }
array MatrixAlgebra::off_diagonal(const array& a) const { return plus(lower(a, -1), upper(a, 1)); }
array MatrixAlgebra::diagonal_matrix(const array& v) const {
  return on_diagonal(times_columns(ones({v.shape(-1), v.shape(-1)}, v.dtype(), s), v));
}
array MatrixAlgebra::times_rows(const array& v, const array& a) const {
  return multiply(expand_dims(v, -1, s), a, s);
}
array MatrixAlgebra::times_columns(const array& a, const array& v) const {
  return multiply(a, expand_dims(v, -2, s), s);
}

array MatrixAlgebra::columns(const array& a, ShapeElem from, ShapeElem to) const {
  if (from == 0 && to == a.shape(-1)) return a;
  Shape start(a.ndim(), 0), stop = a.shape();
  start.back() = from;
  stop.back() = to;
  return slice(a, start, stop, s);
}
array MatrixAlgebra::rows(const array& a, ShapeElem from, ShapeElem to) const {
  if (from == 0 && to == a.shape(-2)) return a;
  return transposed(columns(transposed(a, s), from, to), s);
}
array MatrixAlgebra::join_columns(const array& a, const array& b) const {
  return concatenate({a, b}, -1, s);
}
array MatrixAlgebra::join_rows(const array& a, const array& b) const {
  return concatenate({a, b}, -2, s);
}

array MatrixAlgebra::solve_triangle(const array& t, const array& b, bool is_upper) const {
  return build<SolveTriangular>(s, with_same_batch({t, b}, s), is_upper, nan)[0];
}
array MatrixAlgebra::divide_triangle(const array& b, const array& t, bool is_upper) const {
  return adjoint(solve_triangle(adjoint(t), adjoint(b), !is_upper));
}
array MatrixAlgebra::inverse(const array& a) const {
  return build<Inverse>(s, {a}, false, false, nan)[0];
}

array MatrixAlgebra::rounding(const array& v) const {
  double eps = v.dtype() == float64 ? std::numeric_limits<double>::epsilon()
                                    : std::numeric_limits<float>::epsilon();
  array largest = max(abs(v, s), std::vector<int>{-1}, true, s);
  array factor(eps * static_cast<double>(v.shape(-1)), real_dtype(v.dtype()));
  return stop_gradient(multiply(largest, factor, s), s);
}

array MatrixAlgebra::guarded_quotient(const array& numerator, const array& denominator,
                                      const array& vanishes, Zero kind) const {
  array zero(0, numerator.dtype()), unknown(std::nan(""), numerator.dtype()),
      one(1, denominator.dtype());
  array quotient = divide(numerator, where(vanishes, one, denominator, s), s);
  array is_zero = equal(numerator, zero, s);
  if (kind == Zero::matrix) is_zero = all(is_zero, {-2, -1}, true, s);
  return where(vanishes, where(is_zero, zero, unknown, s), quotient, s);
}

array MatrixAlgebra::over_gaps(const array& numerator, const array& v, Zero zero) const {
  if (v.shape(-1) == 0) return numerator;
  array gaps = subtract(expand_dims(v, -2, s), expand_dims(v, -1, s), s);
  array vanishes = less_equal(abs(gaps, s), expand_dims(rounding(v), -1, s), s);
  return off_diagonal(guarded_quotient(off_diagonal(numerator), gaps, vanishes, zero));
}

array MatrixAlgebra::over_values(const array& numerator, const array& v, Zero zero) const {
  if (v.shape(-1) == 0) return numerator;
  array vanishes = less_equal(abs(v, s), rounding(v), s);
  return guarded_quotient(numerator, expand_dims(v, -1, s), expand_dims(vanishes, -1, s), zero);
}

}  // namespace mlx::core
