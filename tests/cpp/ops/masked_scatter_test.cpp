// masked_scatter, which Python reaches through x[mask] = v only: layouts, values left over or missing, derivatives.
#include <gtest/gtest.h>

#include "tests/cpp/ops/host.h"

using namespace mlx::core;
using namespace mlx::core::test;

namespace {

TEST(MaskedScatter, AgainstALoop) {
  for (Dtype t : {uint8, float16, float32, float64, complex64}) {
    for (const array& x : layouts({3, 4, 5}, 1, t)) {
      for (int ndim = 0; ndim <= 3; ndim++) {
        Shape shape(x.shape().begin(), x.shape().begin() + ndim);
        array mask = evaluated(greater(random_array(shape, 2, float32), array(0.0f)));
        array src = evaluated(random_array({60}, 3, t));
        Host expected(x), m(mask), from(src);
        size_t row = expected.v.size() / m.v.size(), next = 0;
        for (size_t k = 0; k < m.v.size(); k++) {
          for (size_t i = 0; m.v[k] != 0 && i < row; i++) expected.v[k * row + i] = from.v[next++];
        }
        ASSERT_EQ(values(masked_scatter(x, mask, src)), expected.v) << dtype_name(t) << " " << ndim;
        ASSERT_EQ(values(masked_scatter(x, mask, reshape(src, {5, 12}))), expected.v);
      }
    }
  }
}

TEST(MaskedScatter, Refuses) {
  array x = zeros({2, 3}), mask = array({true, false, true}, {3}, bool_);
  EXPECT_THROW(masked_scatter(x, mask, x), std::invalid_argument);
  EXPECT_THROW(masked_scatter(x, zeros({2, 3}), x), std::invalid_argument);
  EXPECT_THROW(masked_scatter(x, zeros({2, 3, 1}, bool_), x), std::invalid_argument);
  EXPECT_THROW(eval(masked_scatter(x, array({true, true}, {2}, bool_), zeros({5}))), std::runtime_error);
  EXPECT_EQ(values(masked_scatter(x, array({true, false}, {2}, bool_), array({1, 2, 3}))),
            (std::vector<double>{1, 2, 3, 0, 0, 0}));
  EXPECT_EQ(values(masked_scatter(zeros({0, 3}), zeros({0}, bool_), zeros({0}))).size(), 0u);
  EXPECT_EQ(values(masked_scatter(zeros({2, 0}), array({true, true}, {2}, bool_), zeros({0}))).size(), 0u);
}

TEST(MaskedScatter, ReusesTheMemory) {
  array x = evaluated(random_array({50}, 1) + 1.0);
  const double* before = x.data<double>();
  x = masked_scatter(std::move(x), less(arange(50), array(3)), array({7, 8, 9}));
  EXPECT_EQ(values(x)[2], 9);
  EXPECT_EQ(x.data<double>(), before);
}

TEST(MaskedScatter, Derivatives) {
  array mask = array({true, false, true, false}, {4}, bool_);
  auto f = [&](const std::vector<array>& in) {
    return std::vector<array>{masked_scatter(in[0], mask, in[1])};
  };
  auto [outputs, gradients] = vjp(f, {ones({4, 2}), ones({7})}, {reshape(arange(8.0, float32), {4, 2})});
  EXPECT_EQ(values(gradients[0]), (std::vector<double>{0, 0, 2, 3, 0, 0, 6, 7}));
  EXPECT_EQ(values(gradients[1]), (std::vector<double>{0, 1, 4, 5, 0, 0, 0}));
  auto tangents = jvp(f, {ones({4, 2}), ones({7})}, {full({4, 2}, array(5.0f)), arange(7.0, float32)}).second;
  EXPECT_EQ(values(tangents[0]), (std::vector<double>{0, 1, 5, 5, 2, 3, 5, 5}));
}

}  // namespace
