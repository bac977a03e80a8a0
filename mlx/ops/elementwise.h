// What the host knows about each row of elementwise.def: names, dtype sets, domain of tests.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "mlx/ops/elementwise_op.h"

namespace mlx::core {

enum class Accepts : uint8_t { Any, Number, Real, Int, Integer, Float, RealFloat };
enum class Result : uint8_t { Same, Bool, RealPart };
enum class Domain : uint8_t { all, positive, nonzero, unit, ge1, gtm1, small, count };

struct ElementwiseRow {
  std::string_view class_name;
  std::string_view function;  // empty for KERNEL rows
  int arity;
  Accepts accepts;
  Result result;
  Domain domain;
  std::string_view summary;
};

inline constexpr std::array<ElementwiseRow, kNumOps> kElementwiseRows = {{
#define UNARY(Class, function, accepts, result, domain, value, tangent, summary) \
  {#Class, #function, 1, Accepts::accepts, Result::result, Domain::domain, summary},
#define BINARY(Class, function, accepts, result, domain, value, tangent_a, tangent_b, summary) \
  {#Class, #function, 2, Accepts::accepts, Result::result, Domain::domain, summary},
#define TERNARY(Class, function, accepts, result, domain, value, tangent_b, tangent_c, summary) \
  {#Class, #function, 3, Accepts::accepts, Result::result, Domain::domain, summary},
#define KERNEL(Class, arity, accepts, result, domain, value, summary) \
  {#Class, "", arity, Accepts::accepts, Result::result, Domain::domain, summary},
#include "mlx/ops/elementwise.def"
}};

constexpr const ElementwiseRow& elementwise_row(Op op) {
  return kElementwiseRows[static_cast<size_t>(op)];
}

// A set of dtypes as bits of their numbers (bool_ = 0 ... complex64 = 13).
constexpr uint32_t dtype_set(Accepts accepts) {
  constexpr uint32_t kBool = 1, kIntegers = 0x1fe, kReals = 0x1e00, kComplex = 0x2000;
  switch (accepts) {
    case Accepts::Any: return kBool | kIntegers | kReals | kComplex;
    case Accepts::Number: return kIntegers | kReals | kComplex;
    case Accepts::Real: return kBool | kIntegers | kReals;
    case Accepts::Int: return kBool | kIntegers;
    case Accepts::Integer: return kIntegers;
    case Accepts::Float: return kReals | kComplex;
    case Accepts::RealFloat: return kReals;
  }
  return 0;
}

constexpr bool accepts_dtype(Accepts accepts, int dtype) { return dtype_set(accepts) >> dtype & 1; }

constexpr int result_dtype(Result result, int dtype) {
  constexpr int kBoolDtype = 0, kFloat32 = 10, kComplex64 = 13;
  if (result == Result::Bool) return kBoolDtype;
  return result == Result::RealPart && dtype == kComplex64 ? kFloat32 : dtype;
}

}  // namespace mlx::core
