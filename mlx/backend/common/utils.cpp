// See utils.h.

#include "mlx/backend/common/utils.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include "mlx/backend/common/layout.h"

namespace mlx::core {

std::filesystem::path current_binary_dir() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void*>(&current_binary_dir), &info) || !info.dli_fname) return {};
  return std::filesystem::absolute(info.dli_fname).parent_path();
}

std::tuple<Shape, std::vector<Strides>> collapse_contiguous_dims(const Shape& shape,
                                                                 const std::vector<Strides>& strides,
                                                                 int64_t size_cap) {
  Collapsed c = collapse(shape, strides, size_cap);
  return {std::move(c.shape), std::move(c.strides)};
}

std::tuple<Shape, std::vector<Strides>> collapse_contiguous_dims(const std::vector<array>& xs, size_t size_cap) {
  if (xs.empty()) throw std::invalid_argument("[collapse_contiguous_dims] There is no array.");
  std::vector<Strides> strides;
  for (const array& x : xs) {
    if (x.shape() != xs[0].shape()) {
      throw std::invalid_argument("[collapse_contiguous_dims] The arrays have different shapes.");
    }
    strides.push_back(x.strides());
  }
  return collapse_contiguous_dims(xs[0].shape(), strides, static_cast<int64_t>(size_cap));
}

std::pair<Shape, Strides> collapse_contiguous_dims(const Shape& shape, const Strides& strides, int64_t size_cap) {
  Collapsed c = collapse(shape, {strides}, size_cap);
  return {std::move(c.shape), std::move(c.strides[0])};
}

std::pair<Shape, Strides> collapse_contiguous_dims(const array& a, int64_t size_cap) {
  return collapse_contiguous_dims(a.shape(), a.strides(), size_cap);
}

// Grids

Dims get_block_dims_common(int dim0, int dim1, int dim2, int pow2) {
  std::array<int, 3> dims{dim0, dim1, dim2};
  std::array<uint32_t, 3> block{1, 1, 1};
  for (bool grows = true; grows && pow2 > 0;) {
    grows = false;
    for (int i = 0; i < 3 && pow2 > 0; i++) {
      if (static_cast<int64_t>(block[i]) * 2 > dims[i]) continue;
      block[i] *= 2;
      pow2--;
      grows = true;
    }
  }
  return {block[0], block[1], block[2]};
}

Dims get_2d_grid_dims_common(const Shape& shape, const Strides& strides) {
  return get_2d_grid_dims_common(shape, strides, 1);
}

Dims get_2d_grid_dims_common(const Shape& shape, const Strides& strides, size_t divisor) {
  constexpr uint64_t limit = std::numeric_limits<uint32_t>::max();
  uint64_t d = std::clamp<uint64_t>(divisor, 1, limit), x = 1, y = 1;
  for (size_t i = 0; i < shape.size(); i++) {
    if (strides[i] == 0) continue;
    auto n = static_cast<uint64_t>(shape[i]);
    if (n == 0) return {0, 1, 1};
    if (n <= limit * d / x) x *= n;
    else if (n <= limit / y) y *= n;
    else throw std::runtime_error("[get_2d_grid_dims_common] The array is too large for a grid.");
  }
  x = (x + d - 1) / d;
  return {static_cast<uint32_t>(x), static_cast<uint32_t>(y), 1};
}

std::pair<Dims, Dims> get_grid_and_block_common(int dim0, int dim1, int dim2) {
  auto [b0, b1, b2] = get_block_dims_common(dim0, dim1, dim2);
  auto blocks = [](int dim, uint32_t block) { return (static_cast<uint32_t>(std::max(dim, 0)) + block - 1) / block; };
  return {{blocks(dim0, b0), blocks(dim1, b1), blocks(dim2, b2)}, {b0, b1, b2}};
}

// The iterator

ContiguousIterator::ContiguousIterator(const array& a)
    : ContiguousIterator(a.shape(), a.strides(), static_cast<int>(a.ndim())) {}

ContiguousIterator::ContiguousIterator(const Shape& shape, const Strides& strides, int dims) {
  std::tie(shape_, strides_) = collapse_contiguous_dims(Shape(shape.begin(), shape.begin() + dims),
                                                        Strides(strides.begin(), strides.begin() + dims));
  pos_ = Shape(shape_.size(), 0);
}

void ContiguousIterator::seek(int64_t n) {
  loc = 0;
  for (size_t i = shape_.size(); i-- > 0;) {
    int64_t size = std::max<int64_t>(shape_[i], 1);
    pos_[i] = n % size;
    loc += pos_[i] * strides_[i];
    n /= size;
  }
}

void ContiguousIterator::step(int64_t s) {
  int64_t index = 0;
  for (size_t i = 0; i < shape_.size(); i++) index = index * shape_[i] + pos_[i];
  seek(index + s);
}

// Views

std::tuple<int64_t, bool, bool> check_contiguity(const Shape& shape, const Strides& strides) {
  int64_t stored = 1;
  for (size_t i = 0; i < shape.size(); i++) stored *= strides[i] == 0 ? 1 : shape[i];
  array::Flags flags = layout_of(shape, strides).flags;
  return {stored, static_cast<bool>(flags.row_contiguous), static_cast<bool>(flags.col_contiguous)};
}

std::pair<bool, Strides> prepare_reshape(const array& in, const array& out) {
  std::optional<Strides> strides = reshape_strides(in.shape(), in.strides(), out.shape());
  return {!strides, strides ? *strides : row_major_strides(out.shape())};
}

void shared_buffer_reshape(const array& in, const Strides& out_strides, array& out) { set_view(out, in, out_strides); }

}  // namespace mlx::core
