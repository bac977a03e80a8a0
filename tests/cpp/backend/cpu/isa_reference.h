// What each row of elementwise.def must compute, one scalar at a time: in long double for floating dtypes, in
// 128-bit integers for the others. Written from the rules, not from the kernels.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "mlx/backend/cpu/isa.h"
#include "mlx/ops/elementwise.h"

namespace mlx::core::testing {

using Wide = __int128;
using Float = long double;
using Complex = std::complex<long double>;

// Integers wrap.
template <typename T>
T product(T a, T b) {
  if constexpr (std::is_same_v<T, Wide>) {
    return static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
  } else {
    return a * b;
  }
}

// Rows whose rule reads the same for integers and floats; comparisons give 0 or 1.
template <typename T>
std::optional<T> shared_reference(Op op, T a, T b) {
  switch (op) {
    case Op::Square: return product(a, a);
    case Op::Real:
    case Op::Conjugate: return a;
    case Op::Imag: return T(0);
    case Op::LogicalNot: return T(a == 0);
    case Op::IsNan: return T(a != a);
    case Op::Add: return a + b;
    case Op::Subtract: return a - b;
    case Op::Multiply: return product(a, b);
    case Op::Equal: return T(a == b);
    case Op::NotEqual: return T(a != b);
    case Op::NanEqual: return T(a == b || (a != a && b != b));
    case Op::Less: return T(a < b);
    case Op::LessEqual: return T(a <= b);
    case Op::Greater: return T(a > b);
    case Op::GreaterEqual: return T(a >= b);
    case Op::LogicalAnd: return T(a != 0 && b != 0);
    case Op::LogicalOr: return T(a != 0 || b != 0);
    case Op::LogicalXor: return T((a != 0) != (b != 0));
    case Op::Maximum: return a != a ? a : (a > b ? a : b);
    case Op::Minimum: return a != a ? a : (a < b ? a : b);
    case Op::Sign: return T(a > 0) - T(a < 0);
    default: return std::nullopt;
  }
}

inline Wide floor_divide(Wide a, Wide b) {
  if (b == 0) return 0;
  Wide quotient = a / b;
  return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

inline Wide integer_power(Wide a, Wide b) {
  if (b < 0) return a == 1 ? 1 : (a == -1 ? (b % 2 == 0 ? 1 : -1) : 0);
  uint64_t power = 1;
  for (; b > 0; b--) {
    power *= uint64_t(a);
    if ((power == 0 || power == 1) && (a == 0 || a == 1)) break;
    if (b > 100000) return -12345;  // the tests keep exponents small
  }
  return Wide(power);
}

// bits and is_signed describe the dtype; the caller wraps the result to it (bool: not zero).
inline std::optional<Wide> integer_reference(Op op, Wide a, Wide b, int bits, bool is_signed, bool is_bool) {
  if (auto value = shared_reference<Wide>(op, a, b)) return value;
  bool inside = b >= 0 && b < bits;
  switch (op) {
    case Op::Negative: return -a;
    case Op::Floor:
    case Op::Ceil:
    case Op::Trunc:
    case Op::Round: return a;
    case Op::Abs: return a < 0 ? -a : a;
    case Op::IsInf:
    case Op::IsPosInf:
    case Op::IsNegInf: return 0;
    case Op::IsFinite: return 1;
    case Op::BitwiseInvert: return is_bool ? Wide(a == 0) : ~a;
    case Op::BitwiseAnd: return a & b;
    case Op::BitwiseOr: return a | b;
    case Op::BitwiseXor: return a ^ b;
    case Op::LeftShift: return inside ? Wide(uint64_t(a) << int(b)) : 0;
    case Op::RightShift: return inside ? a >> int(b) : (is_signed && a < 0 ? -1 : 0);
    case Op::FloorDivide: return floor_divide(a, b);
    case Op::Remainder: return b == 0 ? a : a - floor_divide(a, b) * b;
    case Op::Power: return integer_power(a, b);
    default: return std::nullopt;
  }
}

inline Float erfinv(Float x) {
  Float a = std::fabs(x);
  if (!(a < 1)) return a == 1 ? std::copysign(Float(INFINITY), x) : Float(NAN);
  if (a < 1e-12L) return x * 0.886226925452758013649083741670572591L;
  Float low = 0, high = 30;  // bisection on the complement, then Newton
  for (int i = 0; i < 60; i++) {
    Float middle = (low + high) / 2;
    (std::erfc(middle) > 1 - a ? low : high) = middle;
  }
  Float y = (low + high) / 2;
  for (int i = 0; i < 3; i++) {
    Float error = a < 0.5L ? std::erf(y) - a : (1 - a) - std::erfc(y);
    y -= error / (1.128379167095512573896158903121545172L * std::exp(-y * y));
  }
  return std::copysign(y, x);
}

inline Float remainder(Float a, Float b) {
  Float r = std::fmod(a, b);
  if (r == 0) return std::copysign(Float(0), b);
  return (r < 0) != (b < 0) ? r + b : r;
}

inline Float logaddexp(Float a, Float b) {
  if (std::isnan(a) || std::isnan(b)) return NAN;
  Float larger = a > b ? a : b, smaller = a > b ? b : a;
  return std::isinf(larger) ? larger : larger + std::log1p(std::exp(smaller - larger));
}

constexpr Float kDegrees = 57.29577951308232087679815481410517033L;

inline std::optional<Float> unary_reference(Op op, Float x) {
  switch (op) {
    case Op::Negative: return -x;
    case Op::Floor: return std::floor(x);
    case Op::Ceil: return std::ceil(x);
    case Op::Trunc: return std::trunc(x);
    case Op::Round: return std::nearbyint(x);
    case Op::Abs: return std::fabs(x);
    case Op::Sqrt: return std::sqrt(x);
    case Op::Rsqrt: return 1 / std::sqrt(x);
    case Op::Reciprocal: return 1 / x;
    case Op::Exp: return std::exp(x);
    case Op::Expm1: return std::expm1(x);
    case Op::Log: return std::log(x);
    case Op::Log2: return std::log2(x);
    case Op::Log10: return std::log10(x);
    case Op::Log1p: return std::log1p(x);
    case Op::Sin: return std::sin(x);
    case Op::Cos: return std::cos(x);
    case Op::Tan: return std::tan(x);
    case Op::ArcSin: return std::asin(x);
    case Op::ArcCos: return std::acos(x);
    case Op::ArcTan: return std::atan(x);
    case Op::Sinh: return std::sinh(x);
    case Op::Cosh: return std::cosh(x);
    case Op::Tanh: return std::tanh(x);
    case Op::ArcSinh: return std::asinh(x);
    case Op::ArcCosh: return std::acosh(x);
    case Op::ArcTanh: return std::atanh(x);
    case Op::Degrees: return x * kDegrees;
    case Op::Radians: return x / kDegrees;
    case Op::Sigmoid: return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
    case Op::Erf: return std::erf(x);
    case Op::ErfInv: return erfinv(x);
    case Op::IsInf: return Float(std::isinf(x));
    case Op::IsFinite: return Float(std::isfinite(x));
    case Op::IsPosInf: return Float(x == Float(INFINITY));
    case Op::IsNegInf: return Float(x == -Float(INFINITY));
    default: return std::nullopt;
  }
}

inline std::optional<Float> float_reference(Op op, Float a, Float b) {
  if (auto value = shared_reference<Float>(op, a, b)) return value;
  switch (op) {
    case Op::Divide: return a / b;
    case Op::LogAddExp: return logaddexp(a, b);
    case Op::ArcTan2: return std::atan2(a, b);
    case Op::Power: return std::pow(a, b);
    case Op::Remainder: return remainder(a, b);
    default: return unary_reference(op, a);
  }
}

inline bool complex_less(Complex a, Complex b) {
  return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
}

inline std::optional<Complex> complex_unary_reference(Op op, Complex a) {
  auto is_nan = [](Complex z) { return std::isnan(z.real()) || std::isnan(z.imag()); };
  auto is_inf = [](Complex z) { return std::isinf(z.real()) || std::isinf(z.imag()); };
  bool a_true = a != Complex(0);
  Float ln2 = std::log(Float(2)), ln10 = std::log(Float(10));
  switch (op) {
    case Op::Negative: return -a;
    case Op::Sign: return a_true ? a / std::hypot(a.real(), a.imag()) : Complex(0);
    case Op::Square: return a * a;
    case Op::Sqrt: return std::sqrt(a);
    case Op::Rsqrt: return Float(1) / std::sqrt(a);
    case Op::Reciprocal: return Float(1) / a;
    case Op::Exp: return std::exp(a);
    case Op::Log: return std::log(a);
    case Op::Log2: return std::log(a) / ln2;
    case Op::Log10: return std::log(a) / ln10;
    case Op::Log1p: return std::log(Float(1) + a);
    case Op::Sin: return std::sin(a);
    case Op::Cos: return std::cos(a);
    case Op::Tan: return std::tan(a);
    case Op::ArcSin: return std::asin(a);
    case Op::ArcCos: return std::acos(a);
    case Op::ArcTan: return std::atan(a);
    case Op::Sinh: return std::sinh(a);
    case Op::Cosh: return std::cosh(a);
    case Op::Tanh: return std::tanh(a);
    case Op::ArcSinh: return std::asinh(a);
    case Op::ArcCosh: return std::acosh(a);
    case Op::ArcTanh: return std::atanh(a);
    case Op::Degrees: return a * kDegrees;
    case Op::Radians: return a / kDegrees;
    case Op::LogicalNot: return Complex(!a_true);
    case Op::IsNan: return Complex(is_nan(a));
    case Op::IsInf: return Complex(is_inf(a));
    case Op::IsFinite: return Complex(!is_nan(a) && !is_inf(a));
    case Op::IsPosInf: return Complex(a == Complex(INFINITY, 0));
    case Op::IsNegInf: return Complex(a == Complex(-INFINITY, 0));
    case Op::Abs: return Complex(std::hypot(a.real(), a.imag()));
    case Op::Real: return Complex(a.real());
    case Op::Imag: return Complex(a.imag());
    case Op::Conjugate: return std::conj(a);
    case Op::Round: return Complex(std::nearbyint(a.real()), std::nearbyint(a.imag()));
    default: return std::nullopt;
  }
}

inline std::optional<Complex> complex_reference(Op op, Complex a, Complex b) {
  auto is_nan = [](Complex z) { return std::isnan(z.real()) || std::isnan(z.imag()); };
  bool a_true = a != Complex(0), b_true = b != Complex(0);
  switch (op) {
    case Op::Add: return a + b;
    case Op::Subtract: return a - b;
    case Op::Multiply: return a * b;
    case Op::Divide: return a / b;
    case Op::Maximum: return is_nan(a) ? a : is_nan(b) ? b : complex_less(b, a) ? a : b;
    case Op::Minimum: return is_nan(a) ? a : is_nan(b) ? b : complex_less(a, b) ? a : b;
    case Op::LogAddExp: return std::log(std::exp(a) + std::exp(b));
    case Op::Power: return !b_true ? Complex(1) : !a_true ? Complex(0) : std::pow(a, b);
    case Op::Equal: return Complex(a == b);
    case Op::NotEqual: return Complex(a != b);
    case Op::NanEqual: return Complex(a == b || (is_nan(a) && is_nan(b)));
    case Op::Less: return Complex(complex_less(a, b));
    case Op::LessEqual: return Complex(complex_less(a, b) || a == b);
    case Op::Greater: return Complex(complex_less(b, a));
    case Op::GreaterEqual: return Complex(complex_less(b, a) || a == b);
    case Op::LogicalAnd: return Complex(a_true && b_true);
    case Op::LogicalOr: return Complex(a_true || b_true);
    case Op::LogicalXor: return Complex(a_true != b_true);
    default: return complex_unary_reference(op, a);
  }
}

// Units in the last place allowed for float32; float64 gets the second figure (the C library's own errors).
struct Tolerance {
  double float32;
  double float64;
};

inline Tolerance tolerance(Op op) {
  switch (op) {
    case Op::Rsqrt:
    case Op::Degrees:
    case Op::Radians: return {1.5, 1.5};
    case Op::ErfInv: return {2, 8};
    case Op::Exp:
    case Op::Expm1:
    case Op::Log:
    case Op::Log2:
    case Op::Log10:
    case Op::Log1p:
    case Op::Sin:
    case Op::Cos:
    case Op::Tan:
    case Op::ArcSin:
    case Op::ArcCos:
    case Op::ArcTan:
    case Op::Sinh:
    case Op::Cosh:
    case Op::Tanh:
    case Op::ArcSinh:
    case Op::ArcCosh:
    case Op::ArcTanh:
    case Op::Sigmoid:
    case Op::Erf:
    case Op::ArcTan2:
    case Op::Power:
    case Op::LogAddExp: return {2, 3};
    default: return {0.5, 0.5};
  }
}

// The lowest level whose bits others have to match. base has no fused multiply-add: what is not exact may round in
// another way there.
inline std::string_view reference_level(bool exact) {
  auto levels = cpu::supported_levels();
  return exact || levels.size() == 1 ? levels[0] : levels[1];
}

}  // namespace mlx::core::testing
