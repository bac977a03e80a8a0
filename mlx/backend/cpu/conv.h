// Convolution (cross-correlation) on plain pointers and strides, as an implicit matrix product: patches are
// packed straight into the panels of the product, no patch matrix is ever built.
#pragma once

#include <cstdint>

#include "mlx/backend/cpu/gemm.h"

namespace mlx::core::cpu {

// Sizes and strides per spatial dimension, 1 <= rank <= 3. Stride arrays hold rank + 2 entries in elements,
// in the order batch (or output channel), spatial dimensions, channel; they may be zero or negative.
struct ConvProblem {
  GemmType type = GemmType::float32;
  int rank = 2;
  int64_t batch = 0, in_channels = 0, out_channels = 0;
  int64_t groups = 1;
  int64_t in_size[3] = {1, 1, 1};
  int64_t kernel_size[3] = {1, 1, 1};
  int64_t out_size[3] = {1, 1, 1};
  int64_t stride[3] = {1, 1, 1};
  int64_t padding[3] = {0, 0, 0};  // before the first element; negative crops. That behind is in out_size
  int64_t dilation[3] = {1, 1, 1};
  int64_t in_dilation[3] = {1, 1, 1};
  bool flip = false;  // reverse the kernel's spatial dimensions
  const void* input = nullptr;
  int64_t in_strides[5] = {};
  const void* weight = nullptr;  // (out_channels, spatial..., in_channels / groups)
  int64_t weight_strides[5] = {};
  void* out = nullptr;
  int64_t out_strides[5] = {};
};

void conv(const ConvProblem& problem, const GemmKernels& gemm_kernels = kernels().gemm);

}  // namespace mlx::core::cpu
