// Element buffers by dtype number for the tests of the instruction-set kernels.
#pragma once

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "isa_reference.h"
#include "mlx/types/half_types.h"

namespace mlx::core::testing {

enum { kBool, kU8, kU16, kU32, kU64, kI8, kI16, kI32, kI64, kF16, kF32, kF64, kBF16, kC64 };
inline constexpr int kSizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 2, 8};
inline constexpr const char* kNames[] = {"bool",    "uint8",   "uint16",   "uint32",   "uint64",
                                         "int8",    "int16",   "int32",    "int64",    "float16",
                                         "float32", "float64", "bfloat16", "complex64"};

inline bool is_integer(int dtype) { return dtype <= kI64; }
inline bool is_signed(int dtype) { return dtype >= kI8 && dtype <= kI64; }

struct Buffer {
  int dtype;
  std::vector<char> bytes;

  Buffer(int dtype, int64_t n) : dtype(dtype), bytes(n * kSizes[dtype]) {}
  template <typename T>
  T at(int64_t i) const {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    return value;
  }
  template <typename T>
  void put(int64_t i, T value) {
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
  char* element(int64_t i) { return bytes.data() + i * kSizes[dtype]; }
  const char* element(int64_t i) const { return bytes.data() + i * kSizes[dtype]; }

  Wide integer(int64_t i) const {
    uint64_t raw = 0;
    std::memcpy(&raw, element(i), kSizes[dtype]);
    if (!is_signed(dtype)) return Wide(raw);
    int unused = 64 - 8 * kSizes[dtype];
    return Wide(int64_t(raw << unused) >> unused);
  }
  void set_integer(int64_t i, Wide value) {
    uint64_t raw = dtype == kBool ? uint64_t(value != 0) : uint64_t(value);
    std::memcpy(element(i), &raw, kSizes[dtype]);
  }
  Float real(int64_t i) const {
    switch (dtype) {
      case kF16: return float(at<float16_t>(i));
      case kBF16: return float(at<bfloat16_t>(i));
      case kF32: return at<float>(i);
      case kF64: return at<double>(i);
      default: return Float(integer(i));
    }
  }
  void set_real(int64_t i, double value) {
    switch (dtype) {
      case kF16: return put(i, float16_t(value));
      case kBF16: return put(i, bfloat16_t(value));
      case kF32: return put(i, float(value));
      case kF64: return put(i, value);
      default: return set_integer(i, Wide(value));
    }
  }
  Complex complex(int64_t i) const {
    if (dtype != kC64) return Complex(real(i));
    return Complex(at<float>(2 * i), at<float>(2 * i + 1));
  }
  void set_complex(int64_t i, float re, float im) {
    put(2 * i, re);
    put(2 * i + 1, im);
  }
};

// The spacing of a floating dtype at a value.
inline Float ulp(int dtype, Float value) {
  int digits = dtype == kF16 ? 10 : dtype == kBF16 ? 7 : dtype == kF32 ? 23 : 52;
  int lowest = dtype == kF16 ? -14 : dtype == kF64 ? -1022 : -126;
  int exponent = value == 0 || !std::isfinite(value) ? lowest : std::max(std::ilogb(value), lowest);
  return std::ldexp(Float(1), exponent - digits);
}

inline Float largest(int dtype) {
  return dtype == kF16    ? 65504
         : dtype == kBF16 ? 0x1.fep127L
         : dtype == kF32  ? 0x1.fffffep127L
                          : 0x1.fffffffffffffp1023L;
}

inline double draw_real(Domain domain, std::mt19937& random) {
  auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  double sign = random() & 1 ? 1 : -1;
  switch (domain) {
    case Domain::positive: return std::exp(uniform(-9, 9));
    case Domain::nonzero: return sign * std::exp(uniform(-6, 6));
    case Domain::unit: return random() & 1 ? uniform(-1, 1) : sign * (1 - std::exp(uniform(-15, 0)));
    case Domain::ge1: return 1 + std::exp(uniform(-9, 9));
    case Domain::gtm1: return random() & 1 ? uniform(-1, 1) : std::exp(uniform(-9, 9));
    case Domain::small: return uniform(-8, 8);
    case Domain::count: return double(random() % 8);
    case Domain::all: break;
  }
  return sign * std::exp(uniform(-9, 9));
}

inline std::vector<double> special_reals(int dtype) {
  double large = double(largest(dtype));
  return {0.0,
          -0.0,
          INFINITY,
          -INFINITY,
          NAN,
          1,
          -1,
          0.5,
          -0.5,
          2,
          -2,
          3,
          7.5,
          -7,
          large,
          -large,
          double(ulp(dtype, 0)),
          -double(ulp(dtype, 0)),
          1e-3,
          88,
          -104,
          1.5,
          2.5,
          1e4};
}

inline std::vector<Wide> special_integers(int dtype) {
  int bits = dtype == kBool ? 1 : 8 * kSizes[dtype];
  if (dtype == kBool) return {0, 1};
  if (!is_signed(dtype))
    return {0, 1, 2, 3, 7, 10, (Wide(1) << bits) - 1, (Wide(1) << bits) - 2, Wide(1) << (bits - 1)};
  Wide high = (Wide(1) << (bits - 1)) - 1;
  return {0, 1, -1, 2, -2, 3, -3, 7, -7, 10, high, high - 1, -high - 1, -high};
}

}  // namespace mlx::core::testing
