// See rules.h.

#include "mlx/ops/rules.h"

#include <algorithm>

namespace mlx::core {

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
