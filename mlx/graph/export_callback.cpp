// The callback form of export: every step of a trace as names and values.

#include "mlx/graph/export_trace.h"
#include "mlx/graph/traverse.h"
#include "mlx/primitives.h"

namespace mlx::core::export_detail {

namespace {

template <typename T>
StateT shown(const T& value) {
  if constexpr (std::is_enum_v<T>) return static_cast<int>(value);
  else if constexpr (std::is_same_v<T, int64_t>) return static_cast<size_t>(value);
  else return StateT(value);
}

template <typename T>
void append(std::vector<StateT>& list, const T& value) {
  if constexpr (requires(T& record) { record.fields(); }) {
    T copy = value;
    std::apply([&](const auto&... field) { (append(list, field), ...); }, copy.fields());
  } else {
    list.push_back(shown(value));
  }
}

template <typename Class>
std::vector<StateT> arguments_of(const Primitive& primitive) {
  std::vector<StateT> list;
  if constexpr (requires(const Class& p) { p.state(); } && !std::is_same_v<Class, Elementwise>) {
    std::apply([&](const auto&... field) { (append(list, field), ...); },
               static_cast<const Class&>(primitive).state());
  }
  return list;
}

using ArgumentsOf = std::vector<StateT> (*)(const Primitive&);
constexpr ArgumentsOf rows[] = {
#define PRIMITIVE(Class) arguments_of<Class>,
#include "mlx/ops/primitives.def"
};

}  // namespace

void describe(const Trace& trace, const ExportCallback& callback) {
  const Program& p = trace.program;
  auto kinds = [&](auto first, auto last) {
    std::vector<std::tuple<std::string, Shape, Dtype>> list;
    for (; first != last; ++first) {
      size_t v = static_cast<size_t>(*first);
      list.emplace_back(letters(v), p.shapes[v], p.dtypes[v]);
    }
    return list;
  };
  auto names = [](const std::vector<int>& values) {
    std::vector<std::string> list;
    for (int v : values) list.push_back(letters(static_cast<size_t>(v)));
    return list;
  };
  std::vector<int> inputs(static_cast<size_t>(p.inputs));
  for (size_t i = 0; i < inputs.size(); i++) inputs[i] = static_cast<int>(i);
  callback({{"type", std::string("inputs")}, {"inputs", kinds(inputs.begin(), inputs.end())}});
  std::vector<std::pair<std::string, std::string>> keywords;
  for (size_t k = 0; k < trace.keywords.size(); k++) {
    keywords.emplace_back(trace.keywords[k], letters(inputs.size() - trace.keywords.size() + k));
  }
  callback({{"type", std::string("keyword_inputs")}, {"keywords", keywords}});
  callback({{"type", std::string("outputs")}, {"outputs", kinds(p.outputs.begin(), p.outputs.end())}});
  std::vector<std::pair<std::string, array>> constants;
  for (size_t c = 0; c < p.constants.size(); c++) constants.emplace_back(letters(inputs.size() + c), p.constants[c]);
  callback({{"type", std::string("constants")}, {"constants", constants}});
  for (const ProgramStep& step : p.steps) {
    int kind = step.primitive->kind();
    callback({{"type", std::string("primitive")},
              {"name", std::string(step.primitive->name())},
              {"inputs", names(step.inputs)},
              {"outputs", names(step.outputs)},
              {"arguments", kind < 0 ? std::vector<StateT>{} : rows[kind](*step.primitive)}});
  }
}

}  // namespace mlx::core::export_detail
