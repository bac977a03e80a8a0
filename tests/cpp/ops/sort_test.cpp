// sort, argsort, partition and topk against std::stable_sort.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "mlx/core/error.h"
#include "tests/cpp/ops/host.h"

using namespace mlx::core;
using namespace mlx::core::test;

namespace {

template <typename T>
bool is_nan(const T& x) {
  if constexpr (std::is_same_v<T, complex64_t>) return std::isnan(x.real()) || std::isnan(x.imag());
  else return x != x;
}
template <typename T>
bool comes_before(const T& a, const T& b) {
  if (is_nan(a) || is_nan(b)) return !is_nan(a) && is_nan(b);
  return a < b;
}

// Values with many ties, both zeros, infinities and NaN.
template <typename T>
std::vector<T> samples(size_t n, unsigned seed, int spread) {
  std::mt19937_64 generator(seed);
  std::vector<T> data;
  for (size_t i = 0; i < n; i++) {
    uint64_t r = generator();
    if constexpr (std::is_same_v<T, complex64_t>) {
      float parts[] = {0.0f, -0.0f, 1.5f, -2.0f, INFINITY, -INFINITY, NAN};
      data.push_back({parts[r % 7], parts[r / 7 % 7]});
    } else if constexpr (std::is_integral_v<T>) {
      data.push_back(static_cast<T>(spread ? r % spread - spread / 2 : r));
    } else {
      double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN};
      double fine = std::ldexp(static_cast<double>(r), -62) - 2;
      double value = spread ? static_cast<double>(r % spread) - spread / 2 : fine;
      data.push_back(r % 11 < 5 ? static_cast<T>(static_cast<float>(special[r % 11])) : static_cast<T>(value));
    }
  }
  return data;
}

template <typename T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <typename T>
void check_row(Dtype dtype, size_t n, int spread) {
  std::vector<T> data = samples<T>(n, static_cast<unsigned>(n) + 1, spread);
  std::vector<uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return comes_before(data[a], data[b]); });
  array x(data.begin(), {static_cast<ShapeElem>(n)}, dtype);
  EXPECT_EQ(elements<uint32_t>(argsort(x)), order) << dtype_name(dtype) << " " << n;
  std::vector<T> sorted = elements<T>(sort(x));
  for (size_t i = 0; i < n; i++) {
    T got = sorted[i], want = data[order[i]];
    ASSERT_TRUE(same_bits(got, want)) << dtype_name(dtype) << " " << n << " at " << i;
  }
}

TEST(Sort, EveryDtypeAndLength) {
  for (Dtype t : all_dtypes) {
    dispatch_dtype(t, [&]<typename T>(TypeTag<T>) {
      for (size_t n : {0, 1, 2, 3, 10, 255, 256, 257, 1000, 20000}) {
        for (int spread : {0, 2, 100}) check_row<T>(t, n, spread);
      }
    });
  }
}

TEST(Sort, EveryAxisAndLayout) {
  for (int axis = 0; axis < 3; axis++) {
    for (const Shape& shape : {Shape{3, 4, 5}, Shape{2, 300, 3}, Shape{1, 1, 7}}) {
      for (const array& x : layouts(shape, 1)) {
        Host host(x), got(sort(x, axis - 3));
        Host places(argsort(x, axis));
        for (size_t k = 0; k < host.v.size(); k++) {
          auto at = unravel(static_cast<int64_t>(k), shape), from = at, next = at;
          from[axis] = static_cast<int64_t>(places.v[k]);
          ASSERT_EQ(got.v[k], host.at(from));
          if (++next[axis] == shape[axis]) continue;
          ASSERT_LE(got.v[k], got.at(next));
          if (got.v[k] != got.at(next)) continue;
          ASSERT_LT(places.v[k], places.at(next));
        }
      }
    }
  }
  EXPECT_EQ(values(sort(array({3, 1, 2, 0}, {2, 2}))), (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(sort(array(1.0f)).shape(), (Shape{1}));
  EXPECT_EQ(argsort(zeros({2, 0, 3}), 1).shape(), (Shape{2, 0, 3}));
  EXPECT_EQ(evaluated(sort(zeros({2, 0, 3}), 0)).size(), 0u);
  EXPECT_EQ(error_of<AxisError>([] { sort(zeros({2}), 1); }),
            "[sort] Axis 1 is out of bounds for array with 1 dimensions.");
  EXPECT_THROW(argsort(array(1.0f), 0), AxisError);
}

TEST(Sort, InPlaceOnlyWhenNobodyElseHolds) {
  array x = evaluated(random_array({100}, 1) + 1.0);
  const double* before = x.data<double>();
  EXPECT_NE(evaluated(sort(x)).data<double>(), before);
  x = sort(std::move(x), 0);
  x.eval();
  EXPECT_EQ(x.data<double>(), before);
}

TEST(Sort, PartitionAndTopk) {
  array x = evaluated(random_array({5, 40}, 1));
  Host sorted(sort(x, 1));
  for (int kth : {0, 7, -1, 39}) {
    int64_t k = kth < 0 ? kth + 40 : kth;
    Host part(partition(x, kth, 1)), places(argpartition(x, kth, 1));
    for (int64_t r = 0; r < 5; r++) {
      EXPECT_EQ(part.at({r, k}), sorted.at({r, k}));
      EXPECT_EQ(Host(x).at({r, static_cast<int64_t>(places.at({r, k}))}), sorted.at({r, k}));
    }
  }
  EXPECT_EQ(values(sort(topk(x, 3, 1), 1)), values(slice(sort(x, 1), {0, 37}, {5, 40})));
  EXPECT_EQ(topk(x, 0, 0).shape(), (Shape{0, 40}));
  EXPECT_EQ(values(topk(x, 5, 0)), values(x));
  EXPECT_EQ(error_of<std::invalid_argument>([&] { partition(x, 40, 1); }),
            "[partition] Element 40 is out of range for axis 1 with size 40.");
  EXPECT_THROW(argpartition(x, -6, 0), std::invalid_argument);
  EXPECT_EQ(error_of<std::invalid_argument>([&] { topk(x, 6, 0); }),
            "[topk] 6 elements cannot be taken from axis 0 with size 5.");
  EXPECT_THROW(topk(x, -1), std::invalid_argument);
}

TEST(Sort, IndicesOfHugeAxesDoNotFit) {
  array huge = broadcast_to(array(uint8_t{0}), {(ShapeElem{1} << 32) + 1});
  EXPECT_EQ(error_of<std::overflow_error>([&] { argsort(huge, 0); }),
            "[argsort] Indices of an axis of size 4294967297 do not fit in uint32.");
}

}  // namespace
