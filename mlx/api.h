// The macro that marks what the shared library offers. A linker script (cmake/exports.map) exports the namespace mlx
// as a whole, so nothing here has to be marked; programs and extensions may mark their own declarations.
#pragma once

#if defined(MLX_STATIC)
#define MLX_API
#else
#define MLX_API __attribute__((visibility("default")))
#endif
