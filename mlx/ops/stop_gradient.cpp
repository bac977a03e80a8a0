// stop_gradient: the identity without a derivative.

#include "mlx/ops.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/view_primitives.h"

namespace mlx::core {

array stop_gradient(const array& a, StreamOrDevice s) {
  return array(a.shape(), a.dtype(), std::make_shared<StopGradient>(to_stream(s)), {a});
}

std::vector<Shape> StopGradient::output_shapes(const Arrays& inputs) { return {inputs[0].shape()}; }
Arrays StopGradient::jvp(const Arrays& primals, const Arrays&, const std::vector<int>&) {
  return {zeros_like(primals[0], stream())};
}
Arrays StopGradient::vjp(const Arrays& primals, const Arrays&, const std::vector<int>&, const Arrays&) {
  return {zeros_like(primals[0], stream())};
}
std::pair<Arrays, std::vector<int>> StopGradient::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return {{stop_gradient(inputs[0], stream())}, axes};
}

}  // namespace mlx::core
