// Reductions, argmin and argmax, statistics: values against loops in double over shapes, axes, layouts and
// dtypes, promises about accuracy, same bits for any number of threads, derivatives.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "mlx/core/error.h"
#include "mlx/core/thread_pool.h"
#include "mlx/ops.h"
#include "mlx/transforms.h"

using namespace mlx::core;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
const float nan_value = std::nanf("");

const Dtype all_dtypes[] = {bool_, uint8, uint16,  uint32,  uint64,  int8,     int16,
                            int32, int64, float16, float32, float64, bfloat16, complex64};

std::vector<double> values(array x) {
  x = reshape(astype(x, float64), {-1});
  eval(x);
  std::vector<double> out;
  for (int64_t i = 0; i < static_cast<int64_t>(x.size()); i++)
    out.push_back(x.data<double>()[i * x.strides(0)]);
  return out;
}

std::string bits(array x) {
  x = reshape(x, {-1}) + zeros({1}, x.dtype());
  eval(x);
  return {x.data<char>(), x.nbytes()};
}

array random_array(Shape shape, Dtype dtype, int seed = 0) {
  std::mt19937 generator(static_cast<unsigned>(seed));
  std::vector<float> data;
  for (size_t i = 0; i < element_count(shape); i++) data.push_back(static_cast<float>(generator() % 7));
  return astype(array(data.begin(), shape), dtype);
}

// Splits the flat index of a row-major shape.
std::vector<int64_t> coordinates(int64_t index, const Shape& shape) {
  std::vector<int64_t> at(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    at[i] = index % shape[i];
    index /= shape[i];
  }
  return at;
}

using Fold = double (*)(double, double);
std::vector<double> reduced(const array& x, const std::vector<int>& axes, double start, Fold fold) {
  std::vector<double> v = values(x);
  Shape kept = x.shape();
  for (int a : axes) kept[a] = 1;
  std::vector<double> out(element_count(kept), start);
  Strides strides = row_major_strides(kept);
  for (size_t i = 0; i < v.size(); i++) {
    std::vector<int64_t> at = coordinates(static_cast<int64_t>(i), x.shape());
    int64_t place = 0;
    for (size_t d = 0; d < at.size(); d++) place += kept[d] == 1 ? 0 : at[d] * strides[d];
    out[place] = fold(out[place], v[i]);
  }
  return out;
}

double add_fold(double a, double b) { return a + b; }
double max_fold(double a, double b) { return std::max(a, b); }
double min_fold(double a, double b) { return std::min(a, b); }
double any_fold(double a, double b) { return a != 0 || b != 0; }
double all_fold(double a, double b) { return a != 0 && b != 0; }

// The same elements in other layouts.
std::vector<array> layouts(const array& x) {
  std::vector<array> out{x};
  int n = static_cast<int>(x.ndim());
  std::vector<int> reversed;
  for (int i = n; i-- > 0;) reversed.push_back(i);
  if (n > 1) {
    array back = transpose(x, reversed) + zeros({1}, x.dtype());  // row-major in reversed order
    eval(back);
    out.push_back(transpose(back, reversed));
  }
  return out;
}

struct Case {
  Shape shape;
  std::vector<std::vector<int>> axes;
};
const Case cases[] = {
    {{7}, {{0}}},
    {{70}, {{0}}},
    {{5, 3}, {{0}, {1}, {0, 1}}},
    {{40, 65}, {{0}, {1}, {0, 1}}},
    {{3, 2000}, {{0}, {1}, {0, 1}}},
    {{2000, 3}, {{0}, {1}}},
    {{4, 33, 17}, {{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}}},
    {{2, 3, 4, 5}, {{0, 2}, {1, 3}, {3}, {2}, {0, 3}}},
    {{1, 1200, 1, 9}, {{1}, {1, 2}, {3}, {0, 2}}},
};

TEST(Reduce, ValuesOfAllDtypesAndLayouts) {
  for (Dtype dtype : all_dtypes) {
    for (const Case& c : cases) {
      array x = random_array(c.shape, dtype);
      for (const array& layout : layouts(x)) {
        for (const std::vector<int>& axes : c.axes) {
          SCOPED_TRACE(concat(dtype_name(dtype), " ", c.shape, " over ", axes));
          EXPECT_EQ(values(max(layout, axes)), reduced(x, axes, -inf, max_fold));
          EXPECT_EQ(values(min(layout, axes)), reduced(x, axes, inf, min_fold));
          EXPECT_EQ(values(any(layout, axes)), reduced(x, axes, 0, any_fold));
          EXPECT_EQ(values(all(layout, axes)), reduced(x, axes, 1, all_fold));
          // Small integers: exact in every type that does not round; halves round once at the end.
          std::vector<double> sums = reduced(x, axes, 0, add_fold);
          EXPECT_EQ(values(sum(layout, axes)),
                    values(astype(array(sums.begin(), {static_cast<int>(sums.size())}, float64),
                                  sum(layout, axes).dtype())));
        }
      }
    }
  }
}

