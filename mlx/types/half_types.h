// The two 16-bit floating-point element types. Arithmetic converts to float; conversion back rounds to nearest even.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace mlx::core {

namespace detail {

inline uint16_t float_to_bfloat16_bits(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((bits >> 16) | 0x40);  // a NaN stays one
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1)) >> 16);
}

inline float bfloat16_bits_to_float(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

inline uint16_t float_to_float16_bits(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return sign | 0x7e00u | static_cast<uint16_t>((magnitude >> 13) & 0x1ffu);
  if (magnitude >= 0x477ff000u) return sign | 0x7c00u;  // 65520 and above
  if (magnitude < 0x38800000u) {                         // subnormal: let the FPU round at the right place
    float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return sign | static_cast<uint16_t>(std::bit_cast<uint32_t>(shifted) - 0x3f000000u);
  }
  uint32_t rounded = magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1);
  return sign | static_cast<uint16_t>(rounded >> 13);
}

inline float float16_bits_to_float(uint16_t half) {
  uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  uint32_t magnitude = half & 0x7fffu;
  if (magnitude >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13));
  if (magnitude < 0x400u) {
    float value = static_cast<float>(magnitude) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(value));
  }
  return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000u));
}

}  // namespace detail

struct float16_t {
  uint16_t bits_ = 0;
  float16_t() = default;
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  float16_t(T value) : bits_(detail::float_to_float16_bits(static_cast<float>(value))) {}
  operator float() const { return detail::float16_bits_to_float(bits_); }
};

struct bfloat16_t {
  uint16_t bits_ = 0;
  bfloat16_t() = default;
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  bfloat16_t(T value) : bits_(detail::float_to_bfloat16_bits(static_cast<float>(value))) {}
  bfloat16_t(float16_t value) : bfloat16_t(static_cast<float>(value)) {}
  operator float() const { return detail::bfloat16_bits_to_float(bits_); }
};

#define MLX_HALF_OPERATORS(T)                                              \
  inline T operator+(T a, T b) { return T(float(a) + float(b)); }         \
  inline T operator-(T a, T b) { return T(float(a) - float(b)); }         \
  inline T operator*(T a, T b) { return T(float(a) * float(b)); }         \
  inline T operator/(T a, T b) { return T(float(a) / float(b)); }         \
  inline T operator-(T a) { return T(-float(a)); }                         \
  inline T& operator+=(T& a, T b) { return a = a + b; }                    \
  inline T& operator-=(T& a, T b) { return a = a - b; }                    \
  inline T& operator*=(T& a, T b) { return a = a * b; }                    \
  inline T& operator/=(T& a, T b) { return a = a / b; }                    \
  inline bool operator==(T a, T b) { return float(a) == float(b); }        \
  inline bool operator!=(T a, T b) { return float(a) != float(b); }        \
  inline bool operator<(T a, T b) { return float(a) < float(b); }          \
  inline bool operator<=(T a, T b) { return float(a) <= float(b); }        \
  inline bool operator>(T a, T b) { return float(a) > float(b); }          \
  inline bool operator>=(T a, T b) { return float(a) >= float(b); }
MLX_HALF_OPERATORS(float16_t)
MLX_HALF_OPERATORS(bfloat16_t)
#undef MLX_HALF_OPERATORS

}  // namespace mlx::core
