// Convolution whose groups have few channels (depthwise and the like): vectors run along the output channels,
// each with the input channel of its own group beside it.
#include <algorithm>

#include "mlx/backend/cpu/conv_core.h"
#include "mlx/core/round.h"
#include "mlx/core/thread_pool.h"

namespace mlx::core::cpu {

namespace {

constexpr int64_t kChunkChannels = 128;
constexpr int64_t kBoxRows = 256;

// Output channels [chunk * width, ...) in layout [k][width]; k runs over taps, then the channels of a group.
struct ChannelPlan {
  const Conv3& c;
  int64_t width, chunks;  // width is a multiple of a group's output channels
  const char* weights;

  int64_t channels(int64_t chunk) const { return std::min(width, c.groups * c.out_channels - chunk * width); }
  const char* of_chunk(int64_t chunk) const { return weights + chunk * width * c.k() * c.kern->wide; }
};

void pack_chunk(const ChannelPlan& p, int64_t chunk, char* to) {
  const Conv3& c = p.c;
  int64_t width = p.channels(chunk), at = 0;
  c.for_taps([&](int64_t t0, int64_t t1, int64_t t2) {
    for (int64_t ci = 0; ci < c.in_channels; ++ci, at += width) {
      int64_t from = chunk * p.width * c.w_out + t0 * c.w_dim[0] + t1 * c.w_dim[1] + t2 * c.w_dim[2] +
                     ci * c.w_channel;
      c.kern->widen(c.w + from * c.kern->item, c.w_out, width, to + at * c.kern->wide);
    }
  });
}

// One pixel for a chunk: for each channel ci of a group, the values that meet the chunk's output channels.
void spread_pixel(const Conv3& c, const char* x, int64_t width, char* to) {
  int64_t group_step = c.in_channels * c.x_channel, item = c.kern->item, wide = c.kern->wide;
  for (int64_t ci = 0; ci < c.in_channels; ++ci, to += width * wide) {
    const char* from = x + ci * c.x_channel * item;
    if (c.out_channels == 1) {
      c.kern->widen(from, group_step, width, to);
    } else {
      c.kern->widen_grid(from, group_step, 0, width / c.out_channels, c.out_channels, to);
    }
  }
}

void run_box(const ChannelPlan& p, const ConvBox& box, int64_t chunk) {
  const Conv3& c = p.c;
  const GemmTypeKernels& kern = *c.kern;
  int64_t width = p.channels(chunk), values = width * c.in_channels;
  ConvHalo halo(c, box, values, 0, c.taps[0], 0, c.taps[1]);
  Scratch x((halo.elements() + kGemmPackSlack) * kern.wide);
  Conv3 shifted = c;
  shifted.x += chunk * p.width / c.out_channels * c.in_channels * c.x_channel * kern.item;
  bool dense = c.out_channels == 1 && c.in_channels == 1 && c.x_channel == 1 && c.x_dim[2] == width;
  halo.fill(shifted, box, x.data<char>(), [&](const char* from, int64_t count, char* to) {
    if (dense) return kern.widen(from, 1, count * width, to);
    for (int64_t i = 0; i < count; ++i) {
      spread_pixel(c, from + i * c.x_dim[2] * kern.item, width, to + i * values * kern.wide);
    }
  });
  Scratch offset_buffer(c.k() * sizeof(int64_t));
  int64_t* offsets = offset_buffer.data<int64_t>();
  int64_t at = 0;
  c.for_taps([&](int64_t t0, int64_t t1, int64_t t2) {
    for (int64_t ci = 0; ci < c.in_channels; ++ci) offsets[at++] = halo.tap_offset(c, t0, t1, t2) + ci * width;
  });
  Scratch sums(box.rows() * width * kern.wide), part(box.size[3] * width * kern.wide);
  char* to = sums.data<char>();
  for_lines(box.size, [&](int64_t n, int64_t d, int64_t h) {
    const char* row = x.data<char>() + halo.offset(c, n, d, h, 0) * kern.wide;
    for (int64_t k0 = 0; k0 < c.k(); k0 += kGemmBlockK) {
      kern.per_channel(row, offsets + k0, std::min(kGemmBlockK, c.k() - k0), c.stride[2] * values, box.size[3],
                       p.of_chunk(chunk) + k0 * width * kern.wide, width, k0 == 0 ? to : part.data(), width);
      if (k0 > 0) kern.add(to, width, part.data(), width, box.size[3], width);
    }
    to += box.size[3] * width * kern.wide;
  });
  store_box(c, box, sums.data(), width, chunk * p.width, width);
}

}  // namespace

void conv_per_channel(const Conv3& c) {
  int64_t total = c.groups * c.out_channels;
  int64_t width = std::min(total, std::max<int64_t>(kChunkChannels / c.out_channels, 1) * c.out_channels);
  Scratch weights(total * c.k() * c.kern->wide);
  ChannelPlan p{c, width, ceil_div(total, width), weights.data<char>()};
  for (int64_t i = 0; i < p.chunks; ++i) {
    pack_chunk(p, i, weights.data<char>() + i * width * c.k() * c.kern->wide);
  }
  double flops = 2.0 * double(c.batch * c.positions() * total) * double(c.k());
  int64_t wanted = std::clamp<int64_t>(int64_t(flops / 5e5), 1, 4 * int64_t(num_threads()));
  ConvBoxes boxes(c, kBoxRows, ceil_div(wanted, p.chunks));
  int64_t tasks = boxes.count() * p.chunks;
  int64_t grain = std::max<int64_t>(1, int64_t(2e5 / std::max(1.0, flops / double(tasks))));
  parallel_for(tasks, grain, [&](int64_t i) { run_box(p, boxes[i / p.chunks], i % p.chunks); });
}

}  // namespace mlx::core::cpu
