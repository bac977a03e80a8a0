// Rules of the inverses, solvers, Cholesky factors and determinants.

#include <algorithm>

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/linalg_nodes.h"
#include "mlx/ops/matrices.h"

namespace mlx::core {

namespace {

array triangle(const MatrixAlgebra& m, const array& x, bool upper) {
  return upper ? m.upper(x) : m.lower(x);
}

std::vector<Shape> solution_shape(const Operation& p, const Arrays& inputs) {
  const Shape &a = square_shape(p, inputs[0]), &b = inputs[1].shape();
  if (a.size() != b.size() || !std::equal(a.begin(), a.end() - 1, b.begin())) {
    raise("[", p.name(), "] Matrices of shape ", a, " do not fit a right-hand side of shape ", b, ".");
  }
  return {b};
}

// dA and db from the right-hand side's cotangent and the solution.
Arrays solver_vjp(const MatrixAlgebra& m, const array& to_b, const array& x,
                  const std::vector<int>& argnums) {
  Arrays result;
  for (int i : argnums) result.push_back(i == 1 ? to_b : m.negated(m.mul(to_b, m.adjoint(x))));
  return result;
}

// db - dA x
array solver_tangent(const MatrixAlgebra& m, const array& x, const Arrays& tangents,
                     const std::vector<int>& argnums,
                     const std::function<array(const array&)>& part) {
  array total = zeros_like(x, m.s);
  for (size_t k = 0; k < argnums.size(); k++) {
    total =
        argnums[k] == 1 ? m.plus(total, tangents[k]) : m.minus(total, m.mul(part(tangents[k]), x));
  }
  return total;
}

}  // namespace

std::vector<Shape> Inverse::output_shapes(const Arrays& inputs) { return {square_shape(*this, inputs[0])}; }
Arrays Inverse::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>&) {
  MatrixAlgebra m{stream()};
  array y = build<Inverse>(stream(), primals, triangular_, upper_, nan_)[0];
  array t = triangular_ ? triangle(m, tangents[0], upper_) : tangents[0];
  return {m.negated(m.mul(y, t, y))};
}
Arrays Inverse::vjp(const Arrays&, const Arrays& cotangents, const std::vector<int>&,
                    const Arrays& outputs) {
  MatrixAlgebra m{stream()};
  array y = m.adjoint(outputs[0]);
  array g = m.negated(m.mul(y, cotangents[0], y));
  return {triangular_ ? triangle(m, g, upper_) : g};
}
std::pair<Arrays, std::vector<int>> Inverse::vmap(const Arrays& inputs,
                                                  const std::vector<int>& axes) {
  return batch_matrices(*this, inputs, axes);
}

std::vector<Shape> Solve::output_shapes(const Arrays& inputs) { return solution_shape(*this, inputs); }
Arrays Solve::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  MatrixAlgebra m{stream()};
  array x = build<Solve>(stream(), primals, nan_)[0];
  array right = solver_tangent(m, x, tangents, argnums, [](const array& t) { return t; });
  return build<Solve>(stream(), {primals[0], right}, nan_);
}
Arrays Solve::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                  const Arrays& outputs) {
  MatrixAlgebra m{stream()};
  array to_b = build<Solve>(stream(), {m.adjoint(primals[0]), cotangents[0]}, nan_)[0];
  return solver_vjp(m, to_b, outputs[0], argnums);
}
std::pair<Arrays, std::vector<int>> Solve::vmap(const Arrays& inputs,
                                                const std::vector<int>& axes) {
  return batch_matrices(*this, inputs, axes);
}

