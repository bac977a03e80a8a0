// Linear regression by gradient descent: finds the weights that made the data.
#include <iostream>

#include "check.h"
#include "mlx/mlx.h"

namespace mx = mlx::core;

int main() {
  constexpr int features = 20, examples = 2000, steps = 400;
  constexpr float rate = 0.05f;
  mx::random::seed(7);

  mx::array truth = mx::random::normal({features});
  mx::array x = mx::random::normal({examples, features});
  mx::array y = mx::matmul(x, truth) + 0.01f * mx::random::normal({examples});

  auto loss = [&](const mx::array& w) { return mx::mean(mx::square(mx::matmul(x, w) - y)); };
  auto gradient = mx::grad(loss);

  mx::array w = mx::zeros({features});
  for (int i = 0; i < steps; i++) {
    w = w - rate * gradient(w);
    mx::eval(w);  // keeps the graph from growing over the steps
  }

  float final_loss = loss(w).item<float>();
  float distance = mx::max(mx::abs(w - truth)).item<float>();
  std::cout << "linear regression: loss " << final_loss << ", largest error of a weight " << distance << std::endl;
  check(final_loss < 2e-4f && distance < 2e-3f, "the weights are found");
}
