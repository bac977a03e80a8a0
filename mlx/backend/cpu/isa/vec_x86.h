// What GNU vectors do badly or not at all on x86-64, by intrinsics of the level: fused multiply-add,
// rounding, halves, masks in memory, float16. Included by vec.h only.
#pragma once

namespace mlx::core::cpu::MLX_ISA {

#if defined(__AVX512F__)

MLX_INLINE F32 fma(F32 a, F32 b, F32 c) { return _mm512_fmadd_ps(a, b, c); }
MLX_INLINE F64 fma(F64 a, F64 b, F64 c) { return _mm512_fmadd_pd(a, b, c); }
MLX_INLINE F32 sqrt(F32 x) { return _mm512_sqrt_ps(x); }
MLX_INLINE F64 sqrt(F64 x) { return _mm512_sqrt_pd(x); }
template <int mode>
MLX_INLINE F32 round_by(F32 x) { return _mm512_roundscale_ps(x, mode); }
template <int mode>
MLX_INLINE F64 round_by(F64 x) { return _mm512_roundscale_pd(x, mode); }

MLX_INLINE HalfF32 low_half(F32 x) { return _mm512_castps512_ps256(x); }
MLX_INLINE HalfF32 high_half(F32 x) { return _mm512_extractf32x8_ps(x, 1); }
MLX_INLINE F32 join_halves(HalfF32 low, HalfF32 high) {
  return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}
MLX_INLINE F64 widen(HalfF32 x) { return _mm512_cvtps_pd(x); }
MLX_INLINE HalfF32 narrow(F64 x) { return _mm512_cvtpd_ps(x); }

MLX_INLINE bool any(I32 mask) { return _mm512_movepi32_mask((__m512i)mask) != 0; }
MLX_INLINE bool any(I64 mask) { return _mm512_movepi64_mask((__m512i)mask) != 0; }

MLX_INLINE void store_mask(uint8_t* to, Vec<int16_t, 32> mask) {
  _mm256_storeu_si256((__m256i*)to, _mm256_maskz_set1_epi8(_mm512_movepi16_mask((__m512i)mask), 1));
}
MLX_INLINE void store_mask(uint8_t* to, I32 mask) {
  _mm_storeu_si128((__m128i*)to, _mm_maskz_set1_epi8(_mm512_movepi32_mask((__m512i)mask), 1));
}
MLX_INLINE void store_mask(uint8_t* to, I64 mask) {
  _mm_storel_epi64((__m128i*)to, _mm_maskz_set1_epi8(_mm512_movepi64_mask((__m512i)mask), 1));
}
MLX_INLINE void load_mask(const uint8_t* from, Vec<int16_t, 32>& mask) {
  mask = (Vec<int16_t, 32>)_mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i*)from)) != 0;
}
MLX_INLINE void load_mask(const uint8_t* from, I32& mask) {
  mask = (I32)_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i*)from)) != 0;
}
MLX_INLINE void load_mask(const uint8_t* from, I64& mask) {
  mask = (I64)_mm512_cvtepi8_epi64(_mm_loadl_epi64((const __m128i*)from)) != 0;
}

MLX_INLINE U32 widen_bits(HalfBits x) { return (U32)_mm512_cvtepu16_epi32((__m256i)x); }
MLX_INLINE HalfBits narrow_bits(U32 x) { return (HalfBits)_mm512_cvtepi32_epi16((__m512i)x); }
MLX_INLINE F32 float16_to_float(HalfBits x) { return _mm512_cvtph_ps((__m256i)x); }
MLX_INLINE HalfBits float_to_float16(F32 x) {
  return (HalfBits)_mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

#elif defined(__AVX2__)

MLX_INLINE F32 fma(F32 a, F32 b, F32 c) { return _mm256_fmadd_ps(a, b, c); }
MLX_INLINE F64 fma(F64 a, F64 b, F64 c) { return _mm256_fmadd_pd(a, b, c); }
MLX_INLINE F32 sqrt(F32 x) { return _mm256_sqrt_ps(x); }
MLX_INLINE F64 sqrt(F64 x) { return _mm256_sqrt_pd(x); }
template <int mode>
MLX_INLINE F32 round_by(F32 x) { return _mm256_round_ps(x, mode); }
template <int mode>
MLX_INLINE F64 round_by(F64 x) { return _mm256_round_pd(x, mode); }

MLX_INLINE HalfF32 low_half(F32 x) { return _mm256_castps256_ps128(x); }
MLX_INLINE HalfF32 high_half(F32 x) { return _mm256_extractf128_ps(x, 1); }
MLX_INLINE F32 join_halves(HalfF32 low, HalfF32 high) { return _mm256_set_m128(high, low); }
MLX_INLINE F64 widen(HalfF32 x) { return _mm256_cvtps_pd(x); }
MLX_INLINE HalfF32 narrow(F64 x) { return _mm256_cvtpd_ps(x); }

MLX_INLINE bool any(I32 mask) { return _mm256_movemask_ps((__m256)mask) != 0; }
MLX_INLINE bool any(I64 mask) { return _mm256_movemask_pd((__m256d)mask) != 0; }

MLX_INLINE void store_mask(uint8_t* to, Vec<int16_t, 16> mask) {
  __m256i m = (__m256i)mask;
  __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(m), _mm256_extracti128_si256(m, 1));
  _mm_storeu_si128((__m128i*)to, _mm_and_si128(bytes, _mm_set1_epi8(1)));
}
MLX_INLINE void store_mask(uint8_t* to, I32 mask) {
  __m256i m = (__m256i)mask;
  __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(m), _mm256_extracti128_si256(m, 1));
  _mm_storel_epi64((__m128i*)to, _mm_and_si128(_mm_packs_epi16(words, words), _mm_set1_epi8(1)));
}
MLX_INLINE void store_mask(uint8_t* to, I64 mask) {
  __m256i m = (__m256i)mask;
  __m128 low = _mm_castsi128_ps(_mm256_castsi256_si128(m));
  __m128 high = _mm_castsi128_ps(_mm256_extracti128_si256(m, 1));
  __m128i lanes = _mm_castps_si128(_mm_shuffle_ps(low, high, _MM_SHUFFLE(2, 0, 2, 0)));
  __m128i words = _mm_packs_epi32(lanes, lanes);
  store(to, _mm_cvtsi128_si32(_mm_and_si128(_mm_packs_epi16(words, words), _mm_set1_epi8(1))));
}
MLX_INLINE void load_mask(const uint8_t* from, Vec<int16_t, 16>& mask) {
  mask = (Vec<int16_t, 16>)_mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i*)from)) != 0;
}
MLX_INLINE void load_mask(const uint8_t* from, I32& mask) {
  mask = (I32)_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i*)from)) != 0;
}
MLX_INLINE void load_mask(const uint8_t* from, I64& mask) {
  mask = (I64)_mm256_cvtepi8_epi64(_mm_cvtsi32_si128(load<int32_t>(from))) != 0;
}

