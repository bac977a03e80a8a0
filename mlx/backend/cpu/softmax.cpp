// Softmax over any axes: rows that lie together go to the kernel as they are, others pass through scratch
// memory.

#include <algorithm>
#include <cstdlib>

#include "mlx/backend/common/reduce_plan.h"
#include "mlx/backend/cpu/block_loader.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/isa.h"
#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops/reduce_primitives.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t batch_elements = 8 * 1024;
constexpr int64_t column_elements =
    256 * 1024;  // of columns computed side by side: they stay in the second-level cache
constexpr int64_t few_columns = 16;

class SoftmaxRun {
 public:
  SoftmaxRun(const Softmax& primitive, const array& in, array& out)
      : dims_(split_dims(in.shape(), in.strides(), out.strides(), primitive.axes())),
        dtype_(in.dtype()),
        work_(dtype_ == float64 ? float64 : float32),
        kernel_(kernels().rows.softmax[static_cast<int>(work_.val())]),
        in_(in.data<char>()),
        out_(out.data<char>()) {
    if (dims_.kept.empty()) dims_.kept.push_back({1, 0, 0});
    for (const ReduceDim& d : dims_.reduced) length_ *= d.size;
    for (const ReduceDim& d : dims_.kept) rows_ *= d.size;
  }

  void run() const {
    const ReduceDim &row = dims_.reduced.back(), &kept = dims_.kept.back();
    bool whole = dims_.reduced.size() == 1 && row.in == 1 && row.out == 1;
    bool in_order = dims_.kept.size() == 1 && kept.in == kept.out && (kept.in == length_ || rows_ == 1);
    if (whole && in_order && dtype_ == work_)
      run_in_place();
    else if (std::abs(kept.in) < std::abs(row.in) && kept.size >= few_columns)
      run_columns();
    else
      run_batches();
  }

 private:
  // Where a line of a row begins, from the row's first element on.
  ReduceOffsets line_offsets(int64_t line) const {
    return reduce_offsets(std::span(dims_.reduced).first(dims_.reduced.size() - 1), line);
  }
  // Where row `near` of the fastest kept dimension begins, at an index over the others.
  ReduceOffsets row_offsets(int64_t outer, int64_t near) const {
    ReduceOffsets at = reduce_offsets(std::span(dims_.kept).first(dims_.kept.size() - 1), outer);
    at.in += near * dims_.kept.back().in;
    at.out += near * dims_.kept.back().out;
    return at;
  }

  void run_in_place() const {
    int64_t row_bytes = length_ * static_cast<int64_t>(dtype_.size());
    parallel_chunks(rows_, std::max<int64_t>(batch_elements / length_, 1), [&](int64_t begin, int64_t end) {
      kernel_(in_ + begin * row_bytes, out_ + begin * row_bytes, end - begin, length_);
    });
  }

  // Neighbouring rows lie closer together than the elements of a row.
  void run_columns() const {
    const ReduceDim &near = dims_.kept.back(), &row = dims_.reduced.back();
    int64_t tile = std::clamp<int64_t>(column_elements / length_, few_columns, kSoftmaxColumns);
    tile = std::min(tile / few_columns * few_columns, near.size);
    int64_t tiles = ceil_div(near.size, tile);
    bool direct = dims_.reduced.size() == 1 && near.in == 1 && near.out == 1 && dtype_ == work_;
    SoftmaxColumnsFn kernel = kernels().rows.softmax_columns[static_cast<int>(work_.val())];
    int64_t grain = std::max<int64_t>(batch_elements / (tile * length_), 1);
    parallel_chunks(rows_ / near.size * tiles, grain, [&](int64_t begin, int64_t end) {
      int64_t elements = direct ? 0 : tile * length_;
      BlockLoader loader(dtype_, work_, tile * row.size);
      Scratch values(elements * work_.size()), scratch(elements * dtype_.size());
      for (int64_t task = begin; task < end; task++) {
        int64_t first = task % tiles * tile, width = std::min(tile, near.size - first);
        ReduceOffsets at = row_offsets(task / tiles, first);
        if (direct) {
          kernel(in_ + at.in * dtype_.size(), row.in, out_ + at.out * dtype_.size(), row.out, length_, width);
        } else {
          load_columns(at, width, loader, values.data<char>());
          kernel(values.data<char>(), width, values.data<char>(), width, length_, width);
          store_columns(at, width, values.data<char>(), scratch.data<char>());
        }
      }
    });
  }

