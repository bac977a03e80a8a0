// Products of complex64 matrices through OpenBLAS. The work is cut by sizes only, so that the number of
// threads leaves no trace in the result.
#include <algorithm>
#include <complex>

#include "mlx/backend/cpu/gemm_core.h"
#include "mlx/backend/cpu/openblas.h"
#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"

namespace mlx::core::cpu {

namespace {

using Complex = std::complex<float>;

constexpr double kPieceProducts = 4e6;  // a piece of one product has about as many multiplications

// A matrix as BLAS takes it: row-major with a leading dimension, or the transpose of one.
struct BlasOperand {
  const Complex* data;
  int64_t leading;
  bool transposed;
};

// Operands that BLAS cannot read in place are copied.
BlasOperand readable(const Complex* from, int64_t rs, int64_t cs, int64_t rows, int64_t cols, Complex* copy) {
  bool row_fits = rows == 1 || rs >= std::max<int64_t>(cols, 1);
  if ((cs == 1 || cols == 1) && row_fits) return {from, rows == 1 ? std::max<int64_t>(cols, 1) : rs, false};
  bool col_fits = cols == 1 || cs >= std::max<int64_t>(rows, 1);
  if ((rs == 1 || rows == 1) && col_fits) return {from, cols == 1 ? std::max<int64_t>(rows, 1) : cs, true};
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < cols; ++c) copy[r * cols + c] = from[r * rs + c * cs];
  }
  return {copy, cols, false};
}

struct Piece {
  const Complex *a, *b;
  Complex* out;
  int64_t rows;
};

// Row-major a @ b is column-major b^T @ a^T.
void multiply(CgemmFunction cgemm, const GemmProblem& p, const Piece& piece) {
  Scratch a_copy(piece.rows * p.k * sizeof(Complex)), b_copy(p.k * p.n * sizeof(Complex));
  BlasOperand a = readable(piece.a, p.a.row_stride, p.a.col_stride, piece.rows, p.k, a_copy.data<Complex>());
  BlasOperand b = readable(piece.b, p.b.row_stride, p.b.col_stride, p.k, p.n, b_copy.data<Complex>());
  bool in_place = p.out_col_stride == 1 && (piece.rows == 1 || p.out_row_stride >= p.n);
  Scratch out_copy(in_place ? 0 : piece.rows * p.n * sizeof(Complex));
  Complex* out = in_place ? piece.out : out_copy.data<Complex>();
  int64_t ld_out = in_place && piece.rows > 1 ? p.out_row_stride : p.n;
  const Complex one = 1, zero = 0;
  cgemm(b.transposed ? "T" : "N", a.transposed ? "T" : "N", &p.n, &piece.rows, &p.k, &one, b.data, &b.leading,
        a.data, &a.leading, &zero, out, &ld_out, 1, 1);
  if (in_place) return;
  for (int64_t r = 0; r < piece.rows; ++r) {
    for (int64_t c = 0; c < p.n; ++c)
      piece.out[r * p.out_row_stride + c * p.out_col_stride] = out[r * p.n + c];
  }
}

Piece piece_at(const GemmProblem& p, int64_t index, int64_t row, int64_t rows) {
  GemmProblem::Offsets at = p.offsets(index);
  return {static_cast<const Complex*>(p.a.data) + at.a + row * p.a.row_stride,
          static_cast<const Complex*>(p.b.data) + at.b,
          static_cast<Complex*>(p.out) + at.out + row * p.out_row_stride, rows};
}

void fill_zero(const GemmProblem& p, const Piece& piece) {
  for (int64_t r = 0; r < piece.rows; ++r) {
    for (int64_t c = 0; c < p.n; ++c) piece.out[r * p.out_row_stride + c * p.out_col_stride] = 0;
  }
}

}  // namespace

void complex_gemm(const GemmProblem& p) {
  int64_t batch = p.batch();
  if (p.m <= 0 || p.n <= 0 || batch <= 0) return;
  auto cgemm = p.k > 0 ? reinterpret_cast<CgemmFunction>(openblas_symbol("cgemm")) : nullptr;
  double products = double(p.m) * double(p.n) * double(std::max<int64_t>(p.k, 1));
  int64_t pieces = std::clamp<int64_t>(int64_t(products / kPieceProducts), 1, ceil_div(p.m, 32));
  int64_t rows = ceil_div(p.m, pieces);
  pieces = ceil_div(p.m, rows);
  int64_t grain = std::max<int64_t>(1, int64_t(1e5 / (products / double(pieces))));
  parallel_for(batch * pieces, grain, [&](int64_t i) {
    int64_t row = i % pieces * rows;
    Piece piece = piece_at(p, i / pieces, row, std::min(rows, p.m - row));
    if (cgemm) {
      multiply(cgemm, p, piece);
    } else {
      fill_zero(p, piece);
    }
  });
}

}  // namespace mlx::core::cpu
