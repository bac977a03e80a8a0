// contiguous and copy: the identity, with a definite layout or as a node of its own.

#include "mlx/ops.h"
#include "mlx/ops/join_primitives.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

array contiguous(const array& a, bool allow_col_major, StreamOrDevice s) {
  return array(a.shape(), a.dtype(), std::make_shared<Contiguous>(to_stream(s), allow_col_major), {a});
}
array copy(array a, StreamOrDevice s) {
  return array(a.shape(), a.dtype(), std::make_shared<Copy>(to_stream(s)), {a});
}

std::vector<Shape> Contiguous::output_shapes(const Arrays& inputs) { return {inputs[0].shape()}; }
Arrays Contiguous::jvp(const Arrays&, const Arrays& tangents, const std::vector<int>&) { return {tangents[0]}; }
Arrays Contiguous::vjp(const Arrays&, const Arrays& cotangents, const std::vector<int>&, const Arrays&) {
  return {cotangents[0]};
}
// Each batch is contiguous when the whole is and the batch axis leads.
std::pair<Arrays, std::vector<int>> Contiguous::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return {{contiguous(moveaxis(inputs[0], axes[0], 0, stream()), false, stream())}, {0}};
}

std::vector<Shape> Copy::output_shapes(const Arrays& inputs) { return {inputs[0].shape()}; }
Arrays Copy::jvp(const Arrays&, const Arrays& tangents, const std::vector<int>&) { return {tangents[0]}; }
Arrays Copy::vjp(const Arrays&, const Arrays& cotangents, const std::vector<int>&, const Arrays&) {
  return {cotangents[0]};
}
std::pair<Arrays, std::vector<int>> Copy::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return {{copy(inputs[0], stream())}, axes};
}

}  // namespace mlx::core
