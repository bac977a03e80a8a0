// meshgrid.

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"

namespace mlx::core {

std::vector<array> meshgrid(const std::vector<array>& arrays, bool sparse, const std::string& indexing,
                            StreamOrDevice s) {
  if (indexing != "xy" && indexing != "ij") {
    raise("[meshgrid] The indexing must be 'xy' or 'ij', but is '", indexing, "'.");
  }
  int n = static_cast<int>(arrays.size());
  std::vector<array> grids;
  for (int i = 0; i < n; i++) {
    int axis = indexing == "xy" && n > 1 && i < 2 ? 1 - i : i;
    std::vector<int> others;
    for (int k = 0; k < n; k++) {
      if (k != axis) others.push_back(k);
    }
    grids.push_back(expand_dims(flatten(arrays[i], s), others, s));
  }
  return sparse ? grids : broadcast_arrays(grids, s);
}

}  // namespace mlx::core
