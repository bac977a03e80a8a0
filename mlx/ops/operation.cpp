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

}  // namespace mlx::core
