// The convolution primitive on the CPU.

#include "mlx/backend/cpu/conv.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/ops/convolution_primitive.h"

namespace mlx::core::cpu {

void eval(Convolution& primitive, InputSpan inputs, OutputSpan outputs) {
  const array &input = inputs[0], &weight = inputs[1];
  array& out = outputs[0];
  out.set_data(allocator::malloc(out.nbytes()));
  if (out.size() == 0) return;
  const ConvolutionGeometry& g = primitive.geometry();
  ConvProblem p;
  p.type = gemm_type(out.dtype());
  p.rank = static_cast<int>(g.stride.size());
  p.batch = input.shape(0);
  p.in_channels = input.shape(-1);
  p.out_channels = weight.shape(0);
  p.groups = g.groups;
  p.flip = g.flip;
  for (int i = 0; i < p.rank; i++) {
    p.in_size[i] = input.shape(i + 1);
    p.kernel_size[i] = weight.shape(i + 1);
    p.out_size[i] = out.shape(i + 1);
    p.stride[i] = g.stride[i];
    p.padding[i] = g.padding_lo[i];
    p.dilation[i] = g.kernel_dilation[i];
    p.in_dilation[i] = g.input_dilation[i];
  }
  std::copy(input.strides().begin(), input.strides().end(), p.in_strides);
  std::copy(weight.strides().begin(), weight.strides().end(), p.weight_strides);
  std::copy(out.strides().begin(), out.strides().end(), p.out_strides);
  p.input = input.data<void>();
  p.weight = weight.data<void>();
  p.out = out.data<void>();
  conv(p);
}

}  // namespace mlx::core::cpu
