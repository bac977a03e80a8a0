// float16 and bfloat16 as 16-bit integers in memory, and what base lacks: float16 by integer code and a fused
// multiply-add that rounds once. Every level gives the same bits. Included by vec.h only.
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
  // Adding 0.5 lets the adder round to multiples of 2^-24, the spacing of float16's subnormal numbers.
  U32 subnormal = bit_cast<U32>(bit_cast<F32>(magnitude) + 0.5f) - 0x3f000000;
  U32 nan = (magnitude >> 13 & 0x3ff) | 0x7e00;
  U32 half = magnitude < 0x38800000 ? subnormal : normal;
  half = magnitude >= 0x477ff000 ? U32{} + 0x7c00 : half;
  half = magnitude > 0x7f800000 ? nan : half;
  return narrow_bits(half | (bits >> 16 & 0x8000));
}

#endif

#if !defined(MLX_FMA)

// a * b is exact in double. The sum is rounded to odd, after which rounding to float rounds as if once
// (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums", 2008).
MLX_INLINE HalfF32 fma_half(HalfF32 a, HalfF32 b, HalfF32 c) {
  F64 product = widen(a) * widen(b), addend = widen(c);
  F64 sum = product + addend;
  F64 other = sum - product;
  F64 error = (product - (sum - other)) + (addend - other);
  I64 bits = bit_cast<I64>(sum);
  I64 inexact = ((error > 0) | (error < 0)) & ((bits & 1) == 0);
  I64 away = (error > 0) ^ (sum < 0);
  return narrow(bit_cast<F64>(bits + (inexact & (away ? I64{} + 1 : I64{} - 1))));
}

MLX_INLINE F32 fma(F32 a, F32 b, F32 c) {
  return join_halves(fma_half(low_half(a), low_half(b), low_half(c)),
                     fma_half(high_half(a), high_half(b), high_half(c)));
}

#endif

}  // namespace mlx::core::cpu::MLX_ISA
