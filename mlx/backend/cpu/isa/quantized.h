// Codes of quantized matrices to numbers, and products of a few rows with them.
#pragma once

#include <stdint.h>

namespace mlx::core::cpu {

// How codes of a matrix become numbers.
enum class CodeKind { integer, fp4, fp8 };

// Products of `rows` rows of x with one row of codes. A code of group g counts scales[g] * code + biases[g].
// Everything but the codes has the wide type, float or double.
struct QuantizedDot {
  const void* codes;  // 8 codes in `bits` bytes
  const void* scales;
  const void* biases;  // null: none
  int64_t groups, group_size;
  const void* x;  // [rows][x_stride]
  int64_t x_stride, rows;
  const void* sums;  // sum of x over each group, [rows][groups]
  void* out;         // [rows], out_stride apart
  int64_t out_stride;
};

inline constexpr int kQuantizedDotRows = 4;  // the most that one call takes

// By kind of codes and their bits; null where no mode has the pair.
struct QuantizedTypeKernels {
  void (*dot[3][9])(const QuantizedDot& dot);  // float only
  // n codes of one group, n a multiple of 8, as scale * code, plus *bias unless it is null.
  void (*decode[3][9])(const void* codes, int64_t n, double scale, const double* bias, void* out);
};

struct QuantizedKernels {
  QuantizedTypeKernels float32, float64;
};

}  // namespace mlx::core::cpu
