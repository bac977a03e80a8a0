// Fourier transforms along axes.
#pragma once

#include <vector>

#include "mlx/ops/operation.h"

namespace mlx::core {

// A real transform works on the last of the axes: forward it takes float32 and keeps half of the
// spectrum, inverse it gives float32 of length `real_size` (0: twice the input's less two). The
// result is divided by N^(scaling / 2), N the product of the lengths.
class FFT : public Operation {
 public:
  FFT(Stream s, std::vector<int> axes, bool inverse, bool real, ShapeElem real_size, int scaling)
      : Operation(s),
        axes_(std::move(axes)),
        inverse_(inverse),
        real_(real),
        real_size_(real_size),
        scaling_(scaling) {}
  MLX_OPERATION(FFT, axes_, inverse_, real_, real_size_, scaling_)
  const std::vector<int>& axes() const { return axes_; }
  bool inverse() const { return inverse_; }
  bool real() const { return real_; }
  int scaling() const { return scaling_; }

 private:
  std::vector<int> axes_;
  bool inverse_, real_;
  ShapeElem real_size_;
  int scaling_;
};

}  // namespace mlx::core
