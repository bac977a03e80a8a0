// depends, and the rules of CustomTransforms.

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/custom_primitives.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

Arrays depends(const Arrays& inputs, const Arrays& dependencies) {
  if (inputs.empty()) return {};
  Arrays all = inputs;
  all.insert(all.end(), dependencies.begin(), dependencies.end());
  return make_arrays_like(inputs, std::make_shared<Depends>(to_stream({}), inputs.size()), all);
}

std::vector<Shape> Depends::output_shapes(const Arrays& inputs) {
  std::vector<Shape> shapes;
  for (size_t i = 0; i < values_; i++) shapes.push_back(inputs[i].shape());
  return shapes;
}
Arrays Depends::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums, const Arrays&) {
  Arrays result;
  for (int i : argnums) {
    bool is_value = i < static_cast<int>(values_);
    result.push_back(is_value ? cotangents[i] : zeros_like(primals[i], stream()));
  }
  return result;
}
Arrays Depends::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  Arrays result;
  for (size_t i = 0; i < values_; i++) result.push_back(zeros_like(primals[i], stream()));
  for (size_t k = 0; k < argnums.size(); k++) {
    if (argnums[k] < static_cast<int>(values_)) result[argnums[k]] = tangents[k];
  }
  return result;
}
std::pair<Arrays, std::vector<int>> Depends::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  Arrays values(inputs.begin(), inputs.begin() + values_), rest(inputs.begin() + values_, inputs.end());
  return {depends(values, rest), std::vector<int>(axes.begin(), axes.begin() + values_)};
}

std::vector<Shape> CustomTransforms::output_shapes(const Arrays& inputs) {
  std::vector<Shape> shapes;
  for (size_t i = arguments_; i < inputs.size(); i++) shapes.push_back(inputs[i].shape());
  return shapes;
}

Arrays CustomTransforms::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                             const Arrays& outputs) {
  Arrays arguments(primals.begin(), primals.begin() + arguments_);
  std::vector<int> named;
  for (int i : argnums) {
    if (i < static_cast<int>(arguments_)) named.push_back(i);
  }
  Arrays all = rules_.vjp(arguments, cotangents, outputs, named);
  if (all.size() != arguments_) {
    raise("[custom_function] The vjp function returned ", all.size(), " cotangents for ", arguments_, " arguments.");
  }
  Arrays result;
  for (int i : argnums) {
    bool is_argument = i < static_cast<int>(arguments_);
    result.push_back(is_argument ? all[i] : zeros_like(primals[i], stream()));
  }
  return result;
}

Arrays CustomTransforms::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  Arrays arguments(primals.begin(), primals.begin() + arguments_), given;
  std::vector<int> named;
  for (size_t k = 0; k < argnums.size(); k++) {
    if (argnums[k] >= static_cast<int>(arguments_)) continue;
    given.push_back(tangents[k]);
    named.push_back(argnums[k]);
  }
  return rules_.jvp(arguments, given, named);
}

std::pair<Arrays, std::vector<int>> CustomTransforms::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  Arrays arguments(inputs.begin(), inputs.begin() + arguments_);
  return rules_.vmap(arguments, std::vector<int>(axes.begin(), axes.begin() + arguments_));
}

}  // namespace mlx::core
