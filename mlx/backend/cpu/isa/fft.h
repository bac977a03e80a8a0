// Fourier transforms of kernel lengths on lanes: one transform per lane of a vector. Shared with
// the host: includes no header with inline functions.
#pragma once

#include <stdint.h>

namespace mlx::core::cpu {

inline constexpr int kMaxFftPasses = 24;

inline constexpr int kMostFftRadix = 127;

// One pass of a length that is a product of the radices 2, 3, 4, 5, 7, 8, 11, 13 and further primes up to the most.
struct FftPass {
  int radix;
  int64_t groups;         // butterflies with different twiddles
  const float* twiddles;  // groups x (radix - 1) complex
  const float* circle;    // exp(2 pi i k / radix) for k < radix; for primes above 13
};

struct FftPlan {
  int64_t n;
  int passes;
  FftPass pass[kMaxFftPasses];
};

// A matrix of complex64 elements in memory. A transform goes along `step`, lanes lie `lane` apart;
// in elements.
struct FftPlace {
  int64_t step, lane;
};

// What happens to the values on the way out: multiplied by scale, and by factor[k] * lane_factor[k
// * lanes + lane] where there are factors (complex).
struct FftFinish {
  float scale;
  const float* factor;       // n complex, or null
  int64_t factor_step;       // factor of value k: factor[k * factor_step]
  const float* lane_factor;  // n x lanes complex: real parts of a row, then imaginary ones
};

struct FftKernels {
  int lanes;
  // The transforms of `count` <= lanes lanes; `work` holds 4 * n * lanes floats. `inverse` is the
  // conjugate transform.
  void (*run)(const FftPlan& plan, const float* input, FftPlace from, float* output, FftPlace to,
              int count, bool inverse, const FftFinish& finish, float* work);
  // Between h complex values and the spectrum of the 2 h real ones that they hold in pairs: values
  // 0 < k < h of `to`, which may be `from`; turns[k] = exp(-pi i k / h) for k <= h / 2.
  void (*fold)(const float* from, float* to, int64_t h, const float* turns, bool inverse);
  // y = x * factors for n complex values, or y = conj(x) * factors; y may be x.
  void (*multiply)(const float* x, const float* factors, float* y, int64_t n, bool conjugate);
};

}  // namespace mlx::core::cpu
