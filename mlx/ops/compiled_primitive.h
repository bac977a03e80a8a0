// A fused chain of element-wise operations: one tape, one output. Programs are fused for values only: transformations
// see the unfused program (graph/compile.cpp), so there are no rules.
#pragma once

#include "mlx/core/tape.h"
#include "mlx/ops/operation.h"

namespace mlx::core {

class Compiled : public Operation {
 public:
  Compiled(Stream s, Tape tape) : Operation(s), tape_(std::move(tape)) {}
  MLX_KIND(Compiled)
  bool is_equivalent(const Primitive& other) const override;
  std::vector<Shape> output_shapes(const Arrays& inputs) override;
  const Tape& tape() const { return tape_; }
  // Of the instructions: equal tapes do the same work.
  uint64_t region_key() const override;

 private:
  Tape tape_;
};

}  // namespace mlx::core
