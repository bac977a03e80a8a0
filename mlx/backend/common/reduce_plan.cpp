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
    bool follows =
        !joined.empty() && joined.back().in == d.in * d.size && joined.back().out == d.out * d.size;
    if (follows)
      joined.back() = {joined.back().size * d.size, d.in, d.out};
    else
      joined.push_back(d);
  }
  dims = std::move(joined);
}

int64_t product(std::span<const ReduceDim> dims) {
  int64_t n = 1;
  for (const ReduceDim& d : dims) n *= d.size;
  return n;
}

bool reads_columns(const std::vector<ReduceDim>& kept, const std::vector<ReduceDim>& reduced) {
  if (kept.empty()) return false;
  const ReduceDim &column = kept.back(), &run = reduced.back();
  bool runs_are_closer = std::abs(run.in) < std::abs(column.in);
  return !runs_are_closer || (run.size < short_run && column.size >= few_columns);
}

}  // namespace

int64_t ReducePlan::results() const { return product(outer); }
int64_t ReducePlan::outer_lines() const { return product(outside_lines()); }

SplitDims split_dims(const Shape& shape, const Strides& in, const Strides& out,
                     const std::vector<int>& axes) {
  SplitDims dims;
  for (size_t i = 0; i < shape.size(); i++) {
    if (shape[i] == 1) continue;
    bool is_reduced = std::find(axes.begin(), axes.end(), static_cast<int>(i)) != axes.end();
    (is_reduced ? dims.reduced : dims.kept).push_back({shape[i], in[i], out[i]});
  }
  sort_and_join(dims.kept);
  sort_and_join(dims.reduced);
  if (dims.reduced.empty()) dims.reduced.push_back({1, 1, 1});
  return dims;
}

ReducePlan make_reduce_plan(const Shape& shape, const Strides& strides, const std::vector<int>& axes) {
  Shape kept_shape = shape;
  for (int axis : axes) kept_shape[axis] = 1;
  Strides out = row_major_strides(kept_shape);
  for (int axis : axes) out[axis] = 0;
  SplitDims dims = split_dims(shape, strides, out, axes);
  ReducePlan plan{ReducePlan::rows, std::move(dims.kept), {1, 0, 0}, std::move(dims.reduced)};
  if (reads_columns(plan.outer, plan.reduced)) {
    plan.kind = ReducePlan::columns;
    plan.column = plan.outer.back();
    plan.outer.pop_back();
  }
  while (plan.reduced.size() < 2) plan.reduced.insert(plan.reduced.begin(), {1, 0, 0});
  return plan;
}

ReduceOffsets reduce_offsets(std::span<const ReduceDim> dims, int64_t index) {
  ReduceOffsets offsets;
  for (size_t i = dims.size(); i-- > 0;) {
    int64_t k = index % dims[i].size;
    index /= dims[i].size;
    offsets.in += k * dims[i].in;
    offsets.out += k * dims[i].out;
  }
  return offsets;
}

}  // namespace mlx::core
