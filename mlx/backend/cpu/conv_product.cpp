// Convolution as an implicit matrix product: rows are output positions, k runs over taps and input channels,
// columns are output channels. The sums have the order of every product (isa/gemm.h).
#include <algorithm>

#include "mlx/backend/cpu/conv_core.h"
#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t kTilePanels = 8;
constexpr double kInlineFlops = 5e5;

// k is cut into segments of `length` that are contiguous in the halo and evenly spaced in the weight: the
// channels of one tap, or of a whole row of taps.
struct Segments {
  int64_t length, per_row, w_stride;

  explicit Segments(const Conv3& c) : length(c.in_channels), per_row(c.taps[2]), w_stride(c.w_channel) {
    bool close = c.dilation[2] == 1 || c.taps[2] == 1;
    if (close && (c.taps[2] == 1 || c.w_dim[2] == c.in_channels * c.w_channel)) {
      length *= c.taps[2];
      per_row = 1;
    }
  }
};

struct Tap {
  int64_t t0, t1, t2;
};

Tap tap_of(const Conv3& c, const Segments& s, int64_t segment) {
  int64_t row = segment / s.per_row;
  return {row / c.taps[1], row % c.taps[1], segment % s.per_row};
}

// Calls piece(segment, first, count, done) for the parts of segments in [k0, k0 + kn).
template <typename F>
void for_pieces(const Segments& s, int64_t k0, int64_t kn, F&& piece) {
  int64_t segment = k0 / s.length, first = k0 % s.length;
  for (int64_t done = 0; done < kn; ++segment, first = 0) {
    int64_t count = std::min(s.length - first, kn - done);
    piece(segment, first, count, done);
    done += count;
  }
}

void pack_weight_panel(const Conv3& c, const Segments& s, int64_t group, int64_t k0, int64_t kn, int64_t col,
                       char* to) {
  const GemmTypeKernels& kern = *c.kern;
  int64_t cols = std::min(kern.nr, c.out_channels - col);
  const char* w = c.w + (group * c.out_channels + col) * c.w_out * kern.item;
  for_pieces(s, k0, kn, [&](int64_t segment, int64_t first, int64_t count, int64_t done) {
    Tap t = tap_of(c, s, segment);
    int64_t from = t.t0 * c.w_dim[0] + t.t1 * c.w_dim[1] + t.t2 * c.w_dim[2] + first * s.w_stride;
    kern.pack_b(w + from * kern.item, s.w_stride, c.w_out, count, cols, to + done * kern.nr * kern.wide);
  });
}

// The patches of one box: pack() writes panels of A, refreshing the halo at the start of each long piece of
// k.
class Patches {
 public:
  Patches(const Conv3& c, const Segments& s, const ConvBox& box, int64_t group)
      : c_(c),
        s_(s),
        box_(box),
        group_(group),
        k_(c.k()),
        halo_(covering(0)),
        buffer_(most_bytes()),
        offsets_(box.rows() * sizeof(int64_t)) {}

  void pack(int64_t k0, int64_t kn, int64_t height, void* to) {
    if (k0 % kGemmSuperK == 0) refresh(k0);
    const int64_t wide = c_.kern->wide;
    const int64_t* offsets = offsets_.data<int64_t>();
    int64_t rows = box_.rows();
    for (int64_t i = 0; i < rows; i += height) {
      int64_t here = std::min(height, rows - i);
      char* panel = static_cast<char*>(to) + i * kn * wide;
      for_pieces(s_, k0, kn, [&](int64_t segment, int64_t first, int64_t count, int64_t done) {
        Tap t = tap_of(c_, s_, segment);
        const char* base = buffer_.data<char>() + (halo_.tap_offset(c_, t.t0, t.t1, t.t2) + first) * wide;
        const void* pointers[kGemmMaxRows];
        for (int64_t r = 0; r < here; ++r) pointers[r] = base + offsets[i + r] * wide;
        c_.kern->pack_rows(pointers, here, count, panel + done * here * wide);
      });
    }
  }

