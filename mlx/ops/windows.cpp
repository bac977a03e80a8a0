// Window functions of signal processing, computed in float64.

#include <cmath>
#include <numbers>

#include "mlx/ops.h"

namespace mlx::core {

namespace {

// value(t) for t from 0 to 1 in M even steps; a window of one value is 1.
template <typename F>
array window(int M, F value) {
  std::vector<float> values;
  for (int i = 0; i < M; i++) values.push_back(M == 1 ? 1.0f : static_cast<float>(value(i / (M - 1.0))));
  return array(values.begin(), Shape{static_cast<ShapeElem>(values.size())}, float32);
}

double cosine(double t, int harmonic) { return std::cos(2 * std::numbers::pi * harmonic * t); }

}  // namespace

array bartlett(int M, StreamOrDevice) {
  return window(M, [](double t) { return 1 - std::abs(2 * t - 1); });
}
array blackman(int M, StreamOrDevice) {
  return window(M, [](double t) { return 0.42 - 0.5 * cosine(t, 1) + 0.08 * cosine(t, 2); });
}
array hamming(int M, StreamOrDevice) {
  return window(M, [](double t) { return 0.54 - 0.46 * cosine(t, 1); });
}
array hanning(int M, StreamOrDevice) {
  return window(M, [](double t) { return 0.5 - 0.5 * cosine(t, 1); });
}

}  // namespace mlx::core
