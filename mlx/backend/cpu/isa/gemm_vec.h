// The few vector operations that the matrix product needs, for the level that is being compiled. Everything has
// internal linkage. Half types are widened on load and rounded to nearest even on store.
#pragma once

#include <stdint.h>

// False alarms of g++ 12 about its own intrinsics header and about vector types as template arguments.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#pragma GCC diagnostic ignored "-Wignored-attributes"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace mlx::core::cpu::MLX_ISA {
namespace {

struct Half {
  uint16_t bits;
};
struct Bfloat {
  uint16_t bits;
};

inline float bits_to_float(uint32_t bits) {
  float f;
  __builtin_memcpy(&f, &bits, 4);
  return f;
}

inline uint32_t float_to_bits(float f) {
  uint32_t bits;
  __builtin_memcpy(&bits, &f, 4);
  return bits;
}

inline float widen(float x) { return x; }
inline double widen(double x) { return x; }
inline float widen(Bfloat x) { return bits_to_float(uint32_t(x.bits) << 16); }

inline float widen(Half x) {
  uint32_t sign = uint32_t(x.bits & 0x8000u) << 16;
  uint32_t rest = x.bits & 0x7fffu;
  if (rest >= 0x7c00u) {  // infinity, NaN (made quiet, as the hardware does)
    uint32_t quiet = rest > 0x7c00u ? 0x400000u : 0;
    return bits_to_float(sign | 0x7f800000u | ((rest & 0x3ffu) << 13) | quiet);
  }
  if (rest < 0x400u) {  // zero, subnormal: a multiple of 2^-24
    return bits_to_float(sign | float_to_bits(float(rest) * 0x1p-24f));
  }
  return bits_to_float(sign | ((rest << 13) + 0x38000000u));
}

inline void narrow(float x, float* to) { *to = x; }
inline void narrow(double x, double* to) { *to = x; }

inline void narrow(float x, Bfloat* to) {
  uint32_t b = float_to_bits(x);
  if ((b & 0x7fffffffu) > 0x7f800000u) {
    to->bits = uint16_t((b >> 16) | 0x40u);
    return;
  }
  to->bits = uint16_t((b + 0x7fffu + ((b >> 16) & 1u)) >> 16);
}

inline void narrow(float x, Half* to) {
  uint32_t b = float_to_bits(x);
  uint16_t sign = uint16_t((b >> 16) & 0x8000u);
  b &= 0x7fffffffu;
  if (b > 0x7f800000u) {
    to->bits = uint16_t(sign | 0x7e00u | ((b >> 13) & 0x3ffu));
  } else if (b >= 0x47800000u) {  // 65536 and more
    to->bits = uint16_t(sign | 0x7c00u);
  } else if (b < 0x38800000u) {  // subnormal: the addition rounds at 2^-24
    float shifted = bits_to_float(b) + 0.5f;
    to->bits = uint16_t(sign | (float_to_bits(shifted) - 0x3f000000u));
  } else {
    uint32_t rounded = b - 0x38000000u + 0xfffu + ((b >> 13) & 1u);
    to->bits = uint16_t(sign | (rounded >> 13));
  }
}

template <typename T>
struct Simd;

#if defined(__AVX512F__)

template <>
struct Simd<float> {
  using V = __m512;
  static constexpr int lanes = 16;
  static __mmask16 first(int64_t n) { return __mmask16((1u << n) - 1u); }
  static V zero() { return _mm512_setzero_ps(); }
  static V set1(float x) { return _mm512_set1_ps(x); }
  static V fma(V a, V b, V c) { return _mm512_fmadd_ps(a, b, c); }
  static V add(V a, V b) { return _mm512_add_ps(a, b); }
  static V load(const float* p) { return _mm512_loadu_ps(p); }
  static V load(const Half* p) { return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i*)p)); }
  static V load(const Bfloat* p) { return from_bf16(_mm256_loadu_si256((const __m256i*)p)); }
  static V load_part(const float* p, int64_t n) { return _mm512_maskz_loadu_ps(first(n), p); }
  static V load_part(const Half* p, int64_t n) { return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(first(n), p)); }
  static V load_part(const Bfloat* p, int64_t n) { return from_bf16(_mm256_maskz_loadu_epi16(first(n), p)); }
  static void store(float* p, V v) { _mm512_storeu_ps(p, v); }
  static void store(Half* p, V v) { _mm256_storeu_si256((__m256i*)p, to_f16(v)); }
  static void store(Bfloat* p, V v) { _mm256_storeu_si256((__m256i*)p, to_bf16(v)); }
  static void store_part(float* p, V v, int64_t n) { _mm512_mask_storeu_ps(p, first(n), v); }
  static void store_part(Half* p, V v, int64_t n) { _mm256_mask_storeu_epi16(p, first(n), to_f16(v)); }
  static void store_part(Bfloat* p, V v, int64_t n) { _mm256_mask_storeu_epi16(p, first(n), to_bf16(v)); }

 private:
  static V from_bf16(__m256i h) { return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(h), 16)); }
  static __m256i to_f16(V v) { return _mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
  static __m256i to_bf16(V v) {
    __m512i b = _mm512_castps_si512(v);
    __m512i odd = _mm512_and_si512(_mm512_srli_epi32(b, 16), _mm512_set1_epi32(1));
    __m512i rounded = _mm512_add_epi32(b, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
    __mmask16 nan = _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q);
    rounded = _mm512_mask_or_epi32(rounded, nan, b, _mm512_set1_epi32(0x400000));
    return _mm512_cvtepi32_epi16(_mm512_srli_epi32(rounded, 16));
  }
};

