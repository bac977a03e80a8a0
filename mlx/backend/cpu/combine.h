// Values meeting in one place: what slice updates and scatters do to elements.
#pragma once

#include "mlx/array.h"
#include "mlx/ops/slice_primitives.h"

namespace mlx::core::cpu {

// to[i * to_stride] and from[i * from_stride] meet, for n elements; strides count elements.
using CombineRow = void (*)(void* to, int64_t to_stride, const void* from, int64_t from_stride, int64_t n);
CombineRow combine_row(Combine mode, Dtype dtype);

// to[to_offsets[i]] and from[from_offsets[i]] meet, in order.
using CombineElements = void (*)(void* to, const int64_t* to_offsets, const void* from, const int64_t* from_offsets,
                                 int64_t n);
CombineElements combine_elements(Combine mode, Dtype dtype);

// Memory for `out` that may be written: in's own where it is donatable (then true), else fresh. Both lie as `in` does
// where that has no gaps: results that depend on the layout, such as sums, must not depend on who else holds `in`.
bool allocate_for_update(const array& in, array& out);

// The same, with the values of `in`.
void copy_for_update(const array& in, array& out);

}  // namespace mlx::core::cpu
