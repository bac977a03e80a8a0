// A convolution brought to three spatial dimensions and no input dilation, and what its two algorithms share.
#pragma once

#include <cstdint>

#include "mlx/backend/cpu/gemm.h"
#include "mlx/backend/cpu/gemm_core.h"

namespace mlx::core::cpu {

// Output position o and tap t of a dimension read input position o * stride + t * dilation + origin.
struct Conv3 {
  const GemmTypeKernels* kern;
  GemmType type;
  int64_t batch, groups;
  int64_t in_channels, out_channels;  // of one group
  int64_t in[3], taps[3], out[3];
  int64_t stride[3], dilation[3], origin[3];
  const char* x;
  int64_t x_batch, x_dim[3], x_channel;
  const char* w;
  int64_t w_out, w_dim[3], w_channel;
  char* y;
  int64_t y_batch, y_dim[3], y_channel;

  int64_t tap_count() const { return taps[0] * taps[1] * taps[2]; }
  // Calls body(t0, t1, t2) for the taps in their order.
  template <typename F>
  void for_taps(F body) const {
    for (int64_t t0 = 0; t0 < taps[0]; ++t0) {
      for (int64_t t1 = 0; t1 < taps[1]; ++t1) {
        for (int64_t t2 = 0; t2 < taps[2]; ++t2) body(t0, t1, t2);
      }
    }
  }
  int64_t k() const { return tap_count() * in_channels; }
  int64_t positions() const { return out[0] * out[1] * out[2]; }
};

// Calls body(n, d, h) for the lines along the last dimension of a block of that size.
template <typename F>
void for_lines(const int64_t (&size)[4], F body) {
  for (int64_t n = 0; n < size[0]; ++n) {
    for (int64_t d = 0; d < size[1]; ++d) {
      for (int64_t h = 0; h < size[2]; ++h) body(n, d, h);
    }
  }
}

// Output positions [begin, begin + size) per dimension, the batch first.
struct ConvBox {
  int64_t begin[4], size[4];
  int64_t rows() const { return size[0] * size[1] * size[2] * size[3]; }
};

// Cuts batch and positions into boxes of about `rows` positions that are whole in their inner dimensions, and
// at least `least` boxes where there are enough positions.
struct ConvBoxes {
  ConvBoxes(const Conv3& c, int64_t rows, int64_t least);
  int64_t count() const { return tiles[0] * tiles[1] * tiles[2] * tiles[3]; }
  ConvBox operator[](int64_t index) const;
  int64_t extent[4], size[4], tiles[4];
};

// The input that a box needs for some taps, widened, with zeros where it lies outside; layout
// [batch][dim 0][dim 1][dim 2][values], `values` being what `fill` writes for one pixel.
struct ConvHalo {
  int64_t values;        // elements per pixel
  int64_t size[4];       // batch, dims
  int64_t pitch[4];      // elements between neighbours in batch and dims
  int64_t tap_begin[2];  // first tap of dims 0 and 1 that is covered

  ConvHalo(const Conv3& c, const ConvBox& box, int64_t values, int64_t tap0, int64_t tap0_end, int64_t tap1,
           int64_t tap1_end);
  int64_t elements() const { return size[0] * pitch[0]; }
  // Where the patch of output position (n, o...), relative to the box, begins.
  int64_t offset(const Conv3& c, int64_t n, int64_t o0, int64_t o1, int64_t o2) const {
    return n * pitch[0] + o0 * c.stride[0] * pitch[1] + o1 * c.stride[1] * pitch[2] +
           o2 * c.stride[2] * pitch[3];
  }
  int64_t tap_offset(const Conv3& c, int64_t t0, int64_t t1, int64_t t2) const {
    return (t0 - tap_begin[0]) * c.dilation[0] * pitch[1] + (t1 - tap_begin[1]) * c.dilation[1] * pitch[2] +
           t2 * c.dilation[2] * pitch[3];
  }
  // `pixels(from, count, to)` widens `count` neighbouring pixels of dim 2 that lie inside the input.
  void fill(const Conv3& c, const ConvBox& box, char* to,
            FunctionRef<void(const char* from, int64_t count, char* to)> pixels) const;
};

// Rounds the sums of a box (rows x cols, cols starting at channel `col`) into the output.
void store_box(const Conv3& c, const ConvBox& box, const void* acc, int64_t acc_stride, int64_t col,
               int64_t cols);

void conv_as_product(const Conv3& c);
void conv_per_channel(const Conv3& c);

}  // namespace mlx::core::cpu