template <>
struct Simd<double> {
  using V = __m512d;
  static constexpr int lanes = 8;
  static __mmask8 first(int64_t n) { return __mmask8((1u << n) - 1u); }
  static V zero() { return _mm512_setzero_pd(); }
  static V set1(double x) { return _mm512_set1_pd(x); }
  static V fma(V a, V b, V c) { return _mm512_fmadd_pd(a, b, c); }
  static V add(V a, V b) { return _mm512_add_pd(a, b); }
  static V load(const double* p) { return _mm512_loadu_pd(p); }
  static V load_part(const double* p, int64_t n) { return _mm512_maskz_loadu_pd(first(n), p); }
  static void store(double* p, V v) { _mm512_storeu_pd(p, v); }
  static void store_part(double* p, V v, int64_t n) { _mm512_mask_storeu_pd(p, first(n), v); }
};

#else

// Below AVX-512 partial accesses go through a small array.
template <typename Self, typename T, typename V_, int L>
struct PartAccess {
  template <typename Src>
  static V_ load_part(const Src* p, int64_t n) {
    T tmp[L] = {};
    for (int64_t i = 0; i < n; ++i) tmp[i] = widen(p[i]);
    return Self::load(tmp);
  }
  template <typename Dst>
  static void store_part(Dst* p, V_ v, int64_t n) {
    T tmp[L];
    Self::store(tmp, v);
    for (int64_t i = 0; i < n; ++i) narrow(tmp[i], p + i);
  }
};

#if defined(__AVX2__)

template <>
struct Simd<float> : PartAccess<Simd<float>, float, __m256, 8> {
  using V = __m256;
  static constexpr int lanes = 8;
  static V zero() { return _mm256_setzero_ps(); }
  static V set1(float x) { return _mm256_set1_ps(x); }
  static V fma(V a, V b, V c) { return _mm256_fmadd_ps(a, b, c); }
  static V add(V a, V b) { return _mm256_add_ps(a, b); }
  static V load(const float* p) { return _mm256_loadu_ps(p); }
  static V load(const Half* p) { return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i*)p)); }
  static V load(const Bfloat* p) {
    __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i*)p));
    return _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16));
  }
  static void store(float* p, V v) { _mm256_storeu_ps(p, v); }
  static void store(Half* p, V v) {
    _mm_storeu_si128((__m128i*)p, _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  }
  static void store(Bfloat* p, V v) { store_part(p, v, lanes); }
};

template <>
struct Simd<double> : PartAccess<Simd<double>, double, __m256d, 4> {
  using V = __m256d;
  static constexpr int lanes = 4;
  static V zero() { return _mm256_setzero_pd(); }
  static V set1(double x) { return _mm256_set1_pd(x); }
  static V fma(V a, V b, V c) { return _mm256_fmadd_pd(a, b, c); }
  static V add(V a, V b) { return _mm256_add_pd(a, b); }
  static V load(const double* p) { return _mm256_loadu_pd(p); }
  static void store(double* p, V v) { _mm256_storeu_pd(p, v); }
};

#else  // 16-byte vectors and no fused operation: product and sum are rounded separately

typedef float F4 __attribute__((vector_size(16)));
typedef double D2 __attribute__((vector_size(16)));

template <typename T, typename V_, int L>
struct PlainSimd : PartAccess<PlainSimd<T, V_, L>, T, V_, L> {
  using V = V_;
  static constexpr int lanes = L;
  static V zero() { return V{}; }
  static V set1(T x) { return x - V{}; }
  static V fma(V a, V b, V c) { return a * b + c; }
  static V add(V a, V b) { return a + b; }
  static V load(const T* p) {
    V v;
    __builtin_memcpy(&v, p, sizeof(V));
    return v;
  }
  template <typename Src>
  static V load(const Src* p) {
    return PlainSimd::load_part(p, L);
  }
  static void store(T* p, V v) { __builtin_memcpy(p, &v, sizeof(V)); }
  template <typename Dst>
  static void store(Dst* p, V v) {
    PlainSimd::store_part(p, v, L);
  }
};

template <>
struct Simd<float> : PlainSimd<float, F4, 4> {};
template <>
struct Simd<double> : PlainSimd<double, D2, 2> {};

#endif
#endif

}  // namespace
}  // namespace mlx::core::cpu::MLX_ISA
