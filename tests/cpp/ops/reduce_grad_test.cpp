// Derivatives and vmap of reductions, statistics, softmax, log-sum-exp and the norms.
#include "derivatives.h"
#include "mlx/compile.h"
#include "mlx/fast.h"

using namespace mlx::core;
using namespace mlx::core::testing;

namespace {

struct Named {
  const char* name;
  Function f;
};

// Functions of an array of at least two dimensions.
const std::vector<Named>& smooth_functions() {
  static const std::vector<Named> functions = {
      {"sum", [](const array& x) { return sum(x * x, 0); }},
      {"prod", [](const array& x) { return prod(x, -1); }},
      {"prod all", [](const array& x) { return prod(x); }},
      {"max", [](const array& x) { return max(x, -1); }},
      {"min", [](const array& x) { return min(x * x, 0, true); }},
      {"mean", [](const array& x) { return mean(x * x, 0); }},
      {"mean all", [](const array& x) { return mean(x * x * x); }},
      {"var", [](const array& x) { return var(x, -1); }},
      {"var ddof", [](const array& x) { return var(x, 0, true, 1); }},
      {"std", [](const array& x) { return mlx::core::std(x, -1); }},
      {"softmax", [](const array& x) { return softmax(x, -1); }},
      {"softmax first axis", [](const array& x) { return softmax(x, 0); }},
      {"softmax all", [](const array& x) { return softmax(x); }},
      {"logsumexp", [](const array& x) { return logsumexp(x, -1); }},
      {"logsumexp all", [](const array& x) { return logsumexp(x, true); }},
      {"layer_norm", [](const array& x) { return fast::layer_norm(x, std::nullopt, std::nullopt, 1e-3f); }},
      {"rms_norm", [](const array& x) { return fast::rms_norm(x, std::nullopt, 1e-3f); }},
      {"layer_norm with parameters",
       [](const array& x) {
         int n = static_cast<int>(x.shape(-1));
         return fast::layer_norm(x, normal_array({n}, 5), normal_array({n}, 6), 1e-3f);
       }},
      {"rms_norm with weight",
       [](const array& x) { return fast::rms_norm(x, normal_array({x.shape(-1)}, 5), 1e-3f); }},
      // The input is weight and bias too.
      {"layer_norm of itself",
       [](const array& x) { return fast::layer_norm(x, sum(x, 0), mean(x * x, 0), 1e-3f); }},
      {"rms_norm of itself", [](const array& x) { return fast::rms_norm(x * x, sum(x, 0), 1e-3f); }},
  };
  return functions;
}

TEST(ReduceDerivatives, AgreeWithCentralDifferences) {
  for (const Named& n : smooth_functions()) {
    SCOPED_TRACE(n.name);
    check_derivatives(n.f, normal_array({3, 5}, 7));
  }
}

TEST(ReduceDerivatives, VmapAgreesWithALoop) {
  for (const Named& n : smooth_functions()) {
    SCOPED_TRACE(n.name);
    check_vmap(n.f, normal_array({4, 3, 5}, 8));
    // The gradient inside vmap: its primitives have rules too.
    check_vmap(grad(weighted(n.f, 9)), normal_array({4, 3, 5}, 8), 1e-11);
  }
}

// No rule may bake a size of the trace in.
TEST(ReduceDerivatives, ShapelessProgramsFitOtherShapes) {
  for (const Named& n : smooth_functions()) {
    if (std::string(n.name).find(" with ") != std::string::npos)
      continue;  // the test's own parameters have a size
    SCOPED_TRACE(n.name);
    auto both = [&](const std::vector<array>& in) {
      return std::vector<array>{n.f(in[0]), grad([&](const array& x) { return sum(n.f(x)); })(in[0])};
    };
    auto compiled = compile(both, true);
    for (const Shape& shape : {Shape{3, 5}, Shape{4, 7}, Shape{2, 3}}) {
      array x = normal_array(shape, 14);
      std::vector<array> got = compiled({x}), wanted = both({x});
      for (int k : {0, 1}) expect_near(flat(got[k]), flat(wanted[k]), 1e-12);
    }
  }
}

TEST(ReduceDerivatives, VmapOfSomeNormArguments) {
  array x = normal_array({4, 3, 5}, 1), w = normal_array({4, 5}, 2), b = normal_array({4, 5}, 3);
  auto f = [](const std::vector<array>& in) {
    return std::vector<array>{fast::layer_norm(in[0], in[1], in[2], 1e-3f)};
  };
  auto row = [](const array& a, int i) {
    std::vector<double> all = flat(a);
    Shape inner(a.shape().begin() + 1, a.shape().end());
    return array(all.begin() + static_cast<long>(i * element_count(inner)), inner, float64);
  };
  for (std::vector<int> axes :
       {std::vector<int>{0, -1, -1}, {0, 0, -1}, {-1, 0, 0}, {-1, -1, 0}, {0, 0, 0}}) {
    std::vector<array> in{axes[0] < 0 ? row(x, 0) : x, axes[1] < 0 ? row(w, 0) : w,
                          axes[2] < 0 ? row(b, 0) : b};
    array got = vmap(f, axes, {0})(in)[0];
    ASSERT_EQ(got.shape(), (Shape{4, 3, 5}));
    for (int i = 0; i < 4; i++) {
      std::vector<array> one;
      for (int k = 0; k < 3; k++) one.push_back(axes[k] < 0 ? in[k] : row(in[k], i));
      expect_near(flat(row(got, i)), flat(f(one)[0]), 1e-12);
    }
  }
}

TEST(ReduceDerivatives, TiesShareAndZerosOfProducts) {
  EXPECT_EQ(flat(grad([](const array& x) { return max(x); })(array({1.0f, 3.0f, 3.0f}))),
            (std::vector<double>{0, 0.5, 0.5}));
  auto gradient = grad([](const array& x) { return prod(x); });
  EXPECT_EQ(flat(gradient(array({2.0f, 0.0f, 3.0f}))), (std::vector<double>{0, 6, 0}));
  EXPECT_EQ(flat(gradient(array({2.0f, 0.0f, 0.0f}))), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(
      flat(grad([](const array& x) { return sum(x * astype(argmax(x), float32)); })(array({2.0f, 5.0f}))),
      (std::vector<double>{1, 1}));
  EXPECT_TRUE(
      std::isnan(flat(grad([](const array& x) { return mlx::core::std(x); })(array({2.0f, 2.0f})))[0]));
}

TEST(ReduceDerivatives, GradientsKeepTheDtype) {
  for (Dtype dtype : {float16, bfloat16, float32, float64}) {
    array x = normal_array({6, 40}, 3, dtype), w = normal_array({40}, 4, dtype);
    auto f = [](const std::vector<array>& in) {
      array y = fast::layer_norm(in[0], in[1], in[1], 1e-5f) + fast::rms_norm(in[0], in[1], 1e-5f);
      return std::vector<array>{
          sum(y * softmax(in[0], 1) + mean(in[0]) + var(in[0]) + mlx::core::std(in[0]))};
    };
    auto [value, gradients] = value_and_grad(f, std::vector<int>{0, 1})({x, w});
    auto [wide_value, wide] =
        value_and_grad(f, std::vector<int>{0, 1})({astype(x, float64), astype(w, float64)});
    double tolerance = dtype == bfloat16 ? 0.1 : dtype == float16 ? 0.02 : 1e-5;
    for (int k : {0, 1}) {
      EXPECT_EQ(gradients[k].dtype(), dtype);
      expect_near(flat(gradients[k]), flat(wide[k]), tolerance);
    }
  }
}

TEST(ReduceDerivatives, LargeNormGradients) {
  array x = normal_array({1000, 129}, 5, float32), w = normal_array({129}, 6, float32);
  auto f = [](const std::vector<array>& in) {
    return std::vector<array>{sum(fast::layer_norm(in[0], in[1], in[1], 1e-5f) * in[0])};
  };
  std::vector<array> got = value_and_grad(f, std::vector<int>{0, 1})({x, w}).second;
  std::vector<array> wanted =
      value_and_grad(f, std::vector<int>{0, 1})({astype(x, float64), astype(w, float64)}).second;
  expect_near(flat(got[0]), flat(wanted[0]), 2e-6);
  expect_near(flat(got[1]), flat(wanted[1]), 2e-5);
}

}  // namespace
