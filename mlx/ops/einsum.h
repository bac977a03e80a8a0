// The parts of einsum: subscripts as numbers, and the order of contraction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mlx/array.h"

namespace mlx::core::einsum_detail {

// A letter, or an axis of the ellipsis (counted from its last one).
using Label = int;
using Labels = std::vector<Label>;

struct Subscripts {
  std::vector<Labels> inputs;
  Labels output;
};

// Throws std::invalid_argument for texts that are none, or that do not fit the operands.
Subscripts parse(const std::string& text, const std::vector<array>& operands);
std::string text_of(const Labels& labels);

// Sets of labels, one bit each.
using LabelSet = uint64_t;
LabelSet set_of(const Labels& labels);

struct Path {
  std::vector<std::vector<int>> steps;
  double cost = 0;      // multiplications
  double largest = 0;   // elements of the largest intermediate result
};
// sizes[label] is the size of the axis.
Path find_path(const std::vector<LabelSet>& inputs, LabelSet output, const std::vector<double>& sizes);

inline constexpr int max_labels = 64;

}  // namespace mlx::core::einsum_detail
