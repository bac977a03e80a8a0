// What the host knows about each row of elementwise.def: names, dtype sets, domain of tests.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "mlx/ops/elementwise_op.h"

namespace mlx::core {

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

}  // namespace mlx::core
