// Logistic regression with a compiled step: tells two classes apart.
#include <iostream>

#include "check.h"
#include "mlx/mlx.h"

namespace mx = mlx::core;

int main() {
  constexpr int features = 30, examples = 3000, steps = 300;
  mx::random::seed(3);

  mx::array truth = mx::random::normal({features});
  mx::array x = mx::random::normal({examples, features});
  mx::array y = mx::matmul(x, truth) > 0.0f;

  // The mean of log(1 + exp(-z)) for the right class, log(1 + exp(z)) for the other.
  auto loss = [](const std::vector<mx::array>& in) {
    mx::array logits = mx::matmul(in[1], in[0]);
    return mx::mean(mx::logaddexp(mx::array(0.0f), logits) - in[2] * logits);
  };
  auto value_and_gradient = mx::value_and_grad(loss);
  std::function<std::vector<mx::array>(const std::vector<mx::array>&)> step =
      [&](const std::vector<mx::array>& in) -> std::vector<mx::array> {
    auto [value, gradients] = value_and_gradient(in);
    return {in[0] - 1.0f * gradients[0], value};
  };
  step = mx::compile(step);

  mx::array w = mx::zeros({features}), value = mx::array(0.0f);
  for (int i = 0; i < steps; i++) {
    auto out = step({w, x, y});
    w = out[0];
    value = out[1];
    mx::eval(w, value);
  }

  float accuracy = mx::mean((mx::matmul(x, w) > 0.0f) == y).item<float>();
  std::cout << "logistic regression: loss " << value.item<float>() << ", accuracy " << accuracy << std::endl;
  check(accuracy > 0.98f, "the classes are told apart");
}
