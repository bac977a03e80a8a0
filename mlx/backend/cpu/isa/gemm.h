// The kernels of the packed matrix product, one struct of function pointers per instruction-set level.
// Every path sums one output element in the same order: chains of kGemmBlockK fused multiply-adds from zero,
// chain results added in sequence up to kGemmSuperK, those sums added in sequence. So no result depends on
// the tiling.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace mlx::core::cpu {

constexpr int64_t kGemmBlockK = 256;
constexpr int64_t kGemmSuperK = 2048;
constexpr int64_t kGemmThinRows = 4;
constexpr int64_t kGemmMaxRows = 16;  // no level has taller register tiles

// Elements that a packer may write past the end of its last panel.
constexpr int64_t kGemmPackSlack = 32;

// What the product of one finished block becomes: alpha * acc + beta * cin, rounded once to the memory type.
struct GemmStore {
  void* out;
  int64_t out_row_stride, out_col_stride;
  const void* cin;  // null: no addend
  int64_t cin_row_stride, cin_col_stride;
  double alpha = 1, beta = 0;
};

// One block of the product: m x n accumulators (+)= packed A (k x m) times packed B (k x n).
struct GemmBlock {
  const void* a;   // panels of `height` rows, the last with what is left; panel layout [k][rows]
  int64_t height;  // at most mr
  const void* b;   // panels of nr columns, b_panel_stride elements apart; layout [k][b_row_stride]
  int64_t b_panel_stride, b_row_stride;
  int64_t m, n, k;
  void* acc;
  int64_t acc_row_stride;
  bool accumulate;  // add to acc, otherwise overwrite it
};

// A product with few rows, reading B where it lies: m <= kGemmThinRows, a one panel [k][m], b with one
// stride 1.
struct GemmThin {
  const void* a;
  const void* b;
  int64_t b_row_stride, b_col_stride;
  int64_t m, n, k;
  void* acc;
  int64_t acc_row_stride;
  bool accumulate;
};

// Kernels of one memory type. `acc` is float for float32, float16 and bfloat16, double for float64; panels
// hold acc.
struct GemmTypeKernels {
  int64_t mr, nr;      // register tile
  int64_t item, wide;  // bytes of a memory element and of an accumulator
  // Rows [0, rows) of A for k columns, as panels of `height` rows; may write kGemmPackSlack elements past the
  // end.
  void (*pack_a)(const void* a, int64_t row_stride, int64_t col_stride, int64_t rows, int64_t k,
                 int64_t height, void* panels);
  // One panel of B: k rows, cols <= nr columns, the rest zeros.
  void (*pack_b)(const void* b, int64_t row_stride, int64_t col_stride, int64_t k, int64_t cols, void* panel);
  // A piece of one A panel from rows that are already wide and contiguous in k: panel[j * count + i] =
  // rows[i][j].
  void (*pack_rows)(const void* const* rows, int64_t count, int64_t k, void* panel);
  void (*multiply)(const GemmBlock& block);
  void (*multiply_thin)(const GemmThin& block);
  // total[r][c] += part[r][c]
  void (*add)(void* total, int64_t total_row_stride, const void* part, int64_t part_row_stride, int64_t rows,
              int64_t cols);
  void (*store)(const void* acc, int64_t acc_row_stride, int64_t rows, int64_t cols, const GemmStore& store);
  // count elements of the memory type, `stride` apart, to accumulators
  void (*widen)(const void* from, int64_t stride, int64_t count, void* to);
  // outer x inner elements, packed densely; strides in elements
  void (*widen_grid)(const void* from, int64_t outer_stride, int64_t inner_stride, int64_t outer,
                     int64_t inner, void* to);
  // Products per channel (depthwise convolution): for p < positions, c < channels
  // out[p * out_stride + c] = sum over j < k of x[offsets[j] + p * x_stride + c] * w[j * channels + c]
  void (*per_channel)(const void* x, const int64_t* offsets, int64_t k, int64_t x_stride, int64_t positions,
                      const void* w, int64_t channels, void* out, int64_t out_stride);
};

enum class GemmType { float32, float64, float16, bfloat16 };

struct GemmKernels {
  GemmTypeKernels types[4];  // by GemmType
  const GemmTypeKernels& operator[](GemmType t) const { return types[static_cast<int>(t)]; }
};

}  // namespace mlx::core::cpu
