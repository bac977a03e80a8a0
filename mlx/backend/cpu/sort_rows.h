// Rows along an axis, brought together in memory and spread out again; memory to sort them in.
#pragma once

#include <functional>

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

// Gives `out` the elements of `in`, put in order by order(from, to, n): rows of n elements, one behind the other; `to`
// may have the buffer of `from`.
void order_rows(const array& in, int axis, array& out,
                const std::function<void(const array&, array&, int64_t)>& order);

// Gives `out` the places of elements that place(rows, places, n) writes, n for each row.
void place_rows(const array& in, int axis, array& out,
                const std::function<void(const array&, uint32_t*, int64_t)>& place);

}  // namespace mlx::core::cpu
