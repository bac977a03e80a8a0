// Threefry 2x32 with 20 rounds (Salmon et al. 2011), many counters at a time: plain loops over a block of lanes, which
// the compiler turns into vector code.

#include "mlx/backend/cpu/isa/random.h"

namespace mlx::core::cpu::MLX_ISA {

namespace {

constexpr int lanes = 64;
constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};

void block(const uint32_t keys[3], uint32_t* x, uint32_t* y) {
  for (int i = 0; i < lanes; i++) {
    x[i] += keys[0];
    y[i] += keys[1];
  }
  for (int group = 0; group < 5; group++) {
    for (int step = 0; step < 4; step++) {
      int r = rotations[group % 2][step];
      for (int i = 0; i < lanes; i++) {
        x[i] += y[i];
        y[i] = (y[i] << r | y[i] >> (32 - r)) ^ x[i];
      }
    }
    for (int i = 0; i < lanes; i++) {
      x[i] += keys[(group + 1) % 3];
      y[i] += keys[(group + 2) % 3] + static_cast<uint32_t>(group + 1);
    }
  }
}

void threefry(uint32_t k0, uint32_t k1, uint32_t c0, uint32_t c1, int64_t n, uint32_t* first, uint32_t* second) {
  const uint32_t keys[3] = {k0, k1, k0 ^ k1 ^ 0x1BD11BDAu};
  uint32_t x[lanes], y[lanes];
  for (int64_t begin = 0; begin < n; begin += lanes) {
    int64_t count = n - begin < lanes ? n - begin : lanes;
    for (int i = 0; i < lanes; i++) {
      x[i] = c0 + static_cast<uint32_t>(begin + i);
      y[i] = c1 + static_cast<uint32_t>(begin + i);
    }
    block(keys, x, y);
    for (int64_t i = 0; i < count; i++) {
      first[begin + i] = x[i];
      second[begin + i] = y[i];
    }
  }
}

}  // namespace

extern const RandomKernels random_kernels = {threefry};

}  // namespace mlx::core::cpu::MLX_ISA
