// The plan of a matrix product (which tiles, which packing) and its loops over the thread pool.
#include "mlx/backend/cpu/gemm.h"

#include <algorithm>
#include <stdexcept>

#include "mlx/backend/cpu/gemm_core.h"
#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"

namespace mlx::core::cpu {

namespace {

constexpr double kInlineFlops = 5e5;    // less is not worth waking a thread
constexpr double kTaskFlops = 4e6;      // a tile is not split below this
constexpr double kSharedFlops = 1.2e7;  // smaller products of a batch are computed whole by one task
constexpr int64_t kTilePanels = 8;      // panels of A in a tile: the packed block fits the second-level cache
constexpr int64_t kSharedBytes = 64 << 20;   // most memory for B packed as a whole
constexpr int64_t kPartialBytes = 16 << 20;  // most memory for partial sums of a split over k

using Offsets = GemmProblem::Offsets;

// A product in the form in which it is computed: perhaps transposed (so that the vector runs along the longer
// side), a batch with one common B perhaps folded into the rows.
struct Plan {
  GemmProblem p;
  const GemmTypeKernels& kern;
  int64_t batch = 1;
  bool swapped = false;
  int64_t tile_rows = 0, tile_cols = 0;
  int64_t row_tiles = 0, col_tiles = 0;

