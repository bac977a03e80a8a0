// Which element-wise operations run as one tape. The same decision serves lazy evaluation and mx.compile.
#pragma once

#include <vector>

#include "mlx/array.h"
#include "mlx/core/primitive.h"
#include "mlx/core/tape.h"

namespace mlx::core {

// An operation as the fuser sees it. Operations are in order, inputs before users.
struct FusionItem {
  const Primitive* primitive;
  const Shape* shape;       // of its output; null for an operation that cannot take part
  bool escapes;             // somebody outside needs its output
  std::vector<int> inputs;  // the items that make its inputs, -1 for anything else
};

// For each item the last item of its group: an operation joins the group of its users when all of them are in one
// group, on the same stream and of the same shape. So no group can depend on itself, and a group has one output.
std::vector<int> fusion_groups(const std::vector<FusionItem>& items);

// Builds the tape of a group by adding its operations in order.
class TapeBuilder {
 public:
  // Values are named by any number; those not made by an earlier operation are inputs of the tape.
  void add(int op, const std::vector<std::uintptr_t>& inputs, const std::vector<Dtype>& dtypes, std::uintptr_t output,
           Dtype result);
  // The names of the inputs, in order, and the tape whose output is the last operation.
  const std::vector<std::uintptr_t>& inputs() const { return inputs_; }
  Tape finish();

 private:
  struct Pending {
    TapeInstr instr;
    std::vector<std::uintptr_t> operands;
    std::uintptr_t output;
  };
  std::vector<std::uintptr_t> inputs_;
  std::vector<Dtype> input_dtypes_;
  std::vector<Pending> pending_;
};

}  // namespace mlx::core