TEST(Reduce, StridedAndBroadcastInputs) {
  array x = random_array({6, 5}, float32);
  array wide = broadcast_to(reshape(x, {6, 1, 5}), {6, 40, 5});
  EXPECT_EQ(values(sum(wide, {1})), values(x * 40.0f));
  EXPECT_EQ(values(sum(wide, {0, 1})), values(sum(x, 0) * 40.0f));
  EXPECT_EQ(values(max(wide, {0, 2})), std::vector<double>(40, values(max(x))[0]));
  EXPECT_EQ(values(sum(broadcast_to(array(2.0f), {100, 1000}))), (std::vector<double>{200000}));
}

TEST(Reduce, Products) {
  for (Dtype dtype : {int32, int64, float16, float32, float64, bfloat16, complex64}) {
    array x = astype(array({1.0f, 2.0f, -1.0f, 2.0f, 1.0f, 3.0f}, {2, 3}), dtype);
    EXPECT_EQ(values(prod(x, 1)), (std::vector<double>{-2, 6}));
    EXPECT_EQ(values(prod(x, 0)), (std::vector<double>{2, 2, -3}));
    EXPECT_EQ(values(prod(x)), (std::vector<double>{-12}));
  }
  array z(complex64_t(1, 2));
  array p = prod(broadcast_to(z, {3}));
  EXPECT_EQ(values(real(p))[0], -11);
  EXPECT_EQ(values(imag(p))[0], -2);
  EXPECT_EQ(prod(array({true, true})).dtype(), int32);
}

TEST(Reduce, IntegersWrap) {
  std::vector<int> large(100, 0x7fffffff);
  array x(large.begin(), {100}, int32);
  EXPECT_EQ(sum(x).item<int32_t>(), static_cast<int32_t>(100u * 0x7fffffffu));
  EXPECT_EQ(sum(astype(x, uint32)).item<uint32_t>(), 100u * 0x7fffffffu);
  array bytes = full({1000}, array(255, uint8));
  EXPECT_EQ(sum(bytes).item<uint32_t>(), 255000u);
  EXPECT_EQ(prod(full({40}, array(3, int32))).item<int32_t>(), [] {
    uint32_t p = 1;
    for (int i = 0; i < 40; i++) p *= 3;
    return static_cast<int32_t>(p);
  }());
}

TEST(Reduce, ComplexSumsAndOrder) {
  std::vector<complex64_t> data;
  for (int i = 0; i < 600; i++) data.push_back({static_cast<float>(i % 11), static_cast<float>(i % 5 - 2)});
  array x(data.begin(), {20, 30});
  for (int axis : {0, 1}) {
    EXPECT_EQ(values(real(sum(x, axis))), values(sum(real(x), axis)));
    EXPECT_EQ(values(imag(sum(x, axis))), values(sum(imag(x), axis)));
  }
  array pair({complex64_t(1, 5), complex64_t(1, 7), complex64_t(0, 9)});
  EXPECT_EQ(values(imag(max(pair)))[0], 7);
  EXPECT_EQ(values(imag(min(pair)))[0], 9);
  array with_nan({complex64_t(1, 5), complex64_t(0, nan_value)});
  EXPECT_TRUE(std::isnan(values(imag(max(with_nan)))[0]));
}

TEST(Reduce, NanPropagatesFromAnyPlace) {
  for (Dtype dtype : {float16, bfloat16, float32, float64}) {
    for (int n : {1, 5, 16, 31, 33, 200}) {
      for (int at = 0; at < n; at += 3) {
        std::vector<float> data(static_cast<size_t>(n), 1.0f);
        data[at] = nan_value;
        array x = astype(array(data.begin(), {n}), dtype);
        EXPECT_TRUE(std::isnan(values(max(x))[0]) && std::isnan(values(min(x))[0]) &&
                    std::isnan(values(sum(x))[0]));
        EXPECT_TRUE(all(x).item<bool>());
        array rows = broadcast_to(reshape(x, {n, 1}), {n, 3});
        EXPECT_TRUE(std::isnan(values(max(rows, 0))[2]));
      }
    }
  }
  EXPECT_EQ(values(max(array({-inf, -inf})))[0], -inf);
  EXPECT_EQ(values(min(array({inf, inf})))[0], inf);
}