  int64_t tiles() const { return row_tiles * col_tiles; }
  double flops() const { return 2.0 * double(p.m) * double(p.n) * double(std::max<int64_t>(p.k, 1)); }
};

// Whether the batch continues the rows: element i of the batch begins where row i * m would.
bool continues_rows(const GemmProblem& p, const int64_t* strides, int64_t row_stride) {
  int64_t expected = p.m * row_stride;
  for (int d = p.batch_ndim - 1; d >= 0; --d) {
    if (p.batch_shape[d] == 1) continue;
    if (strides[d] != expected) return false;
    expected *= p.batch_shape[d];
  }
  return true;
}

void fold_batch(Plan& plan) {
  GemmProblem& p = plan.p;
  if (plan.batch == 1 || p.epilogue.function) return;
  for (int d = 0; d < p.batch_ndim; ++d) {
    if (p.batch_shape[d] != 1 && p.b_batch_strides[d] != 0) return;
  }
  // The stride of a single row says nothing: take the one that continues the batch.
  if (p.m == 1) {
    int inner = p.batch_ndim - 1;
    while (p.batch_shape[inner] == 1) --inner;
    p.a.row_stride = p.a_batch_strides[inner];
    p.out_row_stride = p.out_batch_strides[inner];
    if (p.cin.data) p.cin.row_stride = p.cin_batch_strides[inner];
  }
  if (!continues_rows(p, p.a_batch_strides, p.a.row_stride)) return;
  if (!continues_rows(p, p.out_batch_strides, p.out_row_stride)) return;
  if (p.cin.data && !continues_rows(p, p.cin_batch_strides, p.cin.row_stride)) return;
  p.m *= plan.batch;
  p.batch_ndim = 0;
  plan.batch = 1;
}

// Padding to whole vectors is wasted work: the side that wastes less becomes the vector's.
void choose_side(Plan& plan) {
  GemmProblem& p = plan.p;
  double as_is = double(p.m) * double(round_up(p.n, plan.kern.nr / 2));
  double turned = double(p.n) * double(round_up(p.m, plan.kern.nr / 2));
  if (turned >= 0.8 * as_is) return;
  plan.swapped = true;
  std::swap(p.m, p.n);
  std::swap(p.a, p.b);
  std::swap(p.a_batch_strides, p.b_batch_strides);
  std::swap(p.a.row_stride, p.a.col_stride);
  std::swap(p.b.row_stride, p.b.col_stride);
  std::swap(p.cin.row_stride, p.cin.col_stride);
  std::swap(p.out_row_stride, p.out_col_stride);
}

// No bit of a result depends on the tiles, so their number may follow the number of threads.
void choose_tiles(Plan& plan) {
  const GemmProblem& p = plan.p;
  plan.tile_rows = std::min(p.m, plan.kern.mr * kTilePanels);
  plan.tile_cols = p.n;
  int64_t wanted = 4 * int64_t(num_threads());
  while (true) {
    plan.row_tiles = ceil_div(p.m, plan.tile_rows);
    plan.col_tiles = ceil_div(p.n, plan.tile_cols);
    double flops = 2.0 * double(plan.tile_rows) * double(plan.tile_cols) * double(p.k);
    bool wide = plan.tile_cols > 2 * plan.kern.nr, tall = plan.tile_rows > 2 * plan.kern.mr;
    // A tile with few rows is bound by memory, not by arithmetic: it is worth a thread earlier.
    double least = plan.tile_rows >= plan.kern.mr ? kTaskFlops : kTaskFlops / 16;
    if (plan.batch * plan.tiles() >= wanted || flops < least || (!wide && !tall)) break;
    if (wide && (!tall || plan.tile_cols >= 2 * plan.tile_rows)) {
      plan.tile_cols = round_up(ceil_div(plan.tile_cols, 2), plan.kern.nr);
    } else {
      plan.tile_rows = round_up(ceil_div(plan.tile_rows, 2), plan.kern.mr);
    }
  }
  // Equal shares, so that the last tile is no small rest.
  plan.tile_rows = ceil_div(p.m, plan.row_tiles);
  plan.tile_cols = std::min(p.n, round_up(ceil_div(p.n, plan.col_tiles), plan.kern.nr));
  plan.row_tiles = ceil_div(p.m, plan.tile_rows);
  plan.col_tiles = ceil_div(p.n, plan.tile_cols);
}

struct Place {
  int64_t batch, row, col, rows, cols;
};

Place place_of(const Plan& plan, int64_t task) {
  int64_t tile = task % plan.tiles();
  int64_t row = tile / plan.col_tiles * plan.tile_rows, col = tile % plan.col_tiles * plan.tile_cols;
  return {task / plan.tiles(), row, col, std::min(plan.tile_rows, plan.p.m - row),
          std::min(plan.tile_cols, plan.p.n - col)};
}

const char* at(const void* base, int64_t elements, int64_t item) {
  return static_cast<const char*>(base) + elements * item;
}

// Hands the finished sums of one place to the epilogue in the caller's orientation.
void call_epilogue(const Plan& plan, const Place& w, const void* acc, int64_t acc_stride) {
  const GemmEpilogue& e = plan.p.epilogue;
  if (!plan.swapped) {
    e.function(e.context, w.batch, w.row, w.col, w.rows, w.cols, acc, acc_stride);
    return;
  }
  int64_t wide = plan.kern.wide;
  Scratch turned(w.rows * w.cols * wide);
  for (int64_t r = 0; r < w.rows; ++r) {
    for (int64_t c = 0; c < w.cols; ++c) {
      const char* from = at(acc, r * acc_stride + c, wide);
      std::copy(from, from + wide, turned.data<char>() + (c * w.rows + r) * wide);
    }
  }
  e.function(e.context, w.batch, w.col, w.row, w.cols, w.rows, turned.data(), w.rows);
}

void finish(const Plan& plan, const Place& w, const Offsets& o, const void* acc, int64_t acc_stride) {
  if (plan.p.epilogue.function) {
    call_epilogue(plan, w, acc, acc_stride);
    return;
  }
  const GemmProblem& p = plan.p;
  GemmStore store{};
  int64_t out = o.out + w.row * p.out_row_stride + w.col * p.out_col_stride;
  store.out = static_cast<char*>(p.out) + out * plan.kern.item;
  store.out_row_stride = p.out_row_stride;
  store.out_col_stride = p.out_col_stride;
  if (p.cin.data) {
    int64_t cin = o.cin + w.row * p.cin.row_stride + w.col * p.cin.col_stride;
    store.cin = at(p.cin.data, cin, plan.kern.item);
    store.cin_row_stride = p.cin.row_stride;
    store.cin_col_stride = p.cin.col_stride;
  }
  store.alpha = p.alpha;
  store.beta = p.beta;
  plan.kern.store(acc, acc_stride, w.rows, w.cols, store);
}

// Sums of one place over [k_begin, k_end) into acc. Without a packed B the tile packs its own, panel by
// panel.
void sum_place(const Plan& plan, const Place& w, const Offsets& o, const PackedB* packed, int64_t packed_col,
               int64_t k_begin, int64_t k_end, void* acc, int64_t acc_stride) {
  const GemmProblem& p = plan.p;
  const GemmTypeKernels& kern = plan.kern;
  const char* a = at(p.a.data, o.a + w.row * p.a.row_stride, kern.item);
  const char* b = at(p.b.data, o.b + w.col * p.b.col_stride, kern.item);
  bool thin = !packed && w.rows <= kGemmThinRows && (p.b.col_stride == 1 || p.b.row_stride == 1);
  auto pack_a = [&](int64_t k0, int64_t kn, int64_t height, void* to) {
    kern.pack_a(at(a, k0 * p.a.col_stride, kern.item), p.a.row_stride, p.a.col_stride, w.rows, kn, height,
                to);
  };
  auto panels_of_b = [&](int64_t k0, int64_t kn, int64_t col, int64_t cols, void* to) -> PanelsOfB {
    if (packed) return {packed->block(kern, k0, kn, (packed_col + col) / kern.nr), kn * kern.nr};
    const char* from = at(b, k0 * p.b.row_stride + col * p.b.col_stride, kern.item);
    if (thin) return {from, 0, true, p.b.row_stride, p.b.col_stride};
    kern.pack_b(from, p.b.row_stride, p.b.col_stride, kn, cols, to);
    return {to, 0};
  };
  int64_t at_once = packed || thin ? w.cols : kern.nr;
  compute_tile({kern, w.rows, w.cols, k_begin, k_end, pack_a, panels_of_b, at_once, !packed && !thin,
                thin ? kGemmSuperK : kGemmBlockK},
               acc, acc_stride);
}

// Rows a multiple of 2 KiB apart fall on the same few sets of the first-level cache: sums are kept elsewhere
// then.
bool rows_collide(int64_t row_bytes) { return row_bytes % 2048 == 0; }

void run_place(const Plan& plan, const Place& w, const PackedB* packed, int64_t packed_col) {
  const GemmProblem& p = plan.p;
  Offsets o = p.offsets(w.batch);
  bool in_place = plan.kern.item == plan.kern.wide && p.out_col_stride == 1 && p.alpha == 1 && !p.cin.data &&
                  !p.epilogue.function && !rows_collide(p.out_row_stride * plan.kern.wide);
  if (in_place) {
    int64_t out = o.out + w.row * p.out_row_stride + w.col;
    void* acc = static_cast<char*>(p.out) + out * plan.kern.item;
    sum_place(plan, w, o, packed, packed_col, 0, p.k, acc, p.out_row_stride);
    return;
  }
  int64_t acc_stride = rows_collide(w.cols * plan.kern.wide) ? w.cols + 16 : w.cols;
  Scratch acc(w.rows * acc_stride * plan.kern.wide);
  sum_place(plan, w, o, packed, packed_col, 0, p.k, acc.data(), acc_stride);
  finish(plan, w, o, acc.data(), acc_stride);
}

// Each tile packs what it needs of A and B.
void run_local(const Plan& plan) {
  int64_t tasks = plan.batch * plan.tiles();
  auto body = [&](int64_t task) { run_place(plan, place_of(plan, task), nullptr, 0); };
  if (tasks == 1 || plan.flops() * double(plan.batch) < kInlineFlops) {
    for (int64_t task = 0; task < tasks; ++task) body(task);
    return;
  }
  // Very small members of a batch share a task.
  double each = plan.flops() / double(plan.tiles());
  int64_t grain = std::max<int64_t>(1, int64_t(kInlineFlops / 2 / each));
  parallel_for(tasks, grain, body);
}

void pack_whole_b(const Plan& plan, const Offsets& o, int64_t col0, int64_t cols, const PackedB& packed) {
  const GemmProblem& p = plan.p;
  const GemmTypeKernels& kern = plan.kern;
  int64_t panels = packed.padded_cols / kern.nr, blocks = ceil_div(p.k, kGemmBlockK);
  parallel_for(panels * blocks, [&](int64_t i) {
    int64_t panel = i % panels, k0 = i / panels * kGemmBlockK;
    int64_t kn = std::min(kGemmBlockK, p.k - k0), col = panel * kern.nr;
    const char* from = at(p.b.data, o.b + k0 * p.b.row_stride + (col0 + col) * p.b.col_stride, kern.item);
    kern.pack_b(from, p.b.row_stride, p.b.col_stride, kn, std::min(kern.nr, cols - col),
                packed.block(kern, k0, kn, panel));
  });
}

// B is packed once for all tiles, a strip of columns at a time where it is large.
void run_shared(const Plan& plan) {
  const GemmProblem& p = plan.p;
  const GemmTypeKernels& kern = plan.kern;
  int64_t fitting = std::max<int64_t>(kSharedBytes / (p.k * kern.wide) / kern.nr, 1) * kern.nr;
  int64_t strip = std::min(round_up(p.n, kern.nr), fitting);
  Scratch buffer(strip * p.k * kern.wide);
  for (int64_t index = 0; index < plan.batch; ++index) {
    for (int64_t col0 = 0; col0 < p.n; col0 += strip) {
      int64_t cols = std::min(strip, p.n - col0);
      PackedB packed{buffer.data(), round_up(cols, kern.nr)};
      pack_whole_b(plan, p.offsets(index), col0, cols, packed);
      int64_t tile_cols = std::min(plan.tile_cols, round_up(cols, kern.nr));
      int64_t col_tiles = ceil_div(cols, tile_cols);
      parallel_for(plan.row_tiles * col_tiles, [&](int64_t task) {
        int64_t row = task / col_tiles * plan.tile_rows, col = task % col_tiles * tile_cols;
        Place w{index, row, col0 + col, std::min(plan.tile_rows, p.m - row), std::min(tile_cols, cols - col)};
        run_place(plan, w, &packed, col);
      });
    }
  }
}

// Few tiles and a long k: tasks are (tile, piece of k). The pieces are those in which every product is
// summed, and their sums are added in the same order, so the split leaves no trace in the result.
void run_split(const Plan& plan) {
  const GemmProblem& p = plan.p;
  const GemmTypeKernels& kern = plan.kern;
  int64_t supers = ceil_div(p.k, kGemmSuperK), area = p.m * p.n;
  int64_t round = std::clamp<int64_t>(kPartialBytes / (area * kern.wide), 1, supers);
  Scratch total(area * kern.wide), partial(area * round * kern.wide);
  for (int64_t index = 0; index < plan.batch; ++index) {
    Offsets o = p.offsets(index);
    for (int64_t s0 = 0; s0 < supers; s0 += round) {
      int64_t here = std::min(round, supers - s0);
      parallel_for(here * plan.tiles(), [&](int64_t task) {
        Place w = place_of(plan, task % plan.tiles());
        int64_t s = task / plan.tiles(), k0 = (s0 + s) * kGemmSuperK;
        char* acc = partial.data<char>() + (s * area + w.row * p.n + w.col) * kern.wide;
        sum_place(plan, w, o, nullptr, 0, k0, std::min(k0 + kGemmSuperK, p.k), acc, p.n);
      });
      bool last = s0 + here == supers;
      parallel_for(plan.tiles(), [&](int64_t task) {
        Place w = place_of(plan, task);
        w.batch = index;
        int64_t place = w.row * p.n + w.col;
        char* sum = total.data<char>() + place * kern.wide;
        if (s0 == 0) {
          const char* first = partial.data<char>() + place * kern.wide;
          for (int64_t r = 0; r < w.rows; ++r) {
            std::copy_n(first + r * p.n * kern.wide, w.cols * kern.wide, sum + r * p.n * kern.wide);
          }
        }
        for (int64_t s = s0 == 0 ? 1 : 0; s < here; ++s) {
          kern.add(sum, p.n, partial.data<char>() + (s * area + place) * kern.wide, p.n, w.rows, w.cols);
        }
        if (last) finish(plan, w, o, sum, p.n);
      });
    }
  }
}

bool worth_splitting(const Plan& plan) {
  int64_t tasks = plan.batch * plan.tiles();
  return plan.p.k >= 2 * kGemmSuperK && tasks < 4 * num_threads() &&
         plan.p.m * plan.p.n * plan.kern.wide <= kPartialBytes / 4 && plan.flops() > 2 * kTaskFlops;
}

bool worth_sharing(const Plan& plan) {
  if (plan.row_tiles == 1 || plan.flops() < kSharedFlops) return false;
  if (plan.p.k * plan.kern.nr * 8 * plan.kern.wide > kSharedBytes) return false;
  return plan.batch < 4 * num_threads() || plan.flops() > 16 * kSharedFlops;
}

}  // namespace

int64_t GemmProblem::batch() const {
  int64_t members = 1;
  for (int d = 0; d < batch_ndim; ++d) members *= batch_shape[d];
  return members;
}

GemmProblem::Offsets GemmProblem::offsets(int64_t index) const {
  Offsets o;
  for (int d = batch_ndim - 1; d >= 0; --d) {
    int64_t i = index % batch_shape[d];
    index /= batch_shape[d];
    o.a += i * a_batch_strides[d];
    o.b += i * b_batch_strides[d];
    if (out_batch_strides) o.out += i * out_batch_strides[d];
    if (cin.data) o.cin += i * cin_batch_strides[d];
  }
  return o;
}

GemmType gemm_type(Dtype dtype) {
  constexpr struct {
    Dtype::Val from;
    GemmType to;
  } known[] = {{Dtype::Val::float32, GemmType::float32},
               {Dtype::Val::float64, GemmType::float64},
               {Dtype::Val::float16, GemmType::float16},
               {Dtype::Val::bfloat16, GemmType::bfloat16}};
  for (auto [from, to] : known) {
    if (from == dtype.val()) return to;
  }
  throw std::invalid_argument("[gemm] Only real floating types have a product of this kind.");
}

void gemm(const GemmProblem& problem, const GemmKernels& gemm_kernels) {
  Plan plan{problem, gemm_kernels[problem.type], problem.batch()};
  if (problem.m <= 0 || problem.n <= 0 || plan.batch <= 0) return;
  fold_batch(plan);
  choose_side(plan);
  choose_tiles(plan);
  if (worth_splitting(plan)) {
    run_split(plan);
  } else if (worth_sharing(plan)) {
    run_shared(plan);
  } else {
    run_local(plan);
  }
}

}  // namespace mlx::core::cpu
