// Linear algebra: one class per factorization or solver. All take a batch of matrices in the last
// two axes. `nan` says what a faulty matrix does: its results become NaN, else the evaluation
// throws LinAlgError.
#pragma once

#include "mlx/ops/operation.h"

namespace mlx::core {

// Reads the named triangle of a Hermitian matrix.
class Cholesky : public Operation {
 public:
  Cholesky(Stream s, bool upper, bool nan) : Operation(s), upper_(upper), nan_(nan) {}
  MLX_OPERATION(Cholesky, upper_, nan_)
  bool upper() const { return upper_; }
  bool nan() const { return nan_; }

 private:
  bool upper_, nan_;
};

// The determinant, its sign and the logarithm of its absolute value, or its gradient, the matrix of
// cofactors, which singular matrices have too. Never throws.
class Det : public Operation {
 public:
  enum class Part { value, log, cofactors };
  Det(Stream s, Part part) : Operation(s), part_(part) {}
  MLX_OPERATION(Det, part_)
  Part part() const { return part_; }

 private:
  Part part_;
};

// Eigenvalues and, if wanted, right eigenvectors, as complex64.
class Eig : public Operation {
 public:
  Eig(Stream s, bool vectors, bool nan) : Operation(s), vectors_(vectors), nan_(nan) {}
  MLX_OPERATION(Eig, vectors_, nan_)
  bool vectors() const { return vectors_; }
  bool nan() const { return nan_; }

 private:
  bool vectors_, nan_;
};

// The same of a Hermitian matrix, of which the named triangle is read.
class Eigh : public Operation {
 public:
  Eigh(Stream s, bool upper, bool vectors, bool nan)
      : Operation(s), upper_(upper), vectors_(vectors), nan_(nan) {}
  MLX_OPERATION(Eigh, upper_, vectors_, nan_)
  bool upper() const { return upper_; }
  bool vectors() const { return vectors_; }
  bool nan() const { return nan_; }

 private:
  bool upper_, vectors_, nan_;
};

// The inverse of a matrix, or of a triangle of it.
class Inverse : public Operation {
 public:
  Inverse(Stream s, bool triangular, bool upper, bool nan)
      : Operation(s), triangular_(triangular), upper_(upper), nan_(nan) {}
  MLX_OPERATION(Inverse, triangular_, upper_, nan_)
  bool triangular() const { return triangular_; }
  bool upper() const { return upper_; }
  bool nan() const { return nan_; }

 private:
  bool triangular_, upper_, nan_;
};

// Packed: both factors in one matrix and the row swaps. Else: row indices, L, U.
class LU : public Operation {
 public:
  LU(Stream s, bool packed, bool nan) : Operation(s), packed_(packed), nan_(nan) {}
  MLX_OPERATION(LU, packed_, nan_)
  bool packed() const { return packed_; }
  bool nan() const { return nan_; }

 private:
  bool packed_, nan_;
};

class Pinv : public Operation {
 public:
  Pinv(Stream s, bool nan) : Operation(s), nan_(nan) {}
  MLX_OPERATION(Pinv, nan_)
  bool nan() const { return nan_; }

 private:
  bool nan_;
};

class QR : public Operation {
 public:
  QR(Stream s, bool nan) : Operation(s), nan_(nan) {}
  MLX_OPERATION(QR, nan_)
  bool nan() const { return nan_; }

 private:
  bool nan_;
};

// Inputs a (..., n, n) and b (..., n, k) with the same batch axes.
class Solve : public Operation {
 public:
  Solve(Stream s, bool nan) : Operation(s), nan_(nan) {}
  MLX_OPERATION(Solve, nan_)
  bool nan() const { return nan_; }

 private:
  bool nan_;
};

class SolveTriangular : public Operation {
 public:
  SolveTriangular(Stream s, bool upper, bool nan) : Operation(s), upper_(upper), nan_(nan) {}
  MLX_OPERATION(SolveTriangular, upper_, nan_)
  bool upper() const { return upper_; }
  bool nan() const { return nan_; }

 private:
  bool upper_, nan_;
};

// Outputs U, S, V^H, or S alone. Economy: U (m, k) and V^H (k, n), k = min(m, n).
class SVD : public Operation {
 public:
  enum class Part { values, economy, full };
  SVD(Stream s, Part part, bool nan) : Operation(s), part_(part), nan_(nan) {}
  MLX_OPERATION(SVD, part_, nan_)
  Part part() const { return part_; }
  bool nan() const { return nan_; }

 private:
  Part part_;
  bool nan_;
};

}  // namespace mlx::core
