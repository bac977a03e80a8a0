// The driver of reductions: cuts the work into tasks of fixed size, brings blocks to the kernel,
// merges partial results in a fixed order.

#include <algorithm>
#include <cstring>

#include "mlx/backend/common/reduce_plan.h"
#include "mlx/backend/cpu/block_loader.h"
#include "mlx/backend/cpu/reduce.h"
#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t direct_block = 32 * 1024;   // elements a kernel reads per call
constexpr int64_t gathered_block = 4 * 1024;  // elements that pass through scratch memory at a time
constexpr int64_t group_elements =
    128 * 1024;  // a result over more elements than this has partial results
constexpr int64_t column_tile =
    1024;  // results side by side, so that accumulators stay in the first-level cache
constexpr int64_t row_batch = 256;  // results finished together

class ReduceRun {
 public:
  ReduceRun(const Reduction& reduction, const array& in, const std::vector<int>& axes, array& out)
      : spec_(reduction),
        kernel_(reduction.kernel),
        plan_(make_reduce_plan(in.shape(), in.strides(), axes)),
        in_dtype_(in.dtype()),
        out_dtype_(out.dtype()),
        in_(in.data<char>()),
        out_(out.data<char>()) {
    bool columns = plan_.kind == ReducePlan::columns;
    const ReduceDim& inner = columns ? plan_.column : plan_.run();
    direct_ = in_dtype_ == spec_.work && (inner.in == 1 || inner.size == 1);
    columns ? cut_columns() : cut_rows();
    groups_ = ceil_div(pieces_, pieces_per_group_);
  }

  void run() {
    if (plan_.kind == ReducePlan::columns)
      run_columns();
    else if (groups_ == 1)
      run_whole_rows();
    else
      run_split_rows();
  }

 private:
  void cut_rows() {
    int64_t limit = direct_ ? direct_block : gathered_block;
    run_block_ = std::min(plan_.run().size, limit);
    line_block_ = std::clamp<int64_t>(limit / run_block_, 1, plan_.lines().size);
    run_blocks_ = ceil_div(plan_.run().size, run_block_);
    line_blocks_ = ceil_div(plan_.lines().size, line_block_);
    pieces_ = plan_.outer_lines() * line_blocks_ * run_blocks_;
    pieces_per_group_ = std::max<int64_t>(group_elements / (run_block_ * line_block_), 1);
  }

  void cut_columns() {
    tile_ = std::min(plan_.column.size, column_tile);
    tiles_ = ceil_div(plan_.column.size, tile_);
    int64_t limit = direct_ ? 2 * direct_block : 2 * gathered_block;
    run_block_ = std::clamp<int64_t>(limit / tile_, 1, plan_.run().size);
    run_blocks_ = ceil_div(plan_.run().size, run_block_);
    pieces_ = plan_.outer_lines() * plan_.lines().size * run_blocks_;
    pieces_per_group_ = std::max<int64_t>(group_elements / (run_block_ * tile_), 1);
  }

  BlockLoader loader() const { return {in_dtype_, spec_.work, direct_ ? 1 : 2 * gathered_block}; }
  const char* element(int64_t offset) const {
    return in_ + offset * static_cast<int64_t>(in_dtype_.size());
  }

  // A block of lines and runs of one result.
  void add_row_piece(BlockLoader& loader, int64_t base, int64_t piece, char* acc,
                     int64_t stride) const {
    const ReduceDim &lines = plan_.lines(), &run = plan_.run();
    int64_t first = piece % run_blocks_ * run_block_,
            line = piece / run_blocks_ % line_blocks_ * line_block_;
    int64_t outer = piece / run_blocks_ / line_blocks_;
    int64_t offset = base +
                     reduce_offsets(plan_.outside_lines(), outer).in +
                     line * lines.in + first * run.in;
    int64_t n = std::min(run_block_, run.size - first),
            count = std::min(line_block_, lines.size - line);
    if (direct_) {
      for (int64_t k = 0; k < count; k++)
        kernel_.rows(element(offset + k * lines.in), 1, 0, n, acc, stride);
    } else {
      kernel_.rows(loader.load(element(offset), {count, n, lines.in, run.in}), 1, 0, count * n, acc,
                   stride);
    }
  }

