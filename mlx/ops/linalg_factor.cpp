// Rules of LU and QR. A factor that is singular makes their derivatives NaN.

#include <algorithm>

#include "mlx/ops.h"
#include "mlx/ops/linalg_nodes.h"
#include "mlx/ops/matrices.h"

namespace mlx::core {

namespace {

Shape matrix_like(const Shape& a, ShapeElem rows, ShapeElem columns) {
  Shape shape = batch_shape(a);
  shape.push_back(rows);
  shape.push_back(columns);
  return shape;
}
Shape vector_like(const Shape& a, ShapeElem size) {
  Shape shape = batch_shape(a);
  shape.push_back(size);
  return shape;
}

struct Factors {
  array l, u;
};

// The derivatives of P a = L U, where a's rows are already permuted. The square part l1 u1 has the
// rule dL = L tril(M, -1), dU = triu(M) U with M = L^-1 dA U^-1; rows below and columns beside it
// follow from it.
struct LuRules {
  const MatrixAlgebra& m;
  array l, u;
  ShapeElem rows, columns, k;

  LuRules(const MatrixAlgebra& algebra, const array& lower, const array& upper)
      : m(algebra), l(lower), u(upper), rows(l.shape(-2)), columns(u.shape(-1)), k(l.shape(-1)) {}

  Factors tangents(const array& da) const {
    array l1 = m.rows(l, 0, k), u1 = m.columns(u, 0, k);
    array square = m.rows(m.columns(da, 0, k), 0, k);
    array inner = m.divide_triangle(m.solve_triangle(l1, square, false), u1, true);
    array dl = m.mul(l1, m.lower(inner, -1)), du = m.mul(m.upper(inner), u1);
    if (rows > k) {
      array rest = m.minus(m.rows(m.columns(da, 0, k), k, rows), m.mul(m.rows(l, k, rows), du));
      return {m.join_rows(dl, m.divide_triangle(rest, u1, true)), du};
    }
    if (columns > k) {
      array rest = m.minus(m.columns(da, k, columns), m.mul(dl, m.columns(u, k, columns)));
      return {dl, m.join_columns(du, m.solve_triangle(l1, rest, false))};
    }
    return {dl, du};
  }

  array cotangent(const array& gl, const array& gu) const {
    array l1 = m.rows(l, 0, k), u1 = m.columns(u, 0, k);
    array l1h = m.adjoint(l1), u1h = m.adjoint(u1);
    array gl1 = m.rows(gl, 0, k), gu1 = m.columns(gu, 0, k);
    if (rows > k) {
      array below = m.divide_triangle(m.rows(gl, k, rows), u1h, false);
      gu1 = m.minus(gu1, m.mul(m.adjoint(m.rows(l, k, rows)), below));
      return m.join_rows(square_cotangent(l1h, u1h, gl1, gu1), below);
    }
    if (columns > k) {
      array beside = m.solve_triangle(l1h, m.columns(gu, k, columns), true);
      gl1 = m.minus(gl1, m.mul(beside, m.adjoint(m.columns(u, k, columns))));
      return m.join_columns(square_cotangent(l1h, u1h, gl1, gu1), beside);
    }
    return square_cotangent(l1h, u1h, gl1, gu1);
  }

 private:
  array square_cotangent(const array& lh, const array& uh, const array& gl, const array& gu) const {
    array inner = m.plus(m.lower(m.mul(lh, gl), -1), m.upper(m.mul(gu, uh)));
    return m.divide_triangle(m.solve_triangle(lh, inner, true), uh, false);
  }
};

// Rows of x taken by the index vectors.
array take_rows(const array& x, const array& index, const Stream& s) {
  Shape shape = vector_like(x.shape(), x.shape(-2));
  shape.push_back(x.shape(-1));
  return take_along_axis(x, broadcast_to(expand_dims(stop_gradient(index, s), -1, s), shape, s), -2,
                         s);
}

}  // namespace

std::vector<Shape> LU::output_shapes(const Arrays& inputs) {
  const Shape& a = inputs[0].shape();
  ShapeElem m = a[a.size() - 2], n = a.back(), k = std::min(m, n);
  if (packed_) return {a, vector_like(a, k)};
  return {vector_like(a, m), matrix_like(a, m, k), matrix_like(a, k, n)};
}
// Of the packed form the strict lower triangle is L's, the rest U's.
Arrays LU::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>&) {
  const Stream& s = stream();
  MatrixAlgebra m{s};
  Arrays f = build<LU>(s, primals, false, nan_);
  LuRules rules(m, f[1], f[2]);
  Factors d = rules.tangents(take_rows(tangents[0], argsort(f[0], -1, s), s));
  if (!packed_) return {zeros_like(f[0], s), d.l, d.u};
  array packed = rules.rows > rules.k
                     ? m.join_rows(m.plus(m.lower(m.rows(d.l, 0, rules.k), -1), d.u),
                                   m.rows(d.l, rules.k, rules.rows))
                 : rules.columns > rules.k ? m.join_columns(m.plus(d.l, m.columns(d.u, 0, rules.k)),
                                                            m.columns(d.u, rules.k, rules.columns))
                                           : m.plus(d.l, d.u);
  return {packed, zeros(vector_like(primals[0].shape(), rules.k), uint32, s)};
}
Arrays LU::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>&,
               const Arrays& outputs) {
  const Stream& s = stream();
  MatrixAlgebra m{s};
  Arrays f = packed_ ? build<LU>(s, primals, false, nan_) : outputs;
  LuRules rules(m, f[1], f[2]);
  array gl = packed_ ? m.columns(cotangents[0], 0, rules.k) : cotangents[1];
  array gu = packed_ ? m.rows(cotangents[0], 0, rules.k) : cotangents[2];
  return {take_rows(rules.cotangent(m.lower(gl, -1), m.upper(gu)), f[0], s)};
}
std::pair<Arrays, std::vector<int>> LU::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return batch_matrices(*this, inputs, axes);
}

