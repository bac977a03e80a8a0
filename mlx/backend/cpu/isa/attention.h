// Softmax of attention scores, a panel of keys at a time.
#pragma once

#include <stdint.h>

namespace mlx::core::cpu {

// Scores of one panel of keys (rows) against some queries (columns). Columns are computed in runs of 16, so
// all arrays must be readable up to a multiple of 16 columns.
struct ScorePanel {
  void* scores;  // products of key and query; becomes exp(score - largest)
  int64_t stride;
  int64_t keys, columns;
  double scale;           // of the products
  const void* mask;       // [keys][columns] in the type of the scores without a gap, or null
  bool mask_keeps;        // the mask keeps where it is not 0, otherwise it is added
  const void* kept_keys;  // per column: keys from this one on are left out; or null
  // Running values of each column: the largest score, the sum of the exponentials, and the factor that brings
  // earlier exponentials to the new largest score.
  void *largest, *sum, *correction;
};

struct AttentionTypeKernels {
  void (*panel)(const ScorePanel& panel);
  // rows[r][c] *= factors[c], in runs of 16 columns
  void (*scale)(void* rows, int64_t stride, int64_t count, int64_t columns, const void* factors);
  // x[i] becomes exp(x[i] - largest); returns the sum, and the largest through the pointer.
  double (*row)(void* x, int64_t n, void* largest);
};

// Products of `count` queries with rows of keys, whose elements lie side by side.
struct KeyRows {
  const void* rows;
  int64_t row_stride, keys, size;
  const void* queries;  // [count][size], of the scores' type
  int64_t count;        // 1 to 4
  void* scores;         // [count][score_stride]
  int64_t score_stride;
};

struct ScoreKernels {
  void (*by_memory[4])(const KeyRows& rows);  // float32, float64, float16, bfloat16
};

struct AttentionKernels {
  AttentionTypeKernels float32, float64;
};

}  // namespace mlx::core::cpu
