// numeric_limits for the floating-point element types, the 16-bit ones included.
#pragma once

#include <limits>

#include "mlx/types/half_types.h"

namespace mlx::core {

template <typename T>
struct numeric_limits;

template <>
struct numeric_limits<float> : std::numeric_limits<float> {};
template <>
struct numeric_limits<double> : std::numeric_limits<double> {};

namespace detail {
template <typename T>
T half_from_bits(uint16_t bits) {
  T value;
  value.bits_ = bits;
  return value;
}
}  // namespace detail

template <>
struct numeric_limits<float16_t> {
  static float16_t lowest() { return detail::half_from_bits<float16_t>(0xfbff); }
  static float16_t max() { return detail::half_from_bits<float16_t>(0x7bff); }
  static float16_t min() { return detail::half_from_bits<float16_t>(0x0400); }
  static float16_t epsilon() { return detail::half_from_bits<float16_t>(0x1400); }
  static float16_t infinity() { return detail::half_from_bits<float16_t>(0x7c00); }
  static float16_t quiet_NaN() { return detail::half_from_bits<float16_t>(0x7e00); }
};

template <>
struct numeric_limits<bfloat16_t> {
  static bfloat16_t lowest() { return detail::half_from_bits<bfloat16_t>(0xff7f); }
  static bfloat16_t max() { return detail::half_from_bits<bfloat16_t>(0x7f7f); }
  static bfloat16_t min() { return detail::half_from_bits<bfloat16_t>(0x0080); }
  static bfloat16_t epsilon() { return detail::half_from_bits<bfloat16_t>(0x3c00); }
  static bfloat16_t infinity() { return detail::half_from_bits<bfloat16_t>(0x7f80); }
  static bfloat16_t quiet_NaN() { return detail::half_from_bits<bfloat16_t>(0x7fc0); }
};

}  // namespace mlx::core
