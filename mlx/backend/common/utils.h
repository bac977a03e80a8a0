// Helpers for the loops of primitives of one's own: places of elements, shapes with fewer dimensions, grids.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "mlx/array.h"

namespace mlx::core {

// The folder of the library or program that holds this function.
std::filesystem::path current_binary_dir();

// Where the element with the row-major index `elem` lies, in elements.
inline int64_t elem_to_loc(int64_t elem, const Shape& shape, const Strides& strides) {
  int64_t place = 0;
  for (size_t i = shape.size(); i-- > 0 && elem > 0; elem /= shape[i]) place += (elem % shape[i]) * strides[i];
  return place;
}
inline int64_t elem_to_loc(int64_t elem, const array& a) {
  return a.flags().row_contiguous ? elem : elem_to_loc(elem, a.shape(), a.strides());
}

inline Strides make_contiguous_strides(const Shape& shape) { return row_major_strides(shape); }

// The same elements in the same order with as few dimensions as possible, at least one, for all stride sets together.
// No dimension grows past size_cap by being joined.
std::tuple<Shape, std::vector<Strides>> collapse_contiguous_dims(
    const Shape& shape, const std::vector<Strides>& strides, int64_t size_cap = std::numeric_limits<int32_t>::max());
// Of arrays of one shape.
std::tuple<Shape, std::vector<Strides>> collapse_contiguous_dims(
    const std::vector<array>& xs, size_t size_cap = size_t{std::numeric_limits<int32_t>::max()});
template <typename... Arrays, typename = enable_for_arrays_t<Arrays...>>
auto collapse_contiguous_dims(const array& first, Arrays&&... others) {
  return collapse_contiguous_dims(std::vector<array>{first, std::forward<Arrays>(others)...});
}
std::pair<Shape, Strides> collapse_contiguous_dims(const Shape& shape, const Strides& strides,
                                                   int64_t size_cap = std::numeric_limits<int32_t>::max());
std::pair<Shape, Strides> collapse_contiguous_dims(const array& a,
                                                   int64_t size_cap = std::numeric_limits<int32_t>::max());

// Sizes of grids and blocks of threads. A block has at most 2^pow2 threads and no side far beyond its dimension; a grid
// has one thread per element that is stored (dimensions of stride 0 count once), over the divisor where there is one.
using Dims = std::tuple<uint32_t, uint32_t, uint32_t>;
Dims get_block_dims_common(int dim0, int dim1, int dim2, int pow2 = 10);
Dims get_2d_grid_dims_common(const Shape& shape, const Strides& strides);
Dims get_2d_grid_dims_common(const Shape& shape, const Strides& strides, size_t divisor);
// Blocks that cover the dimensions, and the threads of one.
std::pair<Dims, Dims> get_grid_and_block_common(int dim0, int dim1, int dim2);

// Walks elements in row-major order; `loc` is the place of the current one, in elements.
struct ContiguousIterator {
  int64_t loc{0};

  ContiguousIterator() = default;
  explicit ContiguousIterator(const array& a);
  // Of the first `dims` dimensions.
  explicit ContiguousIterator(const Shape& shape, const Strides& strides, int dims);

  void step() {
    for (size_t i = shape_.size(); i-- > 0;) {
      loc += strides_[i];
      if (++pos_[i] < shape_[i]) return;
      loc -= strides_[i] * shape_[i];
      pos_[i] = 0;
    }
  }
  void step(int64_t s);
  // Elements that lie one after the other at each place of the outer dimensions; 0 where neighbours do not touch.
  int64_t contiguous_suffix() const { return shape_.empty() || strides_.back() != 1 ? 0 : shape_.back(); }
  // Goes to the element with this row-major index, or back to the first.
  void seek(int64_t n);
  void reset() { seek(0); }

 private:
  Shape shape_, pos_;
  Strides strides_;
};

// Elements that are stored (dimensions of stride 0 count once), and whether their order is that of C and of Fortran.
std::tuple<int64_t, bool, bool> check_contiguity(const Shape& shape, const Strides& strides);

// May `out` take over the buffer of `in`? Not where that would waste much of it.
inline bool is_donatable(const array& in, const array& out) {
  constexpr size_t waste = 16384;
  return in.is_donatable() && in.itemsize() == out.itemsize() && in.buffer_size() <= out.nbytes() + waste;
}

// Whether a reshape has to copy; if not, the strides of `out` as a view of `in`.
std::pair<bool, Strides> prepare_reshape(const array& in, const array& out);
void shared_buffer_reshape(const array& in, const Strides& out_strides, array& out);

template <typename T>
SmallVector<T> remove_index(SmallVector<T> vec, size_t index) {
  vec.erase(vec.begin() + index);
  return vec;
}

}  // namespace mlx::core
