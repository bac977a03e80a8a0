// Compilation: same results as eager, caching, fusion without temporaries, exceptions, nesting, shapeless.
#include <gtest/gtest.h>

#include <thread>

#include "mlx/mlx.h"
#include "mlx/primitives.h"

using namespace mlx::core;

namespace {

using Arrays = std::vector<array>;
using Function = std::function<Arrays(const Arrays&)>;

bool same(array a, array b) { return a.shape() == b.shape() && all(a == b).item<bool>(); }

Arrays chain(const Arrays& x) {
  array y = exp(x[0]) * x[1] + 2.0f;
  return {tanh(y) / (1.0f + y * y), y - x[0]};
}

TEST(Compile, EqualsEagerInBits) {
  array a = array({0.1f, -0.5f, 2.0f}), b = array({1.0f, 3.0f, -1.0f});
  Function f = compile(Function(chain));
  for (int i = 0; i < 3; i++) {
    Arrays got = f({a, b}), expected = chain({a, b});
    EXPECT_TRUE(same(got[0], expected[0]));
    EXPECT_TRUE(same(got[1], expected[1]));
  }
}

TEST(Compile, TracesOncePerShapeAndDtype) {
  int traces = 0;
  Function f = compile(Function([&](const Arrays& x) {
    traces++;
    return Arrays{x[0] * 2.0f};
  }));
  f({ones({2})});
  f({zeros({2})});
  EXPECT_EQ(traces, 1);
  f({ones({3})});
  f({ones({2}, float16)});
  EXPECT_EQ(traces, 3);
  f({ones({2})});
  EXPECT_EQ(traces, 3);
}

TEST(Compile, ShapelessTracesAgainWhereASizeWasUsed) {
  int traces = 0;
  Function f = compile(Function([&](const Arrays& x) {
                         traces++;
                         return Arrays{exp(x[0]) + x[0]};
                       }),
                       true);
  EXPECT_TRUE(same(f({ones({2, 3})})[0], exp(ones({2, 3})) + 1.0f));
  EXPECT_TRUE(same(f({ones({1, 5})})[0], exp(ones({1, 5})) + 1.0f));
  EXPECT_EQ(traces, 1);
  Function g = compile(Function([&](const Arrays& x) {
                         return Arrays{vjp([](const array& v) { return sum(v * v); }, x[0], array(1.0f)).second};
                       }),
                       true);
  for (int n : {4, 2, 7}) EXPECT_TRUE(same(g({ones({n})})[0], 2.0f * ones({n})));
}

TEST(Compile, ChainIsOneStep) {
  Function f = compile(Function([](const Arrays& x) { return Arrays{exp(x[0]) * x[0] + x[0] - 1.0f}; }));
  array y = f({ones({8})})[0];
  EXPECT_STREQ(y.primitive().name(), "Compiled");
  EXPECT_EQ(static_cast<Compiled&>(y.primitive()).tape().code.size(), 4u);
}

TEST(Compile, FusedChainMakesNoTemporaries) {
  array x = ones({1 << 20});
  Function f = compile(Function([](const Arrays& v) { return Arrays{exp(v[0]) * v[0] + v[0] - 1.0f}; }));
  array materialized = x + 0.0f;
  eval(materialized, f({materialized})[0]);
  clear_cache();
  reset_peak_memory();
  size_t before = get_active_memory();
  array y = f({materialized})[0];
  eval(y);
  EXPECT_LE(get_peak_memory() - before, y.nbytes() + 4096);
}

TEST(Compile, ExceptionLeavesNoEntry) {
  int calls = 0;
  Function f = compile(Function([&](const Arrays& x) -> Arrays {
    if (calls++ == 0) throw std::runtime_error("first");
    return {x[0] + 1.0f};
  }));
  EXPECT_THROW(f({ones({2})}), std::runtime_error);
  EXPECT_TRUE(same(f({ones({2})})[0], 2.0f * ones({2})));
}

TEST(Compile, ValuesAreUnknownInside) {
  Function f = compile(Function([](const Arrays& x) {
    array y = x[0];
    if (y.item<float>() > 0) y = y + 1.0f;
    return Arrays{y};
  }));
  EXPECT_THROW(f({array(1.0f)}), std::invalid_argument);
}

TEST(Compile, NestedAndUnderGrad) {
  Function inner = compile(Function([](const Arrays& x) { return Arrays{x[0] * x[0] * x[1]}; }));
  Function outer = compile(Function([&](const Arrays& x) { return Arrays{sum(inner(x)[0] + x[0])}; }));
  array x({1.0f, 2.0f}), y(3.0f);
  auto g = value_and_grad(outer)({x, y});
  EXPECT_EQ(g.first[0].item<float>(), 18.0f);
  EXPECT_TRUE(same(g.second[0], array({7.0f, 13.0f})));
}

TEST(Compile, FirstCallFromTwoThreads) {
  for (int round = 0; round < 50; round++) {
    Function f = compile(Function(chain));
    std::atomic<int> right = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++) {
      threads.emplace_back([&] {
        array a = array({0.1f, -0.5f}), b = array({1.0f, 3.0f});
        right += same(f({a, b})[0], chain({a, b})[0]);
      });
    }
    for (auto& t : threads) t.join();
    EXPECT_EQ(right, 4);
  }
}

TEST(Compile, EqualStepsMerge) {
  Function f = compile(Function([](const Arrays& x) {
    array s = sum(x[0], 0, true);
    array t = sum(x[0], 0, true);
    return Arrays{s, t};
  }));
  Arrays out = f({ones({4})});
  EXPECT_EQ(out[0].id(), out[1].id());
}

}  // namespace
