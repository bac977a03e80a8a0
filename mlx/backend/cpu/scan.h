// What scans and recurrences accumulate in, and how they walk through memory.
#pragma once

#include <cstdint>
#include <type_traits>

#include "mlx/array.h"

namespace mlx::core::cpu {

// The type that sums and products of elements are kept in: integers wrap.
template <typename T>
struct Accumulator {
  using type = T;
};
template <typename T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
struct Accumulator<T> {
  using type = std::make_unsigned_t<T>;
};
template <>
struct Accumulator<float16_t> {
  using type = float;
};
template <>
struct Accumulator<bfloat16_t> {
  using type = float;
};
template <typename T>
using AccumulatorOf = typename Accumulator<T>::type;

// A row-major array seen along an axis: outer x n x inner.
struct ScanShape {
  int64_t outer = 1, n, inner = 1;
  ScanShape(const Shape& shape, int axis) : n(shape[axis]) {
    for (int i = 0; i < axis; i++) outer *= shape[i];
    for (size_t i = axis + 1; i < shape.size(); i++) inner *= shape[i];
  }
  // The first element of a chain: one element along the outer and inner dimensions.
  int64_t chain(int64_t k) const { return k / inner * n * inner + k % inner; }
};

// Columns that lie together are computed side by side, fewer ones each on its own.
constexpr int64_t few_columns = 16, column_tile = 256, scan_grain = 16 * 1024;

}  // namespace mlx::core::cpu
