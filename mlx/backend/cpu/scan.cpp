// Scan. Four chains of additions run side by side, since each waits for its own last sum; a long chain is cut into
// blocks by its length only, whose totals are found first.

#include <vector>

#include "mlx/backend/cpu/copy.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/scan_ops.h"
#include "mlx/core/dispatch.h"
#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t chain_block = 4096;

template <typename T, typename Op>
class ScanRun {
 public:
  using State = typename Op::State;
  ScanRun(const Scan& p, const T* x, T* y, const ScanShape& shape)
      : shape_(shape),
        x_(x),
        y_(y),
        first_(p.reverse() ? (shape.n - 1) * shape.inner : 0),
        step_(p.reverse() ? -shape.inner : shape.inner),
        gap_(p.inclusive() ? 0 : step_),
        length_(p.inclusive() ? shape.n : shape.n - 1) {}

  void run() const {
    if (shape_.inner >= few_columns) return run_columns();
    if constexpr (Op::splits) {
      if (length_ > chain_block) return run_blocks();
    }
    run_chains();
  }

 private:
  // Elements of one chain, with what comes before them.
  struct Chain {
    const T* x;
    T* y;
    State state;
    int64_t n;
  };

  Chain chain(int64_t k, int64_t begin, int64_t n, const State& state) const {
    int64_t at = shape_.chain(k) + first_ + begin * step_;
    return {x_ + at, y_ + at + gap_, state, n};
  }

  // An exclusive scan is the inclusive one, written one place later.
  void write_start(int64_t k) const {
    if (gap_) y_[shape_.chain(k) + first_] = Op::value(Op::start());
  }

  void advance(Chain& c, int64_t n) const {
    for (int64_t i = 0; i < n; i++) {
      Op::add(c.state, c.x[i * step_]);
      c.y[i * step_] = Op::value(c.state);
    }
    c.x += n * step_;
    c.y += n * step_;
    c.n -= n;
  }

  void advance_four(Chain* c, int64_t n) const {
    State state[4] = {c[0].state, c[1].state, c[2].state, c[3].state};
    const T *x0 = c[0].x, *x1 = c[1].x, *x2 = c[2].x, *x3 = c[3].x;
    T *y0 = c[0].y, *y1 = c[1].y, *y2 = c[2].y, *y3 = c[3].y;
    for (int64_t i = 0, at = 0; i < n; i++, at += step_) {
      Op::add(state[0], x0[at]);
      Op::add(state[1], x1[at]);
      Op::add(state[2], x2[at]);
      Op::add(state[3], x3[at]);
      y0[at] = Op::value(state[0]);
      y1[at] = Op::value(state[1]);
      y2[at] = Op::value(state[2]);
      y3[at] = Op::value(state[3]);
    }
    for (int k = 0; k < 4; k++) {
      c[k] = {c[k].x + n * step_, c[k].y + n * step_, state[k], c[k].n - n};
    }
  }

  // make(i) is the i-th chain.
  template <typename F>
  void walk(int64_t begin, int64_t end, F make) const {
    for (int64_t i = begin; i < end; i += 4) {
      Chain chains[4];
      int64_t count = std::min<int64_t>(4, end - i), shared = INT64_MAX;
      for (int64_t k = 0; k < count; k++) {
        chains[k] = make(i + k);
        shared = std::min(shared, chains[k].n);
      }
      if (count == 4) advance_four(chains, shared);
      for (int64_t k = 0; k < count; k++) advance(chains[k], chains[k].n);
    }
  }

