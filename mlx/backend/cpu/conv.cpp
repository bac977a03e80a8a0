// Brings a convolution to its simplest equivalent forms and picks the algorithm; boxes and halos.
#include "mlx/backend/cpu/conv.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "mlx/backend/cpu/conv_core.h"
#include "mlx/core/round.h"

namespace mlx::core::cpu {

namespace {

Conv3 make_conv3(const ConvProblem& p, const GemmKernels& kernels) {
  Conv3 c{};
  c.kern = &kernels[p.type];
  c.type = p.type;
  c.batch = p.batch;
  c.groups = p.groups;
  c.in_channels = p.in_channels / p.groups;
  c.out_channels = p.out_channels / p.groups;
  c.x = static_cast<const char*>(p.input);
  c.w = static_cast<const char*>(p.weight);
  c.y = static_cast<char*>(p.out);
  c.x_batch = p.in_strides[0], c.x_channel = p.in_strides[p.rank + 1];
  c.w_out = p.weight_strides[0], c.w_channel = p.weight_strides[p.rank + 1];
  c.y_batch = p.out_strides[0], c.y_channel = p.out_strides[p.rank + 1];
  for (int d = 0; d < 3; ++d) {
    int from = d - (3 - p.rank);  // missing leading dimensions have size 1
    bool real = from >= 0;
    c.in[d] = real ? p.in_size[from] : 1;
    c.taps[d] = real ? p.kernel_size[from] : 1;
    c.out[d] = real ? p.out_size[from] : 1;
    c.stride[d] = real ? p.stride[from] : 1;
    c.dilation[d] = real ? p.dilation[from] : 1;
    c.origin[d] = real ? -p.padding[from] : 0;
    c.x_dim[d] = real ? p.in_strides[from + 1] : 0;
    c.w_dim[d] = real ? p.weight_strides[from + 1] : 0;
    c.y_dim[d] = real ? p.out_strides[from + 1] : 0;
    if (real && p.flip) {
      c.w += (c.taps[d] - 1) * c.w_dim[d] * c.kern->item;
      c.w_dim[d] = -c.w_dim[d];
    }
  }
  return c;
}

// Rows of the product can be read off the input itself.
bool is_pointwise(const Conv3& c) {
  if (c.groups != 1 || c.tap_count() != 1) return false;
  for (int d = 0; d < 3; ++d) {
    if (c.stride[d] != 1 || c.origin[d] != 0 || c.in[d] != c.out[d]) return false;
  }
  auto even = [&](int64_t outer, const int64_t* dim) {
    return (c.out[1] == 1 || dim[1] == c.out[2] * dim[2]) &&
           (c.out[0] == 1 || dim[0] == c.out[1] * c.out[2] * dim[2]) &&
           (c.batch == 1 || outer == c.positions() * dim[2]);
  };
  return even(c.x_batch, c.x_dim) && even(c.y_batch, c.y_dim);
}

void run_pointwise(const Conv3& c) {
  GemmProblem p;
  p.type = c.type;
  p.m = c.batch * c.positions();
  p.n = c.out_channels;
  p.k = c.in_channels;
  p.a = {c.x, c.x_dim[2], c.x_channel};
  p.b = {c.w, c.w_channel, c.w_out};
  p.out = c.y;
  p.out_row_stride = c.y_dim[2];
  p.out_col_stride = c.y_channel;
  GemmKernels kernels{};
  kernels.types[int(c.type)] = *c.kern;
  gemm(p, kernels);
}

void run(const Conv3& c) {
  if (c.batch == 0 || c.positions() == 0 || c.out_channels * c.groups == 0) return;
  // A product of a few output channels would fill only a part of the vectors.
  bool thin = c.groups > 1 && c.out_channels * 4 <= c.kern->nr && c.in_channels <= 16;
  if (c.k() > 0 && is_pointwise(c)) {
    run_pointwise(c);
  } else if (thin && c.k() > 0) {
    conv_per_channel(c);
  } else {
    conv_as_product(c);
  }
}

// Dilation of the input by d: output positions of one residue class meet the same subset of taps, the others
// fall on inserted zeros. Each class is a convolution of the undilated input with a part of the kernel.
void split_dimension(const Conv3& c, const int64_t* in_dilation, int d) {
  if (d == 3) return run(c);
  int64_t n = in_dilation[d];
  if (n == 1) return split_dimension(c, in_dilation, d + 1);
  int64_t period = n / std::gcd(c.stride[d], n), tap_step = n / std::gcd(c.dilation[d], n);
  for (int64_t r = 0; r < std::min(period, c.out[d]); ++r) {
    Conv3 part = c;
    int64_t tap = 0, place = r * c.stride[d] + c.origin[d];
    while (tap < tap_step && (place + tap * c.dilation[d]) % n != 0) ++tap;
    part.taps[d] = tap < std::min(tap_step, c.taps[d]) ? ceil_div(c.taps[d] - tap, tap_step) : 0;
    part.origin[d] = part.taps[d] > 0 ? (place + tap * c.dilation[d]) / n : 0;
    part.stride[d] = period * c.stride[d] / n;
    part.dilation[d] = tap_step * c.dilation[d] / n;
    part.out[d] = ceil_div(c.out[d] - r, period);
    part.w += tap * c.w_dim[d] * c.kern->item;
    part.w_dim[d] = tap_step * c.w_dim[d];
    part.y += r * c.y_dim[d] * c.kern->item;
    part.y_dim[d] = period * c.y_dim[d];
    split_dimension(part, in_dilation, d + 1);
  }
}

}  // namespace

void conv(const ConvProblem& p, const GemmKernels& gemm_kernels) {
  int64_t dilation[3] = {1, 1, 1};
  for (int d = 0; d < p.rank; ++d) dilation[3 - p.rank + d] = p.in_dilation[d];
  split_dimension(make_conv3(p, gemm_kernels), dilation, 0);
}

ConvBoxes::ConvBoxes(const Conv3& c, int64_t rows, int64_t least)
    : extent{c.batch, c.out[0], c.out[1], c.out[2]} {
  for (;; rows = ceil_div(rows, 2)) {
    int64_t left = rows;
    for (int d = 3; d >= 0; --d) {
      int64_t most = std::clamp<int64_t>(left, 1, extent[d]);
      tiles[d] = ceil_div(extent[d], most);
      size[d] = ceil_div(extent[d], tiles[d]);
      tiles[d] = ceil_div(extent[d], size[d]);
      left = tiles[d] == 1 ? left / extent[d] : 1;
    }
    if (count() >= least || rows <= c.kern->mr) return;
  }
}

ConvBox ConvBoxes::operator[](int64_t index) const {
  ConvBox box;
  for (int d = 3; d >= 0; --d) {
    box.begin[d] = index % tiles[d] * size[d];
    box.size[d] = std::min(size[d], extent[d] - box.begin[d]);
    index /= tiles[d];
  }
  return box;
}

ConvHalo::ConvHalo(const Conv3& c, const ConvBox& box, int64_t values_, int64_t tap0, int64_t tap0_end,
                   int64_t tap1, int64_t tap1_end)
    : values(values_), tap_begin{tap0, tap1} {
  int64_t span[3] = {tap0_end - tap0, tap1_end - tap1, c.taps[2]};
  size[0] = box.size[0];
  for (int d = 0; d < 3; ++d) {
    size[d + 1] = (box.size[d + 1] - 1) * c.stride[d] + (span[d] - 1) * c.dilation[d] + 1;
  }
  pitch[3] = values;
  for (int d = 2; d >= 0; --d) pitch[d] = size[d + 1] * pitch[d + 1];
}

void ConvHalo::fill(const Conv3& c, const ConvBox& box, char* to,
                    FunctionRef<void(const char* from, int64_t count, char* to)> pixels) const {
  int64_t first[3];  // input position of the halo's corner
  for (int d = 0; d < 3; ++d) {
    first[d] = box.begin[d + 1] * c.stride[d] + c.origin[d] + (d < 2 ? tap_begin[d] * c.dilation[d] : 0);
  }
  int64_t pixel = values * c.kern->wide, width = size[3];
  int64_t left = std::clamp<int64_t>(-first[2], 0, width);
  int64_t right = std::clamp<int64_t>(c.in[2] - first[2], left, width);
  for_lines(size, [&](int64_t n, int64_t d, int64_t h) {
    int64_t id = first[0] + d, ih = first[1] + h;
    if (id >= 0 && id < c.in[0] && ih >= 0 && ih < c.in[1] && left < right) {
      std::memset(to, 0, left * pixel);
      int64_t from = (box.begin[0] + n) * c.x_batch + id * c.x_dim[0] + ih * c.x_dim[1] +
                     (first[2] + left) * c.x_dim[2];
      pixels(c.x + from * c.kern->item, right - left, to + left * pixel);
      std::memset(to + right * pixel, 0, (width - right) * pixel);
    } else {
      std::memset(to, 0, width * pixel);
    }
    to += width * pixel;
  });
}

void store_box(const Conv3& c, const ConvBox& box, const void* acc, int64_t acc_stride, int64_t col,
               int64_t cols) {
  const char* from = static_cast<const char*>(acc);
  GemmStore store{};
  store.out_row_stride = c.y_dim[2];
  store.out_col_stride = c.y_channel;
  for_lines(box.size, [&](int64_t n, int64_t d, int64_t h) {
    int64_t to = (box.begin[0] + n) * c.y_batch + (box.begin[1] + d) * c.y_dim[0] +
                 (box.begin[2] + h) * c.y_dim[1] + box.begin[3] * c.y_dim[2] + col * c.y_channel;
    store.out = c.y + to * c.kern->item;
    c.kern->store(from, acc_stride, box.size[3], cols, store);
    from += box.size[3] * acc_stride * c.kern->wide;
  });
}

}  // namespace mlx::core::cpu
