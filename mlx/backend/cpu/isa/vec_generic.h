// The primitives of vec_x86.h by plain loops over lanes, for other processors. Included by vec.h only.
#pragma once

namespace mlx::core::cpu::MLX_ISA {

template <typename V, typename W>
MLX_INLINE V convert_lanes(W from, int first = 0) {
  V to;
  for (int i = 0; i < lanes_of<V>; i++) to[i] = from[first + i];
  return to;
}

#if defined(MLX_FMA)
MLX_INLINE F32 fma(F32 a, F32 b, F32 c) {
  for (int i = 0; i < kF32Lanes; i++) a[i] = __builtin_fmaf(a[i], b[i], c[i]);
  return a;
}
MLX_INLINE F64 fma(F64 a, F64 b, F64 c) {
  for (int i = 0; i < kF64Lanes; i++) a[i] = __builtin_fma(a[i], b[i], c[i]);
  return a;
}
#endif

#define MLX_LANEWISE(name, function32, function64)                                  \
  MLX_INLINE F32 name(F32 x) {                                                      \
    return map_lanes(x, [](float lane) { return function32(lane); });               \
  }                                                                                 \
  MLX_INLINE F64 name(F64 x) {                                                      \
    return map_lanes(x, [](double lane) { return function64(lane); });              \
  }
MLX_LANEWISE(sqrt, __builtin_sqrtf, __builtin_sqrt)
MLX_LANEWISE(floor, __builtin_floorf, __builtin_floor)
MLX_LANEWISE(ceil, __builtin_ceilf, __builtin_ceil)
MLX_LANEWISE(trunc, __builtin_truncf, __builtin_trunc)
MLX_LANEWISE(round, __builtin_rintf, __builtin_rint)
#undef MLX_LANEWISE

MLX_INLINE HalfF32 low_half(F32 x) { return convert_lanes<HalfF32>(x); }
MLX_INLINE HalfF32 high_half(F32 x) { return convert_lanes<HalfF32>(x, kF64Lanes); }
MLX_INLINE F32 join_halves(HalfF32 low, HalfF32 high) {
  F32 joined;
  for (int i = 0; i < kF64Lanes; i++) joined[i] = low[i], joined[kF64Lanes + i] = high[i];
  return joined;
}
MLX_INLINE F64 widen(HalfF32 x) { return __builtin_convertvector(x, F64); }
MLX_INLINE HalfF32 narrow(F64 x) { return __builtin_convertvector(x, HalfF32); }

template <typename M>
MLX_INLINE bool any(M mask) {
  ElementOf<M> bits = 0;
  for (int i = 0; i < lanes_of<M>; i++) bits |= mask[i];
  return bits != 0;
}

template <typename M>
MLX_INLINE void store_mask(uint8_t* to, M mask) {
  for (int i = 0; i < lanes_of<M>; i++) to[i] = mask[i] & 1;
}
template <typename M>
MLX_INLINE void load_mask(const uint8_t* from, M& mask) {
  for (int i = 0; i < lanes_of<M>; i++) mask[i] = from[i] != 0 ? -1 : 0;
}

MLX_INLINE U32 widen_bits(HalfBits x) { return convert_lanes<U32>(x); }
MLX_INLINE HalfBits narrow_bits(U32 x) { return convert_lanes<HalfBits>(x); }

}  // namespace mlx::core::cpu::MLX_ISA
