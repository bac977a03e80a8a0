// Derivatives against central differences, vmap against a loop and shapeless programs against eager ones, for every
// operation on shapes and indices.
#include <gtest/gtest.h>

#include "mlx/compile.h"
#include "mlx/core/error.h"
#include "tests/cpp/ops/host.h"

using namespace mlx::core;
using namespace mlx::core::test;

namespace {

using Arrays = std::vector<array>;
using Function = std::function<Arrays(const Arrays&)>;

struct Case {
  const char* name;
  Function fun;
  std::vector<Shape> shapes;       // of the inputs with derivatives
  std::vector<Shape> index_shapes;  // of index inputs, which follow
  int64_t index_limit = 1;          // indices are in [-limit, limit)
};

Arrays one(const array& y) { return {y}; }
constexpr ShapeElem E = slice_end;

const std::vector<Case> cases{
      {"slice",
       [](const Arrays& v) { return one(slice(v[0], {1, E}, {E, slice_begin}, {2, -1})); },
       {{4, 3}}, {}},
      {"slice_update",
       [](const Arrays& v) { return one(slice_update(v[0], v[1], {0, 1}, {E, 3}, {2, 1})); },
       {{4, 3}, {1, 2}}, {}},
      {"slice_update_row",
       [](const Arrays& v) { return one(slice_update(v[0], v[1], {0, 1}, {E, 3}, {2, 1})); },
       {{4, 3}, {2}}, {}},
      {"slice_update_add",
       [](const Arrays& v) { return one(slice_update_add(v[0], v[1], {0, 1}, {3, 3})); },
       {{4, 3}, {3, 1}}, {}},
      {"slice_update_prod",
       [](const Arrays& v) { return one(slice_update_prod(v[0], v[1], {0, 1}, {3, 3})); },
       {{4, 3}, {3, 2}}, {}},
      {"slice_update_max",
       [](const Arrays& v) { return one(slice_update_max(v[0], v[1], {0, 1}, {3, 3})); },
       {{4, 3}, {3, 2}}, {}},
      {"slice_update_min",
       [](const Arrays& v) { return one(slice_update_min(v[0], v[1], {0, 1}, {3, 3})); },
       {{4, 3}, {3, 2}}, {}},
      {"flip", [](const Arrays& v) { return one(flip(v[0], 1)); }, {{4, 3}}, {}},
      {"split", [](const Arrays& v) { return split(v[0], 2, 0); }, {{4, 3}}, {}},
      {"split_cuts", [](const Arrays& v) { return split(v[0], Shape{3, 1, -1}, 0); }, {{4, 3}}, {}},
      {"unstack", [](const Arrays& v) { return unstack(v[0], 1); }, {{4, 3}}, {}},
      {"as_strided", [](const Arrays& v) { return one(as_strided(v[0], {3, 2}, {2, 1}, 1)); }, {{4, 3}}, {}},
      {"diagonal", [](const Arrays& v) { return one(diagonal(v[0], -1)); }, {{4, 3, 2}}, {}},
      {"diag", [](const Arrays& v) { return one(diag(v[0], 1)); }, {{4}}, {}},
      {"concatenate",
       [](const Arrays& v) { return one(concatenate({v[0], v[1], v[0]}, 1)); },
       {{4, 3}, {4, 1}}, {}},
      {"stack", [](const Arrays& v) { return one(stack({v[0], v[1]}, 1)); }, {{4, 3}, {4, 3}}, {}},
      {"pad", [](const Arrays& v) { return one(pad(v[0], {{1, 2}, {0, 3}}, v[1])); }, {{4, 3}, {}}, {}},
      {"pad_edge",
       [](const Arrays& v) { return one(pad(v[0], {{1, 2}, {0, 3}}, array(0), "edge")); },
       {{4, 3}}, {}},
      {"pad_reflect",
       [](const Arrays& v) { return one(pad(v[0], {{1, 2}, {0, 7}}, array(0), "reflect")); },
       {{4, 3}}, {}},
      {"pad_symmetric",
       [](const Arrays& v) { return one(pad(v[0], {{1, 2}, {0, 7}}, array(0), "symmetric")); },
       {{4, 3}}, {}},
      {"repeat", [](const Arrays& v) { return one(repeat(v[0], 3, 1)); }, {{4, 3}}, {}},
      {"tile", [](const Arrays& v) { return one(tile(v[0], {2, 1, 2})); }, {{4, 3}}, {}},
      {"roll",
       [](const Arrays& v) { return one(roll(v[0], Shape{1, -2}, std::vector<int>{0, 1})); },
       {{4, 3}}, {}},
      {"roll_flat", [](const Arrays& v) { return one(roll(v[0], 5)); }, {{4, 3}}, {}},
      {"contiguous", [](const Arrays& v) { return one(contiguous(transpose(v[0]))); }, {{4, 3}}, {}},
      {"copy", [](const Arrays& v) { return one(copy(v[0])); }, {{4, 3}}, {}},
      {"tril", [](const Arrays& v) { return one(tril(v[0], -1)); }, {{4, 3}}, {}},
      {"take", [](const Arrays& v) { return one(take(v[0], v[1], 0)); }, {{4, 3}}, {{2, 2}}, 4},
      {"take_1", [](const Arrays& v) { return one(take(v[0], v[1], 1)); }, {{4, 3}}, {{2, 2}}, 3},
      {"take_scalar", [](const Arrays& v) { return one(take(v[0], v[1], 1)); }, {{4, 3}}, {{}}, 3},
      {"take_flat", [](const Arrays& v) { return one(take(v[0], v[1])); }, {{4, 3}}, {{5}}, 12},
      {"take_int", [](const Arrays& v) { return one(take(v[0], -1, 0)); }, {{4, 3}}, {}},
      {"gather",
       [](const Arrays& v) { return one(gather(v[0], {abs(v[1]), v[2]}, {1, 0}, {1, 2})); },
       {{4, 3}}, {{2, 1}, {3}}, 1},
      {"take_along_axis",
       [](const Arrays& v) { return one(take_along_axis(v[0], v[1], 1)); },
       {{4, 3}}, {{4, 5}}, 3},
      {"take_along_axis_0",
       [](const Arrays& v) { return one(take_along_axis(v[0], v[1], 0)); },
       {{4, 1}}, {{2, 3}}, 4},
      {"put_along_axis",
       [](const Arrays& v) { return one(put_along_axis(v[0], v[2], v[1], 1)); },
       {{4, 3}, {4, 5}}, {{4, 5}}, 3},
      {"scatter_add_axis",
       [](const Arrays& v) { return one(scatter_add_axis(v[0], v[2], v[1], 0)); },
       {{4, 3}, {5, 3}}, {{5, 1}}, 4},
      {"scatter",
       [](const Arrays& v) { return one(scatter(v[0], v[2], v[1], 0)); },
       {{4, 3}, {3, 1, 2}}, {{3}}, 4},
      {"scatter_add",
       [](const Arrays& v) { return one(scatter_add(v[0], v[2], v[1], 0)); },
       {{4, 3}, {3, 1, 3}}, {{3}}, 4},
      {"scatter_prod",
       [](const Arrays& v) { return one(scatter_prod(v[0], v[2], v[1], 0)); },
       {{4, 3}, {3, 1, 3}}, {{3}}, 4},
      {"scatter_max",
       [](const Arrays& v) { return one(scatter_max(v[0], v[2], v[1], 0)); },
       {{4, 3}, {3, 1, 3}}, {{3}}, 4},
      {"scatter_min",
       [](const Arrays& v) { return one(scatter_min(v[0], v[2], v[1], 0)); },
       {{4, 3}, {3, 1, 3}}, {{3}}, 4},
      {"scatter_two",
       [](const Arrays& v) { return one(scatter(v[0], {abs(v[2]), v[3]}, v[1], {0, 1})); },
       {{4, 3}, {2, 3, 2, 1}}, {{2, 1}, {3}}, 2},
      {"sort", [](const Arrays& v) { return one(sort(v[0], 0)); }, {{4, 3}}, {}},
      {"sort_flat", [](const Arrays& v) { return one(sort(v[0])); }, {{4, 3}}, {}},
      {"topk", [](const Arrays& v) { return one(topk(v[0], 2, 1)); }, {{4, 3}}, {}},
};

Arrays inputs_of(const Case& c, unsigned seed) {
  Arrays inputs;
  for (const Shape& shape : c.shapes) inputs.push_back(random_array(shape, seed += 17));
  for (const Shape& shape : c.index_shapes) {
    array r = astype(random_array(shape, seed += 17, int32), int32);
    inputs.push_back(remainder(r, array(static_cast<int>(2 * c.index_limit))) - static_cast<int>(c.index_limit));
  }
  for (array& x : inputs) x.eval();
  return inputs;
}

double dot(const array& a, const array& b) {
  auto u = values(a), v = values(b);
  double sum = 0;
  for (size_t i = 0; i < u.size(); i++) sum += u[i] * v[i];
  return sum;
}
double dot(const Arrays& a, const Arrays& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); i++) sum += dot(a[i], b[i]);
  return sum;
}

