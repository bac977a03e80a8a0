// See integer_gemm.h.

#include "mlx/backend/cpu/integer_gemm.h"

#include <algorithm>

#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"

namespace mlx::core::cpu {

namespace {

// A tile of the product is one task; a panel of B (kPanel rows) is packed once per tile.
constexpr int64_t kRows = 64, kCols = 512, kPanel = 128;

template <typename T>
struct Tile {
  const T *a, *b;
  T* out;
  int64_t rows, cols;

  void multiply(const GemmProblem& p) const {
    static thread_local T panel[kPanel * kCols];
    for (int64_t i = 0; i < rows; i++) std::fill_n(out + i * p.out_row_stride, cols, T{0});
    for (int64_t k0 = 0; k0 < p.k; k0 += kPanel) {
      int64_t depth = std::min(kPanel, p.k - k0);
      for (int64_t k = 0; k < depth; k++) {
        const T* row = b + (k0 + k) * p.b.row_stride;
        for (int64_t j = 0; j < cols; j++) panel[k * cols + j] = row[j * p.b.col_stride];
      }
      for (int64_t i = 0; i < rows; i++) {
        const T* from = a + i * p.a.row_stride + k0 * p.a.col_stride;
        for (int64_t k = 0; k < depth; k++) {
          add_multiple(out + i * p.out_row_stride, from[k * p.a.col_stride], panel + k * cols);
        }
      }
    }
  }

  void add_multiple(T* __restrict to, T factor, const T* __restrict row) const {
    for (int64_t j = 0; j < cols; j++) to[j] += factor * row[j];
  }
};

template <typename T>
void run(const GemmProblem& p) {
  int64_t row_tiles = ceil_div(p.m, kRows), col_tiles = ceil_div(p.n, kCols);
  parallel_for(p.batch() * row_tiles * col_tiles, [&](int64_t task) {
    int64_t row = task % row_tiles * kRows, col = task / row_tiles % col_tiles * kCols;
    GemmProblem::Offsets at = p.offsets(task / row_tiles / col_tiles);
    Tile<T>{static_cast<const T*>(p.a.data) + at.a + row * p.a.row_stride,
            static_cast<const T*>(p.b.data) + at.b + col * p.b.col_stride,
            static_cast<T*>(p.out) + at.out + row * p.out_row_stride + col,
            std::min(kRows, p.m - row),
            std::min(kCols, p.n - col)}
        .multiply(p);
  });
}

}  // namespace

void integer_gemm(const GemmProblem& problem, size_t itemsize) {
  itemsize == 4 ? run<uint32_t>(problem) : run<uint64_t>(problem);
}

}  // namespace mlx::core::cpu