std::vector<Shape> SolveTriangular::output_shapes(const Arrays& inputs) {
  return solution_shape(*this, inputs);
}
Arrays SolveTriangular::jvp(const Arrays& primals, const Arrays& tangents,
                            const std::vector<int>& argnums) {
  MatrixAlgebra m{stream()};
  array x = build<SolveTriangular>(stream(), primals, upper_, nan_)[0];
  array right = solver_tangent(m, x, tangents, argnums,
                               [&](const array& t) { return triangle(m, t, upper_); });
  return build<SolveTriangular>(stream(), {primals[0], right}, upper_, nan_);
}
Arrays SolveTriangular::vjp(const Arrays& primals, const Arrays& cotangents,
                            const std::vector<int>& argnums, const Arrays& outputs) {
  MatrixAlgebra m{stream()};
  array to_b =
      build<SolveTriangular>(stream(), {m.adjoint(primals[0]), cotangents[0]}, !upper_, nan_)[0];
  Arrays result = solver_vjp(m, to_b, outputs[0], argnums);
  for (size_t k = 0; k < argnums.size(); k++) {
    if (argnums[k] == 0) result[k] = triangle(m, result[k], upper_);
  }
  return result;
}
std::pair<Arrays, std::vector<int>> SolveTriangular::vmap(const Arrays& inputs,
                                                          const std::vector<int>& axes) {
  return batch_matrices(*this, inputs, axes);
}

// Phi: the lower triangle with half of the diagonal. S = L L^H gives dL = L Phi(L^-1 dS L^-H)
// (Murray, "Differentiation of the Cholesky decomposition", 2016). S is the Hermitian matrix of the
// triangle that is read; the upper factor of a matrix is the adjoint of the lower one of its
// adjoint.
namespace {
array phi(const MatrixAlgebra& m, const array& x) {
  return m.minus(m.lower(x), m.half(m.on_diagonal(x)));
}
array real_diagonal(const MatrixAlgebra& m, const array& x) {
  return x.dtype() == complex64 ? m.half(m.on_diagonal(m.plus(x, m.conj(x)))) : m.on_diagonal(x);
}
}  // namespace

std::vector<Shape> Cholesky::output_shapes(const Arrays& inputs) { return {square_shape(*this, inputs[0])}; }
Arrays Cholesky::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>&) {
  MatrixAlgebra m{stream()};
  auto turned = [&](const array& x) { return upper_ ? m.adjoint(x) : x; };
  array l = turned(build<Cholesky>(stream(), primals, upper_, nan_)[0]), t = turned(tangents[0]);
  array below = m.lower(t, -1);
  array ds = m.plus(m.plus(below, m.adjoint(below)), real_diagonal(m, t));
  array inner = m.divide_triangle(m.solve_triangle(l, ds, false), m.adjoint(l), true);
  return {turned(m.mul(l, phi(m, inner)))};
}
Arrays Cholesky::vjp(const Arrays&, const Arrays& cotangents, const std::vector<int>&,
                     const Arrays& outputs) {
  MatrixAlgebra m{stream()};
  auto turned = [&](const array& x) { return upper_ ? m.adjoint(x) : x; };
  array l = turned(outputs[0]), g = turned(cotangents[0]);
  array inner = phi(m, m.mul(m.adjoint(l), g));
  array to_s = m.divide_triangle(m.solve_triangle(m.adjoint(l), inner, true), l, false);
  array both = m.plus(to_s, m.adjoint(to_s));
  return {turned(m.plus(m.lower(both, -1), m.half(real_diagonal(m, both))))};
}
std::pair<Arrays, std::vector<int>> Cholesky::vmap(const Arrays& inputs,
                                                   const std::vector<int>& axes) {
  return batch_matrices(*this, inputs, axes);
}

