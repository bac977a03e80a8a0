// Reverse mode: vjp, and jvp beside it. Both walk the traced part of the graph once.

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/graph/traverse.h"
#include "mlx/ops.h"
#include "mlx/ops/kind.h"
#include "mlx/transforms.h"

namespace mlx::core {

namespace {

using Arrays = std::vector<array>;
using Function = std::function<Arrays(const Arrays&)>;

bool passes_nothing(const Primitive& p) { return p.kind() == static_cast<int>(Kind::StopGradient); }

// Stand-ins for the primals: equal, but nodes of their own, at which this derivative ends. An outer derivative goes
// on through them.
Arrays traced_copies(const Arrays& primals) {
  Arrays copies;
  for (const array& x : primals) {
    copies.push_back(depends({x}, {})[0]);
    copies.back().set_tracer(true);
  }
  return copies;
}

bool is_stopped(const array& x) {
  auto primitive = x.primitive_ptr();
  return primitive && passes_nothing(*primitive);
}

// Pairs cotangents with outputs; outputs behind stop_gradient take none.
std::vector<std::optional<array>> matched(const Arrays& outputs, const Arrays& cotangents) {
  std::vector<std::optional<array>> result;
  size_t next = 0;
  for (const array& out : outputs) {
    if (is_stopped(out)) {
      result.push_back(std::nullopt);
      continue;
    }
    if (next >= cotangents.size()) {
      raise("[vjp] There are more outputs that need a cotangent than the ", cotangents.size(), " cotangents given.");
    }
    const array& ct = cotangents[next++];
    if (ct.shape() != out.shape()) {
      raise("[vjp] Cotangent ", next - 1, " has shape ", ct.shape(), " but its output has shape ", out.shape(), ".");
    }
    result.push_back(ct);
  }
  return result;
}

class Cotangents {
 public:
  void add(const array& x, const array& ct, const Stream& s) {
    auto [it, fresh] = sums_.try_emplace(x.id(), ct);
    if (!fresh) it->second = mlx::core::add(it->second, ct, s);
  }
  std::optional<array> take(const array& x) {
    auto it = sums_.find(x.id());
    if (it == sums_.end()) return std::nullopt;
    array ct = it->second;
    sums_.erase(it);
    return ct;
  }

