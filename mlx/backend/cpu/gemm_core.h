// What products and convolutions share: the computation of one tile of the result.
#pragma once

#include <cstdint>

#include "mlx/backend/cpu/isa/gemm.h"
#include "mlx/backend/cpu/scratch.h"
#include "mlx/core/function_ref.h"

namespace mlx::core::cpu {

// Panels of B for one block of k, as GemmBlock takes them; or B itself, as GemmThin takes it.
struct PanelsOfB {
  const void* data;
  int64_t panel_stride;
  bool unpacked = false;
  int64_t row_stride = 0, col_stride = 0;
};

// One tile: rows x cols results over k in [k_begin, k_end), k_begin a multiple of kGemmSuperK.
struct GemmTile {
  const GemmTypeKernels& kernels;
  int64_t rows, cols, k_begin, k_end;
  // Packs all rows of A for k0 <= k < k0 + kn into panels of `height` rows.
  FunctionRef<void(int64_t k0, int64_t kn, int64_t height, void* to)> pack_a;
  // Gives the panels of B that cover columns [col, col + nr * count) of the tile, packing into `to` where
  // needed.
  FunctionRef<PanelsOfB(int64_t k0, int64_t kn, int64_t col, int64_t cols, void* to)> panels_of_b;
  int64_t cols_at_once;  // columns asked from panels_of_b in one call
  bool packs_b;          // panels_of_b needs room to pack
  int64_t block_k = kGemmBlockK;  // k that one call of a kernel takes, only those of GemmThin take more
};

// Rows per panel of A so that all panels are about equally tall.
int64_t panel_height(int64_t rows, int64_t mr);

// Writes the sums to acc (of the wide type).
void compute_tile(const GemmTile& tile, void* acc, int64_t acc_row_stride);

// B as a whole, packed for all tiles: blocks of k one after the other, inside a block panels of nr columns.
struct PackedB {
  void* data;
  int64_t padded_cols;  // a multiple of nr
  char* block(const GemmTypeKernels& kernels, int64_t k0, int64_t kn, int64_t panel) const {
    return static_cast<char*>(data) + (k0 * padded_cols + panel * kn * kernels.nr) * kernels.wide;
  }
};

}  // namespace mlx::core::cpu
