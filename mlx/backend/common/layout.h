// Layouts: how shapes and strides lie in memory, and what can be a view. Strides count elements.
#pragma once

#include <array>
#include <limits>
#include <optional>
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
// Gives it at least so many dimensions, new ones on the outside.
void widen(Collapsed& c, size_t ndim);

// Where the row-major index over the first `axes` axes of a shape lies by each of the strides.
template <typename... S>
std::array<int64_t, sizeof...(S)> offsets_at(int64_t index, size_t axes, const Shape& shape, const S&... strides) {
  std::array<int64_t, sizeof...(S)> offsets{};
  for (size_t axis = axes; axis-- > 0; index /= shape[axis]) {
    int64_t place = index % shape[axis];
    size_t k = 0;
    ((offsets[k++] += place * strides[axis]), ...);
  }
  return offsets;
}

}  // namespace mlx::core
