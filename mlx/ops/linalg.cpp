// The functions of mlx/linalg.h that take matrices: checks, and the nodes they make.

#include "mlx/linalg.h"

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/linalg_nodes.h"
#include "mlx/ops/matrices.h"

namespace mlx::core::linalg {

namespace {

thread_local OnError mode = OnError::raise;

bool gives_nan() { return mode == OnError::nan; }

void check_dtype(const char* name, Dtype t) {
  if (t == float32 || t == float64 || t == complex64) return;
  raise("[", name, "] Arrays must be of dtype float32, float64 or complex64, not ", dtype_name(t),
        ".");
}

void check_matrix(const char* name, const array& a) {
  check_dtype(name, a.dtype());
  if (a.ndim() < 2)
    raise("[", name, "] Matrices need at least two dimensions, but the array has ", a.ndim(), ".");
}

void check_square(const char* name, const array& a) {
  check_matrix(name, a);
  if (a.shape(-1) == a.shape(-2)) return;
  raise("[", name, "] Matrices must be square, but the array has shape ", a.shape(), ".");
}

bool is_upper(const char* name, const std::string& uplo) {
  if (uplo == "U" || uplo == "u") return true;
  if (uplo == "L" || uplo == "l") return false;
  raise("[", name, "] UPLO must be 'L' or 'U', not '", uplo, "'.");
}

// A vector b counts as one column; batches broadcast.
template <typename P, typename... Members>
array solve_with(const char* name, const array& a, const array& b, StreamOrDevice s,
                 Members... members) {
  Stream stream = to_stream(s);
  Dtype t = result_type(a, b);
  check_dtype(name, t);
  array matrix = astype(a, t, stream), right = astype(b, t, stream);
  check_square(name, matrix);
  if (b.ndim() == 0) raise("[", name, "] The right-hand side must have at least one dimension.");
  bool is_vector = b.ndim() == 1;
  if (is_vector) right = expand_dims(right, -1, stream);
  if (right.shape(-2) != matrix.shape(-1)) {
    raise("[", name, "] Matrices of shape ", a.shape(), " do not fit a right-hand side of shape ",
          b.shape(), ".");
  }
  array x = build<P>(stream, with_same_batch({matrix, right}, stream), members..., gives_nan())[0];
  return is_vector ? squeeze(x, -1, stream) : x;
}

}  // namespace

OnError current_mode() { return mode; }
void set_current_mode(OnError m) { mode = m; }
ErrorScope::ErrorScope(OnError m) : outer_(mode) { mode = m; }
ErrorScope::~ErrorScope() { mode = outer_; }

std::pair<array, array> qr(const array& a, StreamOrDevice s) {
  check_matrix("qr", a);
  Arrays f = build<QR>(to_stream(s), {a}, gives_nan());
  return {f[0], f[1]};
}

std::vector<array> svd(const array& a, bool compute_uv, StreamOrDevice s) {
  check_matrix("svd", a);
  return build<SVD>(to_stream(s), {a}, compute_uv ? SVD::Part::full : SVD::Part::values,
                    gives_nan());
}

array inv(const array& a, StreamOrDevice s) {
  check_square("inv", a);
  return build<Inverse>(to_stream(s), {a}, false, false, gives_nan())[0];
}
array tri_inv(const array& a, bool upper, StreamOrDevice s) {
  check_square("tri_inv", a);
  return build<Inverse>(to_stream(s), {a}, true, upper, gives_nan())[0];
}

array cholesky(const array& a, bool upper, StreamOrDevice s) {
  check_square("cholesky", a);
  return build<Cholesky>(to_stream(s), {a}, upper, gives_nan())[0];
}
// (L L^H)^-1 = L^-H L^-1
array cholesky_inv(const array& a, bool upper, StreamOrDevice s) {
  check_square("cholesky_inv", a);
  MatrixAlgebra m{to_stream(s)};
  array factor = build<Inverse>(m.s, {a}, true, upper, gives_nan())[0];
  return upper ? m.mul(factor, m.adjoint(factor)) : m.mul(m.adjoint(factor), factor);
}

array pinv(const array& a, StreamOrDevice s) {
  check_matrix("pinv", a);
  return build<Pinv>(to_stream(s), {a}, gives_nan())[0];
}

std::vector<array> lu(const array& a, StreamOrDevice s) {
  check_matrix("lu", a);
  return build<LU>(to_stream(s), {a}, false, gives_nan());
}
std::pair<array, array> lu_factor(const array& a, StreamOrDevice s) {
  check_matrix("lu_factor", a);
  Arrays f = build<LU>(to_stream(s), {a}, true, gives_nan());
  return {f[0], f[1]};
}

array solve(const array& a, const array& b, StreamOrDevice s) {
  return solve_with<Solve>("solve", a, b, s);
}
array solve_triangular(const array& a, const array& b, bool upper, StreamOrDevice s) {
  return solve_with<SolveTriangular>("solve_triangular", a, b, s, upper);
}

std::pair<array, array> eig(const array& a, StreamOrDevice s) {
  check_square("eig", a);
  Arrays f = build<Eig>(to_stream(s), {a}, true, gives_nan());
  return {f[0], f[1]};
}
array eigvals(const array& a, StreamOrDevice s) {
  check_square("eigvals", a);
  return build<Eig>(to_stream(s), {a}, false, gives_nan())[0];
}
array eigvalsh(const array& a, std::string UPLO, StreamOrDevice s) {
  check_square("eigvalsh", a);
  return build<Eigh>(to_stream(s), {a}, is_upper("eigvalsh", UPLO), false, gives_nan())[0];
}
std::pair<array, array> eigh(const array& a, std::string UPLO, StreamOrDevice s) {
  check_square("eigh", a);
  Arrays f = build<Eigh>(to_stream(s), {a}, is_upper("eigh", UPLO), true, gives_nan());
  return {f[0], f[1]};
}

// Determinants

namespace {

// Up to size 3 by the rule of Sarrus, in the dtype of the matrix.
array small_det(const array& a, const Stream& s) {
  int n = static_cast<int>(a.shape(-1));
  auto at = [&](int i, int j) { return take(take(a, i, -2, s), j, -1, s); };
  auto minor = [&](int i, int j, int k, int l) {
    return subtract(multiply(at(i, k), at(j, l), s), multiply(at(i, l), at(j, k), s), s);
  };
  Shape batch = batch_shape(a.shape());
  if (n == 0) return ones(batch, a.dtype(), s);
  if (n == 1) return at(0, 0);
  if (n == 2) return minor(0, 1, 0, 1);
  array first = multiply(at(0, 0), minor(1, 2, 1, 2), s),
        second = multiply(at(0, 1), minor(1, 2, 0, 2), s);
  return add(subtract(first, second, s), multiply(at(0, 2), minor(1, 2, 0, 1), s), s);
}

// Integers become float32; half types are taken as far as the closed form goes.
array det_operand(const char* name, const array& a, StreamOrDevice s) {
  array x = issubdtype(a.dtype(), inexact) ? a : astype(a, float32, s);
  if (a.ndim() < 2 || a.shape(-1) != a.shape(-2)) {
    check_square(name, astype(x, float32, s));  // the complaint is about the shape
  }
  note_size_read();
  if (a.shape(-1) > 3) check_dtype(name, x.dtype());
  return x;
}

}  // namespace

array det(const array& a, StreamOrDevice s) {
  array x = det_operand("det", a, s);
  return x.shape(-1) <= 3 ? small_det(x, to_stream(s))
                          : build<Det>(to_stream(s), {x}, Det::Part::value)[0];
}

std::pair<array, array> slogdet(const array& a, StreamOrDevice s) {
  array x = det_operand("slogdet", a, s);
  if (x.shape(-1) > 3) {
    Arrays f = build<Det>(to_stream(s), {x}, Det::Part::log);
    return {f[0], f[1]};
  }
  array d = small_det(x, to_stream(s));
  return {sign(d, s), log(abs(d, s), s)};
}

}  // namespace mlx::core::linalg
