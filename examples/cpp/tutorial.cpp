// A walk through the library: arrays, laziness, derivatives, vmap, compile, files, errors.
#include <filesystem>
#include <iostream>

#include "check.h"
#include "mlx/mlx.h"

namespace mx = mlx::core;

void arrays() {
  mx::array x({1.0f, 2.0f, 3.0f, 4.0f}, {2, 2});
  mx::array y = mx::ones({2, 2});
  mx::array z = mx::matmul(x, y) + 0.5f;

  // So far there are only shapes and dtypes. A value is computed when somebody asks for it.
  check(z.shape() == mx::Shape{2, 2} && z.dtype() == mx::float32, "shape and dtype");
  mx::eval(z);
  const float* values = z.data<float>();  // row-major here: z.flags().row_contiguous
  check(values[0] == 3.5f && values[3] == 7.5f, "values");

  // item() evaluates too.
  check(mx::sum(z).item<float>() == 22, "sum");
  std::cout << z << std::endl;
}

void derivatives() {
  auto f = [](const mx::array& x) { return mx::sum(mx::square(x) * x); };
  auto df = mx::grad(f);
  mx::array x({1.0f, 2.0f});
  check(mx::array_equal(df(x), 3 * mx::square(x)).item<bool>(), "gradient");

  // Transformations compose: the second derivative of each element.
  auto ddf = mx::vmap(mx::grad(mx::grad([](const mx::array& v) { return v * v * v; })));
  check(mx::array_equal(ddf(x), 6 * x).item<bool>(), "second derivative");

  // Several arguments, and the value along with the gradients.
  auto loss = [](const std::vector<mx::array>& p) { return mx::sum(p[0] * p[1]); };
  auto [value, gradients] = mx::value_and_grad(loss, std::vector<int>{0, 1})({x, 2 * x});
  check(value.item<float>() == 10, "value");
  check(mx::array_equal(gradients[1], x).item<bool>(), "gradient of the second argument");
}

void compiled() {
  auto norm = [](const std::vector<mx::array>& in) {
    return std::vector<mx::array>{mx::sqrt(mx::sum(mx::square(in[0] - in[1])))};
  };
  auto fast_norm = mx::compile(norm);
  mx::array a = mx::arange(1000.0), b = mx::zeros({1000});
  check(mx::allclose(fast_norm({a, b})[0], norm({a, b})[0]).item<bool>(), "compiled function");
}

void files() {
  std::string path = (std::filesystem::temp_directory_path() / "mlx_tutorial.safetensors").string();
  mx::save_safetensors(path, {{"weight", mx::arange(6.0)}}, {{"made_by", "tutorial"}});
  auto [tensors, metadata] = mx::load_safetensors(path);
  check(tensors.at("weight").shape(0) == 6 && metadata.at("made_by") == "tutorial", "file");
  mx::eval(tensors.at("weight"));
  std::filesystem::remove(path);
}

void errors() {
  try {
    mx::add(mx::ones({2}), mx::ones({3}));
    check(false, "shapes that do not fit raise");
  } catch (const std::invalid_argument& e) {
    std::cout << e.what() << std::endl;
  }

  // What only the values show is found while they are computed.
  mx::array taken = mx::take(mx::ones({3}), mx::array({7}), 0);
  try {
    mx::eval(taken);
    check(false, "an index out of range raises");
  } catch (const std::out_of_range& e) {
    std::cout << e.what() << std::endl;
  }
}

int main() {
  arrays();
  derivatives();
  compiled();
  files();
  errors();
  std::cout << "tutorial: done" << std::endl;
}
