// Codes of quantized matrices to numbers, eight at a time, and products of a few rows with them.
#include "mlx/backend/cpu/isa/quantized.h"

#include "mlx/backend/cpu/isa/vec.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

using Float8 = Vec<float, 8>;
using Word8 = Vec<uint32_t, 8>;
using Int8 = Vec<int32_t, 8>;
using Byte8 = Vec<uint8_t, 8>;

template <typename T>
using Eight = Vec<T, 8>;

MLX_INLINE Float8 multiply_add(Float8 a, Float8 b, Float8 c) {
#if defined(__FMA__)
  return Float8(_mm256_fmadd_ps(__m256(a), __m256(b), __m256(c)));
#else
  return a * b + c;
#endif
}

template <typename T>
MLX_INLINE uint64_t read(const uint8_t* from) {
  T value;
  __builtin_memcpy(&value, from, sizeof(T));
  return value;
}

// BITS bytes as an integer, from whole loads: pieces put together in memory would stall.
template <int BITS>
MLX_INLINE uint64_t read_bits(const uint8_t* codes) {
  if constexpr (BITS == 1) return codes[0];
  if constexpr (BITS == 2) return read<uint16_t>(codes);
  if constexpr (BITS == 3) return read<uint16_t>(codes) | uint64_t(codes[2]) << 16;
  if constexpr (BITS == 4) return read<uint32_t>(codes);
  if constexpr (BITS == 5) return read<uint32_t>(codes) | uint64_t(codes[4]) << 32;
  return read<uint32_t>(codes) | read<uint16_t>(codes + 4) << 32;
}

// Eight codes of BITS bits as 32-bit lanes.
template <int BITS>
MLX_INLINE Word8 unpack(const uint8_t* codes) {
  if constexpr (BITS == 8) {
#if defined(__AVX2__)
    return Word8(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes))));
#else
    return __builtin_convertvector(load<Byte8>(codes), Word8);
#endif
  } else {
    constexpr Word8 shifts = {0, BITS, 2 * BITS, 3 * BITS, 0, BITS, 2 * BITS, 3 * BITS};
    uint64_t bits = read_bits<BITS>(codes);
    uint32_t low = uint32_t(bits), high = uint32_t(bits >> (4 * BITS));
    Word8 halves = {low, low, low, low, high, high, high, high};
    if constexpr (BITS <= 4) {  // one word holds all
      halves = Word8{} + low;
      return (halves >> (shifts + Word8{0, 0, 0, 0, 4 * BITS, 4 * BITS, 4 * BITS, 4 * BITS})) &
             ((1u << BITS) - 1);
    }
    return (halves >> shifts) & ((1u << BITS) - 1);
  }
}

// Twice the values of fp4, 0 0.5 1 1.5 2 3 4 6 and a sign: there is no negative zero.
MLX_INLINE Float8 doubled_fp4(Word8 codes) {
  constexpr float table[] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
  Float8 value;
  for (int i = 0; i < 8; i++) value[i] = table[codes[i] & 15];
  return value;
}

// e4m3: exponent bias 7, no infinity, 0x7f and 0xff are NaN.
#if defined(__AVX2__)
// As float16 the same bits, moved, are smaller by 2^8.
MLX_INLINE __m256i fp8_as_half(__m128i codes) {
  __m256i high = _mm256_slli_epi16(_mm256_cvtepu8_epi16(codes), 8), all = _mm256_set1_epi16(0x7f00);
  __m256i nan = _mm256_cmpeq_epi16(_mm256_and_si256(high, all), all);
  __m256i half = _mm256_and_si256(_mm256_srai_epi16(high, 1), _mm256_set1_epi16(int16_t(0xbfff)));
  return _mm256_or_si256(half, _mm256_and_si256(nan, _mm256_set1_epi16(0x7e00)));
}

MLX_INLINE Float8 fp8_values(const uint8_t* from) {
  __m256i half = fp8_as_half(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
  return Float8(_mm256_cvtph_ps(_mm256_castsi256_si128(half))) * 0x1p8f;
}
#else
MLX_INLINE Float8 fp8_values(const uint8_t* from) {
  Word8 codes = unpack<8>(from), magnitude = codes & 0x7f, normal = (magnitude << 20) + (120u << 23);
  Float8 subnormal = __builtin_convertvector(Int8(codes & 7), Float8) * 0x1p-9f;
  Word8 bits = magnitude < 8 ? bit_cast<Word8>(subnormal) : normal;
  bits = magnitude == 0x7f ? Word8{} + 0x7fc00000u : bits;
  return bit_cast<Float8>(bits | ((codes & 0x80) << 24));
}
#endif

// What `values` gives is to be multiplied by.
template <CodeKind KIND>
inline constexpr double kUnit = KIND == CodeKind::fp4 ? 0.5 : 1;

template <typename T, CodeKind KIND, int BITS>
MLX_INLINE Eight<T> values(const uint8_t* codes) {
  Float8 value;
  if constexpr (KIND == CodeKind::fp4)
    value = doubled_fp4(unpack<BITS>(codes));
  else if constexpr (KIND == CodeKind::fp8)
    value = fp8_values(codes);
  else
    value = __builtin_convertvector(Int8(unpack<BITS>(codes)), Float8);
  return __builtin_convertvector(value, Eight<T>);
}

// Sixteen codes.
template <typename T, CodeKind KIND, int BITS>
MLX_INLINE void sixteen_values(const uint8_t* codes, Eight<T> (&out)[2]) {
#if defined(__AVX2__)
  if constexpr (BITS == 4) {
    const __m128i low = _mm_set1_epi8(15);
    const __m128i fp4 = _mm_setr_epi8(0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12);
    __m128i packed = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes));
    __m128i bytes =
        _mm_unpacklo_epi8(_mm_and_si128(packed, low), _mm_and_si128(_mm_srli_epi16(packed, 4), low));
    if constexpr (KIND == CodeKind::fp4) bytes = _mm_shuffle_epi8(fp4, bytes);
    Float8 first = Float8(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes)));
    Float8 second = Float8(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_srli_si128(bytes, 8))));
    out[0] = __builtin_convertvector(first, Eight<T>);
    out[1] = __builtin_convertvector(second, Eight<T>);
    return;
  }
  if constexpr (KIND == CodeKind::fp8) {
    __m256i half = fp8_as_half(_mm_loadu_si128(reinterpret_cast<const __m128i*>(codes)));
    Float8 first = Float8(_mm256_cvtph_ps(_mm256_castsi256_si128(half))) * 0x1p8f;
    Float8 second = Float8(_mm256_cvtph_ps(_mm256_extracti128_si256(half, 1))) * 0x1p8f;
    out[0] = __builtin_convertvector(first, Eight<T>);
    out[1] = __builtin_convertvector(second, Eight<T>);
    return;
  }
