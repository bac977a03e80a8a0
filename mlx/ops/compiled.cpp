// Rules of fused chains. They take the tape apart again: each instruction becomes its operation.

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/compiled_primitive.h"
#include "mlx/ops/elementwise_primitive.h"
#include "mlx/utils.h"

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
  Shape shape = inputs[0].shape();
  for (const array& x : inputs) shape = broadcast_shapes(shape, x.shape());
  return {shape};
}

// Programs are fused for values only; transformations see the unfused program (graph/compile.cpp).
Arrays Compiled::jvp(const Arrays&, const Arrays&, const std::vector<int>&) {
  throw NoRule("[jvp] A fused chain has no derivative.");
}
Arrays Compiled::vjp(const Arrays&, const Arrays&, const std::vector<int>&, const Arrays&) {
  throw NoRule("[vjp] A fused chain has no derivative.");
}
std::pair<Arrays, std::vector<int>> Compiled::vmap(const Arrays&, const std::vector<int>&) {
  throw NoRule("[vmap] A fused chain has no batching rule.");
}

}  // namespace mlx::core
