// Registers of keys: compared, exchanged between lanes, packed by a mask, and the first n of one in memory, the others
// being the greatest key. AVX2 and AVX-512.
#pragma once

#include "mlx/backend/cpu/isa/vec.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

// partner: the key of lane i ^ X. blend: lanes with the bit from b, the others from a.
template <typename V, int N>
struct Shuffles;
#define MLX_PARTNER(i) (i) ^ X
#define MLX_BLEND(i) ((i) & BIT ? (i) + N : (i))
#define MLX_FOUR(f, i) f(i), f(i + 1), f(i + 2), f(i + 3)
#define MLX_SHUFFLES(n, ...)                                                                       \
  template <typename V>                                                                            \
  struct Shuffles<V, n> {                                                                          \
    static constexpr int N = n;                                                                    \
    template <int X>                                                                               \
    static MLX_INLINE V partner(V v) {                                                             \
      return __builtin_shufflevector(v, v, MLX_LANES_##n(MLX_PARTNER));                            \
    }                                                                                              \
    template <int BIT>                                                                             \
    static MLX_INLINE V blend(V a, V b) {                                                          \
      return __builtin_shufflevector(a, b, MLX_LANES_##n(MLX_BLEND));                              \
    }                                                                                              \
  };
#define MLX_LANES_4(f) MLX_FOUR(f, 0)
#define MLX_LANES_8(f) MLX_FOUR(f, 0), MLX_FOUR(f, 4)
#define MLX_LANES_16(f) MLX_LANES_8(f), MLX_FOUR(f, 8), MLX_FOUR(f, 12)
MLX_SHUFFLES(4)
MLX_SHUFFLES(8)
MLX_SHUFFLES(16)
#undef MLX_LANES_16
#undef MLX_LANES_8
#undef MLX_LANES_4
#undef MLX_SHUFFLES
#undef MLX_FOUR
#undef MLX_BLEND
#undef MLX_PARTNER

template <typename K>
struct Lanes;

#if defined(__AVX512F__)

template <>
struct Lanes<uint32_t> : Shuffles<U32, 16> {
  using V = U32;
  static MLX_INLINE V splat(uint32_t key) { return V(_mm512_set1_epi32(int(key))); }
  static MLX_INLINE V min(V a, V b) { return V(_mm512_min_epu32(__m512i(a), __m512i(b))); }
  static MLX_INLINE V max(V a, V b) { return V(_mm512_max_epu32(__m512i(a), __m512i(b))); }
  static MLX_INLINE unsigned up_to(V v, V pivot) { return _mm512_cmple_epu32_mask(__m512i(v), __m512i(pivot)); }
  static MLX_INLINE V pack(V v, unsigned lanes) { return V(_mm512_maskz_compress_epi32(__mmask16(lanes), __m512i(v))); }
  static MLX_INLINE V load_first(const uint32_t* from, int n) {
    return V(_mm512_mask_loadu_epi32(_mm512_set1_epi32(-1), __mmask16((1u << n) - 1), from));
  }
  static MLX_INLINE void store_first(uint32_t* to, V v, int n) {
    _mm512_mask_storeu_epi32(to, __mmask16((1u << n) - 1), __m512i(v));
  }
};

template <>
struct Lanes<uint64_t> : Shuffles<U64, 8> {
  using V = U64;
  static MLX_INLINE V splat(uint64_t key) { return V(_mm512_set1_epi64(int64_t(key))); }
  static MLX_INLINE V min(V a, V b) { return V(_mm512_min_epu64(__m512i(a), __m512i(b))); }
  static MLX_INLINE V max(V a, V b) { return V(_mm512_max_epu64(__m512i(a), __m512i(b))); }
  static MLX_INLINE unsigned up_to(V v, V pivot) { return _mm512_cmple_epu64_mask(__m512i(v), __m512i(pivot)); }
  static MLX_INLINE V pack(V v, unsigned lanes) { return V(_mm512_maskz_compress_epi64(__mmask8(lanes), __m512i(v))); }
  static MLX_INLINE V load_first(const uint64_t* from, int n) {
    return V(_mm512_mask_loadu_epi64(_mm512_set1_epi64(-1), __mmask8((1u << n) - 1), from));
  }
  static MLX_INLINE void store_first(uint64_t* to, V v, int n) {
    _mm512_mask_storeu_epi64(to, __mmask8((1u << n) - 1), __m512i(v));
  }
};

#else

// order[mask] numbers the 32-bit pieces of those lanes whose bit is set, then of the others.
template <int LANES>
struct LaneOrders {
  alignas(8) uint8_t order[1 << LANES][8];
  constexpr LaneOrders() : order() {
    constexpr int pieces = 8 / LANES;
    for (int mask = 0; mask < 1 << LANES; mask++) {
      int place = 0;
      for (int wanted = 1; wanted >= 0; wanted--) {
        for (int lane = 0; lane < LANES; lane++) {
          if ((mask >> lane & 1) != wanted) continue;
          for (int piece = 0; piece < pieces; piece++) order[mask][place++] = uint8_t(lane * pieces + piece);
        }
      }
    }
  }
};

template <typename V>
MLX_INLINE V pack_lanes(V v, unsigned lanes) {
  static constexpr LaneOrders<lanes_of<V>> orders;
  __m256i order = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(orders.order[lanes])));
  return V(_mm256_permutevar8x32_epi32(__m256i(v), order));
}

