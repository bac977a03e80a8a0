// Writing at indices. Elements that meet in one place do so in row-major order of the updates, whatever the number of
// threads: each thread owns places, not updates.

#include <algorithm>
#include <vector>

#include "mlx/backend/common/layout.h"
#include "mlx/backend/cpu/combine.h"
#include "mlx/backend/cpu/copy.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/indices.h"
#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops/index_primitives.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t block = 512;
constexpr int64_t shared_bytes = 128 * 1024;  // less than this is written by one thread

// Combines one window; each on the calling thread.
class WindowCombine {
 public:
  WindowCombine(Combine mode, Dtype dtype, const Shape& window, const Strides& to, const Strides& from)
      : c_(collapse(window, {to, from})),
        row_(combine_row(mode, dtype)),
        itemsize_(dtype.size()),
        columns_(c_.shape.back()),
        rows_(static_cast<int64_t>(element_count(window)) / columns_) {}

  void operator()(char* to, const char* from) const {
    size_t last = c_.shape.size() - 1;
    for (int64_t k = 0; k < rows_; k++) {
      auto [to_offset, from_offset] = offsets_at(k, last, c_.shape, c_.strides[0], c_.strides[1]);
      row_(to + to_offset * itemsize_, c_.strides[0][last], from + from_offset * itemsize_, c_.strides[1][last],
           columns_);
    }
  }

 private:
  Collapsed c_;
  CombineRow row_;
  int64_t itemsize_, columns_, rows_;
};

// Neighbours within a cache line have one owner.
bool owns(int64_t part, int64_t parts, int64_t offset) {
  uint64_t mixed = static_cast<uint64_t>(offset >> 4) * 0x9e3779b97f4a7c15u;
  return static_cast<int64_t>((mixed >> 32) * static_cast<uint64_t>(parts) >> 32) == part;
}

// Windows anywhere. Every part looks at all indices and writes the windows that it owns.
void scatter_windows(Combine mode, array& out, const array& updates, const Shape& window,
                     const WindowOffsets& windows, bool disjoint) {
  WindowCombine combine(mode, out.dtype(), window, out.strides(), row_major_strides(window));
  CombineElements elements = combine_elements(mode, out.dtype());
  int64_t window_size = static_cast<int64_t>(element_count(window)), size = static_cast<int64_t>(out.itemsize());
  int64_t count = static_cast<int64_t>(updates.size()) / window_size;
  char* to = out.data<char>();
  const char* from = updates.data<char>();
  bool shared = disjoint && static_cast<int64_t>(updates.nbytes()) >= shared_bytes && count > 1;
  int64_t parts = shared ? num_threads() : 1;
  parallel_for(parts, [&](int64_t part) {
    int64_t offsets[block], place[block], number[block];
    for (int64_t start = 0; start < count; start += block) {
      int64_t end = std::min(start + block, count), n = 0;
      windows.read(start, end, offsets);
      for (int64_t i = start; i < end; i++) {
        place[n] = offsets[i - start];
        number[n] = i;
        n += owns(part, parts, place[n]);  // no branch: it could not be predicted
      }
      if (window_size == 1) elements(to, place, from, number, n);
      else for (int64_t k = 0; k < n; k++) combine(to + place[k] * size, from + number[k] * window_size * size);
    }
  });
}

