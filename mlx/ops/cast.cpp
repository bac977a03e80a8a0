// astype. The derivative of a cast is the cast, to and from integers too.

#include "mlx/core/tape.h"
#include "mlx/ops.h"
#include "mlx/ops/cast_primitive.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

array astype(array a, Dtype dtype, StreamOrDevice s) {
  if (a.dtype() == dtype) return a;
  return array(a.shape(), dtype, std::make_shared<AsType>(to_stream(s), dtype), {a});
}

int AsType::tape_op() const { return TapeInstr::cast; }
std::vector<Shape> AsType::output_shapes(const Arrays& inputs) { return {inputs[0].shape()}; }
Arrays AsType::jvp(const Arrays&, const Arrays& tangents, const std::vector<int>&) {
  return {astype(tangents[0], dtype_, stream())};
}
Arrays AsType::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>&, const Arrays&) {
  return {astype(cotangents[0], primals[0].dtype(), stream())};
}
std::pair<Arrays, std::vector<int>> AsType::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return {{astype(inputs[0], dtype_, stream())}, axes};
}

}  // namespace mlx::core
