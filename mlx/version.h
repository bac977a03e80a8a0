// The version of the interface.
#pragma once

#define MLX_VERSION_MAJOR 0
#define MLX_VERSION_MINOR 32
#define MLX_VERSION_PATCH 4
#define MLX_VERSION_NUMERIC (100000 * MLX_VERSION_MAJOR + 1000 * MLX_VERSION_MINOR + MLX_VERSION_PATCH)

namespace mlx::core {

// "0.32.4"
const char* version();

}  // namespace mlx::core
