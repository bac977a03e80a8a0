// Writing at indices. Elements that meet in one place do so in row-major order of the updates, whatever the number of
// threads: each thread owns places, not updates.

#include <algorithm>
#include <vector>

#include "mlx/backend/common/layout.h"
#include "mlx/backend/cpu/combine.h"
#include "mlx/backend/cpu/copy.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/indices.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops/index_primitives.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t block = 512;
constexpr int64_t shared_bytes = 128 * 1024;  // less than this is written by one thread

class WindowWriter {
 public:
  WindowWriter(Combine mode, array& out, const array& updates, const Shape& window, std::vector<int64_t> offsets)
      : c_(collapse(window, {out.strides(), row_major_strides(window)})),
        offsets_(std::move(offsets)),
        row_(combine_row(mode, out.dtype())),
        elements_(combine_elements(mode, out.dtype())),
        to_(out.data<char>()),
        from_(updates.data<char>()),
        itemsize_(static_cast<int64_t>(out.itemsize())),
        window_size_(static_cast<int64_t>(element_count(window))) {}

  void write_all() const { write(0, 1); }
  // The windows that the part owns.
  void write(int64_t part, int64_t parts) const {
    if (window_size_ == 1) write_elements(part, parts);
    else write_windows(part, parts);
  }

 private:
  // Neighbours within a cache line have one owner.
  static bool owns(int64_t part, int64_t parts, int64_t offset) {
    if (parts == 1) return true;
    uint64_t mixed = static_cast<uint64_t>(offset >> 4) * 0x9e3779b97f4a7c15u;
    return static_cast<int64_t>((mixed >> 32) % static_cast<uint64_t>(parts)) == part;
  }

  void write_elements(int64_t part, int64_t parts) const {
    int64_t to[block], from[block], n = 0;
    for (int64_t i = 0; i < static_cast<int64_t>(offsets_.size()); i++) {
      if (!owns(part, parts, offsets_[i])) continue;
      to[n] = offsets_[i];
      from[n++] = i;
      if (n < block) continue;
      elements_(to_, to, from_, from, n);
      n = 0;
    }
    elements_(to_, to, from_, from, n);
  }

  void write_windows(int64_t part, int64_t parts) const {
    size_t last = c_.shape.size() - 1;
    int64_t columns = c_.shape[last], rows = window_size_ / columns;
    for (int64_t i = 0; i < static_cast<int64_t>(offsets_.size()); i++) {
      if (!owns(part, parts, offsets_[i])) continue;
      for (int64_t k = 0; k < rows; k++) {
        int64_t rest = k, to = offsets_[i], from = i * window_size_;
        for (size_t axis = last; axis-- > 0;) {
          int64_t place = rest % c_.shape[axis];
          rest /= c_.shape[axis];
          to += place * c_.strides[0][axis];
          from += place * c_.strides[1][axis];
        }
        row_(to_ + to * itemsize_, c_.strides[0][last], from_ + from * itemsize_, c_.strides[1][last], columns);
      }
    }
  }

  Collapsed c_;
  std::vector<int64_t> offsets_;
  CombineRow row_;
  CombineElements elements_;
  char* to_;
  const char* from_;
  int64_t itemsize_, window_size_;
};

constexpr const char* names[] = {"scatter", "scatter_add", "scatter_prod", "scatter_max", "scatter_min"};

}  // namespace

void eval(Scatter& primitive, InputSpan inputs, OutputSpan outputs) {
  array& out = outputs[0];
  copy_for_update(inputs[0], out);
  if (inputs.back().size() == 0) return;
  const Shape& shape = inputs.back().shape();
  auto middle = shape.end() - static_cast<int>(out.ndim());
  Shape index_shape(shape.begin(), middle), window(middle, shape.end());
  std::vector<IndexedAxis> axes;
  bool disjoint = true;  // different offsets never meet
  for (int axis : primitive.axes()) {
    const char* name = names[static_cast<int>(primitive.mode())];
    axes.push_back({name, axis, out.shape(axis), window[axis], out.strides(axis)});
    disjoint &= window[axis] == 1;
  }
  WindowOffsets windows(inputs.subspan(1, inputs.size() - 2), index_shape, std::move(axes));
  std::vector<int64_t> offsets(element_count(index_shape));
  parallel_chunks(static_cast<int64_t>(offsets.size()), 4096, [&](int64_t begin, int64_t end) {
    windows.read(begin, end, offsets.data() + begin);
  });
  array updates = row_major(inputs.back());
  bool shared = disjoint && static_cast<int64_t>(updates.nbytes()) >= shared_bytes && offsets.size() > 1;
  WindowWriter writer(primitive.mode(), out, updates, window, std::move(offsets));
  int64_t parts = shared ? num_threads() : 1;
  if (parts == 1) writer.write_all();
  else parallel_for(parts, [&](int64_t part) { writer.write(part, parts); });
}