// Golub and Pereyra, "The differentiation of pseudo-inverses", 1973: valid while the rank does not
// change.
std::vector<Shape> Pinv::output_shapes(const Arrays& inputs) {
  Shape shape = inputs[0].shape();
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return {shape};
}
Arrays Pinv::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>&) {
  MatrixAlgebra m{stream()};
  array p = build<Pinv>(stream(), primals, nan_)[0], ph = m.adjoint(p);
  const array &a = primals[0], &t = tangents[0];
  array th = m.adjoint(t);
  array inside = m.negated(m.mul(p, t, p));
  array left = m.mul(m.mul(p, ph), th), right = m.mul(th, m.mul(ph, p));
  array of_rows = m.minus(left, m.mul(m.mul(left, a), p));
  array of_columns = m.minus(right, m.mul(p, m.mul(a, right)));
  return {m.plus(inside, m.plus(of_rows, of_columns))};
}
Arrays Pinv::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>&,
                 const Arrays& outputs) {
  MatrixAlgebra m{stream()};
  const array &a = primals[0], &p = outputs[0];
  array ph = m.adjoint(p), gh = m.adjoint(cotangents[0]);
  array inside = m.negated(m.mul(ph, cotangents[0], ph));
  array left = m.mul(gh, m.mul(p, ph)), right = m.mul(m.mul(ph, p), gh);
  array of_rows = m.minus(left, m.mul(a, m.mul(p, left)));
  array of_columns = m.minus(right, m.mul(m.mul(right, p), a));
  return {m.plus(inside, m.plus(of_rows, of_columns))};
}
std::pair<Arrays, std::vector<int>> Pinv::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return batch_matrices(*this, inputs, axes);
}

// d det A is the sum of cofactors times dA, d log det A = tr(A^-1 dA). The cofactors are C = det(A)
// A^-T, so dC = tr(A^-1 dA) C - A^-T dA^T C. What needs the inverse is NaN for a singular matrix.
std::vector<Shape> Det::output_shapes(const Arrays& inputs) {
  const Shape& a = square_shape(*this, inputs[0]);
  if (part_ == Part::cofactors) return {a};
  return std::vector<Shape>(part_ == Part::log ? 2 : 1, batch_shape(a));
}
namespace {
array both_axes(const array& x, const Stream& s) { return expand_dims(x, {-2, -1}, s); }
array imaginary_unit() { return array(std::complex<float>(0, 1)); }
array sum_of_products(const array& a, const array& b, const Stream& s) {
  return sum(multiply(a, b, s), {-2, -1}, false, s);
}
}  // namespace
Arrays Det::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>&) {
  const Stream& s = stream();
  MatrixAlgebra m{s};
  const array& t = tangents[0];
  if (part_ == Part::value) {
    return {sum_of_products(build<Det>(s, primals, Part::cofactors)[0], t, s)};
  }
  Arrays y = build<Det>(s, primals, part_);
  array inverse = swapaxes(m.inverse(primals[0]), -1, -2, s);
  array rate = sum_of_products(inverse, t, s);
  if (part_ == Part::cofactors) {
    array turned = m.mul(m.mul(inverse, transposed(t, s)), y[0]);
    return {m.minus(multiply(both_axes(rate, s), y[0], s), turned)};
  }
  if (y[0].dtype() != complex64) return {zeros_like(y[0], s), rate};
  return {multiply(multiply(y[0], imaginary_unit(), s), imag(rate, s), s), real(rate, s)};
}
Arrays Det::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>&,
                const Arrays& outputs) {
  const Stream& s = stream();
  MatrixAlgebra m{s};
  const array& g = cotangents[0];
  if (part_ == Part::value) {
    return {multiply(both_axes(g, s), m.conj(build<Det>(s, primals, Part::cofactors)[0]), s)};
  }
  array inverse = m.adjoint(m.inverse(primals[0]));
  if (part_ == Part::cofactors) {
    array rate = sum_of_products(g, m.conj(outputs[0]), s);
    array turned = m.mul(m.conj(m.mul(outputs[0], m.adjoint(g))), inverse);
    return {m.minus(multiply(both_axes(rate, s), inverse, s), turned)};
  }
  array weight = cotangents[1];
  if (g.dtype() == complex64) {
    array turn = negative(imag(multiply(m.conj(g), outputs[0], s), s), s);
    weight = add(weight, multiply(imaginary_unit(), turn, s), s);
  }
  return {multiply(both_axes(weight, s), inverse, s)};
}
std::pair<Arrays, std::vector<int>> Det::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return batch_matrices(*this, inputs, axes);
}

}  // namespace mlx::core
