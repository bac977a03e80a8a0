// See tape.h.

#include "mlx/core/tape.h"

#include <algorithm>

namespace mlx::core {

Dtype Tape::type_of(size_t value) const {
  if (value < inputs.size()) return inputs[value];
  return dtype_from_index(static_cast<int>(code[value - inputs.size()].result));
}

bool Tape::operator==(const Tape& other) const {
  auto same = [](const TapeInstr& a, const TapeInstr& b) {
    return a.op == b.op && a.arity == b.arity && a.operand == b.operand && a.result == b.result &&
           std::equal(a.inputs, a.inputs + a.arity, b.inputs);
  };
  return inputs == other.inputs && outputs == other.outputs &&
         std::equal(code.begin(), code.end(), other.code.begin(), other.code.end(), same);
}

Tape single_instruction_tape(int op, const std::vector<Dtype>& inputs, Dtype result) {
  TapeInstr instr{static_cast<uint8_t>(op), static_cast<uint8_t>(inputs.size()), inputs.back().val(), result.val(),
                  {0, 1, 2}};
  return {inputs, {instr}, {static_cast<uint16_t>(inputs.size())}};
}

}  // namespace mlx::core
