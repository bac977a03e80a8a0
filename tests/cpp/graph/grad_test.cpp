// vjp, jvp and grad: every element-wise row against central differences, composition, second order.
#include <gtest/gtest.h>

#include "mlx/mlx.h"
#include "mlx/ops/elementwise_primitive.h"

using namespace mlx::core;

namespace {

double value(const array& x) { return array(x).item<double>(); }

// Where a row is smooth: a point of its domain away from kinks.
double sample(Domain d) {
  switch (d) {
    case Domain::ge1:
    case Domain::gtm1:
    case Domain::positive: return 1.7;
    case Domain::unit: return 0.3;
    default: return 0.8;
  }
}

array call_row(Op op, const std::vector<array>& x) {
  if (x.size() == 1) return elementwise(op, x[0], {});
  if (x.size() == 2) return elementwise(op, x[0], x[1], {});
  return elementwise_select(x[0], x[1], x[2], {});
}

TEST(Grad, EveryRowAgainstDifferences) {
  const double h = 1e-6;
  for (int r = 0; r < kNumOps; r++) {
    Op op = static_cast<Op>(r);
    const ElementwiseRow& row = elementwise_row(op);
    if (!accepts_dtype(row.accepts, 11) || row.result == Result::Bool) continue;
    for (int wrt = 0; wrt < row.arity; wrt++) {
      if (row.arity == 3 && wrt == 0) continue;
      auto at = [&](double shift) {
        std::vector<array> x;
        for (int i = 0; i < row.arity; i++) {
          double v = row.arity == 2 && i == 1 ? sample(row.domain) * 0.9 : sample(row.domain);
          if (row.arity == 3 && i == 0) x.push_back(array(true));
          else x.push_back(array(v + (i == wrt ? shift : 0), float64));
        }
        return x;
      };
      double slope = (value(call_row(op, at(h))) - value(call_row(op, at(-h)))) / (2 * h);
      if (row.class_name == "Remainder" && wrt == 1) continue;  // a kink is within reach of the difference
      std::vector<array> x = at(0);
      auto f = [&](const std::vector<array>& v) {
        std::vector<array> all = x;
        all[wrt] = v[0];
        return std::vector<array>{call_row(op, all)};
      };
      array one(1.0, float64);
      EXPECT_NEAR(value(vjp(f, {x[wrt]}, {one}).second[0]), slope, 1e-6) << row.class_name << " vjp " << wrt;
      EXPECT_NEAR(value(jvp(f, {x[wrt]}, {one}).second[0]), slope, 1e-6) << row.class_name << " jvp " << wrt;
    }
  }
}

TEST(Grad, BroadcastingIsSummed) {
  auto f = [](const std::vector<array>& x) { return sum(x[0] * x[1]); };
  auto g = grad(f, std::vector<int>{0, 1})({ones({3, 1}), ones({2})});
  EXPECT_EQ(g[0].shape(), (Shape{3, 1}));
  EXPECT_EQ(g[1].shape(), (Shape{2}));
  EXPECT_EQ(sum(g[0]).item<float>(), 6.0f);
  EXPECT_EQ(sum(g[1]).item<float>(), 6.0f);
}

TEST(Grad, HigherOrder) {
  std::function<array(const array&)> f = [](const array& x) { return x * x * x * x; };
  auto d = grad(grad(grad(f)));
  EXPECT_FLOAT_EQ(d(array(2.0f)).item<float>(), 48.0f);
  std::function<array(const array&)> both = [&](const array& x) { return jvp(grad(f), x, array(1.0f)).second; };
  EXPECT_FLOAT_EQ(both(array(2.0f)).item<float>(), 48.0f);
}

TEST(Grad, EvaluationInsideKeepsTheGraph) {
  std::function<array(const array&)> f = [](const array& x) {
    array y = x * x;
    eval(y);
    return y * x;
  };
  EXPECT_FLOAT_EQ(grad(f)(array(3.0f)).item<float>(), 27.0f);
}

TEST(Grad, MillionNodes) {
  std::function<array(const array&)> f = [](const array& x) {
    array y = x;
    for (int i = 0; i < 1000000; i++) y = y + x;
    return y;
  };
  EXPECT_FLOAT_EQ(grad(f)(array(1.0f)).item<float>(), 1000001.0f);
}

TEST(Grad, StopGradientAndUnused) {
  auto f = [](const std::vector<array>& x) { return sum(stop_gradient(x[0]) * x[0]); };
  auto g = grad(f, std::vector<int>{0, 1})({array({1.0f, 2.0f}), array(5.0f)});
  EXPECT_EQ(sum(g[0]).item<float>(), 3.0f);
  EXPECT_EQ(g[1].item<float>(), 0.0f);
}

TEST(Grad, FlatMemoryOverUpdates) {
  std::function<array(const array&)> loss = [](const array& w) { return sum(w * w); };
  array w = ones({1000});
  eval(w);
  size_t early = 0;
  for (int step = 0; step < 10000; step++) {
    w = w - grad(loss)(w) * 0.001f;
    eval(w);
    if (step == 100) early = get_active_memory();
  }
  EXPECT_EQ(get_active_memory(), early);
}

}  // namespace
