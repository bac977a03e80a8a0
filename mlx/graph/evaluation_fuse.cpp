// Fusion of the claimed steps of an evaluation: the decision is that of fuse.h, what is fused away is seen by nobody.

#include <cstdlib>
#include <unordered_map>

#include "mlx/graph/evaluation.h"
#include "mlx/graph/fuse.h"
#include "mlx/ops/compiled_primitive.h"

namespace mlx::core {

namespace {

bool is_elementwise(const Step& step) {
  return !step.traced && step.outputs.size() == 1 && step.primitive->tape_op() >= 0;
}

// The steps of a group as one, the last step's output its output. The parts stay with it until it runs: an interrupt
// takes it apart again.
Step joined(std::vector<Step> parts) {
  TapeBuilder builder;
  std::unordered_map<std::uintptr_t, const array*> arrays;
  for (const Step& part : parts) {
    std::vector<std::uintptr_t> names;
    std::vector<Dtype> dtypes;
    for (const array& x : part.inputs) {
      names.push_back(x.id());
      dtypes.push_back(x.dtype());
      arrays[x.id()] = &x;
    }
    builder.add(part.primitive->tape_op(), names, dtypes, part.outputs[0].id(), part.outputs[0].dtype());
  }
  Step step{nullptr, parts.back().outputs, {}};
  for (std::uintptr_t name : builder.inputs()) step.inputs.push_back(*arrays[name]);
  step.primitive = std::make_shared<Compiled>(parts.back().primitive->stream(), builder.finish());
  step.parts = std::move(parts);
  return step;
}

// MLX_DISABLE_FUSION runs every operation by itself; the tests compare both ways.
bool fusion_enabled() {
  static const bool enabled = !std::getenv("MLX_DISABLE_FUSION");
  return enabled;
}

}  // namespace

void Evaluation::fuse_locked() {
  if (!fusion_enabled()) return;
  size_t count = steps_.size();
  size_t candidates = 0;
  for (const Step& step : steps_) candidates += is_elementwise(step);
  if (candidates < 2) return;
  // Each node knows its step, and how often the steps use it: more holders than that are somebody else.
  std::vector<uint32_t> uses(count, 0);
  for (size_t i = 0; i < count; i++) {
    for (const array& out : steps_[i].outputs) out.node()->step = static_cast<uint32_t>(i);
  }
  std::vector<FusionItem> items(count);
  for (size_t i = 0; i < count; i++) {
    for (const array& x : steps_[i].inputs) {
      const Node* node = x.node();
      bool made_here = node->step < i && steps_[node->step].outputs[0].node() == node;
      items[i].inputs.push_back(made_here ? static_cast<int>(node->step) : -1);
      if (made_here) uses[node->step]++;
    }
  }
  for (size_t i = 0; i < count; i++) {
    const Step& step = steps_[i];
    items[i].primitive = step.primitive.get();
    items[i].shape = is_elementwise(step) ? &step.outputs[0].shape() : nullptr;
    items[i].escapes = step.outputs[0].node()->refs.load(std::memory_order_acquire) != uses[i] + 1;
  }
  join_groups_locked(fusion_groups(items));
}

void Evaluation::join_groups_locked(const std::vector<int>& groups) {
  std::vector<std::vector<int>> members(groups.size());
  for (size_t i = 0; i < groups.size(); i++) members[groups[i]].push_back(static_cast<int>(i));
  std::vector<Step> steps;
  size_t i = 0;
  for (Segment& segment : segments_) {
    segment.begin = segment.next = steps.size();
    for (size_t end = segment.end; i < end; i++) {
      if (members[i].empty()) continue;
      std::vector<Step> parts;
      for (int m : members[i]) parts.push_back(std::move(steps_[m]));
      steps.push_back(parts.size() == 1 ? std::move(parts[0]) : joined(std::move(parts)));
    }
    segment.end = steps.size();
  }
  steps_ = std::move(steps);
}

}  // namespace mlx::core
