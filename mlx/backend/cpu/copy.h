// Copies between layouts of the same element type, shared with the pool.
#pragma once

#include "mlx/array.h"

namespace mlx::core::cpu {

// Elements at `from` with the given strides go to `to` with the others; strides count elements, itemsize bytes.
void copy_strided(const void* from, const Strides& from_strides, void* to, const Strides& to_strides,
                  const Shape& shape, size_t itemsize);

// Gives `out` a fresh row-major buffer with the elements of `in`, seen in out's shape where the sizes agree.
void copy_row_major(const array& in, array& out);

// The array itself when it is row-major, else a row-major copy.
array row_major(const array& x);

}  // namespace mlx::core::cpu
