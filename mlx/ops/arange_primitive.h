// Evenly spaced numbers.
#pragma once

#include "mlx/ops/operation.h"

namespace mlx::core {

class Arange : public Operation {
 public:
  Arange(Stream s, double start, double stop, double step, Dtype dtype)
      : Operation(s), start_(start), stop_(stop), step_(step), dtype_(dtype) {}
  MLX_OPERATION(Arange, start_, stop_, step_, dtype_)
  double start() const { return start_; }
  double stop() const { return stop_; }
  double step() const { return step_; }
  // Throws std::invalid_argument where the numbers give no length.
  static ShapeElem length(double start, double stop, double step);

 private:
  double start_, stop_, step_;
  Dtype dtype_;
};

}  // namespace mlx::core
