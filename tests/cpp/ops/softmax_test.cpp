// softmax and logsumexp: values against loops in double, special values, dtypes.
#include <gtest/gtest.h>

#include <limits>

#include "derivatives.h"
#include "mlx/core/error.h"

using namespace mlx::core;
using namespace mlx::core::testing;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

// Both functions of the rows of a matrix.
struct Rows {
  std::vector<double> softmax, logsumexp;
};
Rows by_loops(const array& matrix) {
  std::vector<double> v = flat(matrix);
  size_t n = static_cast<size_t>(matrix.shape(-1));
  Rows out;
  for (size_t i = 0; i < v.size(); i += n) {
    double largest = v[i], total = 0;
    for (size_t k = 0; k < n; k++) largest = std::max(largest, v[i + k]);
    for (size_t k = 0; k < n; k++) total += std::exp(v[i + k] - largest);
    for (size_t k = 0; k < n; k++) out.softmax.push_back(std::exp(v[i + k] - largest) / total);
    out.logsumexp.push_back(largest + std::log(total));
  }
  return out;
}

double tolerance_of(Dtype t) {
  return t == float64 ? 1e-14 : t == float32 ? 4e-7 : t == float16 ? 1e-3 : 8e-3;
}

TEST(Softmax, ValuesAlongEachAxis) {
  const Shape shapes[] = {{1}, {5}, {16}, {70}, {3, 4}, {2, 3000}, {300, 7}, {4, 33, 17}, {5, 1, 20, 3}};
  for (Dtype dtype : {float16, bfloat16, float32, float64}) {
    for (const Shape& shape : shapes) {
      array x = astype(normal_array(shape, 1) * array(5.0, float64), dtype);
      for (int axis = 0; axis < static_cast<int>(shape.size()); axis++) {
        SCOPED_TRACE(concat(dtype_name(dtype), " ", shape, " along ", axis));
        array last = moveaxis(x, axis, -1);
        Rows wanted = by_loops(reshape(last, {-1, last.shape(-1)}));
        EXPECT_EQ(softmax(x, axis).dtype(), dtype);
        expect_near(flat(moveaxis(softmax(x, axis), axis, -1)), wanted.softmax, tolerance_of(dtype));
        expect_near(flat(softmax(last, -1)), wanted.softmax, tolerance_of(dtype));
        expect_near(flat(logsumexp(x, axis)), wanted.logsumexp, tolerance_of(dtype));
      }
    }
  }
}

TEST(Softmax, SeveralAxes) {
  array x = normal_array({3, 4, 5, 6}, 2);
  for (const std::vector<int>& axes :
       {std::vector<int>{0, 1}, {1, 3}, {0, 2}, {0, 1, 2, 3}, {1, 2, 3}, {0, 3}}) {
    array total = exp(x) / sum(exp(x), axes, true);
    expect_near(flat(softmax(x, axes)), flat(total), 1e-13);
    expect_near(flat(logsumexp(x, axes)), flat(log(sum(exp(x), axes))), 1e-13);
    array back = transpose(transpose(x) + array(0.0, float64));
    expect_near(flat(softmax(back, axes)), flat(total), 1e-13);
  }
  expect_near(flat(softmax(x)), flat(softmax(x, std::vector<int>{0, 1, 2, 3})), 0);
  EXPECT_EQ(flat(softmax(x, std::vector<int>{})), std::vector<double>(360, 1.0));
  EXPECT_EQ(flat(logsumexp(x, std::vector<int>{})), flat(x));
}

TEST(Softmax, LongRows) {
  array x = normal_array({2, 100000}, 3, float32);
  Rows wanted = by_loops(x);
  std::vector<double> got = flat(softmax(x, 1));
  // The difference to the maximum is rounded to float32, then the exponential, the scale and the product.
  for (size_t i = 0; i < got.size(); i++) {
    ASSERT_NEAR(got[i] / wanted.softmax[i], 1, (6 - std::log(wanted.softmax[i])) * 0x1p-24);
  }
  expect_near(flat(logsumexp(x, 1)), wanted.logsumexp, 1e-7);
  expect_near(flat(logsumexp(transpose(x) + 0.0f, 0)), wanted.logsumexp, 1e-7);
}

