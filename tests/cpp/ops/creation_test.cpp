// arange, linspace, eye and the triangles.
#include <gtest/gtest.h>

#include <cmath>

#include "mlx/core/error.h"
#include "tests/cpp/ops/host.h"

using namespace mlx::core;
using namespace mlx::core::test;

namespace {

using V = std::vector<double>;

TEST(Arange, ValuesAndDtypes) {
  EXPECT_EQ(values(arange(4)), (V{0, 1, 2, 3}));
  EXPECT_EQ(arange(4).dtype(), int32);
  EXPECT_EQ(arange(4.0).dtype(), float32);
  EXPECT_EQ(values(arange(5, 0, -2)), (V{5, 3, 1}));
  EXPECT_EQ(values(arange(0.0, 1.0, 0.25)), (V{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(values(arange(0.0, 1.0, 0.25, int32)), (V{0, 0, 0, 0}));
  EXPECT_EQ(values(arange(1.5, 4.0, 1.0, int64)), (V{1, 2, 3}));
  EXPECT_EQ(values(arange(3.0, 0.0, uint8)), V{});
  EXPECT_EQ(values(arange(5.0, 0.0, -2.0, uint8)), (V{5, 3, 1}));
  EXPECT_EQ(values(arange(2.0, 5.0, INFINITY)), (V{2}));
  EXPECT_EQ(values(arange(2.0, 5.0, -INFINITY)), V{});
  for (Dtype t : all_dtypes) {
    if (t == bool_) continue;
    EXPECT_EQ(values(arange(1.0, 100.0, 3.0, t)).back(), 97) << dtype_name(t);
  }
  auto large = values(arange(100000));
  for (size_t i = 0; i < large.size(); i++) ASSERT_EQ(large[i], static_cast<double>(i));
}

TEST(Arange, Errors) {
  EXPECT_EQ(error_of<std::invalid_argument>([] { arange(0.0, 1.0, 0.0); }), "[arange] The step cannot be zero.");
  EXPECT_EQ(error_of<std::invalid_argument>([] { arange(0.0, NAN, 1.0); }),
            "[arange] Bounds and step must be numbers, but got 0, nan and 1.");
  EXPECT_EQ(error_of<std::invalid_argument>([] { arange(0.0, INFINITY, 1.0); }),
            "[arange] The range from 0 to inf in steps of 1 is too long.");
  EXPECT_EQ(error_of<std::invalid_argument>([] { arange(3.0, bool_); }), "[arange] The dtype cannot be bool.");
}

TEST(Linspace, Values) {
  EXPECT_EQ(values(linspace(0, 1, 5)), (V{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(values(linspace(0, 1, 4, false)), (V{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(values(linspace(3, 9, 1)), (V{3}));
  EXPECT_EQ(values(linspace(3, 9, 0)), V{});
  EXPECT_EQ(values(linspace(0, 10, 4, int32)), (V{0, 3, 6, 10}));
  EXPECT_EQ(linspace(0, 1).size(), 50u);
  auto steps = values(linspace(0, 0.1, 1000, true, float32));
  EXPECT_EQ(steps.back(), static_cast<double>(0.1f));
  for (size_t i = 0; i < 1000; i++) ASSERT_EQ(steps[i], static_cast<double>(static_cast<float>(i * (0.1 / 999)))) << i;
  EXPECT_THROW(linspace(0, 1, -1), std::invalid_argument);
}

TEST(Eye, EyeAndTriangles) {
  for (int n : {0, 1, 3}) {
    for (int m : {0, 1, 3, 4}) {
      for (int k = -5; k <= 5; k++) {
        Host e(eye(n, m, k)), t(tri(n, m, k, float32));
        array x = random_array({2, n, m}, 1);
        Host host(x), low(tril(x, k)), high(triu(x, k));
        for (int64_t i = 0; i < n; i++) {
          for (int64_t j = 0; j < m; j++) {
            EXPECT_EQ(e.at({i, j}), j - i == k);
            EXPECT_EQ(t.at({i, j}), j - i <= k);
            for (int64_t b = 0; b < 2; b++) {
              EXPECT_EQ(low.at({b, i, j}), j - i <= k ? host.at({b, i, j}) : 0);
              EXPECT_EQ(high.at({b, i, j}), j - i >= k ? host.at({b, i, j}) : 0);
            }
          }
        }
      }
    }
  }
  for (Dtype t : all_dtypes) EXPECT_EQ(values(identity(2, t)), (V{1, 0, 0, 1}));
  EXPECT_EQ(tri(-1, float32).shape(), (Shape{0, 0}));
  EXPECT_EQ(values(tril(full({2, 2}, array(NAN)), -1))[0], 0);
  EXPECT_EQ(values(tril(ones({2, 2}), INT32_MIN)), V(4, 0));
  EXPECT_EQ(values(triu(ones({2, 2}), INT32_MIN)), V(4, 1));
  EXPECT_EQ(error_of<std::invalid_argument>([] { eye(-1); }), "[eye] Sizes cannot be negative, but got -1 and -1.");
  EXPECT_EQ(error_of<std::invalid_argument>([] { tril(zeros({3})); }),
            "[tril] The array must have at least two dimensions, but has 1.");
}

TEST(AtLeast, Lists) {
  auto l = atleast_3d(std::vector<array>{array(1.0f), zeros({2}), zeros({2, 3})});
  EXPECT_EQ(l[0].shape(), (Shape{1, 1, 1}));
  EXPECT_EQ(l[1].shape(), (Shape{1, 2, 1}));
  EXPECT_EQ(l[2].shape(), (Shape{2, 3, 1}));
  EXPECT_EQ(atleast_2d(std::vector<array>{zeros({2})})[0].shape(), (Shape{1, 2}));
  EXPECT_EQ(atleast_1d(std::vector<array>{}).size(), 0u);
}

}  // namespace
