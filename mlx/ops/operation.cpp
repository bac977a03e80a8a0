// Direct calls of eval_cpu and eval_gpu on our own primitives go to the backend.

#include "mlx/ops/operation.h"

#include "mlx/core/backend.h"

namespace mlx::core {

void Operation::eval_cpu(const Arrays& inputs, Arrays& outputs) {
  Arrays in = inputs;
  backend(Device::cpu).evaluate(stream(), *this, in, outputs);
}

void Operation::eval_gpu(const Arrays& inputs, Arrays& outputs) {
  Arrays in = inputs;
  backend(Device::gpu).evaluate(stream(), *this, in, outputs);
}

Arrays make_arrays_like(const Arrays& values, const std::shared_ptr<Primitive>& primitive, const Arrays& inputs) {
  std::vector<Shape> shapes;
  std::vector<Dtype> dtypes;
  for (const array& x : values) {
    shapes.push_back(x.shape());
    dtypes.push_back(x.dtype());
  }
  return array::make_arrays(std::move(shapes), dtypes, primitive, inputs);
}

}  // namespace mlx::core
