# Macros that projects written for MLX may call.

macro(mlx_build_metallib)
  message(FATAL_ERROR "mlx_build_metallib: Metal exists on macOS only.")
endmacro()
