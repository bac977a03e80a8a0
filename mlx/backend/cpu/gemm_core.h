// What products and convolutions share: packing buffers and the computation of one tile of the result.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mlx/backend/cpu/isa/gemm.h"
#include "mlx/core/function_ref.h"

namespace mlx::core::cpu {

// A 64-byte aligned buffer borrowed from the calling thread's stock, which keeps a few buffers until the thread ends.
// A thread may hold several at once: while it waits for a loop it may be given other work.
class Scratch {
 public:
  explicit Scratch(size_t bytes);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  template <typename T = void>
  T* data() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_;
  size_t size_;
};

// Panels of B for one block of k, as GemmBlock takes them.
struct PanelsOfB {
  const void* data;
  int64_t panel_stride;
};

// One tile: rows x cols results over k in [k_begin, k_end), k_begin a multiple of GEMM_SUPER_K.
struct GemmTile {
  const GemmTypeKernels& kernels;
  int64_t rows, cols, k_begin, k_end;
  // Packs all rows of A for k0 <= k < k0 + kn into panels of `height` rows.
  FunctionRef<void(int64_t k0, int64_t kn, int64_t height, void* to)> pack_a;
  // Gives the panels of B that cover columns [col, col + nr * count) of the tile, packing into `to` where needed.
  FunctionRef<PanelsOfB(int64_t k0, int64_t kn, int64_t col, int64_t cols, void* to)> panels_of_b;
  int64_t cols_at_once;  // columns asked from panels_of_b in one call
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

inline int64_t round_up(int64_t x, int64_t to) { return (x + to - 1) / to * to; }
inline int64_t ceil_div(int64_t x, int64_t by) { return (x + by - 1) / by; }

}  // namespace mlx::core::cpu
