// Counter-based random bits.
#pragma once

#include <stdint.h>

namespace mlx::core::cpu {

struct RandomKernels {
  // first[i], second[i] = Threefry 2x32 of the counters (c0 + i, c1 + i) under the key (k0, k1), 20 rounds.
  void (*threefry)(uint32_t k0, uint32_t k1, uint32_t c0, uint32_t c1, int64_t n, uint32_t* first, uint32_t* second);
};

}  // namespace mlx::core::cpu
