// number_of_elements: a size as an array, which stays right when a compiled program runs at another one.

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/view_primitives.h"

namespace mlx::core {

array number_of_elements(const array& a, std::vector<int> axes, bool inverted, Dtype dtype, StreamOrDevice s) {
  for (int& axis : axes) axis = checked_axis("number_of_elements", axis, a.ndim());
  return array(Shape{}, dtype, std::make_shared<NumberOfElements>(to_stream(s), std::move(axes), inverted, dtype),
               {stop_gradient(a, s)});
}

double NumberOfElements::count(const Shape& shape) const {
  double n = 1;
  for (int axis : axes_) n *= static_cast<double>(shape[axis]);
  return inverted_ ? 1 / n : n;
}

std::vector<Shape> NumberOfElements::output_shapes(const Arrays&) { return {Shape{}}; }
Arrays NumberOfElements::jvp(const Arrays&, const Arrays&, const std::vector<int>&) {
  return {zeros({}, dtype_, stream())};
}
Arrays NumberOfElements::vjp(const Arrays& primals, const Arrays&, const std::vector<int>&, const Arrays&) {
  return {zeros_like(primals[0], stream())};
}
std::pair<Arrays, std::vector<int>> NumberOfElements::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  array x = moveaxis(inputs[0], axes[0], 0, stream());
  return {{array(Shape{}, dtype_, std::make_shared<NumberOfElements>(stream(), shifted(axes_), inverted_, dtype_),
                 {x})},
          {-1}};
}

}  // namespace mlx::core