TEST(ShapeRules, DerivativesAgainstDifferences) {
  const double h = 1e-6;
  for (const Case& c : cases) {
    for (unsigned seed : {1u, 2u}) {
      Arrays in = inputs_of(c, seed);
      size_t n = c.shapes.size();
      Function f = [&](const Arrays& v) {
        Arrays all = v;
        all.insert(all.end(), in.begin() + n, in.end());
        return c.fun(all);
      };
      Arrays primals(in.begin(), in.begin() + n), ones_ct, directions, up, down;
      for (size_t i = 0; i < n; i++) {
        directions.push_back(random_array(primals[i].shape(), seed + 100 + i));
        up.push_back(primals[i] + directions[i] * array(h, float64));
        down.push_back(primals[i] - directions[i] * array(h, float64));
      }
      Arrays above = f(up), below = f(down), cts;
      for (const array& y : above) cts.push_back(random_array(y.shape(), seed + 200));
      double slope = (dot(above, cts) - dot(below, cts)) / (2 * h);
      EXPECT_NEAR(dot(jvp(f, primals, directions).second, cts), slope, 1e-6) << c.name << " jvp";
      Arrays gradients = vjp(f, primals, cts).second;
      for (size_t i = 0; i < n; i++) EXPECT_EQ(gradients[i].shape(), primals[i].shape()) << c.name;
      EXPECT_NEAR(dot(gradients, directions), slope, 1e-6) << c.name << " vjp";
      // One input at a time: the rules see other argnums.
      for (size_t i = 0; i < n && n > 1; i++) {
        Function g = [&](const Arrays& v) {
          Arrays all = primals;
          all[i] = v[0];
          return f(all);
        };
        double tangent = dot(jvp(g, {primals[i]}, {directions[i]}).second, cts);
        EXPECT_NEAR(tangent, dot(vjp(g, {primals[i]}, cts).second[0], directions[i]), 1e-9) << c.name << " " << i;
        EXPECT_NEAR(tangent, dot(gradients[i], directions[i]), 1e-9) << c.name << " " << i;
      }
    }
  }
}

