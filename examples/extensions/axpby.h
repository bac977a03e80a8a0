// axpby: alpha x + beta y as an operation of one's own.
#pragma once

#include "mlx/mlx.h"
#include "mlx/primitives.h"

namespace axpby_example {

namespace mx = mlx::core;

// Operands broadcast and are promoted to a common floating-point dtype. Throws std::invalid_argument for shapes that do
// not broadcast.
mx::array axpby(const mx::array& x, const mx::array& y, float alpha, float beta, mx::StreamOrDevice s = {});

class Axpby : public mx::UnaryPrimitive {
 public:
  Axpby(mx::Stream stream, float alpha, float beta) : mx::UnaryPrimitive(stream), alpha_(alpha), beta_(beta) {}

  using mx::UnaryPrimitive::eval_cpu;
  using mx::UnaryPrimitive::eval_gpu;
  void eval_cpu(const std::vector<mx::array>& inputs, mx::array& out) override;
  void eval_gpu(const std::vector<mx::array>& inputs, mx::array& out) override;
  DEFINE_GRADS()
  DEFINE_VMAP()
  DEFINE_NAME(Axpby)
  DEFINE_INPUT_OUTPUT_SHAPE()
  bool is_equivalent(const mx::Primitive& other) const override;

 private:
  float alpha_, beta_;
};

}  // namespace axpby_example
