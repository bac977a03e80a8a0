// Packed matrices on plain pointers: scales, unpacking, and products.
#pragma once

#include <bit>
#include <cstdint>

#include "mlx/backend/cpu/isa.h"
#include "mlx/ops/quantize_primitives.h"

namespace mlx::core::cpu {

// The nearest integer of a number within [0, 255], ties to even: the sum has it in its last bits.
inline uint32_t nearest_byte(float x) { return std::bit_cast<uint32_t>(x + 0x1.8p23f) & 0xff; }

// e4m3: 4 exponent bits, 3 of mantissa, no infinity. Rounds to nearest even; what is too large or NaN becomes
// 448. No branches: loops of it become vectors.
inline uint8_t encode_fp8(float x) {
  uint32_t bits = std::bit_cast<uint32_t>(x), magnitude = bits & 0x7fffffffu, sign = bits >> 24 & 0x80;
  constexpr uint32_t largest = 0x7e;
  float a = std::bit_cast<float>(magnitude);
  uint32_t normal = ((magnitude + 0x7ffffu + (magnitude >> 20 & 1)) >> 20) - (120u << 3);
  uint32_t subnormal = nearest_byte(a * 0x1p9f);  // steps of 2^-9
  uint32_t code = a < 0x1p-6f ? subnormal : normal;
  code = a < 448 ? code : largest;
  return static_cast<uint8_t>(sign | (code < largest ? code : largest));
}
float decode_fp8(uint8_t code);

CodeKind code_kind(const Quantization& q);

// What a scale byte stands for; for nvfp4 `global` is relative to 2688, otherwise it is ignored.
float scale_of_byte(const Quantization& q, uint8_t byte);

// rows x groups of codes, row-major.
struct PackedMatrix {
  Quantization q;
  const uint8_t* codes;
  const char *scales, *biases;  // biases null: none
  Dtype scale_dtype;
  double factor;  // of all numbers
  int64_t rows, groups;

  int64_t elements() const { return groups * q.group_size; }
  int64_t row_bytes() const { return elements() * q.bits / 8; }
};

// Scales and biases of groups [first, first + count) of a row as float or double.
template <typename T>
void load_scales(const PackedMatrix& w, int64_t row, int64_t first, int64_t count, T* scales, T* biases);

// Numbers [begin, end) of a row, multiples of 8.
template <typename T>
void decode_row(const PackedMatrix& w, int64_t row, int64_t begin, int64_t end, T* out);

// out (m, n) = x (m, k) @ w^T, or @ w. x and out are row-major and of that dtype.
void quantized_product(const PackedMatrix& w, bool transpose, const void* x, int64_t m, Dtype dtype,
                       void* out);

// The matrix number `index` of an array of packed ones; all inputs row-major. `global` may be null.
PackedMatrix packed_matrix(const Quantization& q, const array& w, const array& scales, const array* biases,
                           const array* global, int64_t index);

}  // namespace mlx::core::cpu
