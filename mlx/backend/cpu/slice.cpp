// Slices, splits and strided views, and writing into slices.

#include <algorithm>

#include "mlx/backend/common/layout.h"
#include "mlx/backend/cpu/combine.h"
#include "mlx/backend/cpu/copy.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops/slice_primitives.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t chunk_elements = 8192;

// The strides and the first element of a region of an array.
struct View {
  Strides strides;
  int64_t offset = 0;
};
View view_of(const SliceRequest::Region& region, const Strides& strides) {
  View view;
  for (size_t i = 0; i < strides.size(); i++) {
    // A step longer than the axis would overflow, and selects one element at most.
    view.strides.push_back(region.shape[i] > 1 ? strides[i] * region.strides[i] : strides[i]);
    view.offset += region.start[i] * strides[i];
  }
  return view;
}

void combine_strided(Combine mode, Dtype dtype, char* to, const Strides& to_strides, const char* from,
                     const Strides& from_strides, const Shape& shape) {
  Collapsed c = collapse(shape, {to_strides, from_strides});
  size_t last = c.shape.size() - 1;
  int64_t columns = c.shape[last], outer = static_cast<int64_t>(element_count(c.shape)) / columns;
  int64_t pieces = ceil_div(columns, chunk_elements), size = dtype.size();
  CombineRow row = combine_row(mode, dtype);
  int64_t grain = std::max<int64_t>(chunk_elements / columns, 1);
  parallel_for(outer * pieces, grain, [&](int64_t unit) {
    int64_t column = unit % pieces * chunk_elements;
    auto [to_offset, from_offset] = offsets_at(unit / pieces, last, c.shape, c.strides[0], c.strides[1]);
    to_offset += column * c.strides[0][last];
    from_offset += column * c.strides[1][last];
    row(to + to_offset * size, c.strides[0][last], from + from_offset * size, c.strides[1][last],
        std::min(chunk_elements, columns - column));
  });
}

}  // namespace

void eval(Slice& primitive, InputSpan inputs, OutputSpan outputs) {
  View view = view_of(primitive.request().resolve(inputs[0].shape(), "slice"), inputs[0].strides());
  set_view(outputs[0], inputs[0], std::move(view.strides), view.offset);
}

void eval(Split& primitive, InputSpan inputs, OutputSpan outputs) {
  const array& in = inputs[0];
  Shape starts = primitive.starts(in.shape());
  for (size_t k = 0; k < outputs.size(); k++) {
    int64_t offset = outputs[k].size() ? starts[k] * in.strides(primitive.axis()) : 0;
    set_view(outputs[k], in, in.strides(), offset);
  }
}

void eval(AsStrided& primitive, InputSpan inputs, OutputSpan outputs) {
  int64_t offset = outputs[0].size() ? primitive.offset() : 0;
  set_view(outputs[0], row_major(inputs[0]), primitive.strides(), offset);
}

void eval(SliceUpdate& primitive, InputSpan inputs, OutputSpan outputs) {
  const array &source = inputs[0], &update = inputs[1];
  array& out = outputs[0];
  SliceRequest::Region region = primitive.request().resolve(source.shape(), "slice_update");
  bool replaces_all = primitive.mode() == Combine::Set && region.shape == source.shape();
  if (replaces_all) allocate_for_update(source, out);
  else copy_for_update(source, out);
  if (element_count(region.shape) == 0) return;
  View view = view_of(region, out.strides());
  Strides from = broadcast_strides(update.shape(), update.strides(), region.shape);
  char* to = out.data<char>() + view.offset * static_cast<int64_t>(out.itemsize());
  if (primitive.mode() == Combine::Set) {
    copy_strided(update.data<char>(), from, to, view.strides, region.shape, out.itemsize());
  } else {
    combine_strided(primitive.mode(), out.dtype(), to, view.strides, update.data<char>(), from, region.shape);
  }
}

}  // namespace mlx::core::cpu
