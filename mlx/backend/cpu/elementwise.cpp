// A single element-wise operation is a tape of one instruction.

#include "mlx/backend/cpu/eval.h"
#include "mlx/backend/cpu/tape.h"
#include "mlx/ops/cast_primitive.h"
#include "mlx/ops/elementwise_primitive.h"

namespace mlx::core::cpu {

namespace {

void run_single(int op, InputSpan inputs, OutputSpan outputs) {
  std::vector<Dtype> types;
  for (const array& x : inputs) types.push_back(x.dtype());
  run_tape(single_instruction_tape(op, types, outputs[0].dtype()), inputs, outputs);
}

}  // namespace

void eval(Elementwise& primitive, InputSpan inputs, OutputSpan outputs) {
  run_single(primitive.tape_op(), inputs, outputs);
}

void eval(AsType& primitive, InputSpan inputs, OutputSpan outputs) {
  run_single(primitive.tape_op(), inputs, outputs);
}

}  // namespace mlx::core::cpu
