// Window functions of signal processing, computed in float64.

#include <algorithm>
#include <numbers>

#include "mlx/ops.h"

namespace mlx::core {

namespace {

// value(t) for t from 0 to 1 in M even steps; a window of one value is 1. Only the CPU has float64.
template <typename F>
array window(int M, StreamOrDevice where, F value) {
  if (M == 1) return ones({1}, float32, where);
  Stream s = to_stream(where);
  if (s.device != Device::cpu) s = default_stream(Device::cpu);
  array i = arange(0.0, static_cast<double>(std::max(M, 0)), 1.0, float64, s);
  return astype(value(divide(i, array(M - 1.0, float64), s), s), float32, s);
}

// a - b cos(2 pi harmonic t)
array minus_cosine(const array& a, double b, const array& t, int harmonic, const Stream& s) {
  array angle = multiply(array(2 * std::numbers::pi * harmonic, float64), t, s);
  return subtract(a, multiply(array(b, float64), cos(angle, s), s), s);
}

}  // namespace

array bartlett(int M, StreamOrDevice where) {
  return window(M, where, [](const array& t, const Stream& s) {
    array rising = subtract(multiply(array(2.0, float64), t, s), array(1.0, float64), s);
    return subtract(array(1.0, float64), abs(rising, s), s);
  });
}
array blackman(int M, StreamOrDevice where) {
  return window(M, where, [](const array& t, const Stream& s) {
    return minus_cosine(minus_cosine(array(0.42, float64), 0.5, t, 1, s), -0.08, t, 2, s);
  });
}
array hamming(int M, StreamOrDevice where) {
  return window(M, where,
                [](const array& t, const Stream& s) { return minus_cosine(array(0.54, float64), 0.46, t, 1, s); });
}
array hanning(int M, StreamOrDevice where) {
  return window(M, where,
                [](const array& t, const Stream& s) { return minus_cosine(array(0.5, float64), 0.5, t, 1, s); });
}

}  // namespace mlx::core
