// Reading at indices: windows of an array one after the other, and one element per index along an axis.

#include <algorithm>
#include <bit>
#include <cstring>

#include "mlx/backend/common/layout.h"
#include "mlx/backend/cpu/copy.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/indices.h"
#include "mlx/backend/cpu/isa.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops/index_primitives.h"
#include "mlx/ops/rules.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t chunk_bytes = 32 * 1024;
constexpr int64_t large_window_bytes = 256 * 1024;  // the copy of a single one is shared with the pool
constexpr int64_t block = 512;                      // offsets that are converted at a time

template <typename T>
void take_elements(const void* from_, int64_t from_step, const int64_t* offsets, void* to_, int64_t n) {
  const T* from = static_cast<const T*>(from_);
  T* to = static_cast<T*>(to_);
  for (int64_t i = 0; i < n; i++) to[i] = from[i * from_step + offsets[i]];
}
using TakeElements = void (*)(const void*, int64_t, const int64_t*, void*, int64_t);
TakeElements take_elements_of(size_t itemsize) {
  constexpr TakeElements table[] = {take_elements<uint8_t>, take_elements<uint16_t>, take_elements<uint32_t>,
                                    take_elements<uint64_t>};
  return table[std::countr_zero(itemsize)];
}

// Copies windows of one shape to contiguous memory, each on the calling thread.
class WindowCopy {
 public:
  WindowCopy(const Shape& window, const Strides& strides, size_t itemsize)
      : c_(collapse(window, {strides, row_major_strides(window)})),
        itemsize_(static_cast<int64_t>(itemsize)),
        size_(static_cast<int64_t>(element_count(window))),
        copy_(copy_kernel(itemsize)) {
    is_row_ = c_.shape.size() == 1 && (c_.strides[0][0] == 1 || c_.shape[0] == 1);
    widen(c_, 2);
  }
  int64_t bytes() const { return size_ * itemsize_; }
  void operator()(const char* from, char* to) const {
    if (is_row_) std::memcpy(to, from, static_cast<size_t>(bytes()));
    else copy_blocks(from, to);
  }

 private:
  void copy_blocks(const char* from, char* to) const {
    size_t last = c_.shape.size() - 1;
    CopyBlock shape{c_.shape[last - 1],     c_.shape[last],          c_.strides[0][last - 1],
                    c_.strides[0][last],    c_.strides[1][last - 1], c_.strides[1][last]};
    int64_t blocks = size_ / (c_.shape[last - 1] * c_.shape[last]);
    for (int64_t k = 0; k < blocks; k++) {
      auto [from_offset, to_offset] = offsets_at(k, last - 1, c_.shape, c_.strides[0], c_.strides[1]);
      copy_(from + from_offset * itemsize_, to + to_offset * itemsize_, shape);
    }
  }

  Collapsed c_;
  int64_t itemsize_, size_;
  CopyFn copy_;
  bool is_row_;
};

// Windows so large that each copy is worth several threads.
void gather_large(const array& a, const WindowOffsets& windows, int64_t count, const Shape& window, array& out) {
  int64_t size = static_cast<int64_t>(a.itemsize()), step = static_cast<int64_t>(element_count(window)) * size;
  for (int64_t i = 0; i < count; i++) {
    int64_t offset;
    windows.read(i, i + 1, &offset);
    copy_strided(a.data<char>() + offset * size, a.strides(), out.data<char>() + i * step, row_major_strides(window),
                 window, a.itemsize());
  }
}

void gather_small(const array& a, const WindowOffsets& windows, int64_t count, const Shape& window, array& out) {
  WindowCopy copy(window, a.strides(), a.itemsize());
  TakeElements take = take_elements_of(a.itemsize());
  int64_t size = static_cast<int64_t>(a.itemsize()), step = copy.bytes();
  const char* from = a.data<char>();
  char* to = out.data<char>();
  parallel_chunks(count, std::max<int64_t>(chunk_bytes / step, 1), [&](int64_t begin, int64_t end) {
    int64_t offsets[block];
    for (int64_t i = begin; i < end; i += block) {
      int64_t n = std::min(block, end - i);
      windows.read(i, i + n, offsets);
      if (step == size) take(from, 0, offsets, to + i * step, n);
      else for (int64_t k = 0; k < n; k++) copy(from + offsets[k] * size, to + (i + k) * step);
    }
  });
}

