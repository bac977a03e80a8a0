// Rows along an axis, brought together in memory and spread out again; memory to sort them in.
#pragma once

#include "mlx/allocator.h"
#include "mlx/array.h"

namespace mlx::core::cpu {

// Memory from the allocator's cache: fresh pages would cost as much as the sort of a long row.
class SortMemory {
 public:
  explicit SortMemory(size_t bytes) : buffer_(allocator::malloc(bytes)) {}
  ~SortMemory() { allocator::free(buffer_); }
  SortMemory(const SortMemory&) = delete;
  SortMemory& operator=(const SortMemory&) = delete;
  void* get() { return buffer_.raw_ptr(); }

 private:
  allocator::Buffer buffer_;
};

bool rows_in_place(const array& x, int axis);
// A row-major copy with the axis last.
array gather_rows(const array& x, int axis);
// Gives `out` a buffer with those rows along the axis.
void spread_rows(const array& rows, int axis, array& out);

}  // namespace mlx::core::cpu