namespace {

// Lines along the axis are independent of each other; `Lines` are all axes but that one, collapsed.
struct Lines {
  Collapsed c;  // strides of the array, the indices and the updates
  int64_t columns, outer, length;
};
Lines lines_of(const array& out, const array& indices, const array& updates, int axis) {
  Shape shape = indices.shape();
  Strides to = out.strides(), index = indices.strides(), from = updates.strides();
  int64_t length = shape[axis];
  shape.erase(shape.begin() + axis);
  for (Strides* s : {&to, &index, &from}) s->erase(s->begin() + axis);
  Lines lines{collapse(shape, {to, index, from}), 1, 1, length};
  lines.columns = lines.c.shape.back();
  lines.outer = static_cast<int64_t>(element_count(lines.c.shape)) / lines.columns;
  return lines;
}

// One direction of a block of lines: how far array, indices and updates step, for n elements.
struct Walk {
  int64_t to, index, from, n;
};

class LineWriter {
 public:
  LineWriter(const IndexedAxis& axis, Combine mode, array& out, const array& indices, const array& updates)
      : axis_(axis),
        elements_(combine_elements(mode, out.dtype())),
        dtype_(indices.dtype()),
        to_(out.data<char>()),
        index_(indices.data<char>()),
        from_(updates.data<char>()),
        itemsize_(static_cast<int64_t>(out.itemsize())),
        index_size_(static_cast<int64_t>(indices.itemsize())) {}

  void write(int64_t to, int64_t index, int64_t from, const Walk& outer, const Walk& inner) const {
    int64_t to_offsets[block], from_offsets[block];
    for (int64_t o = 0; o < outer.n; o++) {
      for (int64_t start = 0; start < inner.n; start += block) {
        int64_t n = std::min(block, inner.n - start);
        for (int64_t i = 0; i < n; i++) {
          to_offsets[i] = (start + i) * inner.to;
          from_offsets[i] = (start + i) * inner.from;
        }
        const char* indices = index_ + (index + o * outer.index + start * inner.index) * index_size_;
        add_offsets(axis_, dtype_, indices, inner.index, n, to_offsets);
        elements_(to_ + (to + o * outer.to) * itemsize_, to_offsets, from_ + (from + o * outer.from) * itemsize_,
                  from_offsets, n);
      }
    }
  }

 private:
  IndexedAxis axis_;
  CombineElements elements_;
  Dtype dtype_;
  char* to_;
  const char *index_, *from_;
  int64_t itemsize_, index_size_;
};

}  // namespace

void eval(ScatterAxis& primitive, InputSpan inputs, OutputSpan outputs) {
  const array &indices = inputs[1], &updates = inputs[2];
  array& out = outputs[0];
  int axis = primitive.axis();
  copy_for_update(inputs[0], out);
  if (indices.size() == 0) return;
  const char* name = primitive.mode() == Combine::Set ? "put_along_axis" : "scatter_add_axis";
  IndexedAxis indexed{name, axis, out.shape(axis), 1, out.strides(axis)};
  LineWriter writer(indexed, primitive.mode(), out, indices, updates);
  Lines lines = lines_of(out, indices, updates, axis);
  const Collapsed& c = lines.c;
  size_t last = c.shape.size() - 1;
  bool axis_inside = std::abs(out.strides(axis)) < std::abs(c.strides[0][last]);
  int64_t pieces = (lines.columns + block - 1) / block;
  int64_t work = lines.length * std::min(block, lines.columns);
  parallel_chunks(lines.outer * pieces, std::max<int64_t>(8192 / work, 1), [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; unit++) {
      int64_t column = unit % pieces * block, rest = unit / pieces, at[3];
      for (int k = 0; k < 3; k++) at[k] = column * c.strides[k][last];
      for (size_t d = last; d-- > 0;) {
        int64_t i = rest % c.shape[d];
        rest /= c.shape[d];
        for (int k = 0; k < 3; k++) at[k] += i * c.strides[k][d];
      }
      Walk across{c.strides[0][last], c.strides[1][last], c.strides[2][last], std::min(block, lines.columns - column)};
      Walk along{0, indices.strides(axis), updates.strides(axis), lines.length};
      writer.write(at[0], at[1], at[2], axis_inside ? across : along, axis_inside ? along : across);
    }
  });
}

}  // namespace mlx::core::cpu