// One indexed axis behind others, one element of it at a time: memory is written in the order of the axes, with the
// index where the axis was, as callers want it in the end. Offsets are found once and used for all axes before.
void gather_inside(const array& a, const WindowOffsets& windows, int axis, const Shape& index_shape, array& out) {
  Shape before(a.shape().begin(), a.shape().begin() + axis), behind(a.shape().begin() + axis + 1, a.shape().end());
  Shape order = before;
  order.insert(order.end(), index_shape.begin(), index_shape.end());
  order.insert(order.end(), behind.begin(), behind.end());
  Strides memory = row_major_strides(order), strides(memory.begin() + axis, memory.begin() + axis + index_shape.size());
  strides.insert(strides.end(), memory.begin(), memory.begin() + axis);
  strides.push_back(1);
  strides.insert(strides.end(), memory.end() - behind.size(), memory.end());
  Layout layout = layout_of(out.shape(), strides);
  out.set_data(allocator::malloc(out.nbytes()), layout.data_size, strides, layout.flags);

  std::vector<int64_t> offsets(element_count(index_shape));
  int64_t count = static_cast<int64_t>(offsets.size()), size = static_cast<int64_t>(a.itemsize());
  parallel_chunks(count, 4096, [&](int64_t begin, int64_t end) { windows.read(begin, end, offsets.data() + begin); });
  WindowCopy copy(behind, Strides(a.strides().begin() + axis + 1, a.strides().end()), a.itemsize());
  TakeElements take = take_elements_of(a.itemsize());
  int64_t step = copy.bytes(), outer = static_cast<int64_t>(element_count(before));
  parallel_chunks(outer * count, std::max<int64_t>(chunk_bytes / step, 1), [&](int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end;) {
      int64_t first = at % count, n = std::min(count - first, end - at);
      const char* from = a.data<char>() + offsets_at(at / count, before.size(), a.shape(), a.strides())[0] * size;
      char* to = out.data<char>() + at * step;
      if (step == size) take(from, 0, offsets.data() + first, to, n);
      else for (int64_t i = 0; i < n; i++) copy(from + offsets[first + i] * size, to + i * step);
      at += n;
    }
  });
}

}  // namespace

void eval(Gather& primitive, InputSpan inputs, OutputSpan outputs) {
  const array& a = inputs[0];
  array& out = outputs[0];
  std::span<const array> indices = inputs.subspan(1);
  Shape window = primitive.window(a.shape()), index_shape = common_shape(indices), thin = a.shape();
  std::vector<IndexedAxis> axes;
  for (int axis : primitive.axes()) {
    axes.push_back({"gather", axis, a.shape(axis), window[axis], a.strides(axis)});
    thin[axis] = 1;
  }
  WindowOffsets windows(indices, index_shape, std::move(axes));
  if (out.size() == 0) {
    windows.check(static_cast<int64_t>(element_count(index_shape)));
    out.set_data(allocator::malloc(0));
    return;
  }
  if (primitive.axes().size() == 1 && primitive.axes()[0] > 0 && window == thin) {
    gather_inside(a, windows, primitive.axes()[0], index_shape, out);
    return;
  }
  out.set_data(allocator::malloc(out.nbytes()));
  int64_t window_size = static_cast<int64_t>(element_count(window));
  int64_t count = static_cast<int64_t>(out.size()) / window_size;
  bool large = window_size * static_cast<int64_t>(a.itemsize()) >= large_window_bytes;
  (large ? gather_large : gather_small)(a, windows, count, window, out);
}

// Rows of the output are visited piece by piece; along the indexed axis the array itself does not move.
void eval(GatherAxis& primitive, InputSpan inputs, OutputSpan outputs) {
  const array &a = inputs[0], &indices = inputs[1];
  array& out = outputs[0];
  int axis = primitive.axis();
  out.set_data(allocator::malloc(out.nbytes()));
  if (out.size() == 0) return;
  IndexedAxis indexed{"take_along_axis", axis, a.shape(axis), 1, a.strides(axis)};
  Strides still = a.strides();
  still[axis] = 0;
  Collapsed c = collapse(out.shape(), {still, indices.strides()});
  size_t last = c.shape.size() - 1;
  int64_t columns = c.shape[last], size = static_cast<int64_t>(a.itemsize());
  int64_t index_size = static_cast<int64_t>(indices.itemsize());
  TakeElements take = take_elements_of(a.itemsize());
  parallel_chunks(static_cast<int64_t>(out.size()), 4096, [&](int64_t begin, int64_t end) {
    int64_t offsets[block];
    for (int64_t at = begin; at < end;) {
      int64_t column = at % columns, n = std::min({block, columns - column, end - at});
      auto [from, index] = offsets_at(at / columns, last, c.shape, c.strides[0], c.strides[1]);
      from += column * c.strides[0][last];
      index += column * c.strides[1][last];
      std::fill(offsets, offsets + n, 0);
      add_offsets(indexed, indices.dtype(), indices.data<char>() + index * index_size, c.strides[1][last], n, offsets);
      take(a.data<char>() + from * size, c.strides[0][last], offsets, out.data<char>() + at * size, n);
      at += n;
    }
  });
}

}  // namespace mlx::core::cpu