MLX_INLINE U32 widen_bits(HalfBits x) { return (U32)_mm256_cvtepu16_epi32((__m128i)x); }
MLX_INLINE HalfBits narrow_bits(U32 x) {
  __m256i v = (__m256i)x;
  return (HalfBits)_mm_packus_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
}
MLX_INLINE F32 float16_to_float(HalfBits x) { return _mm256_cvtph_ps((__m128i)x); }
MLX_INLINE HalfBits float_to_float16(F32 x) {
  return (HalfBits)_mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

#else  // SSE4.2, no FMA, no F16C

MLX_INLINE F32 sqrt(F32 x) { return _mm_sqrt_ps(x); }
MLX_INLINE F64 sqrt(F64 x) { return _mm_sqrt_pd(x); }
template <int mode>
MLX_INLINE F32 round_by(F32 x) { return _mm_round_ps(x, mode); }
template <int mode>
MLX_INLINE F64 round_by(F64 x) { return _mm_round_pd(x, mode); }

MLX_INLINE HalfF32 low_half(F32 x) { return __builtin_shufflevector(x, x, 0, 1); }
MLX_INLINE HalfF32 high_half(F32 x) { return __builtin_shufflevector(x, x, 2, 3); }
MLX_INLINE F32 join_halves(HalfF32 low, HalfF32 high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3);
}
MLX_INLINE F64 widen(HalfF32 x) { return __builtin_convertvector(x, F64); }
MLX_INLINE HalfF32 narrow(F64 x) { return __builtin_convertvector(x, HalfF32); }

MLX_INLINE bool any(I32 mask) { return _mm_movemask_ps((__m128)mask) != 0; }
MLX_INLINE bool any(I64 mask) { return _mm_movemask_pd((__m128d)mask) != 0; }

MLX_INLINE void store_mask(uint8_t* to, Vec<int16_t, 8> mask) {
  __m128i bytes = _mm_packs_epi16((__m128i)mask, (__m128i)mask);
  _mm_storel_epi64((__m128i*)to, _mm_and_si128(bytes, _mm_set1_epi8(1)));
}
MLX_INLINE void store_mask(uint8_t* to, I32 mask) {
  __m128i words = _mm_packs_epi32((__m128i)mask, (__m128i)mask);
  __m128i bytes = _mm_and_si128(_mm_packs_epi16(words, words), _mm_set1_epi8(1));
  store(to, _mm_cvtsi128_si32(bytes));
}
MLX_INLINE void store_mask(uint8_t* to, I64 mask) {
  to[0] = mask[0] & 1;
  to[1] = mask[1] & 1;
}
MLX_INLINE void load_mask(const uint8_t* from, Vec<int16_t, 8>& mask) {
  mask = (Vec<int16_t, 8>)_mm_cvtepi8_epi16(_mm_loadl_epi64((const __m128i*)from)) != 0;
}
MLX_INLINE void load_mask(const uint8_t* from, I32& mask) {
  mask = (I32)_mm_cvtepi8_epi32(_mm_cvtsi32_si128(load<int32_t>(from))) != 0;
}
MLX_INLINE void load_mask(const uint8_t* from, I64& mask) {
  mask = (I64)_mm_cvtepi8_epi64(_mm_cvtsi32_si128(load<uint16_t>(from))) != 0;
}

MLX_INLINE U32 widen_bits(HalfBits x) {
  return (U32)_mm_cvtepu16_epi32(_mm_cvtsi64_si128(bit_cast<int64_t>(x)));
}
MLX_INLINE HalfBits narrow_bits(U32 x) {
  return bit_cast<HalfBits>(_mm_cvtsi128_si64(_mm_packus_epi32((__m128i)x, (__m128i)x)));
}

#endif

MLX_INLINE F32 floor(F32 x) { return round_by<_MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC>(x); }
MLX_INLINE F64 floor(F64 x) { return round_by<_MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC>(x); }
MLX_INLINE F32 ceil(F32 x) { return round_by<_MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC>(x); }
MLX_INLINE F64 ceil(F64 x) { return round_by<_MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC>(x); }
MLX_INLINE F32 trunc(F32 x) { return round_by<_MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC>(x); }
MLX_INLINE F64 trunc(F64 x) { return round_by<_MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC>(x); }
MLX_INLINE F32 round(F32 x) { return round_by<_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC>(x); }
MLX_INLINE F64 round(F64 x) { return round_by<_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC>(x); }

}  // namespace mlx::core::cpu::MLX_ISA
