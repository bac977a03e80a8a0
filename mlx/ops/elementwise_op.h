// The number of each element-wise operation, in the order of elementwise.def, and its dtype rules. Plain
// enough for the instruction-set files and for NVRTC: includes nothing but the table.
#pragma once

namespace mlx::core {

enum class Op : unsigned char {
#define UNARY(Class, function, accepts, result, domain, value, tangent, summary) Class,
#define BINARY(Class, function, accepts, result, domain, value, tangent_a, tangent_b, summary) Class,
#define TERNARY(Class, function, accepts, result, domain, value, tangent_b, tangent_c, summary) Class,
#define KERNEL(Class, arity, accepts, result, domain, value, summary) Class,
#include "mlx/ops/elementwise.def"
};

inline constexpr int kNumOps = 0
#define UNARY(Class, ...) +1
#define BINARY(Class, ...) +1
#define TERNARY(Class, ...) +1
#define KERNEL(Class, ...) +1
#include "mlx/ops/elementwise.def"
    ;

inline constexpr int kNumDtypes = 14;

// A set of dtypes as bits of their numbers (bool_ = 0 ... complex64 = 13).
enum class Accepts : unsigned {
  Any = 0x3fff,
  Number = 0x3ffe,
  Real = 0x1fff,
  Int = 0x01ff,
  Integer = 0x01fe,
  Float = 0x3e00,
  RealFloat = 0x1e00,
};

enum class Result : unsigned char { Same, Bool, RealPart };

constexpr bool accepts_dtype(Accepts accepts, int dtype) {
  return static_cast<unsigned>(accepts) >> dtype & 1;
}

constexpr int result_dtype(Result result, int dtype) {
  constexpr int kBoolDtype = 0, kFloat32Dtype = 10, kComplex64Dtype = 13;
  if (result == Result::Bool) return kBoolDtype;
  return result == Result::RealPart && dtype == kComplex64Dtype ? kFloat32Dtype : dtype;
}

}  // namespace mlx::core
