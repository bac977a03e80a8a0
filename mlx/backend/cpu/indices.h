// Arrays of indices turned into offsets. Every index is checked here, before anything is read or written with it.
#pragma once

#include <span>
#include <vector>

#include "mlx/array.h"

namespace mlx::core::cpu {

// The axis that indices count along, for messages and limits.
struct IndexedAxis {
  const char* op;
  int axis;
  int64_t size;    // of the axis
  int64_t window;  // elements taken from each index on
  int64_t stride;  // of the axis, in elements
};

// Adds index * stride to each of n offsets. Throws AxisError for an index out of range.
void add_offsets(const IndexedAxis& axis, Dtype dtype, const void* indices, int64_t index_stride, int64_t n,
                 int64_t* offsets);

// The first elements of the windows that several index arrays name together.
class WindowOffsets {
 public:
  // The index arrays broadcast to `shape`.
  WindowOffsets(std::span<const array> indices, const Shape& shape, std::vector<IndexedAxis> axes);
  // Of the windows begin ... end - 1.
  void read(int64_t begin, int64_t end, int64_t* offsets) const;
  // Of `count` windows; where windows are empty nobody reads their offsets.
  void check(int64_t count) const;

 private:
  std::vector<array> indices_;  // row-major, of one shape, or of a single element
  std::vector<IndexedAxis> axes_;
};

}  // namespace mlx::core::cpu
