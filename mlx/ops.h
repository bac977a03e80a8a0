// The operations on arrays. All are lazy: they check their arguments and make a node of the graph.
//
// Bad arguments throw std::invalid_argument, a bad axis or index AxisError (core/error.h); the text starts with the
// operation's name in brackets. s: the stream or device to compute on.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mlx/array.h"
#include "mlx/utils.h"

namespace mlx::core {

// Element-wise operations: the rows of ops/elementwise.def, with their summaries there. Operands broadcast and are
// promoted to one dtype.
#define UNARY(Class, function, ...) array function(const array& a, StreamOrDevice s = {});
#define BINARY(Class, function, ...) array function(const array& a, const array& b, StreamOrDevice s = {});
#include "mlx/ops/elementwise.def"

array abs(const array& a, StreamOrDevice s = {});
array positive(const array& a, StreamOrDevice s = {});
array real(const array& a, StreamOrDevice s = {});
array imag(const array& a, StreamOrDevice s = {});
array conjugate(const array& a, StreamOrDevice s = {});
array power(const array& a, const array& b, StreamOrDevice s = {});
array floor_divide(const array& a, const array& b, StreamOrDevice s = {});
array remainder(const array& a, const array& b, StreamOrDevice s = {});
std::vector<array> divmod(const array& a, const array& b, StreamOrDevice s = {});
array bitwise_and(const array& a, const array& b, StreamOrDevice s = {});
array bitwise_or(const array& a, const array& b, StreamOrDevice s = {});
array bitwise_xor(const array& a, const array& b, StreamOrDevice s = {});
array left_shift(const array& a, const array& b, StreamOrDevice s = {});
array right_shift(const array& a, const array& b, StreamOrDevice s = {});
array round(const array& a, int decimals, StreamOrDevice s = {});
inline array round(const array& a, StreamOrDevice s = {}) { return round(a, 0, s); }
array where(const array& condition, const array& x, const array& y, StreamOrDevice s = {});
array astype(array a, Dtype dtype, StreamOrDevice s = {});

// Creation
array full(Shape shape, array vals, Dtype dtype, StreamOrDevice s = {});
array full(Shape shape, array vals, StreamOrDevice s = {});
array full_like(const array& a, array vals, Dtype dtype, StreamOrDevice s = {});
array full_like(const array& a, array vals, StreamOrDevice s = {});
array zeros(const Shape& shape, Dtype dtype, StreamOrDevice s = {});
inline array zeros(const Shape& shape, StreamOrDevice s = {}) { return zeros(shape, float32, s); }
array zeros_like(const array& a, StreamOrDevice s = {});
array zeros_like(const array& a, Dtype dtype, StreamOrDevice s = {});
array ones(const Shape& shape, Dtype dtype, StreamOrDevice s = {});
inline array ones(const Shape& shape, StreamOrDevice s = {}) { return ones(shape, float32, s); }
array ones_like(const array& a, StreamOrDevice s = {});
array ones_like(const array& a, Dtype dtype, StreamOrDevice s = {});

// Shapes and axes
array reshape(const array& a, Shape shape, StreamOrDevice s = {});
array flatten(const array& a, int start_axis, int end_axis = -1, StreamOrDevice s = {});
array flatten(const array& a, StreamOrDevice s = {});
array unflatten(const array& a, int axis, Shape shape, StreamOrDevice s = {});
array squeeze(const array& a, const std::vector<int>& axes, StreamOrDevice s = {});
array squeeze(const array& a, int axis, StreamOrDevice s = {});
array squeeze(const array& a, StreamOrDevice s = {});
array expand_dims(const array& a, const std::vector<int>& axes, StreamOrDevice s = {});
array expand_dims(const array& a, int axis, StreamOrDevice s = {});
array atleast_1d(const array& a, StreamOrDevice s = {});
array atleast_2d(const array& a, StreamOrDevice s = {});
array atleast_3d(const array& a, StreamOrDevice s = {});
array transpose(const array& a, std::vector<int> axes, StreamOrDevice s = {});
array transpose(const array& a, StreamOrDevice s = {});
array swapaxes(const array& a, int axis1, int axis2, StreamOrDevice s = {});
array moveaxis(const array& a, int source, int destination, StreamOrDevice s = {});
array broadcast_to(const array& a, const Shape& shape, StreamOrDevice s = {});
std::vector<array> broadcast_arrays(const std::vector<array>& inputs, StreamOrDevice s = {});
array stop_gradient(const array& a, StreamOrDevice s = {});
// The inputs, computed after the dependencies.
std::vector<array> depends(const std::vector<array>& inputs, const std::vector<array>& dependencies);

// Reductions
#define MLX_REDUCTION(function)                                                                             \
  array function(const array& a, const std::vector<int>& axes, bool keepdims = false, StreamOrDevice s = {}); \
  array function(const array& a, bool keepdims, StreamOrDevice s = {});                                      \
  array function(const array& a, int axis, bool keepdims = false, StreamOrDevice s = {});                    \
  inline array function(const array& a, StreamOrDevice s = {}) { return function(a, false, s); }
MLX_REDUCTION(all)
MLX_REDUCTION(any)
MLX_REDUCTION(sum)
MLX_REDUCTION(prod)
MLX_REDUCTION(min)
MLX_REDUCTION(max)
#undef MLX_REDUCTION

// Operators. A C++ scalar becomes an array of its own type (double: float32), so it takes part in promotion.
#define MLX_BINARY_OPERATOR(symbol, function)                                                       \
  inline array operator symbol(const array& a, const array& b) { return function(a, b); }           \
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>                       \
  array operator symbol(T a, const array& b) {                                                      \
    return function(array(a), b);                                                                   \
  }                                                                                                 \
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>                       \
  array operator symbol(const array& a, T b) {                                                      \
    return function(a, array(b));                                                                   \
  }
MLX_BINARY_OPERATOR(+, add)
MLX_BINARY_OPERATOR(-, subtract)
MLX_BINARY_OPERATOR(*, multiply)
MLX_BINARY_OPERATOR(/, divide)
MLX_BINARY_OPERATOR(%, remainder)
MLX_BINARY_OPERATOR(==, equal)
MLX_BINARY_OPERATOR(!=, not_equal)
MLX_BINARY_OPERATOR(<, less)
MLX_BINARY_OPERATOR(<=, less_equal)
MLX_BINARY_OPERATOR(>, greater)
MLX_BINARY_OPERATOR(>=, greater_equal)
#undef MLX_BINARY_OPERATOR
inline array operator&&(const array& a, const array& b) { return logical_and(a, b); }
inline array operator||(const array& a, const array& b) { return logical_or(a, b); }
inline array operator&(const array& a, const array& b) { return bitwise_and(a, b); }
inline array operator|(const array& a, const array& b) { return bitwise_or(a, b); }
inline array operator^(const array& a, const array& b) { return bitwise_xor(a, b); }
inline array operator<<(const array& a, const array& b) { return left_shift(a, b); }
inline array operator>>(const array& a, const array& b) { return right_shift(a, b); }
inline array operator-(const array& a) { return negative(a); }
inline array operator!(const array& a) { return logical_not(a); }
inline array operator~(const array& a) { return bitwise_invert(a); }

}  // namespace mlx::core