template <>
struct Lanes<uint32_t> : Shuffles<U32, 8> {
  using V = U32;
  static MLX_INLINE __m256i first(int n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
  static MLX_INLINE V splat(uint32_t key) { return V(_mm256_set1_epi32(int(key))); }
  static MLX_INLINE V min(V a, V b) { return V(_mm256_min_epu32(__m256i(a), __m256i(b))); }
  static MLX_INLINE V max(V a, V b) { return V(_mm256_max_epu32(__m256i(a), __m256i(b))); }
  static MLX_INLINE unsigned up_to(V v, V pivot) {
    __m256i at_most = _mm256_cmpeq_epi32(__m256i(max(v, pivot)), __m256i(pivot));
    return unsigned(_mm256_movemask_ps(_mm256_castsi256_ps(at_most)));
  }
  static MLX_INLINE V pack(V v, unsigned lanes) { return pack_lanes(v, lanes); }
  static MLX_INLINE V load_first(const uint32_t* from, int n) {
    __m256i lanes = first(n);
    __m256i rest = _mm256_andnot_si256(lanes, _mm256_set1_epi32(-1));
    return V(_mm256_or_si256(_mm256_maskload_epi32(reinterpret_cast<const int*>(from), lanes), rest));
  }
  static MLX_INLINE void store_first(uint32_t* to, V v, int n) {
    _mm256_maskstore_epi32(reinterpret_cast<int*>(to), first(n), __m256i(v));
  }
};

template <>
struct Lanes<uint64_t> : Shuffles<U64, 4> {
  using V = U64;
  static MLX_INLINE __m256i first(int n) {
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
  }
  static MLX_INLINE V splat(uint64_t key) { return V(_mm256_set1_epi64x(int64_t(key))); }
  static MLX_INLINE __m256i above(V a, V b) {
    __m256i sign = _mm256_set1_epi64x(INT64_MIN);
    return _mm256_cmpgt_epi64(_mm256_xor_si256(__m256i(a), sign), _mm256_xor_si256(__m256i(b), sign));
  }
  static MLX_INLINE V min(V a, V b) { return V(_mm256_blendv_epi8(__m256i(a), __m256i(b), above(a, b))); }
  static MLX_INLINE V max(V a, V b) { return V(_mm256_blendv_epi8(__m256i(b), __m256i(a), above(a, b))); }
  static MLX_INLINE unsigned up_to(V v, V pivot) {
    return unsigned(_mm256_movemask_pd(_mm256_castsi256_pd(above(v, pivot)))) ^ 15u;
  }
  static MLX_INLINE V pack(V v, unsigned lanes) { return pack_lanes(v, lanes); }
  static MLX_INLINE V load_first(const uint64_t* from, int n) {
    __m256i lanes = first(n);
    __m256i rest = _mm256_andnot_si256(lanes, _mm256_set1_epi64x(-1));
    return V(_mm256_or_si256(_mm256_maskload_epi64(reinterpret_cast<const long long*>(from), lanes), rest));
  }
  static MLX_INLINE void store_first(uint64_t* to, V v, int n) {
    _mm256_maskstore_epi64(reinterpret_cast<long long*>(to), first(n), __m256i(v));
  }
};

#endif

}  // namespace
}  // namespace mlx::core::cpu::MLX_ISA
