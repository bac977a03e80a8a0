// How the elements of each dtype lie in memory (Element) and in registers (Register), and the way between.
#pragma once

#include "mlx/backend/cpu/isa/math_complex.h"

namespace mlx::core::cpu::MLX_ISA {

enum DtypeNumber {
  kBool, kUint8, kUint16, kUint32, kUint64, kInt8, kInt16, kInt32, kInt64, kFloat16, kFloat32, kFloat64,
  kBfloat16, kComplex64
};

template <typename T>
struct PlainDtype {
  using Element = T;
  using Register = FullVec<T>;
  static constexpr int kLanes = lanes_of<Register>;
  static MLX_INLINE Register load(const Element* from) { return MLX_ISA::load<Register>(from); }
  static MLX_INLINE void store(Element* to, Register value) { MLX_ISA::store(to, value); }
};

template <int dtype>
struct Dtype;
template <> struct Dtype<kUint8> : PlainDtype<uint8_t> {};
template <> struct Dtype<kUint16> : PlainDtype<uint16_t> {};
template <> struct Dtype<kUint32> : PlainDtype<uint32_t> {};
template <> struct Dtype<kUint64> : PlainDtype<uint64_t> {};
template <> struct Dtype<kInt8> : PlainDtype<int8_t> {};
template <> struct Dtype<kInt16> : PlainDtype<int16_t> {};
template <> struct Dtype<kInt32> : PlainDtype<int32_t> {};
template <> struct Dtype<kInt64> : PlainDtype<int64_t> {};
template <> struct Dtype<kFloat32> : PlainDtype<float> {};
template <> struct Dtype<kFloat64> : PlainDtype<double> {};

// Arithmetic on 0 and 1 may leave anything: what is not 0 is stored as 1.
template <>
struct Dtype<kBool> : PlainDtype<char> {
  static MLX_INLINE void store(Element* to, Register value) {
    MLX_ISA::store(to, (Register)(value != 0) & 1);
  }
};

template <>
struct Dtype<kFloat16> {
  using Element = uint16_t;
  using Register = F32;
  static constexpr int kLanes = kF32Lanes;
  static MLX_INLINE F32 load(const Element* from) { return float16_to_float(MLX_ISA::load<HalfBits>(from)); }
  static MLX_INLINE void store(Element* to, F32 value) { MLX_ISA::store(to, float_to_float16(value)); }
};

template <>
struct Dtype<kBfloat16> {
  using Element = uint16_t;
  using Register = F32;
  static constexpr int kLanes = kF32Lanes;
  static MLX_INLINE F32 load(const Element* from) { return bfloat16_to_float(MLX_ISA::load<HalfBits>(from)); }
  static MLX_INLINE void store(Element* to, F32 value) { MLX_ISA::store(to, float_to_bfloat16(value)); }
};

template <>
struct Dtype<kComplex64> {
  using Element = Complex;
  using Register = Complex;
  static constexpr int kLanes = 1;
  static MLX_INLINE Complex load(const Complex* from) { return *from; }
  static MLX_INLINE void store(Complex* to, Complex value) { *to = value; }
  static MLX_INLINE void store(float* to, float value) { *to = value; }  // RealPart
};

// Bool results. Masks of 8-bit lanes have the layout of the bytes themselves.
MLX_INLINE void store_bool(uint8_t* to, bool value) { *to = value; }
MLX_INLINE void store_bool(uint8_t* to, int value) { *to = value != 0; }
MLX_INLINE void store_bool(uint8_t* to, FullVec<int8_t> mask) { store(to, mask & 1); }
// Compilers differ in the name of the integers that a comparison gives: the size decides.
template <typename M>
MLX_INLINE void store_bool(uint8_t* to, M mask) {
  constexpr int kSize = sizeof(ElementOf<M>);
  if constexpr (kSize == 1) store_bool(to, (FullVec<int8_t>)mask);
  else if constexpr (kSize == 2) store_mask(to, (FullVec<int16_t>)mask);
  else if constexpr (kSize == 4) store_mask(to, (I32)mask);
  else store_mask(to, (I64)mask);
}

MLX_INLINE void load_bool(const uint8_t* from, bool& value) { value = *from != 0; }
template <typename M>
MLX_INLINE void load_bool(const uint8_t* from, M& mask) {
  constexpr int kSize = sizeof(ElementOf<M>);
  if constexpr (kSize == 1) {
    mask = (M)(load<FullVec<int8_t>>(from) != 0);
  } else if constexpr (kSize == 2) {
    FullVec<int16_t> lanes;
    load_mask(from, lanes);
    mask = (M)lanes;
  } else if constexpr (kSize == 4) {
    I32 lanes;
    load_mask(from, lanes);
    mask = (M)lanes;
  } else {
    I64 lanes;
    load_mask(from, lanes);
    mask = (M)lanes;
  }
}

}  // namespace mlx::core::cpu::MLX_ISA
