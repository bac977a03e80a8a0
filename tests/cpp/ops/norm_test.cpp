// fast::layer_norm and fast::rms_norm: values against loops in double, dtypes, errors.
#include <gtest/gtest.h>

#include "derivatives.h"
#include "mlx/core/error.h"
#include "mlx/fast.h"

using namespace mlx::core;
using namespace mlx::core::testing;

namespace {

std::vector<double> by_loops(bool centered, const array& x, const array& w, const array& b, double eps) {
  std::vector<double> v = flat(x), weight = flat(w), bias = flat(b), out;
  size_t n = static_cast<size_t>(x.shape(-1));
  for (size_t i = 0; i < v.size(); i += n) {
    double mean = 0, square = 0;
    for (size_t k = 0; centered && k < n; k++) mean += v[i + k] / static_cast<double>(n);
    for (size_t k = 0; k < n; k++) square += (v[i + k] - mean) * (v[i + k] - mean) / static_cast<double>(n);
    for (size_t k = 0; k < n; k++) {
      out.push_back((v[i + k] - mean) / std::sqrt(square + eps) * weight[k] + bias[k]);
    }
  }
  return out;
}

double tolerance_of(Dtype t) {
  return t == float64 ? 1e-13 : t == float32 ? 1e-6 : t == float16 ? 2e-3 : 1.6e-2;
}

TEST(Norm, Values) {
  for (Dtype dtype : {float16, bfloat16, float32, float64}) {
    for (const Shape& shape :
         {Shape{1}, Shape{7}, Shape{3, 16}, Shape{5, 4, 33}, Shape{3, 5000}, Shape{300, 64}}) {
      int n = static_cast<int>(shape.back());
      array x = normal_array(shape, 1, dtype), w = normal_array({n}, 2, dtype),
            b = normal_array({n}, 3, dtype);
      array one = ones({n}), zero = zeros({n});
      SCOPED_TRACE(concat(dtype_name(dtype), " ", shape));
      double t = tolerance_of(dtype);
      EXPECT_EQ(fast::layer_norm(x, w, b, 1e-5f).dtype(), dtype);
      expect_near(flat(fast::layer_norm(x, w, b, 1e-5f)), by_loops(true, x, w, b, 1e-5f), t);
      expect_near(flat(fast::layer_norm(x, w, std::nullopt, 1e-5f)), by_loops(true, x, w, zero, 1e-5f), t);
      expect_near(flat(fast::layer_norm(x, std::nullopt, b, 1e-5f)), by_loops(true, x, one, b, 1e-5f), t);
      expect_near(flat(fast::layer_norm(x, std::nullopt, std::nullopt, 1e-5f)),
                  by_loops(true, x, one, zero, 1e-5f), t);
      expect_near(flat(fast::rms_norm(x, w, 1e-5f)), by_loops(false, x, w, zero, 1e-5f), t);
      expect_near(flat(fast::rms_norm(x, std::nullopt, 1e-5f)), by_loops(false, x, one, zero, 1e-5f), t);
    }
  }
}

TEST(Norm, LargeMeanAndStrides) {
  array x = normal_array({64, 100}, 4, float32) + 1e4f, one = ones({100}), zero = zeros({100});
  expect_near(flat(fast::layer_norm(x, std::nullopt, std::nullopt, 0)), by_loops(true, x, one, zero, 0),
              1e-6);
  array t = transpose(x);
  expect_near(flat(fast::layer_norm(t, std::nullopt, std::nullopt, 0)),
              by_loops(true, t, ones({64}), zeros({64}), 0), 1e-6);
}

TEST(Norm, DtypesAndErrors) {
  array x = ones({2, 3}), w = ones({3}), i({1, 2, 3}, int32);
  EXPECT_EQ(fast::layer_norm(i, w, std::nullopt, 1e-5f).dtype(), float32);
  EXPECT_EQ(fast::rms_norm(astype(x, float16), w, 1e-5f).dtype(), float32);
  EXPECT_THROW(fast::rms_norm(i, std::nullopt, 1e-5f), std::invalid_argument);
  EXPECT_THROW(fast::rms_norm(array(1.0f), std::nullopt, 1e-5f), std::invalid_argument);
  EXPECT_THROW(fast::layer_norm(x, ones({2}), std::nullopt, 1e-5f), std::invalid_argument);
  EXPECT_THROW(fast::layer_norm(x, std::nullopt, ones({1, 3}), 1e-5f), std::invalid_argument);
  EXPECT_THROW(fast::layer_norm(astype(x, complex64), std::nullopt, std::nullopt, 1e-5f),
               std::invalid_argument);
  EXPECT_EQ(fast::layer_norm(zeros({0, 3}), w, w, 1e-5f).shape(), (Shape{0, 3}));
  EXPECT_EQ(flat(fast::layer_norm(zeros({2, 0}), std::nullopt, std::nullopt, 1e-5f)).size(), 0u);
}

}  // namespace
