// A fused chain of element-wise operations: one tape, one output.
#pragma once

#include "mlx/core/tape.h"
#include "mlx/ops/operation.h"

namespace mlx::core {

class Compiled : public Operation {
 public:
  Compiled(Stream s, Tape tape) : Operation(s), tape_(std::move(tape)) {}
  MLX_TRANSFORMS(Compiled)
  bool is_equivalent(const Primitive& other) const override;
  const Tape& tape() const { return tape_; }
  // Of the instructions: equal tapes do the same work.
  uint64_t region_key() const override;

 private:
  Tape tape_;
};

}  // namespace mlx::core