// A = Q R with R square: dA R^-1 = dQ + Q dR R^-1 with Q^H dQ antihermitian and dR R^-1 upper
// triangular with a real diagonal. Wide matrices factor their first columns; the rest of R is Q^H
// times the rest.
namespace {

Factors qr_square_tangents(const MatrixAlgebra& m, const array& q, const array& r,
                           const array& da) {
  array c = m.divide_triangle(da, r, true);
  array inner = m.mul(m.adjoint(q), c);
  array below = m.lower(inner, -1);
  array turn = m.minus(below, m.adjoint(below));
  if (inner.dtype() == complex64)
    turn = m.plus(turn, m.on_diagonal(m.half(m.minus(inner, m.conj(inner)))));
  array rest = m.minus(inner, turn);
  return {m.minus(c, m.mul(q, rest)), m.mul(rest, r)};
}

array qr_square_cotangent(const MatrixAlgebra& m, const array& q, const array& r, const array& gq,
                          const array& gr) {
  array inner = m.upper(m.minus(m.mul(gr, m.adjoint(r)), m.mul(m.adjoint(q), gq)));
  array strict = m.upper(inner, 1), diagonal = m.on_diagonal(inner);
  if (inner.dtype() == complex64) diagonal = m.half(m.plus(diagonal, m.conj(diagonal)));
  array hermitian = m.plus(m.plus(strict, m.adjoint(strict)), diagonal);
  return m.divide_triangle(m.plus(gq, m.mul(q, hermitian)), m.adjoint(r), false);
}

}  // namespace

std::vector<Shape> QR::output_shapes(const Arrays& inputs) {
  const Shape& a = inputs[0].shape();
  ShapeElem m = a[a.size() - 2], n = a.back(), k = std::min(m, n);
  return {matrix_like(a, m, k), matrix_like(a, k, n)};
}
Arrays QR::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>&) {
  MatrixAlgebra m{stream()};
  Arrays f = build<QR>(stream(), primals, nan_);
  ShapeElem k = f[0].shape(-1), n = f[1].shape(-1);
  Factors d = qr_square_tangents(m, f[0], m.columns(f[1], 0, k), m.columns(tangents[0], 0, k));
  if (n == k) return {d.l, d.u};
  array rest = m.plus(m.mul(m.adjoint(d.l), m.columns(primals[0], k, n)),
                      m.mul(m.adjoint(f[0]), m.columns(tangents[0], k, n)));
  return {d.l, m.join_columns(d.u, rest)};
}
Arrays QR::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>&,
               const Arrays& outputs) {
  MatrixAlgebra m{stream()};
  const array &q = outputs[0], &r = outputs[1];
  ShapeElem k = q.shape(-1), n = r.shape(-1);
  array gq = cotangents[0], gr = m.columns(cotangents[1], 0, k);
  if (n == k) return {qr_square_cotangent(m, q, r, gq, gr)};
  array beside = m.columns(cotangents[1], k, n);
  gq = m.plus(gq, m.mul(m.columns(primals[0], k, n), m.adjoint(beside)));
  return {m.join_columns(qr_square_cotangent(m, q, m.columns(r, 0, k), gq, gr), m.mul(q, beside))};
}
std::pair<Arrays, std::vector<int>> QR::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return batch_matrices(*this, inputs, axes);
}

}  // namespace mlx::core
