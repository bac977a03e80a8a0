// Einstein summation.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mlx/array.h"
#include "mlx/utils.h"

namespace mlx::core {

// The order in which einsum contracts its operands, and a description of its cost. Each step names the operands it
// joins, by their places in the list that is left; the result goes to the end of the list.
std::pair<std::vector<std::vector<int>>, std::string> einsum_path(const std::string& subscripts,
                                                                  const std::vector<array>& operands);

// Subscripts are letters, an ellipsis for leading axes that broadcast, and spaces, which count for nothing. Without
// "->" the result has the letters that appear once, in ASCII order. Sums of integers have the dtype of sum.
array einsum(const std::string& subscripts, const std::vector<array>& operands, StreamOrDevice s = {});

}  // namespace mlx::core
