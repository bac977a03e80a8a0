// Slices, updates of slices, splits and strided views against plain loops.
#include <gtest/gtest.h>

#include "mlx/core/error.h"
#include "tests/cpp/ops/host.h"

using namespace mlx::core;
using namespace mlx::core::test;

namespace {

// The elements of range(n)[start:stop:step], by the definition of Python.
std::vector<int64_t> picked(int64_t n, int64_t start, int64_t stop, int64_t step) {
  auto bound = [&](int64_t b) {
    if (b < 0) b += n;
    if (b < 0) return step < 0 ? int64_t{-1} : int64_t{0};
    if (b >= n) return step < 0 ? n - 1 : n;
    return b;
  };
  std::vector<int64_t> out;
  int64_t to = bound(stop);
  for (int64_t i = bound(start); step > 0 ? i < to : i > to; i += step) out.push_back(i);
  return out;
}

TEST(Slice, BoundsAreThoseOfPython) {
  for (int64_t n = 0; n <= 5; n++) {
    array x = arange(0.0, static_cast<double>(n), 1.0, int32);
    for (int64_t start = -n - 2; start <= n + 2; start++) {
      for (int64_t stop = -n - 2; stop <= n + 2; stop++) {
        for (int64_t step : {1, 2, 3, 7, -1, -2, -3, -7}) {
          std::vector<int64_t> want = picked(n, start, stop, step);
          ASSERT_EQ(values(slice(x, {start}, {stop}, {step})), std::vector<double>(want.begin(), want.end()))
              << n << " " << start << " " << stop << " " << step;
        }
      }
    }
  }
}

TEST(Slice, ExtremeBounds) {
  array x = arange(5);
  EXPECT_EQ(values(slice(x, {0}, {slice_end}, {slice_end})), (std::vector<double>{0}));
  EXPECT_EQ(values(slice(x, {slice_end}, {slice_begin}, {-1})), (std::vector<double>{4, 3, 2, 1, 0}));
  EXPECT_EQ(values(slice(x, {slice_end}, {slice_begin}, {slice_begin})), (std::vector<double>{4}));
  EXPECT_EQ(values(slice(x, {-3}, {slice_end}, {2})), (std::vector<double>{2, 4}));
  EXPECT_EQ(error_of<std::invalid_argument>([&] { slice(x, {0}, {1}, {0}); }),
            "[slice] The step of a slice cannot be zero.");
  EXPECT_EQ(error_of<std::invalid_argument>([&] { slice(x, {0, 0}, {1, 1}); }),
            "[slice] Bounds for 2, 2 and 1 axes do not fit an array with 1 dimensions.");
}

struct Region {
  Shape shape, start, stop, step;
};
const std::vector<Region> regions{
    {{4, 5}, {1, 0}, {3, 5}, {1, 1}},          {{4, 5}, {3, -1}, {-5, -6}, {-2, -3}}, {{4, 5}, {0, 4}, {4, 1}, {3, -1}},
    {{3, 4, 5}, {0, 1, 2}, {3, 4, 5}, {2, 1, 2}}, {{3, 0, 2}, {0, 0, 0}, {3, 5, 2}, {1, 1, 1}}, {{}, {}, {}, {}},
    {{6}, {4}, {2}, {1}},                       {{2, 3, 4, 5}, {1, 0, 3, 4}, {2, 3, -5, -6}, {1, 2, -1, -2}},
};
// The places of the region's elements.
std::vector<std::vector<int64_t>> places(const Region& r, Shape& shape) {
  std::vector<std::vector<int64_t>> axes;
  shape.clear();
  for (size_t i = 0; i < r.shape.size(); i++) {
    axes.push_back(picked(r.shape[i], r.start[i], r.stop[i], r.step[i]));
    shape.push_back(static_cast<ShapeElem>(axes[i].size()));
  }
  std::vector<std::vector<int64_t>> out;
  for (int64_t k = 0; k < static_cast<int64_t>(element_count(shape)); k++) {
    auto index = unravel(k, shape);
    for (size_t i = 0; i < index.size(); i++) index[i] = axes[i][static_cast<size_t>(index[i])];
    out.push_back(index);
  }
  return out;
}

TEST(Slice, EveryLayout) {
  for (const Region& r : regions) {
    for (const array& x : layouts(r.shape, 1)) {
      Shape shape;
      Host host(x);
      std::vector<double> want;
      for (auto& at : places(r, shape)) want.push_back(host.at(at));
      array y = slice(x, r.start, r.stop, r.step);
      EXPECT_EQ(y.shape(), shape);
      EXPECT_EQ(values(y), want);
    }
  }
}

TEST(Slice, IsAView) {
  array x = evaluated(random_array({4, 6}, 1));
  array y = evaluated(slice(x, {1, 4}, {3, 0}, {1, -2}));
  EXPECT_EQ(y.data<double>(), x.data<double>() + 10);
  EXPECT_EQ(y.strides(), (Strides{6, -2}));
  EXPECT_EQ(y.data_shared_ptr().get(), x.data_shared_ptr().get());
}

array update(int mode, const array& x, const array& u, const Region& r) {
  switch (mode) {
    case 0: return slice_update(x, u, r.start, r.stop, r.step);
    case 1: return slice_update_add(x, u, r.start, r.stop, r.step);
    case 2: return slice_update_prod(x, u, r.start, r.stop, r.step);
    case 3: return slice_update_max(x, u, r.start, r.stop, r.step);
    default: return slice_update_min(x, u, r.start, r.stop, r.step);
  }
}

TEST(SliceUpdate, EveryModeAndLayout) {
  for (const Region& r : regions) {
    Shape shape;
    auto at = places(r, shape);
    for (int mode = 0; mode < 5; mode++) {
      for (const array& x : layouts(r.shape, 1)) {
        for (const array& u : layouts(shape, 11)) {
          Host host(x), updates(u);
          for (size_t k = 0; k < at.size(); k++) host.at(at[k]) = meet(mode, host.at(at[k]), updates.v[k]);
          EXPECT_EQ(values(update(mode, x, u, r)), host.v) << mode << " " << r.shape;
        }
      }
    }
  }
}

TEST(SliceUpdate, EveryDtype) {
  Region r{{3, 4}, {0, 3}, {3, -5}, {2, -1}};
  Shape shape;
  auto at = places(r, shape);
  for (Dtype t : all_dtypes) {
    array x = evaluated(random_array(r.shape, 1, t)), u = evaluated(random_array({4}, 2, t));
    for (int mode = 0; mode < 5; mode++) {
      Host host(x), updates(u);
      for (size_t k = 0; k < at.size(); k++) {
        double exact = meet(mode, host.at(at[k]), updates.v[k % 4]);
        if (t == bool_) exact = mode == 1 ? std::min(exact, 1.0) : exact;
        host.at(at[k]) = values(astype(astype(array(exact, float64), int64), t))[0];
        if (issubdtype(t, inexact)) host.at(at[k]) = values(astype(array(exact, float64), t))[0];
      }
      EXPECT_EQ(values(update(mode, x, u, r)), host.v) << dtype_name(t) << " " << mode;
    }
  }
}

TEST(SliceUpdate, NanWins) {
  float nan = NAN;
  array x({nan, 1.0f}), u({1.0f, nan});
  for (double v : values(slice_update_max(x, u, {0}, {2}))) EXPECT_TRUE(std::isnan(v));
  for (double v : values(slice_update_min(x, u, {0}, {2}))) EXPECT_TRUE(std::isnan(v));
}

TEST(SliceUpdate, InPlaceWhenNobodyElseHolds) {
  array x = evaluated(random_array({100}, 1) + 1.0);
  const double* before = x.data<double>();
  array kept = evaluated(slice_update(x, array(7.0, float64), {3}, {5}));
  EXPECT_NE(kept.data<double>(), before);
  EXPECT_NE(values(x)[3], 7);
  x = slice_update_add(std::move(x), array(1.0, float64), {3}, {5});
  x.eval();
  EXPECT_EQ(x.data<double>(), before);
  // A view of the buffer counts as a holder.
  array view = evaluated(slice(x, {10}, {20}));
  x = slice_update(std::move(x), array(0.0, float64), {3}, {5});
  x.eval();
  EXPECT_NE(x.data<double>(), before);
}

TEST(SliceUpdate, SourceUpdatesItself) {
  array x = evaluated(arange(0.0, 6.0, 1.0, float32) + 0.0f);
  array y = slice_update(x, slice(x, {0}, {5}), {1}, {6});
  EXPECT_EQ(values(y), (std::vector<double>{0, 0, 1, 2, 3, 4}));
}

TEST(SliceUpdate, ShapesMustFit) {
  EXPECT_EQ(error_of<std::invalid_argument>([] { slice_update(zeros({4}), zeros({3}), {0}, {2}); }),
            "[slice_update] Cannot broadcast an update of shape (3,) to a slice of shape (2,).");
  EXPECT_EQ(slice_update(zeros({4}, int32), array(1.7f), {0}, {2}).dtype(), int32);
  EXPECT_EQ(values(slice_update(zeros({4}, int32), array(1.7f), {0}, {2})), (std::vector<double>{1, 1, 0, 0}));
}

TEST(Split, EqualPartsAndCuts) {
  array x = random_array({6, 4}, 1);
  auto parts = split(x, 3);
  ASSERT_EQ(parts.size(), 3u);
  for (int k = 0; k < 3; k++) EXPECT_EQ(values(parts[k]), values(slice(x, {2 * k, 0}, {2 * k + 2, 4})));
  EXPECT_EQ(error_of<std::invalid_argument>([&] { split(x, 4); }),
            "[split] An axis of size 6 cannot be split into 4 equal parts.");
  EXPECT_THROW(split(x, 0), std::invalid_argument);
  EXPECT_THROW(split(x, 2, 2), AxisError);
  struct Row {
    Shape cuts;
    std::vector<std::pair<int, int>> bounds;
  };
  for (const Row& row : std::vector<Row>{{{2, 4}, {{0, 2}, {2, 4}, {4, 6}}},
                                         {{-1}, {{0, 5}, {5, 6}}},
                                         {{5, 3}, {{0, 5}, {5, 5}, {3, 6}}},
                                         {{9}, {{0, 6}, {6, 6}}},
                                         {{0, 0}, {{0, 0}, {0, 0}, {0, 6}}}}) {
    auto cut = split(flip(x, 0), row.cuts, 0);
    ASSERT_EQ(cut.size(), row.bounds.size());
    for (size_t k = 0; k < cut.size(); k++) {
      auto [from, to] = row.bounds[k];
      EXPECT_EQ(cut[k].shape(), (Shape{to - from, 4}));
      EXPECT_EQ(values(cut[k]), values(slice(flip(x, 0), {from, 0}, {to, 4})));
    }
  }
  EXPECT_EQ(split(zeros({0, 2}), 2, 0)[1].shape(), (Shape{0, 2}));
}

TEST(Split, Unstack) {
  array x = random_array({2, 3, 4}, 1);
  auto rows = unstack(x, 1);
  ASSERT_EQ(rows.size(), 3u);
  for (int k = 0; k < 3; k++) EXPECT_EQ(values(rows[k]), values(take(x, k, 1)));
  EXPECT_EQ(unstack(zeros({0, 3})).size(), 0u);
  EXPECT_THROW(unstack(array(1.0f)), AxisError);
}

TEST(AsStrided, ValuesAndBounds) {
  array x = evaluated(transpose(random_array({4, 3}, 1)));
  Host host(x);
  array y = as_strided(x, {3, 2, 2}, {1, 4, 0}, 2);
  for (int64_t k = 0; k < 12; k++) {
    auto i = unravel(k, {3, 2, 2});
    EXPECT_EQ(values(y)[k], host.v[2 + i[0] + 4 * i[1]]);
  }
  EXPECT_EQ(values(as_strided(x, {12}, {-1}, 11)), std::vector<double>(host.v.rbegin(), host.v.rend()));
  EXPECT_EQ(as_strided(x, {0, 5}, {100, 100}, 100).size(), 0u);
  evaluated(as_strided(x, {0, 5}, {100, 100}, 100));
  EXPECT_EQ(error_of<std::invalid_argument>([&] { as_strided(x, {4}, {4}, 0); }),
            "[as_strided] Shape (4,) with strides (4,) and offset 0 reaches outside of an array with 12 elements.");
  EXPECT_THROW(as_strided(x, {2}, {-1}, 0), std::invalid_argument);
  EXPECT_THROW(as_strided(x, {2, 2}, {INT64_MAX, INT64_MAX}, 0), std::invalid_argument);
  EXPECT_THROW(as_strided(x, {2}, {1, 1}, 0), std::invalid_argument);
}

TEST(Diagonal, AgainstLoops) {
  for (int offset = -5; offset <= 5; offset++) {
    for (const array& x : layouts({4, 2, 3}, 1)) {
      Host host(x);
      std::vector<double> want;
      int64_t length = 0;
      for (int64_t j = 0; j < 2; j++) {
        length = 0;
        for (int64_t i = 0; i < 4; i++) {
          int64_t k = i + offset;
          if (k < 0 || k >= 3) continue;
          want.push_back(host.at({i, j, k}));
          length++;
        }
      }
      array y = diagonal(x, offset, 0, 2);
      EXPECT_EQ(y.shape(), (Shape{2, length}));
      EXPECT_EQ(values(y), want);
    }
    array d = diag(array({1.0f, 2.0f}), offset);
    ShapeElem n = 2 + std::abs(offset);
    ASSERT_EQ(d.shape(), (Shape{n, n}));
    for (int64_t i = 0; i < n; i++) {
      for (int64_t k = 0; k < n; k++) {
        double want = k - i != offset ? 0 : 1 + std::min(i, k);
        EXPECT_EQ(Host(d).at({i, k}), want);
      }
    }
  }
  EXPECT_THROW(diagonal(zeros({3})), std::invalid_argument);
  EXPECT_THROW(diagonal(zeros({3, 3}), 0, 1, -1), std::invalid_argument);
  EXPECT_THROW(diag(zeros({1, 1, 1})), std::invalid_argument);
}

}  // namespace
