// How a transform of length n is computed: by the kernels' radices, in two steps over a matrix of
// factors, or as a convolution (Bluestein). Factors are computed in float64; plans are kept.
#pragma once

#include <memory>
#include <vector>

#include "mlx/backend/cpu/isa/fft.h"

namespace mlx::core::cpu {

struct TransformPlan {
  int64_t n = 0;

  // The kernels' plan; passes < 0 where n has a prime factor above kMostFftRadix.
  FftPlan direct{};
  std::vector<std::vector<float>> twiddles, circles;

  // n = first->n * second->n; null where n has no such factors.
  std::shared_ptr<const TransformPlan> first, second;
  std::vector<float> factors;       // exp(-2 pi i lanes k / n)
  std::vector<float> lane_factors;  // exp(-2 pi i lane k / n) for k below first->n: real parts,
                                    // then imaginary ones

  // Bluestein: c[k] = exp(-pi i k^2 / n), and the spectrum of its conjugate over the convolution's
  // length, divided by that length.
  std::shared_ptr<const TransformPlan> convolution;
  std::vector<float> chirp, chirp_spectrum;

  bool is_direct() const { return direct.passes >= 0; }
};

// Longer lines do not fit into the second-level cache: they take two steps where they can, and have
// no direct twiddles.
inline constexpr int64_t most_direct = 4096;

std::shared_ptr<const TransformPlan> transform_plan(int64_t n);

// exp(-pi i k / n) for k <= n / 2: what a real transform of length 2 n needs beside.
std::shared_ptr<const std::vector<float>> half_turns(int64_t n);

}  // namespace mlx::core::cpu
