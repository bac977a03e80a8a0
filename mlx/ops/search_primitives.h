// Places of values in sorted rows, and of what is not zero.
#pragma once

#include "mlx/ops/operation.h"

namespace mlx::core {

// Inputs: sorted rows (..., n), and values whose leading dimensions are those of the rows; of one dtype.
class SearchSorted : public Operation {
 public:
  SearchSorted(Stream s, bool right) : Operation(s), right_(right) {}
  MLX_OPERATION(SearchSorted, right_)
  bool right() const { return right_; }

 private:
  bool right_;
};

// The first `size` places of true in each row of a bool array (..., n), and n where there are fewer.
class NonZero : public Operation {
 public:
  NonZero(Stream s, int64_t size) : Operation(s), size_(size) {}
  MLX_OPERATION(NonZero, size_)
  int64_t size() const { return size_; }

 private:
  int64_t size_;
};
array nonzero_places(const array& mask, int64_t size, const Stream& s);

// How many elements of a mask are true, which evaluates it. Throws std::invalid_argument, which names the operation
// and its parameters for a fixed size, where values are not known.
int64_t count_true(const char* name, const char* parameters, const array& mask, const Stream& s);
// Throws std::invalid_argument for a negative one.
void check_fixed_size(const char* name, int64_t size);
// One element of the dtype. Throws std::invalid_argument for several.
array single_fill(const char* name, const array& fill_value, Dtype dtype, const Stream& s);

}  // namespace mlx::core
