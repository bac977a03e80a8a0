// See traverse.h.

#include "mlx/graph/traverse.h"

#include <algorithm>

#include "mlx/core/error.h"

namespace mlx::core {

namespace {

class Walk {
 public:
  Walk(const std::vector<array>& inputs, bool (*stop)(const Primitive&)) : stop_(stop), all_(false) {
    for (const array& x : inputs) {
      seen_.insert(x.id());
      result.depends.insert(x.id());
    }
  }

  Walk() : stop_(nullptr), all_(true) {}

  void visit(const array& root) {
    enter(root);
    while (!stack_.empty()) {
      Visit& top = stack_.back();
      if (top.next_input < top.op.inputs.size()) {
        array input = top.op.inputs[top.next_input++];
        enter(input);
      } else {
        leave(top.op);
        stack_.pop_back();
      }
    }
  }

  Subgraph result;

 private:
  struct Visit {
    GraphOp op;
    size_t next_input;
  };

  void enter(const array& x) {
    if (!seen_.insert(x.id()).second) return;
    auto primitive = x.primitive_ptr();
    if (!primitive) return;
    GraphOp op{std::move(primitive), x.inputs(), x.outputs()};
    for (const array& out : op.outputs) seen_.insert(out.id());
    kept_.insert(kept_.end(), op.outputs.begin(), op.outputs.end());
    stack_.push_back({std::move(op), 0});
  }

  void leave(GraphOp& op) {
    auto depends = [&](const array& x) { return result.depends.count(x.id()) > 0; };
    if (!all_ && !std::any_of(op.inputs.begin(), op.inputs.end(), depends)) return;
    if (stop_ && stop_(*op.primitive)) return;
    for (const array& out : op.outputs) result.depends.insert(out.id());
    result.ops.push_back(std::move(op));
  }

  bool (*stop_)(const Primitive&);
  bool all_;  // list what depends on no input too
  std::unordered_set<std::uintptr_t> seen_;
  std::vector<array> kept_;  // so that no id is used twice during the walk
  std::vector<Visit> stack_;
};

}  // namespace

Subgraph subgraph(const std::vector<array>& inputs, const std::vector<array>& outputs,
                  bool (*stop)(const Primitive&)) {
  Walk walk(inputs, stop);
  for (const array& out : outputs) walk.visit(out);
  return std::move(walk.result);
}

void check_rule(const char* rule, const Primitive& primitive, size_t returned, size_t wanted, const char* what) {
  if (returned == wanted) return;
  raise("[", rule, "] The rule of ", primitive.name(), " returned ", returned, " ", what, " instead of ", wanted, ".");
}

std::string letters(size_t n) {
  std::string name;
  for (n++; n > 0; n = (n - 1) / 26) name.insert(name.begin(), static_cast<char>('A' + (n - 1) % 26));
  return name;
}

std::vector<GraphOp> all_ops(const std::vector<array>& outputs) {
  Walk walk;
  for (const array& out : outputs) walk.visit(out);
  return std::move(walk.result.ops);
}

}  // namespace mlx::core