  void load_columns(ReduceOffsets at, int64_t width, BlockLoader& loader, char* values) const {
    const ReduceDim &near = dims_.kept.back(), &row = dims_.reduced.back();
    for (int64_t line = 0; line < length_ / row.size; line++) {
      int64_t from = at.in + line_offsets(line).in;
      loader.load_into(in_ + from * dtype_.size(), {row.size, width, row.in, near.in},
                       values + line * row.size * width * work_.size());
    }
  }
  void store_columns(ReduceOffsets at, int64_t width, const char* values, char* scratch) const {
    const ReduceDim &near = dims_.kept.back(), &row = dims_.reduced.back();
    for (int64_t line = 0; line < length_ / row.size; line++) {
      int64_t to = at.out + line_offsets(line).out;
      store_block(values + line * row.size * width * work_.size(), work_, out_ + to * dtype_.size(), dtype_,
                  {row.size, width, row.out, near.out}, scratch);
    }
  }

  // A batch is a run of rows along the fastest kept dimension.
  void run_batches() const {
    const ReduceDim& near = dims_.kept.back();
    int64_t batch = std::clamp<int64_t>(batch_elements / length_, 1, near.size);
    int64_t batches = ceil_div(near.size, batch);
    parallel_chunks(rows_ / near.size * batches, 1, [&](int64_t begin, int64_t end) {
      int64_t elements = batch * length_;
      BlockLoader loader(dtype_, work_, elements);
      Scratch values(elements * work_.size()), scratch(elements * work_.size()),
          packed(elements * work_.size());
      for (int64_t task = begin; task < end; task++) {
        int64_t first = task % batches * batch, count = std::min(batch, near.size - first);
        ReduceOffsets at = row_offsets(task / batches, first);
        move(at, count, loader, values.data<char>(), packed.data<char>(), scratch.data<char>());
      }
    });
  }

  // Gathers the rows of a batch, one block per line of their fastest dimension, computes, and scatters them.
  void move(ReduceOffsets at, int64_t count, BlockLoader& loader, char* values, char* packed,
            char* scratch) const {
    const ReduceDim &near = dims_.kept.back(), &row = dims_.reduced.back();
    int64_t lines = length_ / row.size, size = dtype_.size(), work_size = work_.size();
    bool single = lines == 1;
    char* block = single ? values : packed;
    for (int64_t line = 0; line < lines; line++) {
      int64_t from = at.in + line_offsets(line).in;
      loader.load_into(in_ + from * size, {count, row.size, near.in, row.in}, block);
      if (!single) interleave(block, values, line, count, work_size, true);
    }
    kernel_(values, values, count, length_);
    for (int64_t line = 0; line < lines; line++) {
      int64_t to = at.out + line_offsets(line).out;
      if (!single) interleave(block, values, line, count, work_size, false);
      store_block(block, work_, out_ + to * size, dtype_, {count, row.size, near.out, row.out}, scratch);
    }
  }

  // Copies between a block of one line of each row and the rows.
  void interleave(char* block, char* rows, int64_t line, int64_t count, int64_t size, bool into_rows) const {
    int64_t bytes = dims_.reduced.back().size * size;
    for (int64_t r = 0; r < count; r++) {
      char *part = block + r * bytes, *place = rows + r * length_ * size + line * bytes;
      std::copy_n(into_rows ? part : place, bytes, into_rows ? place : part);
    }
  }

  SplitDims dims_;
  Dtype dtype_, work_;
  SoftmaxFn kernel_;
  const char* in_;
  char* out_;
  int64_t length_ = 1, rows_ = 1;
};

}  // namespace

void eval(Softmax& primitive, InputSpan inputs, OutputSpan outputs) {
  array &in = inputs[0], &out = outputs[0];
  if (in.is_donatable() && in.flags().row_contiguous && in.size() > 0)
    out.copy_shared_buffer(in);
  else
    out.set_data(allocator::malloc(out.nbytes()));
  if (out.size() > 0) SoftmaxRun(primitive, in, out).run();
}

}  // namespace mlx::core::cpu