  void run_whole_rows() const {
    int64_t results = plan_.results(),
            count = plan_.outer_lines() * plan_.lines().size * plan_.run().size;
    bool one_call = direct_ && pieces_ == 1 && plan_.lines().size == 1 && plan_.outer.size() == 1;
    parallel_chunks(
        results, std::max<int64_t>(direct_block / count, 1), [&](int64_t begin, int64_t end) {
          BlockLoader load = loader();
          Scratch memory(row_batch * kernel_.planes * kernel_.size);
          char* acc = memory.data<char>();
          for (int64_t o = begin; o < end; o += row_batch) {
            int64_t batch = std::min(row_batch, end - o);
            kernel_.init(acc, batch, batch);
            if (one_call) {
              int64_t step = plan_.outer[0].in;
              kernel_.rows(element(o * step), batch, step, count, acc, batch);
            } else {
              for (int64_t k = 0; k < batch; k++) {
                int64_t base = reduce_offsets(plan_.outer, o + k).in;
                for (int64_t p = 0; p < pieces_; p++)
                  add_row_piece(load, base, p, acc + k * kernel_.size, batch);
              }
            }
            emit_rows(acc, batch, batch, o);
          }
        });
  }

  void run_split_rows() const {
    int64_t results = plan_.results(), parts = results * groups_;
    Scratch memory(parts * kernel_.planes * kernel_.size);
    char* acc = memory.data<char>();
    kernel_.init(acc, parts, parts);
    parallel_for(parts, [&](int64_t part) {
      BlockLoader load = loader();
      int64_t base = reduce_offsets(plan_.outer, part / groups_).in;
      int64_t first = part % groups_ * pieces_per_group_,
              last = std::min(first + pieces_per_group_, pieces_);
      for (int64_t p = first; p < last; p++)
        add_row_piece(load, base, p, acc + part * kernel_.size, parts);
    });
    for (int64_t o = 0; o < results; o++) {
      char* total = acc + o * groups_ * kernel_.size;
      for (int64_t g = 1; g < groups_; g++)
        kernel_.merge(total + g * kernel_.size, parts, total, parts, 1);
      emit_rows(total, parts, 1, o);
    }
  }

  void emit_rows(const char* acc, int64_t stride, int64_t batch, int64_t first) const {
    bool dense = plan_.outer.empty() || (plan_.outer.size() == 1 && plan_.outer[0].out == 1);
    int64_t size = out_dtype_.size();
    if (dense) {
      finish(acc, stride, batch, out_ + first * size);
      return;
    }
    alignas(64) char results[row_batch * 16];
    finish(acc, stride, batch, results);
    for (int64_t k = 0; k < batch; k++) {
      int64_t place = reduce_offsets(plan_.outer, first + k).out;
      std::memcpy(out_ + place * size, results + k * size, static_cast<size_t>(size));
    }
  }

  // Results of the kernel as contiguous elements of the output's dtype.
  void finish(const char* acc, int64_t stride, int64_t n, char* to) const {
    if (spec_.result == out_dtype_) {
      kernel_.finish(acc, stride, n, spec_.divisor, to);
      return;
    }
    alignas(64) char results[column_tile * 16];
    kernel_.finish(acc, stride, n, spec_.divisor, results);
    convert_block(results, spec_.result, to, out_dtype_, n);
  }

  void add_column_piece(BlockLoader& loader, int64_t base, int64_t width, int64_t piece,
                        char* acc) const {
    const ReduceDim &lines = plan_.lines(), &run = plan_.run();
    int64_t first = piece % run_blocks_ * run_block_, line = piece / run_blocks_ % lines.size;
    int64_t outer = piece / run_blocks_ / lines.size;
    int64_t offset = base +
                     reduce_offsets(plan_.outside_lines(), outer).in +
                     line * lines.in + first * run.in;
    int64_t n = std::min(run_block_, run.size - first);
    if (direct_)
      kernel_.columns(element(offset), n, run.in, width, acc, tile_);
    else
      kernel_.columns(loader.load(element(offset), {n, width, run.in, plan_.column.in}), n, width,
                      width, acc, tile_);
  }

