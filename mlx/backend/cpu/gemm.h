// Matrix products on plain pointers and strides. The bits of a result element depend on its row of A, its
// column of B and the instruction set, never on shapes of the batch, layout, position or number of threads.
#pragma once

#include <cstdint>

#include "mlx/backend/cpu/isa.h"
#include "mlx/backend/cpu/isa/gemm.h"
#include "mlx/dtype.h"

namespace mlx::core::cpu {

// Strides count elements; they may be zero or negative. `data` is the element at row 0, column 0.
struct MatmulOperand {
  const void* data = nullptr;
  int64_t row_stride = 0;
  int64_t col_stride = 0;
};

// Called once for each finished block of the product, from any thread of the pool, blocks in any order. `acc`
// holds float (double for float64) and is valid during the call only.
struct GemmEpilogue {
  void (*function)(void* context, int64_t batch, int64_t row0, int64_t col0, int64_t rows, int64_t cols,
                   const void* acc, int64_t acc_row_stride) = nullptr;
  void* context = nullptr;
};

// out = alpha * (a @ b) + beta * cin for each element of the batch; a is (m, k), b (k, n), cin and out (m,
// n), all of one memory type. Without cin.data beta is ignored; with an epilogue alpha, beta, cin and out
// are.
struct GemmProblem {
  GemmType type = GemmType::float32;
  int64_t m = 0, n = 0, k = 0;
  MatmulOperand a, b, cin;
  void* out = nullptr;
  int64_t out_row_stride = 0;
  int64_t out_col_stride = 1;
  double alpha = 1, beta = 0;
  GemmEpilogue epilogue;
  // Batch dimensions, outermost first; the stride arrays have batch_ndim entries (cin's only where cin is
  // given).
  int batch_ndim = 0;
  const int64_t* batch_shape = nullptr;
  const int64_t* a_batch_strides = nullptr;
  const int64_t* b_batch_strides = nullptr;
  const int64_t* cin_batch_strides = nullptr;
  const int64_t* out_batch_strides = nullptr;

  int64_t batch() const;
  // Where the matrices of a member of the batch begin, in elements.
  struct Offsets {
    int64_t a = 0, b = 0, cin = 0, out = 0;
  };
  Offsets offsets(int64_t index) const;
};

// Throws std::invalid_argument for a dtype that has no product here.
GemmType gemm_type(Dtype dtype);

void gemm(const GemmProblem& problem, const GemmKernels& gemm_kernels = kernels().gemm);

}  // namespace mlx::core::cpu