#endif
  out[0] = values<T, KIND, BITS>(codes);
  out[1] = values<T, KIND, BITS>(codes + BITS);
}

template <typename T, CodeKind KIND, int BITS>
void decode(const void* codes, int64_t n, double scale, const double* bias, void* out) {
  const uint8_t* from = static_cast<const uint8_t*>(codes);
  T* to = static_cast<T*>(out);
  Eight<T> s = Eight<T>{} + T(scale) * T(kUnit<KIND>), b = Eight<T>{} + T(bias ? *bias : 0);
  int64_t i = 0;
  for (; i + 16 <= n; i += 16, from += 2 * BITS) {
    Eight<T> value[2];
    sixteen_values<T, KIND, BITS>(from, value);
    for (int half = 0; half < 2; half++)
      store(to + i + 8 * half, bias ? value[half] * s + b : value[half] * s);
  }
  if (i < n) {
    Eight<T> value = values<T, KIND, BITS>(from) * s;
    store(to + i, bias ? value + b : value);
  }
}

// In halves: the order does not depend on the level.
template <typename T>
MLX_INLINE T lane_sum(Eight<T> x) {
  T lanes[8];
  store(lanes, x);
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

template <typename T, CodeKind KIND, int BITS, int ROWS>
void dot_rows(const QuantizedDot& p) {
  const uint8_t* codes = static_cast<const uint8_t*>(p.codes);
  const T *scales = static_cast<const T*>(p.scales), *x = static_cast<const T*>(p.x);
  Eight<T> total[ROWS] = {};
  for (int64_t g = 0; g < p.groups; g++) {
    Eight<T> part[ROWS] = {};
    for (int64_t i = 0; i < p.group_size; i += 16, codes += 2 * BITS, x += 16) {
      Eight<T> w[2];
      sixteen_values<T, KIND, BITS>(codes, w);
#pragma GCC unroll 2
      for (int half = 0; half < 2; half++) {
#pragma GCC unroll 4
        for (int r = 0; r < ROWS; r++)
          part[r] = multiply_add(w[half], load<Eight<T>>(x + r * p.x_stride + 8 * half), part[r]);
      }
    }
    Eight<T> scale = Eight<T>{} + scales[g] * T(kUnit<KIND>);
#pragma GCC unroll 4
    for (int r = 0; r < ROWS; r++) total[r] = multiply_add(part[r], scale, total[r]);
  }
  for (int r = 0; r < ROWS; r++) {
    T sum = lane_sum<T>(total[r]);
    if (p.biases) {
      const T *biases = static_cast<const T*>(p.biases), *sums = static_cast<const T*>(p.sums) + r * p.groups;
      Eight<T> lanes = {};
      int64_t g = 0;
      for (; g + 8 <= p.groups; g += 8)
        lanes = multiply_add(load<Eight<T>>(biases + g), load<Eight<T>>(sums + g), lanes);
      T rest = lane_sum<T>(lanes);
      for (; g < p.groups; g++) rest += biases[g] * sums[g];
      sum += rest;
    }
    static_cast<T*>(p.out)[r * p.out_stride] = sum;
  }
}

template <typename T, CodeKind KIND, int BITS>
void dot(const QuantizedDot& p) {
  static constexpr void (*by_rows[])(const QuantizedDot&) = {
      dot_rows<T, KIND, BITS, 1>, dot_rows<T, KIND, BITS, 2>, dot_rows<T, KIND, BITS, 3>,
      dot_rows<T, KIND, BITS, 4>};
  by_rows[p.rows - 1](p);
}

template <typename T, CodeKind KIND, int... BITS>
constexpr void add(QuantizedTypeKernels& k) {
  ((k.decode[int(KIND)][BITS] = decode<T, KIND, BITS>), ...);
  if constexpr (sizeof(T) == 4) ((k.dot[int(KIND)][BITS] = dot<T, KIND, BITS>), ...);
}

template <typename T>
constexpr QuantizedTypeKernels kernels_of() {
  QuantizedTypeKernels k{};
  add<T, CodeKind::integer, 1, 2, 3, 4, 5, 6, 8>(k);
  add<T, CodeKind::fp4, 4>(k);
  add<T, CodeKind::fp8, 8>(k);
  return k;
}

}  // namespace

extern const QuantizedKernels quantized_kernels = {kernels_of<float>(), kernels_of<double>()};

}  // namespace mlx::core::cpu::MLX_ISA