 private:
  // The halo for the piece of k that begins at k0.
  ConvHalo covering(int64_t k0) const {
    int64_t k_end = std::min(k0 + kGemmSuperK, k_);
    if (k_end <= k0) return ConvHalo(c_, box_, c_.in_channels, 0, 1, 0, 1);
    Tap first = tap_of(c_, s_, k0 / s_.length), last = tap_of(c_, s_, (k_end - 1) / s_.length);
    bool one_plane = first.t0 == last.t0;
    return ConvHalo(c_, box_, c_.in_channels, first.t0, last.t0 + 1, one_plane ? first.t1 : 0,
                    one_plane ? last.t1 + 1 : c_.taps[1]);
  }

  size_t most_bytes() const {
    int64_t most = 0;
    for (int64_t k0 = 0; k0 < k_; k0 += kGemmSuperK) most = std::max(most, covering(k0).elements());
    return (most + kGemmPackSlack) * c_.kern->wide;
  }

  void refresh(int64_t k0) {
    halo_ = covering(k0);
    Conv3 c = c_;
    c.x += group_ * c.in_channels * c.x_channel * c.kern->item;
    const GemmTypeKernels& kern = *c.kern;
    bool dense = c.x_channel == 1 && c.x_dim[2] == c.in_channels;
    halo_.fill(c, box_, buffer_.data<char>(), [&](const char* from, int64_t count, char* to) {
      if (dense) {
        kern.widen(from, 1, count * c.in_channels, to);
        return;
      }
      kern.widen_grid(from, c.x_dim[2], c.x_channel, count, c.in_channels, to);
    });
    int64_t* offset = offsets_.data<int64_t>();
    for_lines(box_.size, [&](int64_t n, int64_t d, int64_t h) {
      for (int64_t w = 0; w < box_.size[3]; ++w) *offset++ = halo_.offset(c, n, d, h, w);
    });
  }

  const Conv3& c_;
  const Segments& s_;
  ConvBox box_;
  int64_t group_, k_;
  ConvHalo halo_;
  Scratch buffer_, offsets_;
};

struct ProductPlan {
  const Conv3& c;
  Segments segments;
  ConvBoxes boxes;
  int64_t tile_cols, col_tiles;
  PackedB packed;           // of group 0; the others follow
  int64_t packed_elements;  // per group

  PackedB of_group(int64_t group) const {
    return {static_cast<char*>(packed.data) + group * packed_elements * c.kern->wide, packed.padded_cols};
  }
};

struct ProductTask {
  int64_t group, col, cols;
  ConvBox box;
};

ProductTask task_of(const ProductPlan& p, int64_t index) {
  int64_t col = index % p.col_tiles * p.tile_cols;
  index /= p.col_tiles;
  return {index / p.boxes.count(), col, std::min(p.tile_cols, p.c.out_channels - col),
          p.boxes[index % p.boxes.count()]};
}

void sum_task(const ProductPlan& p, const ProductTask& t, int64_t k_begin, int64_t k_end, void* acc) {
  const GemmTypeKernels& kern = *p.c.kern;
  Patches patches(p.c, p.segments, t.box, t.group);
  PackedB packed = p.of_group(t.group);
  auto pack_a = [&](int64_t k0, int64_t kn, int64_t height, void* to) { patches.pack(k0, kn, height, to); };
  auto panels_of_b = [&](int64_t k0, int64_t kn, int64_t col, int64_t, void*) -> PanelsOfB {
    return {packed.block(kern, k0, kn, (t.col + col) / kern.nr), kn * kern.nr};
  };
  compute_tile({kern, t.box.rows(), t.cols, k_begin, k_end, pack_a, panels_of_b, t.cols, false}, acc, t.cols);
}

void run_whole(const ProductPlan& p, int64_t index) {
  ProductTask t = task_of(p, index);
  Scratch acc(t.box.rows() * t.cols * p.c.kern->wide);
  sum_task(p, t, 0, p.c.k(), acc.data());
  store_box(p.c, t.box, acc.data(), t.cols, t.group * p.c.out_channels + t.col, t.cols);
}

