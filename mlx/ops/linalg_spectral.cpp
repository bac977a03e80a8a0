// Rules of singular values and eigenvalues. Vectors are determined up to their phase, so only
// functions that do not depend on it have derivatives. Equal values have no derivative of their
// vectors: it is NaN, unless the vectors' part of it is exactly zero (MatrixAlgebra::Zero). The
// values' own is that for the vectors that were computed.

#include <algorithm>

#include "mlx/ops.h"
#include "mlx/ops/linalg_nodes.h"
#include "mlx/ops/matrices.h"

namespace mlx::core {

namespace {

array as_complex(const array& real_part, const Stream& s) {
  return astype(real_part, complex64, s);
}

// The real diagonal of a matrix.
array real_diagonal(const MatrixAlgebra& m, const array& x) {
  return real(m.diagonal_of(x), m.s);
}

Shape values_shape(const Shape& a) {
  Shape shape = batch_shape(a);
  shape.push_back(std::min(a[a.size() - 2], a.back()));
  return shape;
}

}  // namespace

std::vector<Shape> SVD::output_shapes(const Arrays& inputs) {
  const Shape& a = inputs[0].shape();
  Shape values = values_shape(a), u = a, vh = a;
  if (part_ == Part::values) return {values};
  u.back() = part_ == Part::full ? a[a.size() - 2] : values.back();
  vh[a.size() - 2] = part_ == Part::full ? a.back() : values.back();
  return {u, values, vh};
}

// Of A = U S V^H in economy size. With P = U^H dA V, F[i, j] = 1 / (s[j]^2 - s[i]^2):
//   dS = Re diag P,   dU = U (F o (P S + S P^H)) + (1 - U U^H) dA V S^-1,   dV alike with P^H.
// The phase of complex vectors is shared among both, the extra columns of the full size are kept
// orthogonal.
namespace {

struct SvdRules {
  using Zero = MatrixAlgebra::Zero;
  const MatrixAlgebra& m;
  array u, s, v;
  bool is_complex;

  SvdRules(const MatrixAlgebra& algebra, const array& u1, const array& values, const array& v1)
      : m(algebra), u(u1), s(values), v(v1), is_complex(u1.dtype() == complex64) {}

  array over_squares(const array& x, Zero zero) const {
    array sums = add(expand_dims(s, -2, m.s), expand_dims(s, -1, m.s), m.s);
    array none(0, sums.dtype()), one(1, sums.dtype());
    return divide(m.over_gaps(x, s, zero), where(equal(sums, none, m.s), one, sums, m.s), m.s);
  }
  // The part of x that is orthogonal to the columns of q.
  array outside(const array& q, const array& x) const {
    return m.minus(x, m.mul(q, m.mul(m.adjoint(q), x)));
  }
  array columns_over_values(const array& x, Zero zero) const {
    return m.adjoint(m.over_values(m.adjoint(x), s, zero));
  }
  bool is_tall(const array& q) const { return q.shape(-2) > q.shape(-1); }
  // i Im diag(x) / (2 s) as a diagonal matrix.
  array phase(const array& x, Zero zero) const {
    array imaginary = m.half(m.on_diagonal(m.minus(x, m.conj(x))));
    return m.half(m.over_values(imaginary, s, zero));
  }

  Arrays tangents(const array& da) const {
    array uh = m.adjoint(u), p = m.mul(m.mul(uh, da), v), ph = m.adjoint(p);
    array du = over_squares(m.plus(m.times_columns(p, s), m.times_rows(s, ph)), Zero::element);
    array dv = over_squares(m.plus(m.times_rows(s, p), m.times_columns(ph, s)), Zero::element);
    if (is_complex) {
      du = m.plus(du, phase(p, Zero::element));
      dv = m.minus(dv, phase(p, Zero::element));
    }
    du = m.mul(u, du);
    dv = m.mul(v, dv);
    if (is_tall(u)) du = m.plus(du, columns_over_values(outside(u, m.mul(da, v)), Zero::element));
    if (is_tall(v))
      dv = m.plus(dv, columns_over_values(outside(v, m.mul(m.adjoint(da), u)), Zero::element));
    return {du, real_diagonal(m, p), dv};
  }

