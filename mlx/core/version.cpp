// See mlx/version.h.

#include "mlx/version.h"

#define MLX_TEXT(x) #x
#define MLX_TEXT_OF(x) MLX_TEXT(x)

namespace mlx::core {

const char* version() {
  return MLX_TEXT_OF(MLX_VERSION_MAJOR) "." MLX_TEXT_OF(MLX_VERSION_MINOR) "." MLX_TEXT_OF(MLX_VERSION_PATCH);
}

}  // namespace mlx::core
