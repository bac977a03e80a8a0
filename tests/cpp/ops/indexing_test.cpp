// gather, take, scatter and their relatives along an axis against plain loops; indices out of range.
#include <gtest/gtest.h>

#include "mlx/core/error.h"
#include "mlx/core/thread_pool.h"
#include "tests/cpp/ops/host.h"

using namespace mlx::core;
using namespace mlx::core::test;

namespace {

using Combined = array (*)(const array&, const std::vector<array>&, const array&, const std::vector<int>&,
                           StreamOrDevice);
const Combined scatters[] = {scatter, scatter_add, scatter_prod, scatter_max, scatter_min};

int64_t wrapped(double index, int64_t size) {
  return static_cast<int64_t>(index) + (index < 0 ? size : 0);
}

TEST(Take, EveryAxisLayoutAndIndexDtype) {
  for (Dtype t : index_dtypes) {
    bool is_signed = issubdtype(t, signedinteger);
    array idx = evaluated(transpose(array({0, 1, is_signed ? -1 : 2, 1, 0, is_signed ? -3 : 0}, {2, 3}, t)));
    Host index(idx);
    for (int axis = 0; axis < 3; axis++) {
      for (const array& x : layouts({3, 4, 5}, 1, axis ? float32 : float64)) {
        Host host(x);
        array y = take(x, idx, axis);
        Host got(y);
        for (size_t k = 0; k < got.v.size(); k++) {
          auto at = unravel(static_cast<int64_t>(k), got.shape);
          int64_t place = wrapped(index.at({at[axis], at[axis + 1]}), x.shape(axis));
          std::vector<int64_t> from(at.begin(), at.begin() + axis);
          from.push_back(place);
          from.insert(from.end(), at.begin() + axis + 2, at.end());
          ASSERT_EQ(got.v[k], host.at(from)) << dtype_name(t) << " axis " << axis;
        }
      }
    }
  }
}

TEST(Take, EveryDtypeFlatAndInt) {
  for (Dtype t : all_dtypes) {
    array x = evaluated(random_array({3, 4}, 1, t));
    Host host(x);
    EXPECT_EQ(values(take(x, array({11, -12, 5}))), (std::vector<double>{host.v[11], host.v[0], host.v[5]}));
    EXPECT_EQ(values(take(x, array({2, 0}), 0)).size(), 8u);
    EXPECT_EQ(values(take(x, -1, 1)), (std::vector<double>{host.v[3], host.v[7], host.v[11]}));
    EXPECT_EQ(values(take(x, 4)), (std::vector<double>{host.v[4]}));
  }
  array x = evaluated(random_array({3, 4}, 1));
  EXPECT_EQ(evaluated(take(x, 1, 0)).data<double>(), x.data<double>() + 4);
  EXPECT_EQ(take(x, zeros({0, 2}, int32), 1).shape(), (Shape{3, 0, 2}));
  EXPECT_EQ(take(zeros({0, 4}), zeros({0}, int32), 0).shape(), (Shape{0, 4}));
  EXPECT_EQ(take(zeros({3, 0}), array({1, 2}), 0).shape(), (Shape{2, 0}));
  EXPECT_EQ(evaluated(take(zeros({3, 0}), array({1, 2}), 0)).size(), 0u);
}

TEST(Take, Errors) {
  array x = zeros({3, 4});
  EXPECT_EQ(error_of<AxisError>([&] { evaluated(take(x, array({0, 3}), 0)); }),
            "[gather] Index 3 is out of bounds for axis 0 with size 3. While evaluating Gather of float32 (3,4), "
            "int32 (2,).");
  EXPECT_NE(error_of<AxisError>([&] { evaluated(take(x, array({0, -5}), 1)); }).find("Index -5 is out of bounds for "
                                                                                   "axis 1 with size 4."),
            std::string::npos);
  for (Dtype t : index_dtypes) {
    EXPECT_THROW(evaluated(take(x, array({100}, t), 0)), AxisError) << dtype_name(t);
    if (!issubdtype(t, signedinteger)) continue;
    EXPECT_THROW(evaluated(take(x, array({-4}, t), 0)), AxisError) << dtype_name(t);
  }
  uint64_t huge[] = {UINT64_MAX};
  EXPECT_NE(error_of<AxisError>([&] { evaluated(take(x, array(huge, {1}, uint64), 0)); }).find("18446744073709551615"),
            std::string::npos);
  EXPECT_THROW(evaluated(take(x, array({INT64_MIN}, int64), 0)), AxisError);
  EXPECT_EQ(error_of<AxisError>([&] { take(x, 3, 0); }), "[take] Index 3 is out of bounds for axis 0 with size 3.");
  EXPECT_EQ(error_of<AxisError>([&] { take(zeros({0}), array({0}), 0); }),
            "[take] Cannot take from axis 0 with size 0.");
  EXPECT_EQ(error_of<std::invalid_argument>([&] { take(x, array({0.5f}), 0); }),
            "[take] Indices must be integers, but got float32.");
  EXPECT_THROW(take(x, array({true}), 0), std::invalid_argument);
  EXPECT_THROW(take(x, array({0}), 2), AxisError);
}

TEST(Take, LargeRowsAndManyElements) {
  array rows = evaluated(random_array({5, 100000}, 1, float32));
  auto got = values(take(rows, array({4, -5}), 0)), all = values(rows);
  for (size_t k = 0; k < 100000; k++) {
    ASSERT_EQ(got[k], all[400000 + k]);
    ASSERT_EQ(got[100000 + k], all[k]);
  }
  array x = evaluated(random_array({1000}, 2)), idx = evaluated(astype(random_array({300, 300}, 3, int32) - 50, int32));
  auto y = values(take(x, idx, 0)), from = values(x), index = values(idx);
  for (size_t k = 0; k < y.size(); k++) ASSERT_EQ(y[k], from[static_cast<size_t>(wrapped(index[k], 1000))]);
}

TEST(Gather, WindowsOfSeveralAxes) {
  for (const array& x : layouts({5, 4, 6}, 1)) {
    array i = array({0, 2, -5}, {3, 1}), j = array({1, 4}, uint8);
    Host host(x), rows(i), columns(j), got(gather(x, {i, j}, {0, -1}, {1, 3, 2}));
    ASSERT_EQ(got.shape, (Shape{3, 2, 1, 3, 2}));
    for (size_t k = 0; k < got.v.size(); k++) {
      auto at = unravel(static_cast<int64_t>(k), got.shape);
      int64_t row = wrapped(rows.v[at[0]], 5), column = wrapped(columns.v[at[1]], 6);
      ASSERT_EQ(got.v[k], host.at({row, at[3], column + at[4]}));
    }
  }
  array x = zeros({5, 4});
  EXPECT_EQ(values(gather(x, std::vector<array>{}, std::vector<int>{}, {2, 2})).size(), 4u);
  EXPECT_NE(error_of<AxisError>([&] { evaluated(gather(x, array({4}), 0, {2, 4})); })
                .find("[gather] Index 4 is out of bounds for windows of 2 elements along axis 0 with size 5."),
            std::string::npos);
  EXPECT_THROW(gather(x, array({0}), 0, {6, 4}), std::invalid_argument);
  EXPECT_THROW(gather(x, array({0}), 0, {1}), std::invalid_argument);
  EXPECT_THROW(gather(x, array({0}), 2, {1, 1}), AxisError);
  EXPECT_THROW(gather(x, {array({0}), array({1})}, {0, 0}, {1, 1}), std::invalid_argument);
  EXPECT_THROW(gather(x, {array({0, 1}), array({0, 1, 2})}, {0, 1}, {1, 1}), std::invalid_argument);
}

TEST(Scatter, EveryModeLayoutAndWindow) {
  for (int mode = 0; mode < 5; mode++) {
    for (const Shape& window : {Shape{1, 4, 1}, Shape{1, 2, 1}, Shape{2, 3, 3}}) {
      for (const array& x : layouts({5, 4, 6}, 1)) {
        array i = array({0, 2, -2}, {3, 1}), j = array({1, 1}, int16);
        Shape shape{3, 2};
        shape.insert(shape.end(), window.begin(), window.end());
        for (const array& u : layouts(shape, 21)) {
          Host host(x), rows(i), columns(j), updates(u);
          for (size_t k = 0; k < updates.v.size(); k++) {
            auto at = unravel(static_cast<int64_t>(k), shape);
            double& place = host.at({wrapped(rows.v[at[0]], 5) + at[2], at[3], wrapped(columns.v[at[1]], 6) + at[4]});
            place = meet(mode, place, updates.v[k]);
          }
          ASSERT_EQ(values(scatters[mode](x, {i, j}, u, {0, 2}, {})), host.v) << mode << " " << window;
        }
      }
    }
  }
}

TEST(Scatter, InnerAxis) {
  for (int axis : {1, 2}) {
    array i = array({0, 2, -1, 2, 1, 0}, {3, 2});
    Shape shape{3, 2, 40, 3, 50};
    shape[2 + axis] = 1;
    for (int mode = 0; mode < 5; mode++) {
      for (const array& x : layouts({40, 3, 50}, 1)) {
        for (const array& u : layouts(shape, 31)) {
          Host host(x), index(i), updates(u);
          for (size_t k = 0; k < updates.v.size(); k++) {
            auto at = unravel(static_cast<int64_t>(k), shape);
            std::vector<int64_t> to(at.begin() + 2, at.end());
            to[axis] = wrapped(index.at({at[0], at[1]}), x.shape(axis));
            host.at(to) = meet(mode, host.at(to), updates.v[k]);
          }
          ASSERT_EQ(values(scatters[mode](x, {i}, u, {axis}, {})), host.v) << mode << " " << axis;
        }
      }
    }
  }
  EXPECT_THROW(evaluated(scatter_add(zeros({2, 3}), array({3}), ones({1, 2, 1}), 1)), AxisError);
}

TEST(Scatter, ManyRepeatedIndicesOnAnyThreadCount) {
  int threads = num_threads();
  for (ShapeElem row : {1, 3, 64}) {
    array idx = evaluated(random_array({20000}, 1, int32));
    array u = evaluated(random_array({20000, 1, row}, 2, float32)), x = evaluated(random_array({100, row}, 3, float32));
    auto index = values(idx), from = values(u);
    for (int mode = 0; mode < 5; mode++) {
      auto start = elements<float>(x);
      std::vector<float> want = start;
      for (size_t k = 0; k < from.size(); k++) {
        size_t to = static_cast<size_t>(index[k / row]) * row + k % row;
        float value = static_cast<float>(from[k]);
        if (mode == 1) want[to] += value;  // in float, not in double
        else if (mode == 2) want[to] *= value;
        else want[to] = static_cast<float>(meet(mode, want[to], value));
      }
      for (int n : {1, 2, 3, 7}) {
        set_num_threads(n);
        ASSERT_EQ(elements<float>(scatters[mode](x, {idx}, u, {0}, {})), want) << mode << " " << row << " " << n;
      }
    }
  }
  set_num_threads(threads);
}

TEST(Scatter, EveryDtype) {
  for (Dtype t : all_dtypes) {
    array x = evaluated(random_array({4}, 1, t)), u = evaluated(random_array({3, 1}, 2, t));
    auto set = values(scatter(x, array({1, 3, 1}), u, 0)), from = values(u), old = values(x);
    EXPECT_EQ(set, (std::vector<double>{old[0], from[2], old[2], from[1]})) << dtype_name(t);
    auto most = values(scatter_max(x, array({1, 3, 1}), u, 0));
    EXPECT_EQ(most[1], std::max({old[1], from[0], from[2]})) << dtype_name(t);
    EXPECT_EQ(values(scatter_min(x, array({1, 3, 1}), u, 0))[3], std::min(old[3], from[1]));
    double one = values(scatter_add(zeros({2}, t), array({1, 1}), ones({2, 1}, t), 0))[1];
    EXPECT_EQ(one, t == bool_ ? 1 : 2);
    EXPECT_EQ(values(scatter_prod(ones({2}, t), array({1}), zeros({1, 1}, t), 0)), (std::vector<double>{1, 0}));
  }
}

TEST(Scatter, InPlaceAndErrors) {
  array x = evaluated(random_array({100, 2}, 1) + 1.0);
  const double* before = x.data<double>();
  x = scatter_add(std::move(x), array({3, 3}), ones({2, 1, 2}, float64), 0);
  x.eval();
  EXPECT_EQ(x.data<double>(), before);
  array kept = evaluated(scatter_add(x, array({3}), ones({1, 1, 2}), 0));
  EXPECT_NE(kept.data<double>(), before);
  EXPECT_EQ(error_of<AxisError>([&] { evaluated(scatter(x, array({100}), ones({1, 1, 2}, float64), 0)); }),
            "[scatter] Index 100 is out of bounds for axis 0 with size 100. While evaluating Scatter of float64 "
            "(100,2), int32 (1,), float64 (1,1,2).");
  EXPECT_THROW(evaluated(scatter_max(x, array({-101}), ones({1, 1, 2}), 0)), AxisError);
  EXPECT_EQ(error_of<std::invalid_argument>([&] { scatter(x, array({0}), ones({1, 2}), 0); }),
            "[scatter] Updates of shape (1,2) do not fit indices of shape (1,) into an array of shape (100,2).");
  EXPECT_THROW(scatter(x, array({0}), ones({1, 1, 3}), 0), std::invalid_argument);
  EXPECT_THROW(scatter(x, array({0.0f}), ones({1, 1, 2}), 0), std::invalid_argument);
  EXPECT_THROW(scatter(x, array({0}), ones({1, 1, 2}), 2), AxisError);
  EXPECT_EQ(values(scatter(x, zeros({0}, int32), zeros({0, 1, 2}), 0)), values(x));
}

TEST(AlongAxis, TakeEveryLayout) {
  for (int axis = 0; axis < 3; axis++) {
    for (Dtype t : index_dtypes) {
      Shape shape{3, 4, 5};
      shape[axis] = 7;
      array idx = remainder(random_array(shape, 5, int32), array(3));
      if (issubdtype(t, signedinteger)) idx = idx - 2;
      for (const array& x : layouts({3, 4, 5}, 1)) {
        array i = evaluated(axis == 1 ? transpose(astype(contiguous(transpose(idx)), t)) : astype(idx, t));
        Host host(x), index(i), got(take_along_axis(x, i, axis));
        ASSERT_EQ(got.shape, shape);
        for (size_t k = 0; k < got.v.size(); k++) {
          auto at = unravel(static_cast<int64_t>(k), shape);
          at[axis] = wrapped(index.v[k], x.shape(axis));
          ASSERT_EQ(got.v[k], host.at(at)) << axis << " " << dtype_name(t);
        }
      }
    }
  }
}

TEST(AlongAxis, BroadcastsAndErrors) {
  array x = random_array({3, 4}, 1);
  EXPECT_EQ(values(take_along_axis(x, array({1, 2}, {1, 2}), 1)), values(take(x, array({1, 2}), 1)));
  EXPECT_EQ(values(take_along_axis(reshape(arange(4), {1, 4}), array({3, 0}, {2, 1}), 1)), (std::vector<double>{3, 0}));
  EXPECT_NE(error_of<AxisError>([&] { evaluated(take_along_axis(x, array({4}, {1, 1}), -1)); })
                .find("[take_along_axis] Index 4 is out of bounds for axis 1 with size 4."),
            std::string::npos);
  EXPECT_EQ(error_of<std::invalid_argument>([&] { take_along_axis(x, array({1}), 0); }),
            "[take_along_axis] Indices of shape (1,) and an array of shape (3,4) must have the same number of "
            "dimensions.");
  EXPECT_EQ(error_of<std::invalid_argument>([&] { take_along_axis(x, zeros({1, 1}), 0); }),
            "[take_along_axis] Indices must be integers, but got float32.");
  EXPECT_THROW(take_along_axis(x, array({1}, {1, 1}), 2), AxisError);
  EXPECT_THROW(take_along_axis(zeros({3, 0}), array({0}, {1, 1}), 1), AxisError);
  EXPECT_EQ(take_along_axis(zeros({3, 0}), zeros({3, 0}, int32), 1).size(), 0u);
  EXPECT_THROW(evaluated(put_along_axis(x, array({-5}, {1, 1}), array(0.0f), 1)), AxisError);
  EXPECT_THROW(put_along_axis(x, array({0}, {1, 1}), zeros({3}), 1), std::invalid_argument);
}

TEST(AlongAxis, PutAndAddEveryLayout) {
  for (int axis = 0; axis < 3; axis++) {
    Shape shape{3, 4, 5};
    shape[axis] = 9;
    array idx = evaluated(remainder(random_array(shape, 5, int32), array(3)) - 1);
    for (const array& x : layouts({3, 4, 5}, 1)) {
      for (const array& u : layouts(shape, 9)) {
        Host set(x), added(x), index(idx), from(u);
        for (size_t k = 0; k < from.v.size(); k++) {
          auto at = unravel(static_cast<int64_t>(k), shape);
          at[axis] = wrapped(index.v[k], x.shape(axis));
          set.at(at) = from.v[k];
          added.at(at) += from.v[k];
        }
        ASSERT_EQ(values(put_along_axis(x, idx, u, axis)), set.v) << axis;
        ASSERT_EQ(values(scatter_add_axis(x, idx, u, axis)), added.v) << axis;
      }
    }
  }
  array x = evaluated(random_array({50}, 1) + 1.0);
  const double* before = x.data<double>();
  x = put_along_axis(std::move(x), array({3}), array(7), 0);
  EXPECT_EQ(values(x)[3], 7);
  EXPECT_EQ(x.data<double>(), before);
}

TEST(AlongAxis, Large) {
  for (int axis = 0; axis < 2; axis++) {
    array x = evaluated(random_array({700, 900}, 1, float32)), i = evaluated(argsort(x, axis));
    Host host(x), index(i), got(take_along_axis(x, i, axis));
    array back = put_along_axis(zeros({700, 900}), i, take_along_axis(x, i, axis), axis);
    EXPECT_EQ(values(back), host.v);
    for (size_t k = 0; k < got.v.size(); k++) {
      auto at = unravel(static_cast<int64_t>(k), got.shape);
      at[axis] = static_cast<int64_t>(index.v[k]);
      ASSERT_EQ(got.v[k], host.at(at));
    }
  }
}

}  // namespace