TEST(Softmax, SpecialValues) {
  const float nan_value = std::nanf("");
  auto all_nan = [](const array& x) {
    for (double v : flat(x)) {
      if (!std::isnan(v)) return false;
    }
    return true;
  };
  for (Dtype dtype : {float16, float32, float64}) {
    auto of = [&](std::initializer_list<float> v) { return astype(array(v), dtype); };
    EXPECT_TRUE(all_nan(softmax(of({1, inf, 2}))));
    EXPECT_TRUE(all_nan(softmax(of({1, nan_value}))));
    EXPECT_TRUE(all_nan(softmax(of({-inf, -inf}))));
    EXPECT_EQ(flat(softmax(of({-inf, 3, -inf}))), (std::vector<double>{0, 1, 0}));
    EXPECT_EQ(flat(logsumexp(of({-inf, -inf})))[0], -inf);
    EXPECT_EQ(flat(logsumexp(of({-inf, inf, 1})))[0], inf);
    EXPECT_TRUE(all_nan(logsumexp(of({inf, nan_value, 1}))));
    EXPECT_EQ(flat(logsumexp(of({-1000, -inf})))[0], -1000);
    EXPECT_EQ(flat(logsumexp(of({1000})))[0], 1000);
    array columns = reshape(of({-inf, -inf, -1000, inf, -inf, -inf}), {3, 2});
    EXPECT_EQ(flat(logsumexp(columns, 0)), (std::vector<double>{-1000, inf}));
  }
  // A block of -inf before finite values.
  array late = where(array({1.0f}) > 0.0f, full({10000}, array(-inf)), array(0.0f));
  std::vector<float> data(10000, -inf);
  data.back() = -500.0f;
  EXPECT_EQ(flat(logsumexp(array(data.begin(), {10000})))[0], -500);
  EXPECT_EQ(flat(logsumexp(array(data.begin(), {10000, 1}), 0))[0], -500);
  EXPECT_EQ(flat(logsumexp(late))[0], -inf);
}

TEST(Softmax, DtypesEmptyErrors) {
  EXPECT_EQ(softmax(array({1, 2}, int32)).dtype(), float32);
  EXPECT_EQ(logsumexp(array({true, false})).dtype(), float32);
  EXPECT_EQ(softmax(zeros({0}, int32)).dtype(), float32);
  EXPECT_EQ(softmax(zeros({0, 3}), 1).shape(), (Shape{0, 3}));
  EXPECT_EQ(softmax(array(2.0f)).item<float>(), 1.0f);
  EXPECT_EQ(logsumexp(array(2.0f)).item<float>(), 2.0f);
  EXPECT_THROW(softmax(array(2.0f), 0), AxisError);
  EXPECT_THROW(softmax(zeros({2, 2}), std::vector<int>{0, 0}), std::invalid_argument);
  EXPECT_THROW(logsumexp(zeros({0, 3}), 0), std::invalid_argument);
  EXPECT_EQ(logsumexp(zeros({0, 3}), 1, true).shape(), (Shape{0, 1}));
  array z({complex64_t(1, 1), complex64_t(2, -1)});
  array direct = log(sum(exp(z)));
  expect_near(flat(real(logsumexp(z))), flat(real(direct)), 1e-6);
  expect_near(flat(imag(logsumexp(z))), flat(imag(direct)), 1e-6);
}

TEST(Softmax, ReusesADeadInput) {
  array x = normal_array({40, 50}, 4, float32);
  std::vector<double> wanted = flat(softmax(x + 1.0f, 1)), kept = flat(x);
  expect_near(flat(softmax(x, 1)), wanted, 1e-6);
  EXPECT_EQ(flat(x), kept);
}

}  // namespace