TEST(Reduce, EmptyAndScalar) {
  array e = zeros({0, 3});
  EXPECT_EQ(values(sum(e, 0)), (std::vector<double>{0, 0, 0}));
  EXPECT_FALSE(std::signbit(values(sum(e, 0))[0]));
  EXPECT_EQ(values(prod(e, 0)), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(values(all(e, 0)), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(values(any(e)), (std::vector<double>{0}));
  EXPECT_EQ(values(sum(e, 1)).size(), 0u);
  EXPECT_THROW(max(e, 0), std::invalid_argument);
  EXPECT_EQ(max(e, 1).shape(), (Shape{0}));
  EXPECT_TRUE(std::isnan(values(mean(e))[0]) && std::isnan(values(mlx::core::std(e))[0]));
  EXPECT_EQ(sum(array(3.0f)).item<float>(), 3.0f);
  EXPECT_THROW(sum(array(3.0f), 0), AxisError);
  EXPECT_THROW(sum(e, std::vector<int>{1, -1}), std::invalid_argument);
  EXPECT_EQ(sum(e, true).shape(), (Shape{1, 1}));
}

TEST(Reduce, OneValueRepeated) {
  for (float value : {0.1f, 1.0f / 3, -7.7e20f, 3e-39f}) {
    for (int n = 1; n <= 70; n++) {
      array x = full({n}, array(value)), rows = full({n, 2}, array(value)) + 0.0f;
      float exact = static_cast<float>(static_cast<double>(value) * n);
      EXPECT_EQ(sum(x).item<float>(), exact);
      EXPECT_EQ(sum(x + 0.0f).item<float>(), exact);
      EXPECT_EQ(values(sum(rows, 0))[1], exact);
      EXPECT_EQ(mean(x).item<float>(), value);
      EXPECT_EQ(values(mean(rows, 0))[1], value);
      EXPECT_EQ(var(x).item<float>(), 0.0f);
      array wide = full({n}, array(static_cast<double>(value) * 1.1, float64)) + array(0.0, float64);
      eval(wide);
      EXPECT_EQ(mean(wide).item<double>(), wide.data<double>()[0]) << value << " " << n;
      EXPECT_EQ(var(wide).item<double>(), 0.0);
    }
  }
}

TEST(Reduce, LongSums) {
  array x = full({100'000'000}, array(0.1f));
  double exact = 1e8 * static_cast<double>(0.1f);
  EXPECT_EQ(sum(x).item<float>(), static_cast<float>(exact));
  EXPECT_EQ(mean(x).item<float>(), 0.1f);
  array half = full({100'000}, array(1.0f, float16));
  EXPECT_EQ(mean(half).item<float16_t>(), float16_t(1.0f));
  EXPECT_EQ(sum(full({60000}, array(1.0f, float16))).item<float16_t>(), float16_t(60000.0f));
  EXPECT_EQ(mean(full({1000}, array(60000.0f, float16))).item<float16_t>(), float16_t(60000.0f));
  EXPECT_EQ(mean(full({1000}, array(0x7fffffff, int32))).item<float>(), 2147483648.0f);
}

TEST(Reduce, SameBitsForAnyThreadCount) {
  std::mt19937 generator(5);
  std::normal_distribution<float> normal;
  std::vector<float> data(3'000'000);
  for (float& v : data) v = normal(generator);
  array x(data.begin(), {1000, 3000});
  array wide = astype(x, float64) * array(1.1, float64), half = astype(x, bfloat16);
  eval(x, wide, half);
  int threads = num_threads();
  std::vector<std::string> first;
  for (int n : {1, 2, 3, 7}) {
    set_num_threads(n);
    std::vector<std::string> now;
    for (const array& a : {x, wide, half}) {
      for (const std::vector<int>& axes : {std::vector<int>{0}, {1}, {0, 1}}) {
        now.insert(now.end(), {bits(sum(a, axes)), bits(var(a, axes)), bits(logsumexp(a, axes)),
                               bits(prod(a, axes)), bits(max(a, axes)), bits(softmax(a, axes))});
      }
      now.push_back(bits(argmax(a, 0)));
      now.push_back(bits(argmin(a)));
    }
    if (first.empty()) first = now;
    EXPECT_TRUE(first == now) << n << " threads";
  }
  set_num_threads(threads);
}

TEST(Statistics, VarianceOfShiftedValues) {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal(1e4, 1.0);
  for (Dtype dtype : {float32, float64}) {
    std::vector<double> data(200 * 300);
    for (double& v : data) v = normal(generator);
    array x = astype(array(data.begin(), {200, 300}, float64), dtype);
    std::vector<double> v = values(x);
    for (int axis : {0, 1}) {
      std::vector<double> got = values(var(x, axis));
      for (size_t k = 0; k < got.size(); k++) {
        size_t n = axis == 0 ? 200 : 300, step = axis == 0 ? 300 : 1, from = axis == 0 ? k : k * 300;
        double m = 0, s = 0;
        for (size_t i = 0; i < n; i++) m += v[from + i * step] / static_cast<double>(n);
        for (size_t i = 0; i < n; i++) s += (v[from + i * step] - m) * (v[from + i * step] - m);
        EXPECT_NEAR(got[k] / (s / static_cast<double>(n)), 1, dtype == float32 ? 1e-6 : 1e-11);
      }
    }
  }
}

TEST(Statistics, DtypesDdofAndHalves) {
  array i({1, 2, 3, 6}, int32);
  EXPECT_EQ(mean(i).dtype(), float32);
  EXPECT_EQ(mean(i).item<float>(), 3.0f);
  EXPECT_EQ(var(i).item<float>(), 3.5f);
  EXPECT_FLOAT_EQ(var(i, false, 1).item<float>(), 14.0f / 3);
  EXPECT_EQ(var(i, false, 4).item<float>(), inf);
  EXPECT_TRUE(std::isnan(var(full({3}, array(1.0f)), false, 3).item<float>()));
  EXPECT_EQ(mean(array({true, false})).item<float>(), 0.5f);
  array z({complex64_t(1, 1), complex64_t(3, -1)});
  EXPECT_EQ(var(z).dtype(), float32);
  EXPECT_EQ(var(z).item<float>(), 2.0f);
  EXPECT_EQ(values(real(mean(z)))[0], 2);
  array h = astype(array({-1000.0f, 1000.0f}), float16);
  EXPECT_EQ(mlx::core::std(h).dtype(), float16);
  EXPECT_EQ(mlx::core::std(h).item<float16_t>(), float16_t(1000.0f));
  EXPECT_EQ(mean(array({4.0f, 2.0f}), std::vector<int>{}).shape(), (Shape{2}));
  EXPECT_EQ(values(var(array({4.0f, 2.0f}), std::vector<int>{})), (std::vector<double>{0, 0}));
}

TEST(ArgReduce, FirstOccurrenceInAllDtypesAndLayouts) {
  for (Dtype dtype : all_dtypes) {
    for (const Case& c : cases) {
      array x = random_array(c.shape, dtype, 1);
      for (const array& layout : layouts(x)) {
        for (int axis = 0; axis < static_cast<int>(x.ndim()); axis++) {
          std::vector<double> v = values(moveaxis(x, axis, -1));
          size_t n = static_cast<size_t>(x.shape(axis));
          std::vector<double> largest, smallest;
          for (size_t i = 0; i < v.size(); i += n) {
            largest.push_back(static_cast<double>(std::max_element(&v[i], &v[i] + n) - &v[i]));
            smallest.push_back(static_cast<double>(std::min_element(&v[i], &v[i] + n) - &v[i]));
          }
          SCOPED_TRACE(concat(dtype_name(dtype), " ", c.shape, " along ", axis));
          EXPECT_EQ(values(argmax(layout, axis)), largest);
          EXPECT_EQ(values(argmin(layout, axis)), smallest);
        }
      }
    }
  }
}

TEST(ArgReduce, NanKeepdimsErrors) {
  array x({1.0f, nan_value, 5.0f, nan_value, -inf});
  EXPECT_EQ(argmax(x).item<uint32_t>(), 1u);
  EXPECT_EQ(argmin(x).item<uint32_t>(), 1u);
  EXPECT_EQ(values(argmin(broadcast_to(reshape(x, {5, 1}), {5, 2}), 0)), (std::vector<double>{1, 1}));
  array y = zeros({2, 3});
  EXPECT_EQ(argmax(y, true).shape(), (Shape{1, 1}));
  EXPECT_EQ(argmax(y, 1, true).shape(), (Shape{2, 1}));
  EXPECT_EQ(argmax(y, -1).shape(), (Shape{2}));
  EXPECT_EQ(argmax(y).dtype(), uint32);
  EXPECT_EQ(argmax(array(4.0f)).item<uint32_t>(), 0u);
  EXPECT_THROW(argmax(zeros({0, 3}), 0), std::invalid_argument);
  EXPECT_EQ(argmax(zeros({0, 3}), 1).shape(), (Shape{0}));
  EXPECT_THROW(argmax(y, 2), AxisError);
  EXPECT_THROW(argmax(broadcast_to(array(1, uint8), {(int64_t(1) << 32) + 1})), std::invalid_argument);
  std::vector<float> data(1'000'000, 1.0f);
  data[777'777] = data[888'888] = 2.0f;
  EXPECT_EQ(argmax(array(data.begin(), {1'000'000})).item<uint32_t>(), 777'777u);
}

}  // namespace
