// Shapes and equality of fused chains.

#include "mlx/ops/compiled_primitive.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

bool Compiled::is_equivalent(const Primitive& other) const {
  return static_cast<const Compiled&>(other).tape_ == tape_;
}

uint64_t Compiled::region_key() const {
  uint64_t hash = 0xcbf29ce484222325u;
  auto mix = [&](uint64_t word) { hash = (hash ^ word) * 0x100000001b3u; };
  for (Dtype t : tape_.inputs) mix(static_cast<uint64_t>(t.val()));
  for (const TapeInstr& instr : tape_.code) {
    mix(instr.op);
    mix(static_cast<uint64_t>(instr.operand) << 8 | static_cast<uint64_t>(instr.result));
    for (int i = 0; i < instr.arity; i++) mix(instr.inputs[i]);
  }
  return hash | 1;  // 0 stands for no region
}

std::vector<Shape> Compiled::output_shapes(const Arrays& inputs) {
  return {common_shape(inputs)};
}

}  // namespace mlx::core
