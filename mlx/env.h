// Settings from the environment, read at each call.
#pragma once

#include "mlx/utils.h"

namespace mlx::core::env {

// A graph that is wider than this is ordered depth first. Here every graph is: kept for programs that read it.
inline int bfs_max_width() { return get_var("MLX_BFS_MAX_WIDTH", 20); }
// How much a GPU stream collects before it submits: operations, and megabytes that they read and write.
inline int max_ops_per_buffer(int default_value) { return get_var("MLX_MAX_OPS_PER_BUFFER", default_value); }
inline int max_mb_per_buffer(int default_value) { return get_var("MLX_MAX_MB_PER_BUFFER", default_value); }
// May a GPU multiply float32 in the TF32 format?
inline bool enable_tf32() { return get_var("MLX_ENABLE_TF32", 1) != 0; }
// Seconds that the processes of an NCCL group wait for each other.
inline int nccl_timeout(int default_value) { return get_var("MLX_NCCL_TIMEOUT", default_value); }

}  // namespace mlx::core::env
