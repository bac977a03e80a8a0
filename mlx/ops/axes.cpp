// See axes.h.

#include "mlx/ops/axes.h"

#include <algorithm>
#include <numeric>

#include "mlx/core/error.h"
#include "mlx/utils.h"

namespace mlx::core {

int checked_axis(std::string_view name, int axis, size_t ndim) {
  int n = static_cast<int>(ndim);
  if (axis >= -n && axis < n) return axis < 0 ? axis + n : axis;
  return normalize_axis_index(axis, n, concat("[", name, "] "));
}

std::vector<int> checked_axes(std::string_view name, const std::vector<int>& axes, size_t ndim) {
  std::vector<int> checked;
  for (int axis : axes) {
    int ax = checked_axis(name, axis, ndim);
    bool is_known = std::find(checked.begin(), checked.end(), ax) != checked.end();
    if (is_known) raise("[", name, "] Axis ", ax, " is given twice in ", axes, ".");
    checked.push_back(ax);
  }
  return checked;
}

std::vector<int> sorted_axes(std::string_view name, const std::vector<int>& axes, size_t ndim) {
  std::vector<int> sorted = checked_axes(name, axes, ndim);
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

std::vector<int> all_axes(size_t ndim) {
  std::vector<int> axes(ndim);
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

std::vector<int> other_axes(int n, const std::vector<int>& axes) {
  std::vector<int> rest;
  for (int i = 0; i < n; i++) {
    if (std::find(axes.begin(), axes.end(), i) == axes.end()) rest.push_back(i);
  }
  return rest;
}

std::vector<int> shifted(const std::vector<int>& axes, int by) {
  std::vector<int> result = axes;
  for (int& axis : result) axis += by;
  return result;
}

}  // namespace mlx::core
