// Test helpers for products and convolutions: the levels this machine can run, element types, seeded values.
#pragma once

#include <cpuid.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "mlx/backend/cpu/gemm.h"

namespace mlx::core::cpu {

namespace base { extern const GemmKernels gemm_kernels; }
namespace v3 { extern const GemmKernels gemm_kernels; }
namespace v4 { extern const GemmKernels gemm_kernels; }
namespace v4fp16 { extern const GemmKernels gemm_kernels; }

struct Level {
  std::string name;
  const GemmKernels* kernels;
  bool fused;  // products are fused multiply-adds
};

inline bool cpu_has_fp16() {
  unsigned a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d >> 23 & 1);
}

inline std::vector<Level> runnable_levels() {
  std::vector<Level> levels{{"base", &base::gemm_kernels, false}};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    levels.push_back({"v3", &v3::gemm_kernels, true});
  }
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
    levels.push_back({"v4", &v4::gemm_kernels, true});
    if (cpu_has_fp16()) levels.push_back({"v4fp16", &v4fp16::gemm_kernels, true});
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
  double units = std::nearbyint(std::ldexp(v, 10 - exponent));  // the exponent below counts 1024 units as one step
  return uint16_t(sign + int(units) + (exponent + 14) * 1024);
}

inline bool is_half(GemmType t) { return t == GemmType::float16 || t == GemmType::bfloat16; }
inline int64_t item_bytes(GemmType t) { return t == GemmType::float64 ? 8 : t == GemmType::float32 ? 4 : 2; }

inline double read_item(GemmType t, const void* base, int64_t i) {
  switch (t) {
    case GemmType::float32: return static_cast<const float*>(base)[i];
    case GemmType::float64: return static_cast<const double*>(base)[i];
    case GemmType::float16: return f16_value(static_cast<const uint16_t*>(base)[i]);
    default: return bf16_value(static_cast<const uint16_t*>(base)[i]);
  }
}

// Rounds once; v is exactly a float unless t is float64.
inline void write_item(GemmType t, void* base, int64_t i, double v) {
  switch (t) {
    case GemmType::float32: static_cast<float*>(base)[i] = float(v); return;
    case GemmType::float64: static_cast<double*>(base)[i] = v; return;
    case GemmType::float16: static_cast<uint16_t*>(base)[i] = f16_bits(float(v)); return;
    default: static_cast<uint16_t*>(base)[i] = bf16_bits(float(v));
  }
}

inline std::vector<char> random_items(GemmType t, int64_t count, uint32_t seed) {
  std::vector<char> data(size_t(count * item_bytes(t) + 8));
  std::mt19937 gen(seed);
  for (int64_t i = 0; i < count; ++i) {
    write_item(t, data.data(), i, float(int32_t(gen())) * 0x1p-31f);
  }
  return data;
}

// The order of summation that gemm.h of the kernels promises.
template <typename T, typename Value>
T ordered_sum(int64_t k, bool fused, Value&& value) {
  T total = 0;
  for (int64_t s = 0; s < k; s += GEMM_SUPER_K) {
    T super = 0;
    for (int64_t b = s; b < std::min(s + GEMM_SUPER_K, k); b += GEMM_BLOCK_K) {
      T chain = 0;
      for (int64_t j = b; j < std::min({b + GEMM_BLOCK_K, s + GEMM_SUPER_K, k}); ++j) {
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

constexpr GemmType ALL_GEMM_TYPES[] = {GemmType::float32, GemmType::float64, GemmType::float16,
                                       GemmType::bfloat16};

}  // namespace mlx::core::cpu
