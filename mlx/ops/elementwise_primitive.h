// The primitive behind every row of elementwise.def. Operands broadcast; they share one dtype, but for the bool
// condition of Select.
#pragma once

#include "mlx/ops/elementwise.h"
#include "mlx/ops/operation.h"
#include "mlx/utils.h"

namespace mlx::core {

class Elementwise : public Operation {
 public:
  Elementwise(Stream stream, Op op) : Operation(stream), op_(op) {}
  int kind() const override { return static_cast<int>(Kind::Elementwise); }
  int tape_op() const override { return static_cast<int>(op_); }
  const char* name() const override { return elementwise_row(op_).class_name.data(); }
  DEFINE_GRADS()
  DEFINE_VMAP()
  auto state() const { return std::tie(op_); }
  bool is_equivalent(const Primitive& other) const override {
    return state() == static_cast<const Elementwise&>(other).state();
  }
  std::vector<Shape> output_shapes(const Arrays& inputs) override;
  Op op() const { return op_; }

 private:
  // The tangent of the result for tangent t of operand i, by the row.
  array tangent(int i, const Arrays& operands, const array& y, const array& t) const;

  Op op_;
};

// Builds the node: dtype rule of the row, broadcasting, no promotion beyond the rule.
array elementwise(Op op, const array& x, StreamOrDevice s);
array elementwise(Op op, const array& a, const array& b, StreamOrDevice s);
array elementwise_select(const array& condition, const array& a, const array& b, StreamOrDevice s);

// The primitive of the row for the stream; one object per stream is shared.
std::shared_ptr<Primitive> elementwise_primitive(Op op, const Stream& stream);

// Throws std::invalid_argument, "[name] ...", when the row does not take the dtype even after promotion.
Dtype elementwise_operand_dtype(Op op, Dtype t);

}  // namespace mlx::core
