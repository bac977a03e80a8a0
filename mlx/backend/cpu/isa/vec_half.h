// float16 and bfloat16 as 16-bit integers in memory; for base, float16 by integer code. Every level
// gives the same bits. Included by vec.h only.
#pragma once

namespace mlx::core::cpu::MLX_ISA {

MLX_INLINE F32 bfloat16_to_float(HalfBits x) { return bit_cast<F32>(widen_bits(x) << 16); }

MLX_INLINE HalfBits float_to_bfloat16(F32 x) {
  U32 bits = bit_cast<U32>(x);
  U32 rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;  // nearest, halves to even
  U32 quiet = bits >> 16 | 0x40;
  return narrow_bits(x != x ? quiet : rounded);
}

#if !defined(__F16C__)

MLX_INLINE F32 float16_to_float(HalfBits half) {
  U32 h = widen_bits(half);
  U32 magnitude = h & 0x7fff;
  U32 normal = (magnitude << 13) + (112u << 23);
  U32 special = normal + (112u << 23);  // infinity and NaN
  U32 quiet = special | 0x400000;
  F32 subnormal = __builtin_convertvector(bit_cast<I32>(magnitude), F32) * 0x1p-24f;
  U32 bits = magnitude > 0x7c00 ? quiet : (magnitude == 0x7c00 ? special : normal);
  bits = magnitude < 0x400 ? bit_cast<U32>(subnormal) : bits;
  return bit_cast<F32>(bits | (h & 0x8000) << 16);
}

MLX_INLINE HalfBits float_to_float16(F32 x) {
  U32 bits = bit_cast<U32>(x);
  U32 magnitude = bits & 0x7fffffff;
  U32 normal = (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
  // Adding 0.5 lets the adder round to multiples of 2^-24, the spacing of float16's subnormal
  // numbers.
  U32 subnormal = bit_cast<U32>(bit_cast<F32>(magnitude) + 0.5f) - 0x3f000000;
  U32 nan = (magnitude >> 13 & 0x3ff) | 0x7e00;
  U32 half = magnitude < 0x38800000 ? subnormal : normal;
  half = magnitude >= 0x477ff000 ? U32{} + 0x7c00 : half;
  half = magnitude > 0x7f800000 ? nan : half;
  return narrow_bits(half | (bits >> 16 & 0x8000));
}

#endif

}  // namespace mlx::core::cpu::MLX_ISA
