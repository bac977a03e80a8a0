// See indices.h.

#include "mlx/backend/cpu/indices.h"

#include <algorithm>

#include "mlx/backend/common/layout.h"
#include "mlx/backend/cpu/copy.h"
#include "mlx/core/dispatch.h"
#include "mlx/core/error.h"

namespace mlx::core::cpu {

namespace {

template <typename T>
[[noreturn]] void raise_out_of_bounds(const IndexedAxis& a, T index) {
  if (a.window > 1) {
    raise<AxisError>("[", a.op, "] Index ", +index, " is out of bounds for windows of ", a.window,
                     " elements along axis ", a.axis, " with size ", a.size, ".");
  }
  raise<AxisError>("[", a.op, "] Index ", +index, " is out of bounds for axis ", a.axis, " with size ", a.size, ".");
}

// The place of an index along the axis; not below the limit when it is out of bounds.
template <typename T>
uint64_t place_of(const IndexedAxis& a, T index) {
  if constexpr (std::is_unsigned_v<T>) return index;
  else return static_cast<uint64_t>(static_cast<int64_t>(index) + (index < 0 ? a.size : 0));
}

template <typename T>
void add(const IndexedAxis& a, const T* indices, int64_t index_stride, int64_t n, int64_t* offsets) {
  uint64_t limit = static_cast<uint64_t>(std::max<int64_t>(a.size - a.window + 1, 0));
  bool inside = true;
  for (int64_t i = 0; i < n; i++) {
    uint64_t place = place_of(a, indices[i * index_stride]);
    inside &= place < limit;
    offsets[i] = static_cast<int64_t>(static_cast<uint64_t>(offsets[i]) + place * static_cast<uint64_t>(a.stride));
  }
  if (inside) return;
  for (int64_t i = 0; i < n; i++) {
    if (place_of(a, indices[i * index_stride]) >= limit) raise_out_of_bounds(a, indices[i * index_stride]);
  }
}

}  // namespace

void add_offsets(const IndexedAxis& axis, Dtype dtype, const void* indices, int64_t index_stride, int64_t n,
                 int64_t* offsets) {
  dispatch_dtype(dtype, [&]<typename T>(TypeTag<T>) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      add(axis, static_cast<const T*>(indices), index_stride, n, offsets);
    }
  });
}

WindowOffsets::WindowOffsets(std::span<const array> indices, const Shape& shape, std::vector<IndexedAxis> axes)
    : axes_(std::move(axes)) {
  for (const array& x : indices) {
    // Beside an empty array nobody reads the others; a single index is checked all the same, as NumPy does.
    if (element_count(shape) == 0 && x.ndim() == 0) {
      WindowOffsets({&x, 1}, x.shape(), {axes_[indices_.size()]}).check(static_cast<int64_t>(x.size()));
    }
    if (x.size() == 1 || (x.shape() == shape && x.flags().row_contiguous)) {
      indices_.push_back(x);
      continue;
    }
    array whole(shape, x.dtype(), nullptr, {});
    whole.set_data(allocator::malloc(whole.nbytes()));
    copy_strided(x.data<void>(), broadcast_strides(x.shape(), x.strides(), shape), whole.data<void>(),
                 row_major_strides(shape), shape, x.itemsize());
    whole.set_status(array::available);
    indices_.push_back(std::move(whole));
  }
}

void WindowOffsets::read(int64_t begin, int64_t end, int64_t* offsets) const {
  std::fill(offsets, offsets + (end - begin), 0);
  for (size_t k = 0; k < axes_.size(); k++) {
    const array& x = indices_[k];
    int64_t stride = x.size() == 1 ? 0 : 1;
    const char* first = x.data<char>() + begin * stride * static_cast<int64_t>(x.itemsize());
    add_offsets(axes_[k], x.dtype(), first, stride, end - begin, offsets);
  }
}

void WindowOffsets::check(int64_t count) const {
  int64_t offsets[512];
  for (int64_t i = 0; i < count; i += 512) read(i, std::min<int64_t>(i + 512, count), offsets);
}

}  // namespace mlx::core::cpu