TEST(ShapeRules, VmapAgainstALoop) {
  const int batch = 3;
  for (const Case& c : cases) {
    size_t n = c.shapes.size() + c.index_shapes.size();
    std::vector<Arrays> samples;
    for (int b = 0; b < batch; b++) samples.push_back(inputs_of(c, 1 + static_cast<unsigned>(b)));
    for (unsigned batched = 1; batched < 1u << n; batched++) {
      for (bool at_end : {false, true}) {
        Arrays in;
        std::vector<int> axes;
        for (size_t i = 0; i < n; i++) {
          bool is_batched = batched >> i & 1;
          axes.push_back(is_batched ? (at_end ? static_cast<int>(samples[0][i].ndim()) : 0) : -1);
          Arrays rows;
          for (int b = 0; b < batch; b++) rows.push_back(samples[b][i]);
          in.push_back(is_batched ? stack(rows, axes[i]) : samples[0][i]);
        }
        Arrays got = vmap(c.fun, axes)(in);
        for (int b = 0; b < batch; b++) {
          Arrays element;
          for (size_t i = 0; i < n; i++) element.push_back(samples[axes[i] < 0 ? 0 : b][i]);
          Arrays want = c.fun(element);
          ASSERT_EQ(got.size(), want.size()) << c.name;
          for (size_t o = 0; o < want.size(); o++) {
            array row = take(got[o], b, 0);
            ASSERT_EQ(row.shape(), want[o].shape()) << c.name << " " << batched;
            ASSERT_EQ(values(row), values(want[o])) << c.name << " " << batched << " batch " << b;
          }
        }
      }
    }
  }
}

