// concatenate, stack, pad, repeat, tile, roll and contiguous against plain loops.
#include <gtest/gtest.h>

#include "mlx/core/error.h"
#include "tests/cpp/ops/host.h"

using namespace mlx::core;
using namespace mlx::core::test;

namespace {

TEST(Concatenate, EveryAxisLayoutAndDtype) {
  for (Dtype t : all_dtypes) {
    for (int axis = 0; axis < 3; axis++) {
      Shape a_shape{2, 3, 4}, b_shape{2, 3, 4}, c_shape{2, 3, 4};
      b_shape[axis] = 1;
      c_shape[axis] = 0;
      auto as = layouts(a_shape, 1, t), bs = layouts(b_shape, 7, t);
      for (size_t k = 0; k < as.size(); k++) {
        array y = concatenate({as[k], zeros(c_shape, t), bs[k]}, axis - 3);
        Host a(as[k]), b(bs[k]), want(y.shape(), 0);
        for (size_t i = 0; i < want.v.size(); i++) {
          auto at = unravel(static_cast<int64_t>(i), want.shape);
          bool first = at[axis] < a_shape[axis];
          if (!first) at[axis] -= a_shape[axis];
          want.v[i] = first ? a.at(at) : b.at(at);
        }
        EXPECT_EQ(values(y), want.v) << axis << " " << dtype_name(t);
      }
    }
  }
}

TEST(Concatenate, Rules) {
  EXPECT_EQ(concatenate({zeros({2}, int32), zeros({3}, float16)}, 0).dtype(), float16);
  EXPECT_EQ(values(concatenate({array({1, 2, 3, 4}, {2, 2}), array(5)})), (std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_EQ(error_of<std::invalid_argument>([] { concatenate({}, 0); }),
            "[concatenate] At least one array is needed.");
  EXPECT_EQ(error_of<std::invalid_argument>([] { concatenate({zeros({2, 3}), zeros({2, 4})}, 0); }),
            "[concatenate] Array 1 of shape (2,4) does not fit the first one of shape (2,3) along axis 0.");
  EXPECT_EQ(error_of<AxisError>([] { concatenate({array(1.0f), array(2.0f)}, 0); }),
            "[concatenate] Axis 0 is out of bounds for array with 0 dimensions.");
  array s = stack({array({1, 2}), array({3, 4})}, -1);
  EXPECT_EQ(values(s), (std::vector<double>{1, 3, 2, 4}));
  EXPECT_EQ(stack({array(1), array(2)}).shape(), (Shape{2}));
  EXPECT_THROW(stack({zeros({2}), zeros({3})}), std::invalid_argument);
  EXPECT_THROW(stack({zeros({2})}, 2), AxisError);
}

TEST(Concatenate, Large) {
  array a = evaluated(random_array({300, 1000}, 1, float32)), b = evaluated(random_array({300, 500}, 2, float32));
  auto got = values(concatenate({a, b}, 1)), left = values(a), right = values(b);
  for (size_t r = 0; r < 300; r++) {
    for (size_t c = 0; c < 1500; c++) {
      ASSERT_EQ(got[r * 1500 + c], c < 1000 ? left[r * 1000 + c] : right[r * 500 + c - 1000]);
    }
  }
}

// Where the element at position p of an axis of size n comes from; the walk that defines each mode.
int64_t walked(const std::string& mode, int64_t p, int64_t n) {
  if (mode == "edge" || n == 1) return std::clamp<int64_t>(p, 0, n - 1);
  int64_t at = 0, step = p < 0 ? -1 : 1;
  for (int64_t i = 0; i < std::abs(p); i++) {
    if (at + step < 0 || at + step >= n) {
      step = -step;
      if (mode == "symmetric") continue;  // the last element comes twice
    }
    at += step;
  }
  return at;
}

TEST(Pad, EveryMode) {
  for (const std::string mode : {"constant", "edge", "reflect", "symmetric"}) {
    for (const Shape& shape : {Shape{3, 4}, Shape{1, 5}, Shape{2, 2}, Shape{4}}) {
      for (int low : {0, 1, 2, 7}) {
        for (const array& x : layouts(shape, 1)) {
          std::vector<std::pair<int, int>> widths;
          for (size_t i = 0; i < shape.size(); i++) widths.push_back({low, static_cast<int>(i) + 1});
          array y = pad(x, widths, array(9), mode);
          Host host(x), want(y.shape(), 9);
          for (size_t k = 0; k < want.v.size(); k++) {
            auto at = unravel(static_cast<int64_t>(k), want.shape);
            bool inside = true;
            for (size_t i = 0; i < at.size(); i++) {
              at[i] -= low;
              inside &= at[i] >= 0 && at[i] < shape[i];
              if (mode != "constant") at[i] = walked(mode, at[i], shape[i]);
            }
            if (inside || mode != "constant") want.v[k] = host.at(at);
          }
          ASSERT_EQ(values(y), want.v) << mode << " " << shape << " " << low;
        }
      }
    }
  }
}

TEST(Pad, EveryDtypeAndEmpty) {
  for (Dtype t : all_dtypes) {
    array y = pad(ones({1, 2}, t), {1, 0}, array(1.0f));
    EXPECT_EQ(y.dtype(), t);
    EXPECT_EQ(values(y), std::vector<double>(6, 1));
  }
  EXPECT_EQ(values(pad(zeros({0}), 2, array(3))), std::vector<double>(4, 3));
  EXPECT_EQ(values(pad(zeros({2, 0}), {{1, 0}, {1, 1}}, array(3))), std::vector<double>(6, 3));
  EXPECT_EQ(pad(array(1.0f), 3).shape(), Shape{});
}

TEST(Pad, Errors) {
  EXPECT_EQ(error_of<std::invalid_argument>([] { pad(zeros({2}), {{-1, 0}}); }),
            "[pad] Widths cannot be negative, but got (-1,0) for axis 0.");
  EXPECT_EQ(error_of<std::invalid_argument>([] { pad(zeros({2}), 1, array(0), "wrap"); }),
            "[pad] Mode must be constant, edge, reflect or symmetric, but got wrap.");
  EXPECT_EQ(error_of<std::invalid_argument>([] { pad(zeros({0}), 1, array(0), "reflect"); }),
            "[pad] Mode reflect cannot extend axis 0 with size 0.");
  EXPECT_THROW(pad(zeros({2, 2, 2}), {{1, 1}, {1, 1}}), std::invalid_argument);
}

TEST(Repeat, RepeatAndTile) {
  for (const array& x : layouts({2, 3}, 1)) {
    Host host(x);
    for (int n : {0, 1, 3}) {
      array y = repeat(x, n, 1);
      ASSERT_EQ(y.shape(), (Shape{2, 3 * n}));
      Host got(y);
      for (int64_t i = 0; i < 2; i++) {
        for (int64_t j = 0; j < 3 * n; j++) EXPECT_EQ(got.at({i, j}), host.at({i, j / n}));
      }
      array t = tile(x, {2, n, 2});
      ASSERT_EQ(t.shape(), (Shape{2, 2 * n, 6}));
      Host tiled(t);
      for (size_t k = 0; k < tiled.v.size(); k++) {
        auto at = unravel(static_cast<int64_t>(k), tiled.shape);
        EXPECT_EQ(tiled.v[k], host.at({at[1] % 2, at[2] % 3}));
      }
    }
    EXPECT_EQ(values(repeat(x, 2)), values(repeat(flatten(x), 2, 0)));
    EXPECT_EQ(values(tile(x, {2})), values(tile(x, {1, 2})));
  }
  EXPECT_EQ(values(tile(array(3), {2, 2})), std::vector<double>(4, 3));
  EXPECT_THROW(repeat(zeros({2}), -1), std::invalid_argument);
  EXPECT_THROW(tile(zeros({2}), {-1}), std::invalid_argument);
}

TEST(Roll, AgainstLoops) {
  for (int shift : {0, 1, -1, 4, -7, 11}) {
    for (const array& x : layouts({3, 4}, 1)) {
      Host host(x), rows(roll(x, shift, 0)), both(roll(x, shift, std::vector<int>{0, 1}));
      std::vector<double> flat = values(roll(x, shift));
      for (int64_t i = 0; i < 3; i++) {
        for (int64_t j = 0; j < 4; j++) {
          int64_t to_i = ((i + shift) % 3 + 3) % 3, to_j = ((j + shift) % 4 + 4) % 4;
          EXPECT_EQ(rows.at({to_i, j}), host.at({i, j}));
          EXPECT_EQ(both.at({to_i, to_j}), host.at({i, j}));
          EXPECT_EQ(flat[((i * 4 + j + shift) % 12 + 12) % 12], host.at({i, j}));
        }
      }
    }
  }
  EXPECT_EQ(values(roll(arange(4), Shape{1, 2}, 0)), values(roll(arange(4), 3, 0)));
  EXPECT_EQ(roll(zeros({0, 2}), 3).shape(), (Shape{0, 2}));
  EXPECT_EQ(roll(array(1.0f), 3).shape(), Shape{});
  EXPECT_THROW(roll(zeros({2, 2}), Shape{1}, std::vector<int>{0, 1}), std::invalid_argument);
}

TEST(Contiguous, Layouts) {
  for (const array& x : layouts({3, 4, 5}, 1)) {
    array y = evaluated(contiguous(x));
    EXPECT_TRUE(y.flags().row_contiguous);
    EXPECT_EQ(y.strides(), (Strides{20, 5, 1}));
    EXPECT_EQ(values(y), values(x));
  }
  array columns = evaluated(transpose(random_array({3, 4}, 1)));
  EXPECT_EQ(evaluated(contiguous(columns, true)).data<double>(), columns.data<double>());
  EXPECT_NE(evaluated(contiguous(columns)).data<double>(), columns.data<double>());
  EXPECT_EQ(values(copy(columns)), values(columns));
  EXPECT_NE(copy(columns).id(), columns.id());
}

}  // namespace