  void run_columns() const {
    int64_t blocks = plan_.results() * tiles_, acc_bytes = tile_ * kernel_.planes * kernel_.size;
    bool split = groups_ > 1;
    Scratch partial(split ? blocks * groups_ * acc_bytes : 0);
    int64_t grain = std::max<int64_t>(direct_block / (pieces_ * run_block_ * tile_), 1);
    parallel_chunks_or_all(split, blocks * groups_, grain, [&](int64_t begin, int64_t end) {
      BlockLoader load = loader();
      Scratch own(split ? 0 : acc_bytes);
      for (int64_t task = begin; task < end; task++) {
        char* acc = split ? partial.data<char>() + task * acc_bytes : own.data<char>();
        int64_t block = task / groups_, group = task % groups_;
        int64_t column = block % tiles_ * tile_,
                width = std::min(tile_, plan_.column.size - column);
        int64_t base = reduce_offsets(plan_.outer, block / tiles_).in +
                       column * plan_.column.in;
        kernel_.init(acc, tile_, width);
        int64_t last = std::min((group + 1) * pieces_per_group_, pieces_);
        for (int64_t p = group * pieces_per_group_; p < last; p++)
          add_column_piece(load, base, width, p, acc);
        if (!split) emit_columns(acc, block);
      }
    });
    if (!split) return;
    parallel_for(blocks, [&](int64_t block) {
      char* total = partial.data<char>() + block * groups_ * acc_bytes;
      int64_t width = std::min(tile_, plan_.column.size - block % tiles_ * tile_);
      for (int64_t g = 1; g < groups_; g++)
        kernel_.merge(total + g * acc_bytes, tile_, total, tile_, width);
      emit_columns(total, block);
    });
  }

  // Large tasks are dealt out one by one, small ones in chunks.
  static void parallel_chunks_or_all(bool single, int64_t n, int64_t grain,
                                     FunctionRef<void(int64_t, int64_t)> body) {
    if (single)
      parallel_for(n, [&](int64_t i) { body(i, i + 1); });
    else
      parallel_chunks(n, grain, body);
  }

  void emit_columns(const char* acc, int64_t block) const {
    int64_t column = block % tiles_ * tile_, width = std::min(tile_, plan_.column.size - column);
    int64_t place = reduce_offsets(plan_.outer, block / tiles_).out +
                    column * plan_.column.out;
    int64_t size = out_dtype_.size();
    if (plan_.column.out == 1) {
      finish(acc, tile_, width, out_ + place * size);
      return;
    }
    alignas(64) char results[column_tile * 16];
    finish(acc, tile_, width, results);
    store_block(results, out_dtype_, out_ + place * size, out_dtype_,
                {1, width, 0, plan_.column.out}, nullptr);
  }

  const Reduction& spec_;
  const ReduceKernel& kernel_;
  ReducePlan plan_;
  Dtype in_dtype_, out_dtype_;
  const char* in_;
  char* out_;
  bool direct_;
  int64_t run_block_ = 1, run_blocks_ = 1, line_block_ = 1, line_blocks_ = 1;
  int64_t tile_ = 1, tiles_ = 1;
  int64_t pieces_ = 1, pieces_per_group_ = 1, groups_ = 1;
};

// Reductions of nothing.
void fill_with_identity(const Reduction& r, array& out) {
  alignas(16) char acc[64], result[16], element[16];
  r.kernel.init(acc, 1, 1);
  r.kernel.finish(acc, 1, 1, r.divisor, result);
  convert_block(result, r.result, element, out.dtype(), 1);
  for (size_t i = 0; i < out.size(); i++)
    std::memcpy(out.data<char>() + i * out.itemsize(), element, out.itemsize());
}

}  // namespace

void run_reduction(const Reduction& reduction, const array& in, const std::vector<int>& axes,
                   array& out) {
  if (out.size() == 0) return;
  if (in.size() == 0)
    fill_with_identity(reduction, out);
  else
    ReduceRun(reduction, in, axes, out).run();
}

}  // namespace mlx::core::cpu