 private:
  std::unordered_map<std::uintptr_t, array> sums_;
};

std::vector<int> dependent_inputs(const GraphOp& op, const Subgraph& graph) {
  std::vector<int> argnums;
  for (size_t i = 0; i < op.inputs.size(); i++) {
    if (graph.depends.count(op.inputs[i].id())) argnums.push_back(static_cast<int>(i));
  }
  return argnums;
}

void pull_back(const GraphOp& op, const Subgraph& graph, Cotangents& cotangents) {
  const Stream& s = op.primitive->stream();
  std::vector<std::optional<array>> found;
  bool any = false;
  for (const array& out : op.outputs) {
    found.push_back(cotangents.take(out));
    any |= found.back().has_value();
  }
  if (!any) return;
  Arrays cts;
  for (size_t i = 0; i < found.size(); i++) cts.push_back(found[i] ? *found[i] : zeros_like(op.outputs[i], s));
  std::vector<int> argnums = dependent_inputs(op, graph);
  Arrays vjps = op.primitive->vjp(op.inputs, cts, argnums, op.outputs);
  check_rule("vjp", *op.primitive, vjps.size(), argnums.size(), "cotangents");
  for (size_t k = 0; k < argnums.size(); k++) cotangents.add(op.inputs[argnums[k]], vjps[k], s);
}

}  // namespace

std::pair<Arrays, Arrays> vjp(const Function& fun, const Arrays& primals, const Arrays& cts) {
  TraceScope trace;
  if (tracing_shapeless()) note_size_read();
  Arrays inputs = traced_copies(primals);
  Arrays outputs = fun(inputs);
  std::vector<std::optional<array>> seeds = matched(outputs, cts);
  Subgraph graph = subgraph(inputs, outputs, passes_nothing);
  Cotangents cotangents;
  for (size_t i = 0; i < outputs.size(); i++) {
    if (seeds[i] && graph.depends.count(outputs[i].id())) {
      cotangents.add(outputs[i], astype(*seeds[i], outputs[i].dtype()), default_stream(default_device()));
    }
  }
  for (auto op = graph.ops.rbegin(); op != graph.ops.rend(); ++op) pull_back(*op, graph, cotangents);
  Arrays result;
  for (size_t i = 0; i < inputs.size(); i++) {
    std::optional<array> ct = cotangents.take(inputs[i]);
    result.push_back(ct ? *ct : zeros_like(primals[i]));
  }
  return {std::move(outputs), std::move(result)};
}

std::pair<array, array> vjp(const std::function<array(const array&)>& fun, const array& primal,
                            const array& cotangent) {
  auto [outputs, vjps] = vjp([&](const Arrays& x) { return Arrays{fun(x[0])}; }, Arrays{primal}, Arrays{cotangent});
  return {outputs[0], vjps[0]};
}

namespace {

void check_tangents(const Arrays& primals, const Arrays& tangents) {
  if (primals.size() != tangents.size()) {
    raise("[jvp] The number of tangents, ", tangents.size(), ", does not match the number of primals, ",
          primals.size(), ".");
  }
  for (size_t i = 0; i < primals.size(); i++) {
    if (primals[i].shape() != tangents[i].shape()) {
      raise("[jvp] Tangent ", i, " has shape ", tangents[i].shape(), " but its primal has shape ", primals[i].shape(),
            ".");
    }
  }
}

void push_forward(const GraphOp& op, std::unordered_map<std::uintptr_t, array>& tangents) {
  std::vector<int> argnums;
  Arrays given;
  for (size_t i = 0; i < op.inputs.size(); i++) {
    auto it = tangents.find(op.inputs[i].id());
    if (it == tangents.end()) continue;
    argnums.push_back(static_cast<int>(i));
    given.push_back(it->second);
  }
  Arrays jvps = op.primitive->jvp(op.inputs, given, argnums);
  check_rule("jvp", *op.primitive, jvps.size(), op.outputs.size(), "tangents");
  for (size_t i = 0; i < op.outputs.size(); i++) tangents.insert_or_assign(op.outputs[i].id(), jvps[i]);
}

}  // namespace

std::pair<Arrays, Arrays> jvp(const Function& fun, const Arrays& primals, const Arrays& tangents) {
  check_tangents(primals, tangents);
  TraceScope trace;
  if (tracing_shapeless()) note_size_read();
  Arrays inputs = traced_copies(primals);
  Arrays outputs = fun(inputs);
  Subgraph graph = subgraph(inputs, outputs, passes_nothing);
  std::unordered_map<std::uintptr_t, array> known;
  for (size_t i = 0; i < inputs.size(); i++) {
    known.insert_or_assign(inputs[i].id(), astype(tangents[i], primals[i].dtype()));
  }
  for (const GraphOp& op : graph.ops) push_forward(op, known);
  Arrays result;
  for (const array& out : outputs) {
    auto it = known.find(out.id());
    result.push_back(it != known.end() ? it->second : zeros_like(out));
  }
  return {std::move(outputs), std::move(result)};
}

std::pair<array, array> jvp(const std::function<array(const array&)>& fun, const array& primal,
                            const array& tangent) {
  auto [outputs, jvps] = jvp([&](const Arrays& x) { return Arrays{fun(x[0])}; }, Arrays{primal}, Arrays{tangent});
  return {outputs[0], jvps[0]};
}

// grad

namespace {

std::vector<int> checked_argnums(const std::vector<int>& argnums, size_t count) {
  std::vector<int> sorted = argnums;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.empty()) raise("[grad] Must specify at least one argument.");
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    raise("[grad] Repeated argument number not allowed in grad, but got ", argnums, ".");
  }
  if (sorted.front() < 0 || sorted.back() >= static_cast<int>(count)) {
    raise("[grad] Invalid argument number in ", argnums, " for a function with ", count, " arguments.");
  }
  return sorted;
}

}  // namespace

ValueAndGradFn value_and_grad(const Function& fun, const std::vector<int>& argnums) {
  return [fun, argnums](const Arrays& inputs) {
    std::vector<int> sorted = checked_argnums(argnums, inputs.size());
    Arrays differentiated;
    for (int i : sorted) differentiated.push_back(inputs[i]);
    auto of_differentiated = [&](const Arrays& primals) {
      Arrays all = inputs;
      for (size_t k = 0; k < sorted.size(); k++) all[sorted[k]] = primals[k];
      Arrays outputs = fun(all);
      for (size_t i = 1; i < outputs.size(); i++) outputs[i] = stop_gradient(outputs[i]);
      if (outputs.empty() || !outputs[0].shape().empty()) {
        raise("[grad] Gradient only allowed for a scalar function, but the first output has shape ",
              outputs.empty() ? "nothing" : concat(outputs[0].shape()), ".");
      }
      if (is_stopped(outputs[0])) outputs[0] = reshape(reshape(outputs[0], {1}), {});  // it still takes a cotangent
      return outputs;
    };
    auto [outputs, gradients] = vjp(of_differentiated, differentiated, {array(1.0f)});
    return std::make_pair(outputs, gradients);
  };
}

}  // namespace mlx::core