// Few results with long sums (gradients of weights): the pieces of k are tasks of their own, added in order.
void run_split(const ProductPlan& p, int64_t tasks) {
  const GemmTypeKernels& kern = *p.c.kern;
  int64_t supers = ceil_div(p.c.k(), kGemmSuperK);
  int64_t area = p.boxes.size[0] * p.boxes.size[1] * p.boxes.size[2] * p.boxes.size[3] * p.tile_cols;
  Scratch partial(tasks * supers * area * kern.wide);
  auto sums = [&](int64_t index, int64_t s) {
    return partial.data<char>() + (index * supers + s) * area * kern.wide;
  };
  parallel_for(tasks * supers, [&](int64_t i) {
    int64_t index = i / supers, s = i % supers, k0 = s * kGemmSuperK;
    sum_task(p, task_of(p, index), k0, std::min(k0 + kGemmSuperK, p.c.k()), sums(index, s));
  });
  parallel_for(tasks, [&](int64_t index) {
    ProductTask t = task_of(p, index);
    for (int64_t s = 1; s < supers; ++s) {
      kern.add(sums(index, 0), t.cols, sums(index, s), t.cols, t.box.rows(), t.cols);
    }
    store_box(p.c, t.box, sums(index, 0), t.cols, t.group * p.c.out_channels + t.col, t.cols);
  });
}

void pack_weights(const ProductPlan& p) {
  const Conv3& c = p.c;
  const GemmTypeKernels& kern = *c.kern;
  int64_t panels = p.packed.padded_cols / kern.nr, blocks = ceil_div(c.k(), kGemmBlockK);
  auto pack = [&](int64_t i) {
    int64_t panel = i % panels, block = i / panels % blocks, group = i / panels / blocks;
    int64_t k0 = block * kGemmBlockK, kn = std::min(kGemmBlockK, c.k() - k0);
    pack_weight_panel(c, p.segments, group, k0, kn, panel * kern.nr,
                      p.of_group(group).block(kern, k0, kn, panel));
  };
  int64_t grain = std::max<int64_t>(1, (int64_t(1) << 14) / (std::min(kGemmBlockK, c.k() + 1) * kern.nr));
  parallel_for(panels * blocks * c.groups, grain, pack);
}

}  // namespace

void conv_as_product(const Conv3& c) {
  const GemmTypeKernels& kern = *c.kern;
  int64_t threads = num_threads(), padded = round_up(c.out_channels, kern.nr);
  double flops = 2.0 * double(c.batch * c.positions()) * double(c.groups * c.out_channels) * double(c.k());
  int64_t wanted = std::clamp<int64_t>(int64_t(flops / 4e6), 1, 4 * threads);
  Scratch weights(c.groups * c.k() * padded * kern.wide);
  ProductPlan p{c,
                Segments(c),
                ConvBoxes(c, kern.mr * kTilePanels, ceil_div(wanted, c.groups)),
                padded,
                1,
                {weights.data(), padded},
                c.k() * padded};
  while (p.boxes.count() * c.groups * p.col_tiles < wanted && p.tile_cols > 2 * kern.nr) {
    p.tile_cols = round_up(ceil_div(p.tile_cols, 2), kern.nr);
    p.col_tiles = ceil_div(c.out_channels, p.tile_cols);
  }
  p.tile_cols = std::min(p.tile_cols, c.out_channels);
  if (c.k() > 0) pack_weights(p);
  int64_t tasks = p.boxes.count() * c.groups * p.col_tiles;
  if (tasks < 2 * threads && c.k() >= 2 * kGemmSuperK) return run_split(p, tasks);
  int64_t grain = std::max<int64_t>(1, int64_t(kInlineFlops / 2 / std::max(1.0, flops / double(tasks))));
  parallel_for(tasks, grain, [&](int64_t i) { run_whole(p, i); });
}

}  // namespace mlx::core::cpu
