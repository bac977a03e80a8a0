// See reduce_plan.h.

#include "mlx/backend/common/reduce_plan.h"

#include <algorithm>
#include <cstdlib>

namespace mlx::core {

namespace {

// Contiguous runs shorter than this are not worth a call each; fewer columns do not fill a register.
constexpr int64_t short_run = 32, few_columns = 16;

// Slowest first; the order of equal strides does not matter.
void sort_and_join(std::vector<ReduceDim>& dims) {
  std::stable_sort(dims.begin(), dims.end(),
                   [](const ReduceDim& a, const ReduceDim& b) { return std::abs(a.in) > std::abs(b.in); });
  std::vector<ReduceDim> joined;
  for (const ReduceDim& d : dims) {
    bool follows = !joined.empty() && joined.back().in == d.in * d.size && joined.back().out == d.out * d.size;
    if (follows) joined.back() = {joined.back().size * d.size, d.in, d.out};
    else joined.push_back(d);
  }
  dims = std::move(joined);
}

int64_t product(const ReduceDim* dims, size_t count) {
  int64_t n = 1;
  for (size_t i = 0; i < count; i++) n *= dims[i].size;
  return n;
}

bool reads_columns(const std::vector<ReduceDim>& kept, const std::vector<ReduceDim>& reduced) {
  if (kept.empty()) return false;
  const ReduceDim &column = kept.back(), &run = reduced.back();
  int64_t count = product(reduced.data(), reduced.size());
  bool runs_are_closer = std::abs(run.in) < std::abs(column.in);
  if (runs_are_closer) return run.size < short_run && column.size >= few_columns;
  return column.size >= few_columns || count < short_run;
}

}  // namespace

int64_t ReducePlan::results() const { return product(outer.data(), outer.size()); }
int64_t ReducePlan::outer_lines() const { return product(reduced.data(), reduced.size() - 2); }

ReducePlan make_reduce_plan(const Shape& shape, const Strides& strides, const std::vector<int>& axes) {
  std::vector<ReduceDim> kept, reduced;
  int64_t out = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    bool is_reduced = std::find(axes.begin(), axes.end(), static_cast<int>(i)) != axes.end();
    if (shape[i] != 1) (is_reduced ? reduced : kept).push_back({shape[i], strides[i], is_reduced ? 0 : out});
    if (!is_reduced) out *= shape[i];
  }
  // Collected from the back: bring them into order before the stable sort.
  std::reverse(kept.begin(), kept.end());
  std::reverse(reduced.begin(), reduced.end());
  sort_and_join(kept);
  sort_and_join(reduced);
  if (reduced.empty()) reduced.push_back({1, 1, 0});
  ReducePlan plan{ReducePlan::rows, std::move(kept), {1, 0, 0}, std::move(reduced)};
  if (reads_columns(plan.outer, plan.reduced)) {
    plan.kind = ReducePlan::columns;
    plan.column = plan.outer.back();
    plan.outer.pop_back();
  }
  while (plan.reduced.size() < 2) plan.reduced.insert(plan.reduced.begin(), {1, 0, 0});
  return plan;
}

ReduceOffsets reduce_offsets(const ReduceDim* dims, size_t count, int64_t index) {
  ReduceOffsets offsets;
  for (size_t i = count; i-- > 0;) {
    int64_t k = index % dims[i].size;
    index /= dims[i].size;
    offsets.in += k * dims[i].in;
    offsets.out += k * dims[i].out;
  }
  return offsets;
}

}  // namespace mlx::core
