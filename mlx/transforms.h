// Evaluation and the function transformations grad, vjp, jvp, vmap, checkpoint and custom_function.
#pragma once

#include <vector>

#include "mlx/array.h"

namespace mlx::core {

// Computes the arrays and waits for them. An error of the computation is thrown here and again on every later wait;
// an interrupt leaves the arrays pending.
void eval(std::vector<array> outputs);

template <typename... Arrays, typename = enable_for_arrays_t<Arrays...>>
void eval(Arrays&&... outputs) {
  eval(std::vector<array>{std::forward<Arrays>(outputs)...});
}

// Starts the computation and returns. Errors surface when somebody waits.
void async_eval(std::vector<array> outputs);

template <typename... Arrays, typename = enable_for_arrays_t<Arrays...>>
void async_eval(Arrays&&... outputs) {
  async_eval(std::vector<array>{std::forward<Arrays>(outputs)...});
}

}  // namespace mlx::core
