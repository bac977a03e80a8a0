// The number of each element-wise operation, in the order of elementwise.def. Plain enough for the
// instruction-set files and for NVRTC: includes nothing but the table.
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

}  // namespace mlx::core
