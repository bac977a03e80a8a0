// The computation of one tile of a product.
#include "mlx/backend/cpu/gemm_core.h"

#include <algorithm>
#include <cstring>

#include "mlx/core/round.h"

namespace mlx::core::cpu {

int64_t panel_height(int64_t rows, int64_t mr) { return ceil_div(rows, ceil_div(rows, mr)); }

void compute_tile(const GemmTile& t, void* acc, int64_t acc_row_stride) {
  const GemmTypeKernels& kern = t.kernels;
  if (t.k_begin >= t.k_end) {
    for (int64_t r = 0; r < t.rows; ++r) {
      std::memset(static_cast<char*>(acc) + r * acc_row_stride * kern.wide, 0, t.cols * kern.wide);
    }
    return;
  }
  int64_t block = std::min(t.block_k, t.k_end - t.k_begin);
  Scratch a((t.rows * block + kGemmPackSlack) * kern.wide);
  Scratch b(t.packs_b ? round_up(t.cols_at_once, kern.nr) * block * kern.wide : 0);
  bool several = t.k_end - t.k_begin > kGemmSuperK;
  Scratch part(several ? t.rows * t.cols * kern.wide : 0);
  int64_t height = panel_height(t.rows, kern.mr);
  for (int64_t s = t.k_begin; s < t.k_end; s += kGemmSuperK) {
    bool first = s == t.k_begin;
    char* sums = first ? static_cast<char*>(acc) : part.data<char>();
    int64_t stride = first ? acc_row_stride : t.cols;
    int64_t s_end = std::min(s + kGemmSuperK, t.k_end);
    for (int64_t k0 = s; k0 < s_end; k0 += t.block_k) {
      int64_t kn = std::min(t.block_k, s_end - k0);
      t.pack_a(k0, kn, height, a.data());
      for (int64_t col = 0; col < t.cols; col += t.cols_at_once) {
        int64_t cols = std::min(t.cols_at_once, t.cols - col);
        PanelsOfB panels = t.panels_of_b(k0, kn, col, cols, b.data());
        if (panels.unpacked) {
          kern.multiply_thin({a.data(), panels.data, panels.row_stride, panels.col_stride, t.rows, cols, kn,
                              sums + col * kern.wide, stride, k0 > s});
          continue;
        }
        kern.multiply({a.data(), height, panels.data, panels.panel_stride, kern.nr, t.rows, cols, kn,
                       sums + col * kern.wide, stride, k0 > s});
      }
    }
    if (!first) kern.add(acc, acc_row_stride, part.data(), t.cols, t.rows, t.cols);
  }
}

}  // namespace mlx::core::cpu
