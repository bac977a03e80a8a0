// The order of contraction: every order for few operands, else always the pair that shrinks the operands most
// (Smith and Gray, "opt_einsum", 2018).

#include <algorithm>
#include <limits>

#include "mlx/ops/einsum.h"

namespace mlx::core::einsum_detail {

namespace {

constexpr size_t exhaustive_limit = 6;

struct Search {
  LabelSet output;
  const std::vector<double>& sizes;
  Path best;

  double elements(LabelSet set) const {
    double n = 1;
    for (int label = 0; label < max_labels; label++) {
      if (set >> label & 1) n *= sizes[label];
    }
    return n;
  }

  // What is left of two operands: the labels that the result or another operand still needs.
  LabelSet joined(const std::vector<LabelSet>& list, size_t i, size_t k) const {
    LabelSet needed = output;
    for (size_t j = 0; j < list.size(); j++) {
      if (j != i && j != k) needed |= list[j];
    }
    return (list[i] | list[k]) & needed;
  }

  std::vector<LabelSet> after(const std::vector<LabelSet>& list, size_t i, size_t k) const {
    std::vector<LabelSet> next;
    for (size_t j = 0; j < list.size(); j++) {
      if (j != i && j != k) next.push_back(list[j]);
    }
    next.push_back(joined(list, i, k));
    return next;
  }

  static Path extended(Path path, size_t i, size_t k, double cost, double size) {
    path.steps.push_back({static_cast<int>(i), static_cast<int>(k)});
    path.cost += cost;
    path.largest = std::max(path.largest, size);
    return path;
  }

  void exhaustive(const std::vector<LabelSet>& list, const Path& path) {
    if (list.size() == 1) {
      if (path.cost < best.cost) best = path;
      return;
    }
    for (size_t i = 0; i < list.size(); i++) {
      for (size_t k = i + 1; k < list.size(); k++) {
        double cost = elements(list[i] | list[k]);
        if (path.cost + cost >= best.cost) continue;
        exhaustive(after(list, i, k), extended(path, i, k, cost, elements(joined(list, i, k))));
      }
    }
  }

  void greedy(std::vector<LabelSet> list) {
    best = {};
    while (list.size() > 1) {
      size_t first = 0, second = 1;
      std::pair<double, double> least{std::numeric_limits<double>::infinity(), 0};
      for (size_t i = 0; i < list.size(); i++) {
        for (size_t k = i + 1; k < list.size(); k++) {
          double growth = elements(joined(list, i, k)) - elements(list[i]) - elements(list[k]);
          std::pair<double, double> rank{growth, elements(list[i] | list[k])};
          if (rank < least) {
            least = rank;
            first = i;
            second = k;
          }
        }
      }
      best = extended(best, first, second, least.second, elements(joined(list, first, second)));
      list = after(list, first, second);
    }
  }
};

}  // namespace

Path find_path(const std::vector<LabelSet>& inputs, LabelSet output, const std::vector<double>& sizes) {
  Search search{output, sizes, {}};
  if (inputs.size() == 1) {
    return {{{0}}, search.elements(inputs[0]), search.elements(output)};
  }
  if (inputs.size() > exhaustive_limit) {
    search.greedy(inputs);
    return search.best;
  }
  search.best.cost = std::numeric_limits<double>::infinity();
  search.exhaustive(inputs, {});
  if (search.best.steps.empty()) search.greedy(inputs);  // sizes beyond the range of a double
  return search.best;
}

}  // namespace mlx::core::einsum_detail