// Traced at one shape, called at others: as eager, or refused where eager refuses.
TEST(ShapeRules, ShapelessFollowsOrTracesAgain) {
  for (const Case& c : cases) {
    Function f = compile(c.fun, true);
    auto grown = [&](const Arrays& v, int rows) {
      Arrays out;
      for (size_t i = 0; i < v.size(); i++) {
        bool tall = v[i].ndim() > 0 && v[i].shape(0) == 4;
        array x = tall && rows < 4 ? slice(v[i], Shape(v[i].ndim(), 0), [&] {
          Shape stop = v[i].shape();
          stop[0] = rows;
          return stop;
        }())
                  : tall           ? concatenate({v[i], v[i]}, 0)
                                   : v[i];
        x.eval();
        out.push_back(x);
      }
      return out;
    };
    for (int rows : {4, 2, 8, 4, 3}) {
      Arrays in = rows == 4 ? inputs_of(c, 5) : grown(inputs_of(c, 5), rows);
      Arrays want, got;
      bool refused = false;
      try {
        want = c.fun(in);
        for (array& y : want) y.eval();
      } catch (const std::exception&) {
        refused = true;
      }
      try {
        got = f(in);
        for (array& y : got) y.eval();
        EXPECT_FALSE(refused) << c.name << " " << rows;
      } catch (const std::exception& e) {
        EXPECT_TRUE(refused) << c.name << " " << rows << ": " << e.what();
      }
      if (refused) continue;
      ASSERT_EQ(got.size(), want.size()) << c.name << " " << rows;
      for (size_t o = 0; o < want.size(); o++) {
        EXPECT_EQ(got[o].shape(), want[o].shape()) << c.name << " " << rows;
        EXPECT_EQ(values(got[o]), values(want[o])) << c.name << " " << rows;
      }
    }
  }
}

TEST(ShapeRules, NoDerivativeThroughIndices) {
  array x = random_array({4}, 1);
  auto through = [](const Arrays& v) { return one(take(v[0], argsort(v[0]), 0)); };
  auto stopped = [](const Arrays& v) { return one(take(v[0], stop_gradient(argsort(v[0])), 0)); };
  array ct = ones({4}, float64);
  EXPECT_EQ(error_of<std::invalid_argument>([&] { vjp(through, {x}, {ct}); }),
            "[gather] There is no derivative with respect to indices; compute them under stop_gradient.");
  EXPECT_THROW(jvp(through, {x}, {ct}), std::invalid_argument);
  EXPECT_EQ(values(vjp(stopped, {x}, {ct}).second[0]), std::vector<double>(4, 1));
  auto put = [](const Arrays& v) { return one(put_along_axis(v[0], argsort(v[0]), v[0], 0)); };
  EXPECT_NE(error_of<std::invalid_argument>([&] { vjp(put, {x}, {ct}); }).find("stop_gradient"), std::string::npos);
  auto added = [](const Arrays& v) { return one(scatter_add(v[0], argsort(v[0]), reshape(v[0], {4, 1}), 0)); };
  EXPECT_NE(error_of<std::invalid_argument>([&] { vjp(added, {x}, {ct}); }).find("stop_gradient"), std::string::npos);
  EXPECT_NE(error_of<std::invalid_argument>([&] { jvp(added, {x}, {ct}); }).find("stop_gradient"), std::string::npos);
}

TEST(ShapeRules, SecondOrder) {
  array x = random_array({5}, 3);
  std::function<array(const array&)> f = [](const array& v) {
    array w = concatenate({sort(v, 0), slice(v, {1}, {3})}, 0);
    array u = scatter_add(w, array({0, 0}), reshape(take(v, array({1, 4}), 0), {2, 1}), 0);
    return sum(u * u * u);
  };
  std::function<array(const array&)> g = [&](const array& v) { return sum(grad(f)(v) * v); };
  const double h = 1e-5;
  auto gradient = values(grad(g)(x));
  for (int i = 0; i < 5; i++) {
    array step = slice_update(zeros({5}, float64), array(h, float64), {i}, {i + 1});
    double slope = (array(g(x + step)).item<double>() - array(g(x - step)).item<double>()) / (2 * h);
    EXPECT_NEAR(gradient[i], slope, 1e-5);
  }
}

TEST(ShapeRules, ComplexProducts) {
  // Of real functions of complex numbers the gradient is the conjugate of the holomorphic derivative.
  array x = array(complex64_t(1, 2)), u = array(complex64_t(3, -1));
  auto f = [&](const Arrays& v) { return one(slice_update_prod(reshape(v[0], {1}), v[1], {0}, {1})); };
  auto g = [&](const Arrays& v) { return one(scatter_prod(reshape(v[0], {1}), array({0}), reshape(v[1], {1, 1}), 0)); };
  for (const Function& fun : {Function(f), Function(g)}) {
    Arrays got = vjp(fun, {x, u}, {ones({1}, complex64)}).second;
    EXPECT_EQ(got[0].item<complex64_t>(), complex64_t(3, 1));
    EXPECT_EQ(got[1].item<complex64_t>(), complex64_t(1, -2));
  }
}

}  // namespace
