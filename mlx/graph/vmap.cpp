// vmap: a function is traced once on stand-ins without the batch axis; the graph is then rebuilt with it.

#include <algorithm>
#include <unordered_map>

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/graph/traverse.h"
#include "mlx/ops.h"
#include "mlx/ops/batching.h"
#include "mlx/ops/operation.h"
#include "mlx/transforms.h"
#include "mlx/transforms_impl.h"

namespace mlx::core {

namespace {

using Function = std::function<Arrays(const Arrays&)>;
using Batched = std::pair<array, int>;

constexpr const char* no_value =
    "[vmap] The value of an array inside a vectorized function is not known: the function is traced once for all "
    "batch elements. Move the use of the value (item, bool, a NumPy conversion, eval) outside of vmap. An "
    "array that the function stored elsewhere never has one: return it.";

Shape without(const Shape& shape, int axis) {
  Shape rest = shape;
  rest.erase(rest.begin() + axis);
  return rest;
}

ShapeElem common_batch_size(const Arrays& inputs, const std::vector<int>& axes) {
  ShapeElem size = -1;
  for (size_t i = 0; i < inputs.size(); i++) {
    if (axes[i] < 0) continue;
    ShapeElem n = inputs[i].shape(axes[i]);
    if (size >= 0 && n != size) raise("[vmap] Inconsistent batch sizes ", size, " and ", n, ".");
    size = n;
  }
  return size;
}

// One call of the primitive per batch element, stacked: for primitives without a rule.
std::pair<Arrays, std::vector<int>> loop(const GraphOp& op, const Arrays& inputs, const std::vector<int>& axes) {
  const Stream& s = op.primitive->stream();
  ShapeElem size = batch_size(inputs, axes);
  std::vector<Arrays> rows(op.outputs.size());
  for (ShapeElem b = 0; b < size; b++) {
    Arrays element;
    for (size_t i = 0; i < inputs.size(); i++) {
      element.push_back(axes[i] < 0 ? inputs[i] : take(inputs[i], static_cast<int>(b), axes[i], s));
    }
    Arrays outputs = make_arrays_like(op.outputs, op.primitive, element);
    for (size_t o = 0; o < outputs.size(); o++) rows[o].push_back(outputs[o]);
  }
  Arrays stacked;
  for (size_t o = 0; o < rows.size(); o++) {
    Shape empty = op.outputs[o].shape();
    empty.insert(empty.begin(), 0);
    stacked.push_back(size == 0 ? zeros(empty, op.outputs[o].dtype(), s) : stack(rows[o], 0, s));
  }
  return {std::move(stacked), std::vector<int>(rows.size(), 0)};
}

// The operation on inputs of the same shapes.
std::pair<Arrays, std::vector<int>> again(const GraphOp& op, const Arrays& inputs) {
  return {make_arrays_like(op.outputs, op.primitive, inputs), std::vector<int>(op.outputs.size(), -1)};
}

void batch(const GraphOp& op, std::unordered_map<std::uintptr_t, Batched>& known) {
  Arrays inputs;
  std::vector<int> axes;
  for (const array& x : op.inputs) {
    auto it = known.find(x.id());
    inputs.push_back(it == known.end() ? x : it->second.first);
    axes.push_back(it == known.end() ? -1 : it->second.second);
  }
  std::pair<Arrays, std::vector<int>> result;
  bool none_batched = std::all_of(axes.begin(), axes.end(), [](int axis) { return axis < 0; });
  try {
    // An operation may give an output without a batch; what follows from it alone is computed once.
    result = none_batched ? again(op, inputs) : op.primitive->vmap(inputs, axes);
  } catch (const NoRule&) {
    result = loop(op, inputs, axes);
  }
  check_rule("vmap", *op.primitive, result.first.size(), op.outputs.size(), "outputs");
  check_rule("vmap", *op.primitive, result.second.size(), op.outputs.size(), "axes");
  for (size_t i = 0; i < op.outputs.size(); i++) {
    known.insert_or_assign(op.outputs[i].id(), Batched{result.first[i], result.second[i]});
  }
}

}  // namespace

namespace detail {

std::pair<Arrays, Arrays> vmap_trace(const Function& fun, const Arrays& inputs, const std::vector<int>& in_axes) {
  TraceScope trace;
  if (tracing_shapeless()) note_size_read();
  common_batch_size(inputs, in_axes);
  Arrays stand_ins;
  for (size_t i = 0; i < inputs.size(); i++) {
    stand_ins.push_back(in_axes[i] < 0 ? inputs[i]
                                       : array::placeholder(without(inputs[i].shape(), in_axes[i]), inputs[i].dtype(),
                                                            no_value));
  }
  Arrays outputs = fun(stand_ins);
  return {std::move(stand_ins), std::move(outputs)};
}

Arrays vmap_replace(const Arrays& inputs, const Arrays& traced_inputs, const Arrays& traced_outputs,
                    const std::vector<int>& in_axes, const std::vector<int>& out_axes) {
  ShapeElem size = common_batch_size(inputs, in_axes);
  std::unordered_map<std::uintptr_t, Batched> known;
  Arrays batched_inputs;
  for (size_t i = 0; i < inputs.size(); i++) {
    if (in_axes[i] < 0) continue;
    known.insert_or_assign(traced_inputs[i].id(), Batched{inputs[i], in_axes[i]});
    batched_inputs.push_back(traced_inputs[i]);
  }
  Subgraph graph = subgraph(batched_inputs, traced_outputs);
  for (const GraphOp& op : graph.ops) batch(op, known);
  Arrays outputs;
  for (size_t i = 0; i < traced_outputs.size(); i++) {
    auto it = known.find(traced_outputs[i].id());
    bool batched = it != known.end() && it->second.second >= 0;
    array out = it == known.end() ? traced_outputs[i] : it->second.first;
    if (!batched && out_axes[i] < 0) {
      outputs.push_back(out);
      continue;
    }
    if (out_axes[i] < 0) raise("[vmap] An output depends on a batched input, so its out_axes cannot be None.");
    array in_front = batched ? moveaxis(out, it->second.second, 0) : batch_to_front(out, -1, size, to_stream({}));
    outputs.push_back(moveaxis(in_front, 0, out_axes[i]));
  }
  return outputs;
}

}  // namespace detail

Function vmap(const Function& fun, const std::vector<int>& in_axes, const std::vector<int>& out_axes) {
  return [fun, in_axes, out_axes](const Arrays& inputs) {
    std::vector<int> in = in_axes.empty() ? std::vector<int>(inputs.size(), 0) : in_axes;
    if (in.size() != inputs.size()) {
      raise("[vmap] The number of in_axes, ", in.size(), ", does not match the number of inputs, ", inputs.size(), ".");
    }
    for (size_t i = 0; i < inputs.size(); i++) {
      if (in[i] >= 0) normalize_axis_index(in[i], static_cast<int>(inputs[i].ndim()), "[vmap] ");
    }
    auto [traced_inputs, traced_outputs] = detail::vmap_trace(fun, inputs, in);
    std::vector<int> out = out_axes.empty() ? std::vector<int>(traced_outputs.size(), 0) : out_axes;
    if (out.size() != traced_outputs.size()) {
      raise("[vmap] The number of out_axes, ", out.size(), ", does not match the number of outputs, ",
            traced_outputs.size(), ".");
    }
    return detail::vmap_replace(inputs, traced_inputs, traced_outputs, in, out);
  };
}

std::function<array(const array&)> vmap(const std::function<array(const array&)>& fun, int in_axis, int out_axis) {
  auto batched = vmap([fun](const Arrays& x) { return Arrays{fun(x[0])}; }, {in_axis}, {out_axis});
  return [batched](const array& x) { return batched({x})[0]; };
}

std::function<array(const array&, const array&)> vmap(const std::function<array(const array&, const array&)>& fun,
                                                      int in_axis_a, int in_axis_b, int out_axis) {
  auto batched =
      vmap([fun](const Arrays& x) { return Arrays{fun(x[0], x[1])}; }, {in_axis_a, in_axis_b}, {out_axis});
  return [batched](const array& a, const array& b) { return batched({a, b})[0]; };
}

}  // namespace mlx::core
