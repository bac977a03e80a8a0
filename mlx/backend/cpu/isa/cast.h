// Conversions between dtypes. Direct loops where one instruction or the vectoriser does it, else two steps
// through a block of an intermediate dtype that holds every value exactly or rounds to odd.
// Out-of-range floats: int32 and int64 become the lowest value, 8 and 16 bits the low bits of int32, uint32
// the low bits of int64; uint64 is 2^63 for NaN and what does not fit.
#pragma once

#include "mlx/backend/cpu/isa/kernels.h"
#include "mlx/backend/cpu/isa/registers.h"

namespace mlx::core::cpu::MLX_ISA {

inline constexpr int64_t kCastBlock = 512;

constexpr bool is_half(int dtype) { return dtype == kFloat16 || dtype == kBfloat16; }
constexpr bool is_integer(int dtype) { return dtype <= kInt64; }  // bool included
constexpr bool is_wide_integer(int dtype) { return dtype == kInt64 || dtype == kUint64; }
template <int dtype>
inline constexpr int size_of = sizeof(typename Dtype<dtype>::Element);

// The intermediate dtype of a conversion, or `to` where it is direct.
template <int from, int to>
constexpr int cast_step() {
  if (to == kBool || from == to) return to;
  if (from == kComplex64 || is_half(from)) return kFloat32;
  if (to == kComplex64) return from == kFloat32 ? to : kFloat32;
  if (is_half(to) && is_integer(from)) return size_of<from> < 4 ? kFloat32 : kFloat64;
  if (from == kFloat32 && is_integer(to)) return to == kInt32 ? to : (size_of<to> < 4 ? kInt32 : kFloat64);
  if (from == kFloat64 && is_integer(to) && !is_wide_integer(to) && to != kInt32)
    return to == kUint32 ? kInt64 : kInt32;
  return to;
}

// Rounded to odd: the last bit tells that something was lost, so that a second rounding is the right one.
MLX_INLINE F64 round_to_odd(F64 x) {  // to 23 bits and the odd one, which float32 holds
  constexpr int64_t kLost = 0x1fffffff;
  I64 bits = bit_cast<I64>(x);
  I64 sticky = ((bits & kLost) + kLost) & (kLost + 1);
  return bit_cast<F64>((bits | sticky) & ~kLost);
}

MLX_INLINE I32 to_int32(F32 x) {
  I32 inside = (x >= -0x1p31f) & (x < 0x1p31f);
  return inside ? __builtin_convertvector(inside ? x : F32{}, I32) : I32{} + INT32_MIN;
}

MLX_INLINE I64 to_int64(F64 x) {
  I64 inside = (x >= -0x1p63) & (x < 0x1p63);
  return inside ? __builtin_convertvector(inside ? x : F64{}, I64) : I64{} + INT64_MIN;
}

MLX_INLINE U64 to_uint64(F64 x) {
  I64 upper = (x >= 0x1p63) & (x < 0x1p64);
  I64 low = to_int64(upper ? x - 0x1p63 : x);
  return bit_cast<U64>(upper ? low ^ INT64_MIN : low);
}

// The low 32 bits of the sum are the integer: |x| <= 2^31.
MLX_INLINE I64 to_int32_low_bits(F64 x) {
  I64 inside = (x > -0x1p31 - 1) & (x < 0x1p31);
  return bit_cast<I64>(trunc(inside ? x : constant(x, -0x1p31)) + kRoundF64);
}

MLX_INLINE void store_low_bits(int32_t* to, I64 x) {
#if defined(__AVX512F__)
  _mm256_storeu_si256((__m256i*)to, _mm512_cvtepi64_epi32((__m512i)x));
#else
  for (int i = 0; i < kF64Lanes; i++) to[i] = int32_t(x[i]);
#endif
}

// An integer that float64 holds exactly: bits beyond its precision are gathered in the last one kept.
template <typename T>
MLX_INLINE double wide_to_odd(T x) {
  T magnitude = x < 0 ? -x : x;
  bool large = uint64_t(magnitude) >= uint64_t(1) << 53;
  T sticky = (x | ((x & 0x7ff) + 0x7ff)) & ~T(0x7ff);
  return double(large ? sticky : x);
}

template <int from, int to>
MLX_INLINE void cast_registers(const typename Dtype<from>::Element* x, typename Dtype<to>::Element* y) {
  if constexpr (from == kFloat32 && to == kInt32) store(y, to_int32(load<F32>(x)));
  else if constexpr (from == kFloat64 && to == kInt64) store(y, to_int64(load<F64>(x)));
  else if constexpr (from == kFloat64 && to == kUint64) store(y, to_uint64(load<F64>(x)));
  else if constexpr (to == kBool) store_bool((uint8_t*)y, is_nonzero(Dtype<from>::load(x)));
  else if constexpr (is_half(from) || from == kFloat32) Dtype<to>::store(y, Dtype<from>::load(x));
  else {
    HalfF32 low = narrow(round_to_odd(load<F64>(x))), high = narrow(round_to_odd(load<F64>(x + kF64Lanes)));
    Dtype<to>::store(y, join_halves(low, high));
  }
}

// Conversions whose plain loop the compiler cannot vectorise or that C++ leaves undefined.
template <int from, int to>
inline constexpr bool by_registers =
    (is_half(from) && to == kFloat32) || (is_half(to) && (from == kFloat32 || from == kFloat64)) ||
    (from == kFloat32 && (to == kInt32 || to == kBool)) ||
    (from == kFloat64 && (is_wide_integer(to) || to == kBool));

template <int from, int to>
MLX_INLINE typename Dtype<to>::Element cast_element(typename Dtype<from>::Element x) {
  if constexpr (to == kBool && from == kComplex64) return is_nonzero(x);
  else if constexpr (to == kBool && is_half(from)) return (x & 0x7fff) != 0;
  else if constexpr (to == kBool) return x != 0;
  else if constexpr (from == kComplex64) return x.re;
  else if constexpr (to == kComplex64) return {x, 0.0f};
  else return static_cast<typename Dtype<to>::Element>(x);
}

template <int from, int to, bool odd = false>
inline void cast_direct(const typename Dtype<from>::Element* x, typename Dtype<to>::Element* y, int64_t n) {
  using From = typename Dtype<from>::Element;
  using To = typename Dtype<to>::Element;
  constexpr bool both_integers = is_integer(from) && is_integer(to) && to != kBool;
  if constexpr (from == to || (both_integers && sizeof(From) == sizeof(To))) {
    if (x != static_cast<const void*>(y)) __builtin_memmove(y, x, n * sizeof(From));
  } else if constexpr (by_registers<from, to>) {
    constexpr int kStep = is_half(from) || is_half(to) ? kF32Lanes : lanes_of<FullVec<From>>;
    int64_t whole = n - n % kStep;
    for (int64_t i = 0; i < whole; i += kStep) cast_registers<from, to>(x + i, y + i);
    if (whole == n) return;
    From padded[kStep] = {};
    To result[kStep];
    __builtin_memcpy(padded, x + whole, (n - whole) * sizeof(From));
    cast_registers<from, to>(padded, result);
    __builtin_memcpy(y + whole, result, (n - whole) * sizeof(To));
  } else if constexpr (from == kFloat64 && to == kInt32) {
    int64_t whole = n - n % kF64Lanes;
    for (int64_t i = 0; i < whole; i += kF64Lanes) store_low_bits(y + i, to_int32_low_bits(load<F64>(x + i)));
    for (int64_t i = whole; i < n; i++) y[i] = int32_t(to_int32_low_bits(constant(F64{}, x[i]))[0]);
  } else if constexpr (odd) {
    for (int64_t i = 0; i < n; i++) y[i] = wide_to_odd(x[i]);
  } else {
    for (int64_t i = 0; i < n; i++) y[i] = cast_element<from, to>(x[i]);
  }
}

template <int from, int to>
void cast(const void* input, void* output, int64_t n) {
  auto x = static_cast<const typename Dtype<from>::Element*>(input);
  auto y = static_cast<typename Dtype<to>::Element*>(output);
  constexpr int step = cast_step<from, to>();
  if constexpr (step == to) {
    cast_direct<from, to>(x, y, n);
  } else {
    alignas(kVectorBytes) typename Dtype<step>::Element block[kCastBlock];
    for (int64_t i = 0; i < n; i += kCastBlock) {
      int64_t count = n - i < kCastBlock ? n - i : kCastBlock;
      cast_direct<from, step, is_wide_integer(from) && is_half(to)>(x + i, block, count);
      cast<step, to>(block, y + i, count);
    }
  }
}

template <int from>
constexpr void fill_cast_row(CastFn* row) {
  CastFn functions[kNumDtypes] = {
      cast<from, kBool>,     cast<from, kUint8>,   cast<from, kUint16>,  cast<from, kUint32>,
      cast<from, kUint64>,   cast<from, kInt8>,    cast<from, kInt16>,   cast<from, kInt32>,
      cast<from, kInt64>,    cast<from, kFloat16>, cast<from, kFloat32>, cast<from, kFloat64>,
      cast<from, kBfloat16>, cast<from, kComplex64>};
  for (int to = 0; to < kNumDtypes; to++) row[to] = functions[to];
}

void fill_cast_from_integers(CastKernels& kernels);

}  // namespace mlx::core::cpu::MLX_ISA
