// See program.h.

#include "mlx/graph/program.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <typeinfo>
#include <optional>
#include <unordered_map>

#include "mlx/core/error.h"
#include "mlx/core/node.h"
#include "mlx/core/tracing.h"
#include "mlx/graph/fuse.h"
#include "mlx/graph/traverse.h"
#include "mlx/ops/compiled_primitive.h"

namespace mlx::core {

namespace {

// Numbers arrays as they appear.
class Numbering {
 public:
  explicit Numbering(Program& program) : program_(program) {}

  int add(const array& x) {
    int value = static_cast<int>(program_.shapes.size());
    numbers_.insert_or_assign(x.id(), value);
    program_.shapes.push_back(x.shape());
    program_.dtypes.push_back(x.dtype());
    return value;
  }
  bool knows(const array& x) const { return numbers_.count(x.id()) > 0; }
  int of(const array& x) const { return numbers_.at(x.id()); }

 private:
  Program& program_;
  std::unordered_map<std::uintptr_t, int> numbers_;
};

}  // namespace

Program Program::record(const std::vector<array>& inputs, const std::vector<array>& outputs) {
  Program p;
  p.inputs = static_cast<int>(inputs.size());
  Numbering numbers(p);
  for (const array& x : inputs) numbers.add(x);
  Subgraph graph = subgraph(inputs, outputs);
  auto capture = [&](const array& x) {
    if (graph.depends.count(x.id()) || numbers.knows(x)) return;
    numbers.add(x);
    p.constants.push_back(x);
  };
  for (const GraphOp& op : graph.ops) std::for_each(op.inputs.begin(), op.inputs.end(), capture);
  std::for_each(outputs.begin(), outputs.end(), capture);
  for (const GraphOp& op : graph.ops) {
    ProgramStep step{op.primitive, {}, {}};
    for (const array& x : op.inputs) step.inputs.push_back(numbers.of(x));
    for (const array& x : op.outputs) step.outputs.push_back(numbers.add(x));
    p.steps.push_back(std::move(step));
  }
  for (const array& x : outputs) p.outputs.push_back(numbers.of(x));
  return p;
}

void Program::simplify() {
  std::vector<int> same(shapes.size());  // the value that each value equals
  for (size_t v = 0; v < same.size(); v++) same[v] = static_cast<int>(v);
  std::map<std::pair<int, std::string>, int> scalars;
  for (size_t c = 0; c < constants.size(); c++) {
    const array& x = constants[c];
    if (x.size() != 1 || x.ndim() != 0 || x.status() != array::available) continue;
    std::string bytes(x.data<char>(), x.itemsize());
    int value = inputs + static_cast<int>(c);
    same[value] = scalars.emplace(std::make_pair(static_cast<int>(x.dtype().val()), bytes), value).first->second;
  }
  std::map<std::pair<std::string, std::vector<int>>, std::vector<size_t>> seen;
  std::vector<ProgramStep> kept;
  for (ProgramStep& step : steps) {
    for (int& v : step.inputs) v = same[v];
    auto& equal_inputs = seen[{step.primitive->name(), step.inputs}];
    auto equal = [&](size_t k) {
      Primitive &a = *kept[k].primitive, &b = *step.primitive;
      return typeid(a) == typeid(b) && a.stream() == b.stream() && a.is_equivalent(b) &&
             kept[k].outputs.size() == step.outputs.size();
    };
    auto it = std::find_if(equal_inputs.begin(), equal_inputs.end(), equal);
    if (it != equal_inputs.end()) {
      for (size_t o = 0; o < step.outputs.size(); o++) same[step.outputs[o]] = kept[*it].outputs[o];
    } else {
      equal_inputs.push_back(kept.size());
      kept.push_back(step);
    }
  }
  steps = std::move(kept);
  for (int& v : outputs) v = same[v];
}

namespace {

std::vector<FusionItem> fusion_items(const Program& p) {
  std::vector<int> maker(p.shapes.size(), -1);
  std::vector<FusionItem> items;
  for (const ProgramStep& step : p.steps) {
    bool fits = step.outputs.size() == 1 && step.primitive->tape_op() >= 0;
    FusionItem item{step.primitive.get(), fits ? &p.shapes[step.outputs[0]] : nullptr, false, {}};
    for (int v : step.inputs) item.inputs.push_back(maker[v]);
    for (int v : step.outputs) maker[v] = static_cast<int>(items.size());
    items.push_back(std::move(item));
  }
  for (int v : p.outputs) {
    if (maker[v] >= 0) items[maker[v]].escapes = true;
  }
  return items;
}

ProgramStep fused_step(const Program& p, const std::vector<int>& members) {
  TapeBuilder builder;
  for (int m : members) {
    const ProgramStep& step = p.steps[m];
    std::vector<Dtype> dtypes;
    for (int v : step.inputs) dtypes.push_back(p.dtypes[v]);
    builder.add(step.primitive->tape_op(), {step.inputs.begin(), step.inputs.end()}, dtypes, step.outputs[0],
                p.dtypes[step.outputs[0]]);
  }
  const ProgramStep& last = p.steps[members.back()];
  ProgramStep step{nullptr, {builder.inputs().begin(), builder.inputs().end()}, last.outputs};
  step.primitive = std::make_shared<Compiled>(last.primitive->stream(), builder.finish());
  return step;
}

}  // namespace

Program Program::fused() const {
  std::vector<int> groups = fusion_groups(fusion_items(*this));
  std::vector<std::vector<int>> members(steps.size());
  for (size_t i = 0; i < steps.size(); i++) members[groups[i]].push_back(static_cast<int>(i));
  Program p = *this;
  p.steps.clear();
  for (size_t i = 0; i < steps.size(); i++) {
    if (groups[i] != static_cast<int>(i)) continue;
    p.steps.push_back(members[i].size() > 1 ? fused_step(*this, members[i]) : steps[i]);
  }
  return p;
}

bool Program::same_shapes(const std::vector<array>& arguments) const {
  return std::equal(arguments.begin(), arguments.end(), shapes.begin(),
                    [](const array& x, const Shape& shape) { return x.shape() == shape; });
}

std::vector<array> Program::replay(const std::vector<array>& arguments, bool same_shapes) const {
  std::vector<std::optional<array>> values(shapes.size());
  std::copy(arguments.begin(), arguments.end(), values.begin());
  std::copy(constants.begin(), constants.end(), values.begin() + inputs);
  for (const ProgramStep& step : steps) {
    std::vector<array> in;
    in.reserve(step.inputs.size());
    for (int v : step.inputs) in.push_back(*values[v]);
    std::vector<Shape> out_shapes;
    std::vector<Dtype> out_dtypes;
    if (!same_shapes) out_shapes = step.primitive->output_shapes(in);
    for (int v : step.outputs) {
      if (same_shapes) out_shapes.push_back(shapes[v]);
      out_dtypes.push_back(dtypes[v]);
    }
    std::vector<array> out = array::make_arrays(std::move(out_shapes), out_dtypes, step.primitive, in);
    for (size_t o = 0; o < out.size(); o++) values[step.outputs[o]] = out[o];
  }
  std::vector<array> results;
  for (int v : outputs) results.push_back(*values[v]);
  return results;
}

namespace {

bool any_traced(const std::vector<array>& arrays) {
  if (current_trace() == 0) return false;
  return std::any_of(arrays.begin(), arrays.end(), [](const array& x) { return x.is_tracer(); });
}

}  // namespace

std::vector<array> CompiledProgram::run(const std::vector<array>& arguments, bool same_shapes) const {
  const Program& program = any_traced(arguments) || captured_traced() ? plain : fused;
  return program.replay(arguments, same_shapes);
}

bool CompiledProgram::captured_traced() const { return any_traced(plain.constants); }

}  // namespace mlx::core
