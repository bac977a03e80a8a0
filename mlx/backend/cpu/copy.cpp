// Strided copies: dimensions are collapsed, the two inner ones are blocks for the kernels.

#include "mlx/backend/cpu/copy.h"

#include <algorithm>

#include "mlx/backend/common/layout.h"
#include "mlx/backend/cpu/isa.h"
#include "mlx/core/node.h"
#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t chunk_bytes = 32 * 1024;
constexpr int64_t swap_side = 64;

void move_axis(Collapsed& c, size_t from, size_t to) {
  auto move = [&](auto& values) {
    std::rotate(values.begin() + from, values.begin() + from + 1, values.begin() + to + 1);
  };
  move(c.shape);
  for (Strides& s : c.strides) move(s);
}

// The order of the axes is free in a copy: the one that is contiguous in the output goes last, and the one that is
// contiguous in the input before it, unless they are the same.
void order_axes(Collapsed& c) {
  size_t last = c.shape.size() - 1;
  for (size_t i = 0; i < last && c.strides[1][last] != 1; i++) {
    if (c.strides[1][i] == 1) move_axis(c, i, last);
  }
  for (size_t i = 0; i + 1 < last && c.strides[0][last] != 1 && c.strides[0][last - 1] != 1; i++) {
    if (c.strides[0][i] == 1) move_axis(c, i, last - 1);
  }
}

}  // namespace

void copy_strided(const void* from, const Strides& from_strides, void* to, const Strides& to_strides,
                  const Shape& shape, size_t itemsize) {
  if (element_count(shape) == 0) return;
  Collapsed c = collapse(shape, {from_strides, to_strides});
  widen(c, 2);
  order_axes(c);
  size_t last = c.shape.size() - 1;
  int64_t rows = c.shape[last - 1], columns = c.shape[last];
  int64_t outer = 1;
  for (size_t i = 0; i + 1 < last; i++) outer *= c.shape[i];
  int64_t size = static_cast<int64_t>(itemsize);
  // A unit of work is a band of rows; a single long row is cut into pieces instead.
  int64_t band = std::clamp<int64_t>(chunk_bytes / (columns * size), 1, rows);
  int64_t piece = rows == 1 ? std::max<int64_t>(chunk_bytes / size, 1) : columns;
  // Rows and columns that change places move in square blocks, so that whole lines of memory are used on both sides.
  bool swaps = c.strides[0][last - 1] == 1 && c.strides[0][last] != 1 && c.strides[1][last] == 1;
  if (swaps && rows > 1) {
    band = std::min(swap_side, rows);
    piece = std::min(std::max(swap_side, chunk_bytes / (band * size)), columns);
  }
  int64_t bands = ceil_div(rows, band);
  int64_t pieces = ceil_div(columns, piece);
  CopyFn copy = copy_kernel(itemsize);
  parallel_for(outer * bands * pieces, 1, [&](int64_t unit) {
    int64_t column = unit % pieces * piece, row = unit / pieces % bands * band;
    auto [from_offset, to_offset] =
        offsets_at(unit / pieces / bands, last - 1, c.shape, c.strides[0], c.strides[1]);
    from_offset += row * c.strides[0][last - 1] + column * c.strides[0][last];
    to_offset += row * c.strides[1][last - 1] + column * c.strides[1][last];
    CopyBlock block{std::min(band, rows - row),  std::min(piece, columns - column), c.strides[0][last - 1],
                    c.strides[0][last],          c.strides[1][last - 1],            c.strides[1][last]};
    copy(static_cast<const char*>(from) + from_offset * size, static_cast<char*>(to) + to_offset * size, block);
  });
}

void copy_row_major(const array& in, array& out) {
  out.set_data(allocator::malloc(out.nbytes()));
  copy_strided(in.data<void>(), in.strides(), out.data<void>(), row_major_strides(in.shape()), in.shape(),
               in.itemsize());
}

array row_major(const array& x) {
  if (x.flags().row_contiguous) return x;
  array copy(x.shape(), x.dtype(), nullptr, {});
  copy_row_major(x, copy);
  copy.set_status(array::available);
  return copy;
}

}  // namespace mlx::core::cpu