  array cotangent(const array& gu, const array& gs, const array& gv) const {
    array x = m.mul(m.adjoint(u), gu), y = m.mul(m.adjoint(v), gv);
    array inner = m.times_columns(skew_over_squares(x), s);
    inner = m.plus(inner, m.times_rows(s, skew_over_squares(y)));
    inner = m.plus(inner, m.diagonal_matrix(gs));
    if (is_complex) inner = m.plus(inner, phase(m.minus(x, y), Zero::matrix));
    array vh = m.adjoint(v);
    array g = m.mul(m.mul(u, inner), vh);
    if (is_tall(u)) g = m.plus(g, m.mul(columns_over_values(outside(u, gu), Zero::matrix), vh));
    if (is_tall(v))
      g = m.plus(g, m.mul(u, m.adjoint(columns_over_values(outside(v, gv), Zero::matrix))));
    return g;
  }

 private:
  // F o (x - x^H)
  array skew_over_squares(const array& x) const {
    array part = over_squares(x, Zero::matrix);
    return m.plus(part, m.adjoint(part));
  }
};

}  // namespace

Arrays SVD::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>&) {
  MatrixAlgebra m{stream()};
  Arrays f = build<SVD>(stream(), primals, part_ == Part::values ? Part::economy : part_, nan_);
  ShapeElem k = f[1].shape(-1), rows = f[0].shape(-2), columns = f[2].shape(-1);
  array v = m.adjoint(f[2]);
  SvdRules rules(m, m.columns(f[0], 0, k), f[1], m.columns(v, 0, k));
  Arrays d = rules.tangents(tangents[0]);
  if (part_ == Part::values) return {d[1]};
  if (part_ == Part::full) {
    auto extend = [&](const array& all, const array& d1, ShapeElem size) {
      if (size == k) return d1;
      array d2 =
          m.negated(m.mul(m.mul(m.columns(all, 0, k), m.adjoint(d1)), m.columns(all, k, size)));
      return m.join_columns(d1, d2);
    };
    d[0] = extend(f[0], d[0], rows);
    d[2] = extend(v, d[2], columns);
  }
  return {d[0], d[1], m.adjoint(d[2])};
}

Arrays SVD::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>&,
                const Arrays& outputs) {
  MatrixAlgebra m{stream()};
  if (part_ == Part::values) {
    Arrays f = build<SVD>(stream(), primals, Part::economy, nan_);
    return {m.mul(m.times_columns(f[0], cotangents[0]), f[2])};
  }
  const array &u = outputs[0], &s = outputs[1];
  array v = m.adjoint(outputs[2]), gv = m.adjoint(cotangents[2]);
  ShapeElem k = s.shape(-1);
  auto economy = [&](const array& all, const array& g) {
    ShapeElem size = all.shape(-1);
    array g1 = m.columns(g, 0, k);
    if (size == k) return g1;
    array all2 = m.columns(all, k, size), g2 = m.columns(g, k, size);
    return m.minus(g1, m.mul(all2, m.mul(m.adjoint(g2), m.columns(all, 0, k))));
  };
  SvdRules rules(m, m.columns(u, 0, k), s, m.columns(v, 0, k));
  return {rules.cotangent(economy(u, cotangents[0]), cotangents[1], economy(v, gv))};
}
std::pair<Arrays, std::vector<int>> SVD::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return batch_matrices(*this, inputs, axes);
}

// A V = V W with M = V^H dA V: dW = Re diag M, dV = V (M / (w[j] - w[i])).
namespace {

// The Hermitian matrix of the triangle that is read.
array hermitian(const MatrixAlgebra& m, const array& x, bool upper) {
  array strict = upper ? m.upper(x, 1) : m.lower(x, -1), diagonal = m.on_diagonal(x);
  if (x.dtype() == complex64) diagonal = m.half(m.plus(diagonal, m.conj(diagonal)));
  return m.plus(m.plus(strict, m.adjoint(strict)), diagonal);
}
// The cotangent of the triangle from that of the matrix.
array triangle_cotangent(const MatrixAlgebra& m, const array& g, bool upper) {
  array both = m.plus(g, m.adjoint(g));
  array diagonal = m.half(m.on_diagonal(both));
  return m.plus(upper ? m.upper(both, 1) : m.lower(both, -1), diagonal);
}

}  // namespace

