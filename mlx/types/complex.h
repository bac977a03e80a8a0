// The element type of complex64 arrays: std::complex<float> with the implicit conversions and the lexicographic
// order that array semantics need.
#pragma once

#include <complex>
#include <type_traits>

#include "mlx/types/half_types.h"

namespace mlx::core {

struct complex64_t : std::complex<float> {
  complex64_t() = default;
  complex64_t(float re, float im) : std::complex<float>(re, im) {}
  complex64_t(std::complex<float> value) : std::complex<float>(value) {}
  template <typename T, typename = std::enable_if_t<std::is_convertible_v<T, float>>>
  complex64_t(T value) : std::complex<float>(static_cast<float>(value), 0.0f) {}
};

inline bool operator<(const complex64_t& a, const complex64_t& b) {
  return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
}
inline bool operator>(const complex64_t& a, const complex64_t& b) { return b < a; }
inline bool operator<=(const complex64_t& a, const complex64_t& b) {
  return a.real() < b.real() || (a.real() == b.real() && a.imag() <= b.imag());
}
inline bool operator>=(const complex64_t& a, const complex64_t& b) { return b <= a; }

}  // namespace mlx::core
