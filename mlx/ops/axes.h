// Axes of arrays: as operations take them, counted from the front or the back.
#pragma once

#include <string_view>
#include <vector>

#include "mlx/array.h"

namespace mlx::core {

// Counted from the front. Throws AxisError, in the name of the operation, for an axis out of range.
int checked_axis(std::string_view name, int axis, size_t ndim);
// The same for several, in their order. Throws std::invalid_argument where one comes twice.
std::vector<int> checked_axes(std::string_view name, const std::vector<int>& axes, size_t ndim);
std::vector<int> sorted_axes(std::string_view name, const std::vector<int>& axes, size_t ndim);

std::vector<int> all_axes(size_t ndim);
inline std::vector<int> all_axes(const array& a) { return all_axes(a.ndim()); }
// Indices 0 ... n - 1 without those named.
std::vector<int> other_axes(int n, const std::vector<int>& axes);

// Where the axes go when a batch axis is inserted in front.
std::vector<int> shifted(const std::vector<int>& axes, int by = 1);

}  // namespace mlx::core