// One indexed axis behind others, one element of it at a time: the places of the axes before are independent of each
// other and share the offsets.
void scatter_inside(Combine mode, array& out, array updates, const Shape& index_shape, const WindowOffsets& windows,
                    int axis) {
  auto index_strides = [&] {
    return Strides(updates.strides().begin(), updates.strides().begin() + index_shape.size());
  };
  std::vector<int64_t> offsets(element_count(index_shape));
  int64_t count = static_cast<int64_t>(offsets.size()), size = static_cast<int64_t>(out.itemsize());
  if (!reshape_strides(index_shape, index_strides(), {count})) updates = row_major(updates);
  int64_t step = (*reshape_strides(index_shape, index_strides(), {count}))[0];
  parallel_chunks(count, 4096, [&](int64_t begin, int64_t end) { windows.read(begin, end, offsets.data() + begin); });

  Strides from_strides(updates.strides().begin() + index_shape.size(), updates.strides().end());
  Strides to_strides = out.strides();
  Shape before(out.shape().begin(), out.shape().begin() + axis);
  Shape behind(out.shape().begin() + axis + 1, out.shape().end());
  WindowCombine combine(mode, out.dtype(), behind, Strides(to_strides.begin() + axis + 1, to_strides.end()),
                        Strides(from_strides.begin() + axis + 1, from_strides.end()));
  CombineElements elements = combine_elements(mode, out.dtype());
  int64_t behind_size = static_cast<int64_t>(element_count(behind));
  int64_t outer = static_cast<int64_t>(element_count(before));
  int64_t grain = std::max<int64_t>(shared_bytes / (count * behind_size * size), 1);
  parallel_chunks(outer, grain, [&](int64_t begin, int64_t end) {
    int64_t from_offsets[block];
    for (int64_t o = begin; o < end; o++) {
      auto [to_first, from_first] = offsets_at(o, before.size(), before, to_strides, from_strides);
      char* to = out.data<char>() + to_first * size;
      const char* from = updates.data<char>() + from_first * size;
      for (int64_t start = 0; start < count; start += block) {
        int64_t n = std::min(block, count - start);
        for (int64_t i = 0; i < n; i++) from_offsets[i] = (start + i) * step;
        if (behind_size == 1) elements(to, offsets.data() + start, from, from_offsets, n);
        else for (int64_t i = 0; i < n; i++) combine(to + offsets[start + i] * size, from + from_offsets[i] * size);
      }
    }
  });
}

constexpr const char* names[] = {"scatter", "scatter_add", "scatter_prod", "scatter_max", "scatter_min"};

}  // namespace

void eval(Scatter& primitive, InputSpan inputs, OutputSpan outputs) {
  array& out = outputs[0];
  copy_for_update(inputs[0], out);
  const Shape& shape = inputs.back().shape();
  auto middle = shape.end() - static_cast<int>(out.ndim());
  Shape index_shape(shape.begin(), middle), window(middle, shape.end()), thin = out.shape();
  std::vector<IndexedAxis> axes;
  bool disjoint = true;  // different offsets never meet
  for (int axis : primitive.axes()) {
    const char* name = names[static_cast<int>(primitive.mode())];
    axes.push_back({name, axis, out.shape(axis), window[axis], out.strides(axis)});
    disjoint &= window[axis] == 1;
    thin[axis] = 1;
  }
  WindowOffsets windows(inputs.subspan(1, inputs.size() - 2), index_shape, std::move(axes));
  if (inputs.back().size() == 0) {
    windows.check(static_cast<int64_t>(element_count(index_shape)));
    return;
  }
  if (primitive.axes().size() == 1 && primitive.axes()[0] > 0 && window == thin) {
    scatter_inside(primitive.mode(), out, inputs.back(), index_shape, windows, primitive.axes()[0]);
  } else {
    scatter_windows(primitive.mode(), out, row_major(inputs.back()), window, windows, disjoint);
  }
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
  bool axis_inside = lines.columns == 1 || std::abs(out.strides(axis)) < std::abs(c.strides[0][last]);
  int64_t pieces = ceil_div(lines.columns, block);
  int64_t work = lines.length * std::min(block, lines.columns);
  parallel_for(lines.outer * pieces, std::max<int64_t>(8192 / work, 1), [&](int64_t unit) {
    int64_t column = unit % pieces * block;
    auto at = offsets_at(unit / pieces, last, c.shape, c.strides[0], c.strides[1], c.strides[2]);
    for (size_t k = 0; k < at.size(); k++) at[k] += column * c.strides[k][last];
    Walk across{c.strides[0][last], c.strides[1][last], c.strides[2][last], std::min(block, lines.columns - column)};
    Walk along{0, indices.strides(axis), updates.strides(axis), lines.length};
    writer.write(at[0], at[1], at[2], axis_inside ? across : along, axis_inside ? along : across);
  });
}

}  // namespace mlx::core::cpu
