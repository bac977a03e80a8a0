// See block_loader.h.

#include "mlx/backend/cpu/block_loader.h"

#include <cstring>

#include "mlx/backend/cpu/isa.h"

namespace mlx::core::cpu {

namespace {

bool is_dense(const BlockShape& b) {
  return (b.columns == 1 || b.column_stride == 1) && (b.rows == 1 || b.row_stride == b.columns);
}

void gather(const char* from, char* to, const BlockShape& b, size_t itemsize) {
  copy_kernel(itemsize)(from, to, CopyBlock{b.rows, b.columns, b.row_stride, b.column_stride, b.columns, 1});
}

}  // namespace

void convert_block(const void* from, Dtype from_dtype, void* to, Dtype to_dtype, int64_t n) {
  if (from_dtype == to_dtype)
    std::memcpy(to, from, static_cast<size_t>(n) * to_dtype.size());
  else
    kernels().cast.table[static_cast<int>(from_dtype.val())][static_cast<int>(to_dtype.val())](from, to, n);
}

BlockLoader::BlockLoader(Dtype from, Dtype to, int64_t max_elements)
    : from_(from), to_(to), max_elements_(max_elements) {}

const char* BlockLoader::load(const char* from, const BlockShape& block) {
  if (from_ == to_ && is_dense(block)) return from;
  if (!converted_) converted_.emplace(max_elements_ * to_.size());
  load_into(from, block, converted_->data<char>());
  return converted_->data<char>();
}

void BlockLoader::load_into(const char* from, const BlockShape& block, char* to) {
  if (from_ == to_) {
    gather(from, to, block, from_.size());
  } else if (block.columns == 1 || block.column_stride == 1) {
    int64_t rows = is_dense(block) ? 1 : block.rows, columns = block.rows * block.columns / rows;
    for (int64_t r = 0; r < rows; r++) {
      convert_block(from + r * block.row_stride * from_.size(), from_, to + r * columns * to_.size(), to_,
                    columns);
    }
  } else {
    if (!gathered_) gathered_.emplace(max_elements_ * from_.size());
    gather(from, gathered_->data<char>(), block, from_.size());
    convert_block(gathered_->data<char>(), from_, to, to_, block.rows * block.columns);
  }
}

void store_block(const char* from, Dtype from_dtype, char* to, Dtype to_dtype, const BlockShape& b,
                 char* scratch) {
  if (is_dense(b)) {
    convert_block(from, from_dtype, to, to_dtype, b.rows * b.columns);
    return;
  }
  const char* elements = from;
  if (from_dtype != to_dtype) {
    convert_block(from, from_dtype, scratch, to_dtype, b.rows * b.columns);
    elements = scratch;
  }
  CopyBlock spread{b.rows, b.columns, b.columns, 1, b.row_stride, b.column_stride};
  copy_kernel(to_dtype.size())(elements, to, spread);
}

}  // namespace mlx::core::cpu
