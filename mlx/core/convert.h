// Conversion of single elements and of small host arrays between element types; the rules of array casts.
#pragma once

#include <limits>
#include <type_traits>

#include "mlx/dtype.h"

namespace mlx::core {

// Truncates. NaN and what int64 cannot hold give the lowest int64, as the conversion instructions of x86 do.
inline int64_t float_to_int64(double x) {
  return x >= -0x1p63 && x < 0x1p63 ? static_cast<int64_t>(x) : std::numeric_limits<int64_t>::min();
}
inline int32_t float_to_int32(double x) {
  return x > -0x1.00000002p31 && x < 0x1p31 ? static_cast<int32_t>(x) : std::numeric_limits<int32_t>::min();
}

template <typename To>
To float_to_integer(double x) {
  if constexpr (std::is_same_v<To, uint64_t>) {
    if (x >= 0x1p63 && x < 0x1p64) return static_cast<uint64_t>(x);
    return static_cast<uint64_t>(float_to_int64(x));
  } else if constexpr (sizeof(To) == 8 || std::is_same_v<To, uint32_t>) {
    return static_cast<To>(float_to_int64(x));
  } else {
    return static_cast<To>(float_to_int32(x));
  }
}

template <typename To, typename From>
To convert_element(const From& x) {
  constexpr bool from_complex = std::is_same_v<From, complex64_t>;
  constexpr bool from_float = std::is_floating_point_v<From> || std::is_same_v<From, float16_t> ||
                              std::is_same_v<From, bfloat16_t>;
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (std::is_same_v<To, bool>) {
    if constexpr (from_complex) return x.real() != 0 || x.imag() != 0;
    else return x != From(0);
  } else if constexpr (from_complex) {
    return convert_element<To>(x.real());
  } else if constexpr (std::is_same_v<To, complex64_t>) {
    return complex64_t(static_cast<float>(x), 0.0f);
  } else if constexpr (from_float && sizeof(From) == 2) {
    return convert_element<To>(static_cast<float>(x));
  } else if constexpr (std::is_integral_v<To> && from_float) {
    return float_to_integer<To>(static_cast<double>(x));
  } else {
    return static_cast<To>(x);
  }
}

// Contiguous elements; the ranges must not overlap.
void convert_elements(void* to, Dtype to_dtype, const void* from, Dtype from_dtype, size_t count);

}  // namespace mlx::core
