#include "mlx/core/tracing.h"

namespace mlx::core {

int& shapeless_tracing_depth() {
  static thread_local int depth = 0;
  return depth;
}

}  // namespace mlx::core
