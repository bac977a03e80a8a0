// See export_trace.h.

#include "mlx/graph/export_trace.h"

#include <algorithm>

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/primitives.h"
#include "mlx/transforms.h"
#include "mlx/utils.h"

namespace mlx::core::export_detail {

namespace {

constexpr const char* no_value =
    "[export_function] The value of an array inside an exported function is not known: the function is traced and its "
    "program is stored. Move the use of the value (item, bool, a NumPy conversion, eval) outside of it.";

// What passes values through only: their outputs are these inputs. Others: -1.
int first_passed(const Primitive& primitive) {
  if (primitive.kind() == static_cast<int>(Kind::Depends)) return 0;
  if (primitive.kind() != static_cast<int>(Kind::CustomTransforms)) return -1;
  return static_cast<int>(static_cast<const CustomTransforms&>(primitive).arguments());
}

// The program without steps that only pass values on, and without what no output needs.
class Compaction {
 public:
  explicit Compaction(const Program& from) : from_(from), same_(from.shapes.size()), needed_(from.shapes.size()) {
    for (size_t v = 0; v < same_.size(); v++) same_[v] = static_cast<int>(v);
  }

  Program run() {
    for (const ProgramStep& step : from_.steps) pass(step);
    for (int v : from_.outputs) needed_[same_[v]] = true;
    for (auto step = from_.steps.rbegin(); step != from_.steps.rend(); ++step) {
      if (is_needed(*step)) {
        for (int v : step->inputs) needed_[same_[v]] = true;
      }
    }
    number_.assign(same_.size(), -1);
    p_.inputs = from_.inputs;
    for (int v = 0; v < from_.inputs; v++) add(v);
    for (size_t c = 0; c < from_.constants.size(); c++) {
      int v = from_.inputs + static_cast<int>(c);
      if (!needed_[v]) continue;
      add(v);
      p_.constants.push_back(from_.constants[c]);
    }
    for (const ProgramStep& step : from_.steps) {
      if (!is_needed(step)) continue;
      ProgramStep kept{step.primitive, {}, {}};
      for (int v : step.inputs) kept.inputs.push_back(number_[same_[v]]);
      for (int v : step.outputs) kept.outputs.push_back(add(v));
      p_.steps.push_back(std::move(kept));
    }
    for (int v : from_.outputs) p_.outputs.push_back(number_[same_[v]]);
    return std::move(p_);
  }

 private:
  void pass(const ProgramStep& step) {
    int first = first_passed(*step.primitive);
    for (size_t o = 0; first >= 0 && o < step.outputs.size(); o++) {
      same_[step.outputs[o]] = same_[step.inputs[static_cast<size_t>(first) + o]];
    }
  }
  bool is_needed(const ProgramStep& step) const {
    return std::any_of(step.outputs.begin(), step.outputs.end(), [&](int v) { return same_[v] == v && needed_[v]; });
  }
  int add(int v) {
    number_[v] = static_cast<int>(p_.shapes.size());
    p_.shapes.push_back(from_.shapes[v]);
    p_.dtypes.push_back(from_.dtypes[v]);
    return number_[v];
  }

  const Program& from_;
  std::vector<int> same_;
  std::vector<bool> needed_;
  std::vector<int> number_;
  Program p_;
};

std::string listed(const Shape& shape, Dtype dtype) { return concat(dtype, " ", shape); }

}  // namespace

CallInputs::CallInputs(const Args& args, const Kwargs& kwargs) : arrays(args) {
  for (const auto& [keyword, x] : kwargs) keywords.push_back(keyword);
  std::sort(keywords.begin(), keywords.end());
  for (const std::string& keyword : keywords) arrays.push_back(kwargs.at(keyword));
}

Trace Trace::record(const detail::ExportFunction& fun, const Args& args, const Kwargs& kwargs, bool shapeless) {
  Trace trace;
  CallInputs inputs(args, kwargs);
  trace.keywords = inputs.keywords;
  {
    TraceScope scope;
    std::vector<array> stand_ins;
    for (const array& x : inputs.arrays) stand_ins.push_back(array::placeholder(x.shape(), x.dtype(), no_value));
    Args positional(stand_ins.begin(), stand_ins.begin() + static_cast<std::ptrdiff_t>(args.size()));
    Kwargs by_keyword;
    for (size_t i = 0; i < inputs.keywords.size(); i++) {
      by_keyword.emplace(inputs.keywords[i], stand_ins[args.size() + i]);
    }
    std::optional<ShapelessScope> sizes;
    if (shapeless) sizes.emplace();
    std::vector<array> outputs = fun(positional, by_keyword);
    trace.any_shapes = sizes && !sizes->size_was_read();
    sizes.reset();
    Program program = Program::record(stand_ins, outputs);
    program.simplify();
    trace.program = Compaction(program).run();
  }
  eval(trace.program.constants);
  return trace;
}

bool Trace::accepts(const std::vector<array>& inputs, const std::vector<std::string>& names) const {
  if (names != keywords || inputs.size() != static_cast<size_t>(program.inputs)) return false;
  for (size_t i = 0; i < inputs.size(); i++) {
    if (inputs[i].dtype() != program.dtypes[i] || inputs[i].ndim() != program.shapes[i].size()) return false;
  }
  return any_shapes || program.same_shapes(inputs);
}

std::string Trace::signature() const {
  std::string text = "(";
  size_t positional = static_cast<size_t>(program.inputs) - keywords.size();
  for (size_t i = 0; i < static_cast<size_t>(program.inputs); i++) {
    if (i > 0) text += ", ";
    if (i >= positional) text += keywords[i - positional] + "=";
    text += listed(program.shapes[i], program.dtypes[i]);
  }
  return text + (any_shapes ? "), any sizes" : ")");
}

}  // namespace mlx::core::export_detail
