// Convolution (cross-correlation unless flipped) over one to three spatial dimensions, channels last.
#pragma once

#include "mlx/ops/operation.h"

namespace mlx::core {

struct ConvolutionGeometry {
  std::vector<int> stride, padding_lo, padding_hi, kernel_dilation, input_dilation;  // per spatial dimension
  int groups = 1;
  bool flip = false;
  bool operator==(const ConvolutionGeometry&) const = default;
  auto fields() {
    return std::tie(stride, padding_lo, padding_hi, kernel_dilation, input_dilation, groups, flip);
  }
};

class Convolution : public Operation {
 public:
  Convolution(Stream s, ConvolutionGeometry geometry) : Operation(s), geometry_(std::move(geometry)) {}
  MLX_OPERATION(Convolution, geometry_)
  const ConvolutionGeometry& geometry() const { return geometry_; }
  // Throws std::invalid_argument when the padded input is smaller than the kernel.
  static Shape output_shape(const Shape& input, const Shape& weight, const ConvolutionGeometry& geometry);

 private:
  array input_cotangent(const array& input, const array& weight, const array& ct) const;
  array weight_cotangent(const array& input, const array& weight, const array& ct) const;
  array apply(const array& input, const array& weight, const ConvolutionGeometry& geometry) const;

  ConvolutionGeometry geometry_;
};

}  // namespace mlx::core