std::vector<Shape> Eigh::output_shapes(const Arrays& inputs) {
  Shape values = values_shape(square_shape(*this, inputs[0]));
  return vectors_ ? std::vector<Shape>{values, inputs[0].shape()} : std::vector<Shape>{values};
}
Arrays Eigh::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>&) {
  MatrixAlgebra m{stream()};
  Arrays f = build<Eigh>(stream(), primals, upper_, true, nan_);
  array inner = m.mul(m.mul(m.adjoint(f[1]), hermitian(m, tangents[0], upper_)), f[1]);
  array dw = real_diagonal(m, inner);
  if (!vectors_) return {dw};
  return {dw, m.mul(f[1], m.over_gaps(inner, f[0], MatrixAlgebra::Zero::element))};
}
Arrays Eigh::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>&,
                 const Arrays& outputs) {
  MatrixAlgebra m{stream()};
  array v = vectors_ ? outputs[1] : build<Eigh>(stream(), primals, upper_, true, nan_)[1];
  array vh = m.adjoint(v);
  array g = m.mul(m.times_columns(v, cotangents[0]), vh);
  if (vectors_)
    g = m.plus(
        g, m.mul(v, m.over_gaps(m.mul(vh, cotangents[1]), outputs[0], MatrixAlgebra::Zero::matrix),
                 vh));
  return {triangle_cotangent(m, g, upper_)};
}
std::pair<Arrays, std::vector<int>> Eigh::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return batch_matrices(*this, inputs, axes);
}

// The same with M = V^-1 dA V; the vectors keep unit length (Giles, "Collected matrix derivative
// results", 2008).
std::vector<Shape> Eig::output_shapes(const Arrays& inputs) {
  Shape values = values_shape(square_shape(*this, inputs[0]));
  return vectors_ ? std::vector<Shape>{values, inputs[0].shape()} : std::vector<Shape>{values};
}
Arrays Eig::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>&) {
  const Stream& s = stream();
  MatrixAlgebra m{s};
  Arrays f = build<Eig>(s, primals, true, nan_);
  const array& v = f[1];
  array inner = build<Solve>(s, {v, m.mul(as_complex(tangents[0], s), v)}, true)[0];
  array dw = m.diagonal_of(inner);
  if (!vectors_) return {dw};
  array dv = m.mul(v, m.over_gaps(inner, f[0], MatrixAlgebra::Zero::element));
  array growth = real_diagonal(m, m.mul(m.adjoint(v), dv));
  return {dw, m.minus(dv, m.times_columns(v, growth))};
}
Arrays Eig::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>&,
                const Arrays& outputs) {
  const Stream& s = stream();
  MatrixAlgebra m{s};
  array v = vectors_ ? outputs[1] : build<Eig>(s, primals, true, nan_)[1];
  array vh = m.adjoint(v);
  array inner = m.diagonal_matrix(cotangents[0]);
  if (vectors_) {
    array pulled = m.mul(vh, cotangents[1]);
    array growth = m.times_columns(m.mul(vh, v), real_diagonal(m, pulled));
    inner = m.plus(inner, m.over_gaps(m.minus(pulled, growth), m.conj(outputs[0]),
                                      MatrixAlgebra::Zero::matrix));
  }
  array g = build<Solve>(s, {vh, m.mul(inner, vh)}, true)[0];
  Dtype t = primals[0].dtype();
  return {t == complex64 ? g : astype(real(g, s), t, s)};
}
std::pair<Arrays, std::vector<int>> Eig::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return batch_matrices(*this, inputs, axes);
}

}  // namespace mlx::core
