// See mlx/graph_utils.h.

#include "mlx/graph_utils.h"

#include <unordered_set>

#include "mlx/core/error.h"
#include "mlx/graph/traverse.h"
#include "mlx/utils.h"

namespace mlx::core {

namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::vector<array> without_repeats(const std::vector<array>& arrays) {
  std::unordered_set<std::uintptr_t> seen;
  std::vector<array> list;
  for (const array& x : arrays) {
    if (seen.insert(x.id()).second) list.push_back(x);
  }
  return list;
}

std::string kind_of(const array& x) { return concat(x.dtype(), " ", x.shape()); }

// The arrays that no operation makes, in order of appearance.
std::vector<array> sources(const std::vector<GraphOp>& ops, const std::vector<array>& outputs) {
  std::unordered_set<std::uintptr_t> seen;
  std::vector<array> list;
  for (const GraphOp& op : ops) {
    for (const array& x : op.outputs) seen.insert(x.id());
  }
  auto add = [&](const array& x) {
    if (seen.insert(x.id()).second) list.push_back(x);
  };
  for (const GraphOp& op : ops) {
    for (const array& x : op.inputs) add(x);
  }
  for (const array& x : outputs) add(x);
  return list;
}

}  // namespace

const std::string& NodeNamer::get_name(const array& x) {
  auto [it, is_new] = names.try_emplace(x.id());
  if (is_new) it->second = letters(names.size() - 1);
  return it->second;
}

void NodeNamer::set_name(const array& x, std::string n) { names[x.id()] = std::move(n); }

void print_graph(std::ostream& os, NodeNamer namer, const std::vector<array>& arrays) {
  std::vector<array> outputs = without_repeats(arrays);
  auto put = [&](const std::vector<array>& arrays) {
    for (size_t i = 0; i < arrays.size(); i++) {
      os << (i ? ", " : "") << namer.get_name(arrays[i]) << " [" << kind_of(arrays[i]) << "]";
    }
  };
  std::vector<GraphOp> ops = all_ops(outputs);
  os << "Inputs: ";
  put(sources(ops, outputs));
  os << "\nOutputs: ";
  put(outputs);
  os << "\n";
  for (const GraphOp& op : ops) {
    os << op.primitive->name() << " ";
    put(op.inputs);
    os << " -> ";
    put(op.outputs);
    os << "\n";
  }
}

void export_to_dot(std::ostream& os, NodeNamer namer, const std::vector<array>& arrays) {
  std::vector<array> outputs = without_repeats(arrays);
  std::vector<GraphOp> ops = all_ops(outputs);
  std::unordered_map<std::uintptr_t, std::string> maker;  // of each array: the node that it comes from
  os << "digraph {\n  rankdir=TB;\n  node [fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", fontsize=10];\n";
  for (const array& x : sources(ops, outputs)) {
    maker[x.id()] = quoted(namer.get_name(x));
    os << "  " << maker[x.id()] << " [shape=ellipse, label=" << quoted(namer.get_name(x) + "\n" + kind_of(x)) << "];\n";
  }
  for (size_t i = 0; i < ops.size(); i++) {
    std::string node = concat("op", i);
    os << "  " << node << " [shape=box, label=" << quoted(ops[i].primitive->name()) << "];\n";
    for (const array& x : ops[i].inputs) {
      os << "  " << maker[x.id()] << " -> " << node << " [label=" << quoted(kind_of(x)) << "];\n";
    }
    for (const array& x : ops[i].outputs) maker[x.id()] = node;
  }
  for (size_t i = 0; i < outputs.size(); i++) {
    std::string name = namer.get_name(outputs[i]), node = concat("output", i);
    os << "  " << node << " [shape=ellipse, style=bold, label=" << quoted(name) << "];\n  " << maker[outputs[i].id()]
       << " -> " << node << " [label=" << quoted(kind_of(outputs[i])) << "];\n";
  }
  os << "}\n";
}

}  // namespace mlx::core