  void run_chains() const {
    int64_t grain = std::max<int64_t>(scan_grain / shape_.n, 1);
    parallel_chunks(shape_.outer * shape_.inner, grain, [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; k++) write_start(k);
      walk(begin, end, [&](int64_t k) { return chain(k, 0, length_, Op::start()); });
    });
  }

  State total(const Chain& c) const {
    State lanes[8];
    for (State& lane : lanes) lane = Op::start();
    int64_t i = 0;
    for (; i + 8 <= c.n; i += 8) {
      for (int64_t k = 0; k < 8; k++) Op::add(lanes[k], c.x[(i + k) * step_]);
    }
    for (; i < c.n; i++) Op::add(lanes[i % 8], c.x[i * step_]);
    for (int half = 4; half > 0; half /= 2) {
      for (int k = 0; k < half; k++) Op::merge(lanes[k], lanes[k + half]);
    }
    return lanes[0];
  }

  void run_blocks() const {
    int64_t chains = shape_.outer * shape_.inner, blocks = ceil_div(length_, chain_block);
    int64_t grain = scan_grain / chain_block;
    std::vector<State> states(static_cast<size_t>(chains * blocks));
    auto part = [&](int64_t task, const State& state) {
      int64_t begin = task % blocks * chain_block;
      return chain(task / blocks, begin, std::min(chain_block, length_ - begin), state);
    };
    parallel_for(chains * blocks, grain, [&](int64_t task) { states[task] = total(part(task, Op::start())); });
    for (int64_t k = 0; k < chains; k++) {
      write_start(k);
      State sum = Op::start();
      for (int64_t b = 0; b < blocks; b++) {
        State block = states[k * blocks + b];
        states[k * blocks + b] = sum;
        Op::merge(sum, block);
      }
    }
    parallel_chunks(chains * blocks, grain, [&](int64_t begin, int64_t end) {
      walk(begin, end, [&](int64_t task) { return part(task, states[task]); });
    });
  }

  void run_columns() const {
    int64_t tiles = ceil_div(shape_.inner, column_tile);
    int64_t grain = std::max<int64_t>(scan_grain / (shape_.n * std::min(shape_.inner, column_tile)), 1);
    parallel_chunks(shape_.outer * tiles, grain, [&](int64_t begin, int64_t end) {
      State state[column_tile];
      for (int64_t task = begin; task < end; task++) {
        int64_t column = task % tiles * column_tile, width = std::min(column_tile, shape_.inner - column);
        int64_t at = task / tiles * shape_.n * shape_.inner + column + first_;
        std::fill(state, state + width, Op::start());
        if (gap_) std::fill(y_ + at, y_ + at + width, Op::value(Op::start()));
        for (int64_t i = 0; i < length_; i++, at += step_) {
          const T* x = x_ + at;
          T* y = y_ + at + gap_;
          for (int64_t c = 0; c < width; c++) {
            Op::add(state[c], x[c]);
            y[c] = Op::value(state[c]);
          }
        }
      }
    });
  }

  ScanShape shape_;
  const T* x_;
  T* y_;
  int64_t first_, step_, gap_, length_;
};

template <typename T>
void scan(const Scan& p, const array& x, array& y, const ScanShape& shape) {
  const T* from = x.data<T>();
  T* to = y.data<T>();
  switch (p.type()) {
    case Scan::Sum:
      if constexpr (!std::is_same_v<T, bool>) ScanRun<T, ScanSum<T>>(p, from, to, shape).run();
      return;
    case Scan::Prod: return ScanRun<T, ScanProd<T>>(p, from, to, shape).run();
    case Scan::Min: return ScanRun<T, ScanMin<T>>(p, from, to, shape).run();
    case Scan::Max: return ScanRun<T, ScanMax<T>>(p, from, to, shape).run();
    case Scan::LogSumExp:
      if constexpr (!std::is_integral_v<T>) ScanRun<T, ScanLogSumExp<T>>(p, from, to, shape).run();
      return;
  }
}

}  // namespace

void eval(Scan& primitive, InputSpan inputs, OutputSpan outputs) {
  array& out = outputs[0];
  // An exclusive scan writes ahead of what it reads.
  bool in_place = primitive.inclusive() && inputs[0].is_donatable() && inputs[0].flags().row_contiguous;
  array x = row_major(inputs[0]);
  if (in_place) out.copy_shared_buffer(inputs[0]);
  else out.set_data(allocator::malloc(out.nbytes()));
  if (out.size() == 0) return;
  ScanShape shape(out.shape(), primitive.axis());
  dispatch_dtype(out.dtype(), [&]<typename T>(TypeTag<T>) { scan<T>(primitive, x, out, shape); });
}

}  // namespace mlx::core::cpu
