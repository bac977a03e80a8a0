// Brings blocks of strided elements of one dtype into contiguous scratch memory of another, for kernels that
// read contiguous elements of few dtypes.
#pragma once

#include <memory>

#include "mlx/array.h"

namespace mlx::core::cpu {

// Elements of a block; strides count elements.
struct BlockShape {
  int64_t rows, columns, row_stride, column_stride;
};

// Uninitialised memory of one task.
class TaskMemory {
 public:
  explicit TaskMemory(int64_t bytes)
      : memory_(new (std::align_val_t(64)) char[static_cast<size_t>(bytes) + 64]) {}
  char* get() const { return memory_.get(); }

 private:
  struct Free {
    void operator()(char* p) const { ::operator delete[](p, std::align_val_t(64)); }
  };
  std::unique_ptr<char[], Free> memory_;
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
  std::unique_ptr<TaskMemory> gathered_, converted_;
};

// Writes contiguous elements of dtype `from` to strided ones of dtype `to`; `scratch` holds them as `to` in
// between.
void store_block(const char* from, Dtype from_dtype, char* to, Dtype to_dtype, const BlockShape& to_block,
                 char* scratch);

// Converts n contiguous elements.
void convert_block(const void* from, Dtype from_dtype, void* to, Dtype to_dtype, int64_t n);

}  // namespace mlx::core::cpu
