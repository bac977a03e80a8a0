// Test helpers for products and convolutions: the levels this machine can run, element types, seeded values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "mlx/backend/cpu/gemm.h"

namespace mlx::core::cpu {

struct Level {
  std::string name;
  const GemmKernels* kernels;
  bool fused;  // products are fused multiply-adds
};

inline std::vector<Level> runnable_levels() {
  std::vector<Level> levels;
  for (std::string_view name : supported_levels()) {
    levels.push_back({std::string(name), &kernels_of(name)->gemm, name != "base"});
  }
  return levels;
}

inline float bf16_value(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float f;
  std::memcpy(&f, &wide, 4);
  return f;
}

inline uint16_t bf16_bits(float f) {
  if (std::isnan(f)) return 0x7fc0;
  uint32_t b;
  std::memcpy(&b, &f, 4);
  uint32_t low = b & 0xffffu, high = b >> 16;
  if (low > 0x8000u || (low == 0x8000u && (high & 1))) ++high;
  return uint16_t(high);
}

inline float f16_value(uint16_t bits) {
  int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double v = exponent == 31  ? (mantissa ? NAN : INFINITY)
             : exponent == 0 ? std::ldexp(mantissa, -24)
                             : std::ldexp(1024 + mantissa, exponent - 25);
  return float(bits & 0x8000 ? -v : v);
}

inline uint16_t f16_bits(float f) {
  uint16_t sign = std::signbit(f) ? 0x8000 : 0;
  double v = std::fabs(double(f));
  if (std::isnan(f)) return 0x7e00;
  if (v >= 65520) return sign | 0x7c00;
  int exponent = v == 0 ? -14 : std::max(std::ilogb(v), -14);
  double units =
      std::nearbyint(std::ldexp(v, 10 - exponent));  // the exponent below counts 1024 units as one step
  return uint16_t(sign + int(units) + (exponent + 14) * 1024);
}

inline bool is_half(GemmType t) { return t == GemmType::float16 || t == GemmType::bfloat16; }
inline int64_t item_bytes(GemmType t) { return t == GemmType::float64 ? 8 : t == GemmType::float32 ? 4 : 2; }

inline double read_item(GemmType t, const void* base, int64_t i) {
  switch (t) {
    case GemmType::float32:
      return static_cast<const float*>(base)[i];
    case GemmType::float64:
      return static_cast<const double*>(base)[i];
    case GemmType::float16:
      return f16_value(static_cast<const uint16_t*>(base)[i]);
    default:
      return bf16_value(static_cast<const uint16_t*>(base)[i]);
  }
}

// Rounds once; v is exactly a float unless t is float64.
inline void write_item(GemmType t, void* base, int64_t i, double v) {
  switch (t) {
    case GemmType::float32:
      static_cast<float*>(base)[i] = float(v);
      return;
    case GemmType::float64:
      static_cast<double*>(base)[i] = v;
      return;
    case GemmType::float16:
      static_cast<uint16_t*>(base)[i] = f16_bits(float(v));
      return;
    default:
      static_cast<uint16_t*>(base)[i] = bf16_bits(float(v));
  }
}

inline std::vector<char> random_items(GemmType t, int64_t count, uint32_t seed) {
  std::vector<char> data(size_t(count * item_bytes(t) + 8));
  std::mt19937 gen(seed);
  for (int64_t i = 0; i < count; ++i) {
    double v = float(int32_t(gen())) * 0x1p-31f;
    if (t == GemmType::float64) v += double(gen()) * 0x1p-63;  // all bits count, so that products round
    write_item(t, data.data(), i, v);
  }
  return data;
}

// The order of summation that gemm.h of the kernels promises.
template <typename T, typename Value>
T ordered_sum(int64_t k, bool fused, Value&& value) {
  T total = 0;
  for (int64_t s = 0; s < k; s += kGemmSuperK) {
    T super = 0;
    for (int64_t b = s; b < std::min(s + kGemmSuperK, k); b += kGemmBlockK) {
      T chain = 0;
      for (int64_t j = b; j < std::min({b + kGemmBlockK, s + kGemmSuperK, k}); ++j) {
        auto [x, y] = value(j);
        T product = T(x) * T(y);
        chain = fused ? std::fma(T(x), T(y), chain) : product + chain;
      }
      super = b == s ? chain : super + chain;
    }
    total = s == 0 ? super : total + super;
  }
  return total;
}

constexpr GemmType kGemmTypes[] = {GemmType::float32, GemmType::float64, GemmType::float16,
                                   GemmType::bfloat16};

}  // namespace mlx::core::cpu
