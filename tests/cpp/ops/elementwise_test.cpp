// Element-wise operations through the graph: dtype rule, broadcasting, layouts, donation. Values of each kernel are
// tested in backend/cpu/isa_elementwise_test.cpp.
#include <gtest/gtest.h>

#include "mlx/ops.h"
#include "mlx/transforms.h"

using namespace mlx::core;

namespace {

std::vector<float> values(array x) {
  x = reshape(astype(x, float32), {-1});
  eval(x);
  std::vector<float> out;
  for (size_t i = 0; i < x.size(); i++) out.push_back(x.data<float>()[i * (x.ndim() ? x.strides(0) : 1)]);
  return out;
}
using V = std::vector<float>;

TEST(Elementwise, Broadcasting) {
  array a({1.0f, 2.0f, 3.0f}), b = array({10.0f, 20.0f}, {2, 1});
  EXPECT_EQ((a + b).shape(), (Shape{2, 3}));
  EXPECT_EQ(values(a + b), (V{11, 12, 13, 21, 22, 23}));
  EXPECT_EQ(values(a * 2.0f), (V{2, 4, 6}));
  EXPECT_EQ(values(transpose(a + b)), (V{11, 21, 12, 22, 13, 23}));
  EXPECT_EQ(values(transpose(a + b) + transpose(a + b)), (V{22, 42, 24, 44, 26, 46}));
  EXPECT_EQ(values(transpose(a + b) + 0.0f), values(transpose(a + b)));
}

TEST(Elementwise, DtypeRule) {
  array i({1, 2}, int32), f({0.5f, 1.5f});
  EXPECT_EQ((i / i).dtype(), float32);
  EXPECT_EQ((i + f).dtype(), float32);
  EXPECT_EQ((i < f).dtype(), bool_);
  EXPECT_EQ(exp(i).dtype(), float32);
  EXPECT_THROW(negative(array(true)), std::invalid_argument);
  EXPECT_EQ(values(where(i < f, i, f)), (V{0.5, 1.5}));
}

TEST(Elementwise, LargeMatchesSmall) {
  std::vector<float> data(300 * 1000);
  for (size_t k = 0; k < data.size(); k++) data[k] = static_cast<float>(k % 1013);
  array x(data.begin(), {300, 1000}), row(data.begin(), {1000}), column(data.begin(), {300, 1});
  V got = values((x + row) * column - transpose(reshape(x, {1000, 300})));
  for (size_t k = 0; k < data.size(); k++) {
    size_t r = k / 1000, c = k % 1000;
    ASSERT_EQ(got[k], (data[k] + data[c]) * data[r] - data[c * 300 + r]) << k;
  }
}

TEST(Elementwise, Empty) {
  array e = zeros({0, 3});
  EXPECT_EQ(values(e + e).size(), 0u);
  EXPECT_EQ((e + ones({1, 3})).shape(), (Shape{0, 3}));
}

}  // namespace
