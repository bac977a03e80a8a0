// Brings blocks of strided elements of one dtype into contiguous scratch memory of another, for kernels that
// read contiguous elements of few dtypes.
#pragma once

#include <optional>

#include "mlx/array.h"
#include "mlx/backend/cpu/scratch.h"

namespace mlx::core::cpu {

// Elements of a block; strides count elements.
struct BlockShape {
  int64_t rows, columns, row_stride, column_stride;
};

class BlockLoader {
 public:
  // Blocks hold at most max_elements.
  BlockLoader(Dtype from, Dtype to, int64_t max_elements);
  // The block's elements row by row without gaps. The memory is the loader's, or the input itself where it
  // fits.
  const char* load(const char* from, const BlockShape& block);
  // The same into memory of the caller.
  void load_into(const char* from, const BlockShape& block, char* to);

 private:
  Dtype from_, to_;
  int64_t max_elements_;
  std::optional<Scratch> gathered_, converted_;
};

// Writes contiguous elements of dtype `from` to strided ones of dtype `to`; `scratch` holds them as `to` in
// between.
void store_block(const char* from, Dtype from_dtype, char* to, Dtype to_dtype, const BlockShape& to_block,
                 char* scratch);

// Converts n contiguous elements.
void convert_block(const void* from, Dtype from_dtype, void* to, Dtype to_dtype, int64_t n);

}  // namespace mlx::core::cpu
