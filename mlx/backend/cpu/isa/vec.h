// GNU vector registers of the instruction-set level and what the language lacks for them: loads,
// stores, conversions, halves, bit casts. No header with non-inline or merged functions may be
// included here.
#pragma once

#include <stdint.h>

#if defined(__x86_64__)
// GCC 12 warns of the deliberately undefined operand of its own intrinsics (bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

#define MLX_INLINE __attribute__((always_inline)) inline
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define MLX_FMA  // the level has fused multiply-add
#endif

namespace mlx::core::cpu::MLX_ISA {

#if defined(__AVX512F__)
inline constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
inline constexpr int kVectorBytes = 32;
#else
inline constexpr int kVectorBytes = 16;
#endif

template <typename T, int N>
struct VecOf {
  typedef T type __attribute__((vector_size(N * sizeof(T))));
};
template <typename T, int N>
using Vec = typename VecOf<T, N>::type;
template <typename T>
using FullVec = Vec<T, kVectorBytes / int(sizeof(T))>;

using F32 = FullVec<float>;
using F64 = FullVec<double>;
using I32 = FullVec<int32_t>;
using U32 = FullVec<uint32_t>;
using I64 = FullVec<int64_t>;
using U64 = FullVec<uint64_t>;
inline constexpr int kF32Lanes = kVectorBytes / 4;
inline constexpr int kF64Lanes = kVectorBytes / 8;
using HalfF32 = Vec<float, kF64Lanes>;      // as many lanes as F64
using HalfBits = Vec<uint16_t, kF32Lanes>;  // float16 or bfloat16 in memory, as many lanes as F32

template <typename V>
inline constexpr int lanes_of = sizeof(V) / sizeof(V{}[0]);
template <typename V>
struct ElementOfVec {
  typedef __typeof__(V{}[0]) type;
};
template <typename V>
using ElementOf = typename ElementOfVec<V>::type;
// What comparing F32 or F64 gives: -1 where true.
template <typename V>
struct MaskOfVec {
  using type = I32;
};
template <>
struct MaskOfVec<F64> {
  using type = I64;
};
template <typename V>
using MaskOf = typename MaskOfVec<V>::type;
template <typename T>
inline constexpr bool is_float32 = false;
template <>
inline constexpr bool is_float32<float> = true;

template <typename To, typename From>
MLX_INLINE To bit_cast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof(to));
  return to;
}

template <typename V>
MLX_INLINE V load(const void* from) {
  V v;
  __builtin_memcpy(&v, from, sizeof(v));
  return v;
}

template <typename V>
MLX_INLINE void store(void* to, V v) {
  __builtin_memcpy(to, &v, sizeof(v));
}

// All lanes of the register type of `like` set to a constant given in double.
template <typename V>
MLX_INLINE V constant(V, double value) {
  V v{};
  for (int i = 0; i < lanes_of<V>; i++) v[i] = static_cast<ElementOf<V>>(value);
  return v;
}

template <typename V, typename F>
MLX_INLINE V map_lanes(V x, F function) {
  for (int i = 0; i < lanes_of<V>; i++) x[i] = function(x[i]);
  return x;
}

template <typename V, typename F>
MLX_INLINE V map_lanes(V a, V b, F function) {
  for (int i = 0; i < lanes_of<V>; i++) a[i] = function(a[i], b[i]);
  return a;
}

}  // namespace mlx::core::cpu::MLX_ISA

#if defined(__x86_64__)
#include "mlx/backend/cpu/isa/vec_x86.h"
#else
#include "mlx/backend/cpu/isa/vec_generic.h"
#endif
#include "mlx/backend/cpu/isa/vec_half.h"

namespace mlx::core::cpu::MLX_ISA {

// Computes a float32 function in double precision, half a register at a time.
template <typename F>
MLX_INLINE F32 through_double(F32 x, F function) {
  return join_halves(narrow(function(widen(low_half(x)))), narrow(function(widen(high_half(x)))));
}

template <typename F>
MLX_INLINE F32 through_double(F32 a, F32 b, F function) {
  return join_halves(narrow(function(widen(low_half(a)), widen(low_half(b)))),
                     narrow(function(widen(high_half(a)), widen(high_half(b)))));
}

#if !defined(MLX_FMA)
MLX_INLINE F32 fma(F32 a, F32 b, F32 c) { return a * b + c; }  // rounds twice
#endif

// c - a b of float32 at every level, of float64 with fused multiply-add: rounded once, exact where
// that has a number.
template <typename V>
MLX_INLINE V exact_difference(V c, V a, V b) {
#if defined(MLX_FMA)
  return fma(-a, b, c);
#else
  return join_halves(narrow(widen(low_half(c)) - widen(low_half(a)) * widen(low_half(b))),
                     narrow(widen(high_half(c)) - widen(high_half(a)) * widen(high_half(b))));
#endif
}

// c[0] + c[1] x + c[2] x^2 ..., by Horner's rule.
template <int N>
MLX_INLINE F64 polynomial(F64 x, const double (&c)[N]) {
  F64 y = constant(x, c[N - 1]);
#pragma GCC unroll 16
  for (int i = N - 2; i >= 0; i--) y = y * x + c[i];
  return y;
}

// The same with fused multiply-add.
template <typename V, int N>
MLX_INLINE V fused_polynomial(V x, const ElementOf<V> (&c)[N]) {
  V y = constant(x, c[N - 1]);
#pragma GCC unroll 16
  for (int i = N - 2; i >= 0; i--) y = fma(y, x, constant(x, c[i]));
  return y;
}

// With the coefficients for V's element type.
template <typename V, int N, int M>
MLX_INLINE V fused_polynomial(V x, const float (&of_float32)[N], const double (&of_float64)[M]) {
  if constexpr (is_float32<ElementOf<V>>) return fused_polynomial(x, of_float32);
  else return fused_polynomial(x, of_float64);
}

}  // namespace mlx::core::cpu::MLX_ISA
