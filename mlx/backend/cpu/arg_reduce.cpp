// argmin and argmax along one axis. Long rows are searched in pieces whose finds are compared in order.

#include <algorithm>
#include <vector>

#include "mlx/backend/common/reduce_plan.h"
#include "mlx/backend/cpu/block_loader.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/isa.h"
#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops/reduce_primitives.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t direct_piece = 128 * 1024, gathered_piece = 4 * 1024, column_tile = 1024;
constexpr int64_t task_elements = 32 * 1024;

// What the kernels compare: the order of the values is kept.
Dtype work_dtype(Dtype in) {
  if (in == float16 || in == bfloat16) return float32;
  if (issubdtype(in, inexact)) return in;
  return in == uint64 ? uint64 : int64;
}

struct Find {
  alignas(8) char value[8];
  int64_t index;
};

class ArgReduceRun {
 public:
  ArgReduceRun(const ArgReduce& primitive, const array& in, array& out)
      : work_(work_dtype(in.dtype())),
        kernel_((primitive.type() == ArgReduce::ArgMin
                     ? kernels().arg_reduce.min
                     : kernels().arg_reduce.max)[static_cast<int>(work_.val())]),
        plan_(make_reduce_plan(in.shape(), in.strides(), {primitive.axis()})),
        in_dtype_(in.dtype()),
        in_(in.data<char>()),
        out_(out.data<uint32_t>()) {}

  void run() { plan_.kind == ReducePlan::columns ? run_columns() : run_rows(); }

 private:
  const char* element(int64_t offset) const { return in_ + offset * static_cast<int64_t>(in_dtype_.size()); }

  Find search(BlockLoader& loader, int64_t base, int64_t first, int64_t n) const {
    Find find;
    const char* x = loader.load(element(base + first * plan_.run().in), {1, n, 0, plan_.run().in});
    find.index = first + kernel_.row(x, n, find.value);
    return find;
  }

  void run_rows() const {
    bool direct = in_dtype_ == work_ && plan_.run().in == 1;
    int64_t n = plan_.run().size, piece = std::min(n, direct ? direct_piece : gathered_piece);
    int64_t pieces = ceil_div(n, piece), results = plan_.results();
    std::vector<Find> finds(static_cast<size_t>(results * pieces));
    parallel_chunks(
        results * pieces, std::max<int64_t>(task_elements / piece, 1), [&](int64_t begin, int64_t end) {
          BlockLoader loader(in_dtype_, work_, direct ? 1 : piece);
          for (int64_t task = begin; task < end; task++) {
            int64_t base = reduce_offsets(plan_.outer, task / pieces).in;
            int64_t first = task % pieces * piece;
            finds[task] = search(loader, base, first, std::min(piece, n - first));
          }
        });
    for (int64_t o = 0; o < results; o++) {
      const Find* best = &finds[o * pieces];
      for (int64_t p = 1; p < pieces; p++) {
        const Find& other = finds[o * pieces + p];
        if (kernel_.better(other.value, best->value)) best = &other;
      }
      out_[reduce_offsets(plan_.outer, o).out] =
          static_cast<uint32_t>(best->index);
    }
  }

  void run_columns() const {
    const ReduceDim &column = plan_.column, &run = plan_.run();
    int64_t tile = std::min(column.size, column_tile), tiles = ceil_div(column.size, tile);
    bool direct = in_dtype_ == work_ && column.in == 1;
    int64_t rows = direct ? run.size : std::clamp<int64_t>(2 * gathered_piece / tile, 1, run.size);
    int64_t grain = std::max<int64_t>(task_elements / (tile * run.size), 1);
    parallel_chunks(plan_.results() * tiles, grain, [&](int64_t begin, int64_t end) {
      BlockLoader loader(in_dtype_, work_, direct ? 1 : 2 * gathered_piece);
      std::vector<uint64_t> best(static_cast<size_t>(tile));
      std::vector<uint32_t> index(static_cast<size_t>(tile));
      for (int64_t task = begin; task < end; task++) {
        int64_t first_column = task % tiles * tile, width = std::min(tile, column.size - first_column);
        ReduceOffsets at = reduce_offsets(plan_.outer, task / tiles);
        at.in += first_column * column.in;
        at.out += first_column * column.out;
        for (int64_t r = 0; r < run.size; r += rows) {
          int64_t n = std::min(rows, run.size - r);
          const char* from = element(at.in + r * run.in);
          if (direct)
            kernel_.columns(from, n, run.in, width, r, best.data(), index.data());
          else
            kernel_.columns(loader.load(from, {n, width, run.in, column.in}), n, width, width, r, best.data(),
                            index.data());
        }
        for (int64_t c = 0; c < width; c++) out_[at.out + c * column.out] = index[c];
      }
    });
  }

  Dtype work_;
  const ArgReduceKernel& kernel_;
  ReducePlan plan_;
  Dtype in_dtype_;
  const char* in_;
  uint32_t* out_;
};

}  // namespace

void eval(ArgReduce& primitive, InputSpan inputs, OutputSpan outputs) {
  array& out = outputs[0];
  out.set_data(allocator::malloc(out.nbytes()));
  if (out.size() > 0) ArgReduceRun(primitive, inputs[0], out).run();
}

}  // namespace mlx::core::cpu
