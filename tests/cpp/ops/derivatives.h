// Derivatives of a function against central differences in float64, and vmap against a loop.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "mlx/ops.h"
#include "mlx/transforms.h"

namespace mlx::core::testing {

using Function = std::function<array(const array&)>;

inline std::vector<double> flat(array x) {
  x = reshape(astype(x, float64), {-1}) + array(0.0, float64);
  eval(x);
  return {x.data<double>(), x.data<double>() + x.size()};
}

inline array normal_array(Shape shape, int seed, Dtype dtype = float64) {
  std::mt19937 generator(static_cast<unsigned>(seed));
  std::normal_distribution<double> normal;
  std::vector<double> data;
  for (size_t i = 0; i < element_count(shape); i++) data.push_back(normal(generator));
  return astype(array(data.begin(), std::move(shape), float64), dtype);
}

// <w, f(x)> for fixed random weights w.
inline Function weighted(const Function& f, int seed) {
  return [=](const array& x) {
    array y = f(x);
    return sum(y * normal_array(y.shape(), seed));
  };
}

inline std::vector<double> central_differences(const Function& scalar, const array& x, double step = 1e-5) {
  std::vector<double> v = flat(x), result;
  for (size_t i = 0; i < v.size(); i++) {
    std::vector<double> up = v, down = v;
    up[i] += step;
    down[i] -= step;
    double high = flat(scalar(array(up.begin(), x.shape(), float64)))[0];
    double low = flat(scalar(array(down.begin(), x.shape(), float64)))[0];
    result.push_back((high - low) / (2 * step));
  }
  return result;
}

inline void expect_near(const std::vector<double>& got, const std::vector<double>& wanted, double tolerance) {
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); i++) {
    EXPECT_NEAR(got[i], wanted[i], tolerance * std::max(1.0, std::abs(wanted[i]))) << "element " << i;
  }
}

// First derivatives in both modes, second ones by differentiating each once more.
inline void check_derivatives(const Function& f, const array& x, double tolerance = 1e-6) {
  Function scalar = weighted(f, 11);
  std::vector<double> numeric = central_differences(scalar, x);
  Function gradient = grad(scalar);
  expect_near(flat(gradient(x)), numeric, tolerance);
  array direction = normal_array(x.shape(), 12);
  double expected = 0;
  std::vector<double> d = flat(direction);
  for (size_t i = 0; i < d.size(); i++) expected += d[i] * numeric[i];
  expect_near(flat(jvp(scalar, x, direction).second), {expected}, tolerance * static_cast<double>(d.size()));
  Function of_gradient = weighted(gradient, 13);
  std::vector<double> second = central_differences(of_gradient, x);
  expect_near(flat(grad(of_gradient)(x)), second, 10 * tolerance);
  double along = 0;
  for (size_t i = 0; i < d.size(); i++) along += d[i] * second[i];
  expect_near(flat(jvp(of_gradient, x, direction).second), {along},
              10 * tolerance * static_cast<double>(d.size()));
}

// x has the batch axis in front.
inline void check_vmap(const Function& f, const array& x, double tolerance = 1e-12) {
  std::vector<double> batched = flat(vmap(f)(x)), single;
  array moved = moveaxis(x, 0, -1);
  EXPECT_EQ(flat(vmap(f, static_cast<int>(x.ndim()) - 1)(moved)), batched);
  for (int i = 0; i < x.shape(0); i++) {
    std::vector<double> all = flat(x);
    size_t n = all.size() / static_cast<size_t>(x.shape(0));
    Shape inner(x.shape().begin() + 1, x.shape().end());
    std::vector<double> part = flat(f(array(all.begin() + static_cast<long>(i * n), inner, float64)));
    single.insert(single.end(), part.begin(), part.end());
  }
  expect_near(batched, single, tolerance);
}

}  // namespace mlx::core::testing
