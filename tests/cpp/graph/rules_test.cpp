// Rules of somebody else's primitives and custom functions that return another number of results than they have to:
// an exception that names primitive and rule.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "mlx/mlx.h"
#include "mlx/primitives.h"

using namespace mlx::core;

namespace {

using Arrays = std::vector<array>;
using Axes = std::vector<int>;

// Every rule returns `results` results; vmap `axes` axes.
class Careless : public Primitive {
 public:
  Careless(Stream stream, size_t results, size_t axes) : Primitive(stream), results_(results), axes_(axes) {}
  void eval_cpu(const Arrays&, Arrays&) override {}
  void eval_gpu(const Arrays&, Arrays&) override {}
  Arrays jvp(const Arrays& primals, const Arrays&, const Axes&) override { return Arrays(results_, primals[0]); }
  Arrays vjp(const Arrays& primals, const Arrays&, const Axes&, const Arrays&) override {
    return Arrays(results_, primals[0]);
  }
  std::pair<Arrays, Axes> vmap(const Arrays& inputs, const Axes&) override {
    return {Arrays(results_, inputs[0]), Axes(axes_, 0)};
  }
  DEFINE_NAME(Careless)

 private:
  size_t results_, axes_;
};

array careless(const array& x, size_t results, size_t axes = 1) {
  return array(x.shape(), x.dtype(), std::make_shared<Careless>(default_stream(Device::cpu), results, axes), {x});
}

void refused(const std::string& text, const std::function<void()>& f) {
  try {
    f();
    ADD_FAILURE() << "no exception: " << text;
  } catch (const std::invalid_argument& e) {
    EXPECT_EQ(std::string(e.what()), text);
  }
}

const array x({1.0f, 2.0f});

TEST(Rules, ResultsOfAPrimitive) {
  for (size_t n : {0, 2}) {
    std::string returned = " The rule of Careless returned " + std::to_string(n);
    auto f = [&](const array& a) { return careless(a, n); };
    refused("[vjp]" + returned + " cotangents instead of 1.", [&] { vjp(f, x, x); });
    refused("[jvp]" + returned + " tangents instead of 1.", [&] { jvp(f, x, x); });
    refused("[vmap]" + returned + " outputs instead of 1.", [&] { vmap(f)(ones({3, 2})); });
    auto g = [&](const array& a) { return careless(a, 1, n); };
    refused("[vmap]" + returned + " axes instead of 1.", [&] { vmap(g)(ones({3, 2})); });
  }
}

TEST(Rules, ResultsOfACustomFunction) {
  auto same = [](const Arrays& a) { return a; };
  auto no_tangents = [](const Arrays&, const Arrays&, const Axes&) { return Arrays{}; };
  auto no_axes = [](const Arrays& a, const Axes&) { return std::make_pair(a, Axes{}); };
  auto f = custom_function(same, std::nullopt, no_tangents, no_axes);
  EXPECT_THROW(jvp(f, {x}, {x}), std::invalid_argument);
  EXPECT_THROW(vmap(f)({x}), std::invalid_argument);
}

}  // namespace
