// Codes of quantized matrices to numbers, eight at a time, and products of a few rows with them.
#include "mlx/backend/cpu/isa/quantized.h"

#include "mlx/backend/cpu/isa/vec.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

using Float8 = Vec<float, 8>;
using Double8 = Vec<double, 8>;
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
MLX_INLINE Double8 multiply_add(Double8 a, Double8 b, Double8 c) { return a * b + c; }

// Eight codes of BITS bits as 32-bit lanes.
template <int BITS>
MLX_INLINE Word8 unpack(const uint8_t* codes) {
  if constexpr (BITS == 8) {
    return __builtin_convertvector(load<Byte8>(codes), Word8);
  } else if constexpr (BITS <= 4) {
    uint32_t word = 0;
    __builtin_memcpy(&word, codes, BITS);
    constexpr Word8 shifts = {0, BITS, 2 * BITS, 3 * BITS, 4 * BITS, 5 * BITS, 6 * BITS, 7 * BITS};
    return ((Word8{} + word) >> shifts) & ((1u << BITS) - 1);
  } else {
    uint64_t word = 0;
    __builtin_memcpy(&word, codes, BITS);
#if defined(__BMI2__)
    uint64_t bytes = _pdep_u64(word, 0x0101010101010101u * ((1u << BITS) - 1));
    return __builtin_convertvector(bit_cast<Byte8>(bytes), Word8);
#else
    Word8 lanes;
    for (int i = 0; i < 8; i++) lanes[i] = uint32_t(word >> (i * BITS)) & ((1u << BITS) - 1);
    return lanes;
#endif
  }
}

// 0 0.5 1 1.5 2 3 4 6, the fourth bit is the sign.
MLX_INLINE Float8 fp4_values(Word8 codes) {
  constexpr Float8 magnitudes = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
#if defined(__AVX2__)
  Float8 value = Float8(_mm256_permutevar8x32_ps(__m256(magnitudes), __m256i(codes)));
#else
  Float8 value;
  for (int i = 0; i < 8; i++) value[i] = magnitudes[codes[i] & 7];
#endif
  return bit_cast<Float8>(bit_cast<Word8>(value) | ((codes & 8) << 28));
}

// e4m3: exponent bias 7, no infinity, 0x7f and 0xff are NaN.
MLX_INLINE Float8 fp8_values(Word8 codes) {
  Word8 magnitude = codes & 0x7f, normal = (magnitude << 20) + (120u << 23);
  Float8 subnormal = __builtin_convertvector(Int8(codes & 7), Float8) * 0x1p-9f;
  Word8 bits = magnitude < 8 ? bit_cast<Word8>(subnormal) : normal;
  bits = magnitude == 0x7f ? Word8{} + 0x7fc00000u : bits;
  return bit_cast<Float8>(bits | ((codes & 0x80) << 24));
}

template <typename T, CodeKind KIND, int BITS>
MLX_INLINE Eight<T> values(const uint8_t* codes) {
  Word8 lanes = unpack<BITS>(codes);
  Float8 value;
  if constexpr (KIND == CodeKind::fp4)
    value = fp4_values(lanes);
  else if constexpr (KIND == CodeKind::fp8)
    value = fp8_values(lanes);
  else
    value = __builtin_convertvector(Int8(lanes), Float8);
  return __builtin_convertvector(value, Eight<T>);
}

template <typename T, CodeKind KIND, int BITS>
void decode(const void* codes, int64_t n, double scale, const double* bias, void* out) {
  const uint8_t* from = static_cast<const uint8_t*>(codes);
  T* to = static_cast<T*>(out);
  Eight<T> s = Eight<T>{} + T(scale), b = Eight<T>{} + T(bias ? *bias : 0);
  for (int64_t i = 0; i < n; i += 8, from += BITS) {
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
    for (int64_t i = 0; i < p.group_size; i += 16) {
#pragma GCC unroll 2
      for (int half = 0; half < 2; half++, codes += BITS, x += 8) {
        Eight<T> w = values<T, KIND, BITS>(codes);
#pragma GCC unroll 4
        for (int r = 0; r < ROWS; r++) part[r] = multiply_add(w, load<Eight<T>>(x + r * p.x_stride), part[r]);
      }
    }
    Eight<T> scale = Eight<T>{} + scales[g];
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
      dot_rows<T, KIND, BITS, 1>, dot_rows<T, KIND, BITS, 2>, dot_rows<T, KIND, BITS, 3>, dot_rows<T, KIND, BITS, 4>};
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

extern const QuantizedKernels quantized_kernels;
const QuantizedKernels quantized_kernels = {kernels_of<float>(), kernels_of<double>()};

}  // namespace mlx::core::cpu::MLX_ISA
