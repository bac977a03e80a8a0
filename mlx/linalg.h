// Linear algebra of float32, float64 and complex64 matrices: the last two axes, the axes before them a batch.
//
// A matrix that a function cannot take (singular, indefinite, not finite) makes the evaluation throw LinAlgError, or,
// where the operation was built inside ErrorScope(OnError::nan), its results NaN.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "mlx/array.h"
#include "mlx/utils.h"

namespace mlx::core::linalg {

// Names the operation, the fault and the index of the matrix in the batch.
class LinAlgError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class OnError { raise, nan };
// What operations built by this thread do with a faulty matrix, until the scope ends.
class ErrorScope {
 public:
  explicit ErrorScope(OnError mode);
  ~ErrorScope();
  ErrorScope(const ErrorScope&) = delete;
  ErrorScope& operator=(const ErrorScope&) = delete;

 private:
  OnError outer_;
};
OnError current_mode();
void set_current_mode(OnError mode);

// Norms of vectors (one axis) or matrices (two axes); without axes, of the whole array. Any real
// dtype: integers become float32, half types are summed in float32. The norm of complex numbers is
// real.
array norm(const array& a, const double ord,
           const std::optional<std::vector<int>>& axis = std::nullopt, bool keepdims = false,
           StreamOrDevice s = {});
inline array norm(const array& a, const double ord, int axis, bool keepdims = false,
                  StreamOrDevice s = {}) {
  return norm(a, ord, std::vector<int>{axis}, keepdims, s);
}
// "fro" or "f", "nuc".
array norm(const array& a, const std::string& ord,
           const std::optional<std::vector<int>>& axis = std::nullopt, bool keepdims = false,
           StreamOrDevice s = {});
inline array norm(const array& a, const std::string& ord, int axis, bool keepdims = false,
                  StreamOrDevice s = {}) {
  return norm(a, ord, std::vector<int>{axis}, keepdims, s);
}
// The square root of the sum of squares.
array norm(const array& a, const std::optional<std::vector<int>>& axis = std::nullopt,
           bool keepdims = false, StreamOrDevice s = {});
inline array norm(const array& a, int axis, bool keepdims = false, StreamOrDevice s = {}) {
  return norm(a, std::vector<int>{axis}, keepdims, s);
}

// Q (m, k) and R (k, n) with a = Q R, k = min(m, n).
std::pair<array, array> qr(const array& a, StreamOrDevice s = {});
// U (m, m), S (k) descending and V^H (n, n); S alone without compute_uv.
std::vector<array> svd(const array& a, bool compute_uv, StreamOrDevice s);
inline std::vector<array> svd(const array& a, StreamOrDevice s = {}) { return svd(a, true, s); }
array inv(const array& a, StreamOrDevice s = {});
// The inverse of the named triangle; the other one is not read.
array tri_inv(const array& a, bool upper = false, StreamOrDevice s = {});
// L with a = L L^H, or U with a = U^H U; reads the named triangle only, and its derivatives lie
// there.
array cholesky(const array& a, bool upper = false, StreamOrDevice s = {});
// Singular values up to max(m, n) * eps times the largest one count as zero. Derivatives hold while
// the rank stays.
array pinv(const array& a, StreamOrDevice s = {});
// The inverse of the matrix whose Cholesky factor is given.
array cholesky_inv(const array& a, bool upper = false, StreamOrDevice s = {});
// Row indices p (uint32), L and U with a = L[p] U.
std::vector<array> lu(const array& a, StreamOrDevice s = {});
// Both factors in one matrix and the row swaps (uint32).
std::pair<array, array> lu_factor(const array& a, StreamOrDevice s = {});
// x with a x = b; b is a vector (n) or matrices (..., n, k), and batches broadcast.
array solve(const array& a, const array& b, StreamOrDevice s = {});
// The same with the named triangle of a.
array solve_triangular(const array& a, const array& b, bool upper = false, StreamOrDevice s = {});
// Vectors of size 2 or 3 along the axis; any dtype.
array cross(const array& a, const array& b, int axis = -1, StreamOrDevice s = {});
// Eigenvalues and vectors (columns of unit length) as complex64.
std::pair<array, array> eig(const array& a, StreamOrDevice s = {});
array eigvals(const array& a, StreamOrDevice s = {});
// Of Hermitian matrices, ascending. UPLO names the triangle that is read, L or U.
array eigvalsh(const array& a, std::string UPLO = "L", StreamOrDevice s = {});
std::pair<array, array> eigh(const array& a, std::string UPLO = "L", StreamOrDevice s = {});
// Up to size 3 in closed form for any dtype, else by lu. A singular matrix has 0, one with NaN has
// NaN.
array det(const array& a, StreamOrDevice s = {});
// Sign and logarithm of the absolute value of the determinant.
std::pair<array, array> slogdet(const array& a, StreamOrDevice s = {});

}  // namespace mlx::core::linalg
