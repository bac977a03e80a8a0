// Whole numbers, rounded up.
#pragma once

#include <type_traits>

namespace mlx::core {

template <typename T>
constexpr T ceil_div(T x, std::type_identity_t<T> by) {
  return (x + by - 1) / by;
}

// The next multiple.
template <typename T>
constexpr T round_up(T x, std::type_identity_t<T> to) {
  return ceil_div(x, to) * to;
}

}  // namespace mlx::core
