// Layouts: how shapes and strides lie in memory, and what can be a view. Strides count elements.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "mlx/array.h"

namespace mlx::core {

struct Layout {
  array::Flags flags;
  size_t data_size;  // elements from the first to the last one touched
};
Layout layout_of(const Shape& shape, const Strides& strides);

// Makes `out` a view of `in`'s buffer; the offset is in elements from in's first one.
void set_view(array& out, const array& in, Strides strides, int64_t offset = 0);

// Strides of `from` seen as `to` without moving an element, when there are such.
std::optional<Strides> reshape_strides(const Shape& from, const Strides& strides, const Shape& to);

// Strides that repeat the array along the axes of the larger shape.
Strides broadcast_strides(const Shape& shape, const Strides& strides, const Shape& to);

// The same elements in the same order with as few dimensions as possible, jointly for several stride sets. The
// result has at least one dimension.
struct Collapsed {
  Shape shape;
  std::vector<Strides> strides;
};
// No dimension grows past `largest` by being joined.
Collapsed collapse(const Shape& shape, std::vector<Strides> strides,
                   int64_t largest = std::numeric_limits<int64_t>::max());

}  // namespace mlx::core
