// What extensions find in mlx/backend/common/utils.h.
#include <gtest/gtest.h>

#include "mlx/backend/common/utils.h"
#include "mlx/mlx.h"
#include "mlx/primitives.h"

namespace mx = mlx::core;
using mx::Dims, mx::Shape, mx::Strides;

namespace {

// Layouts: shape and strides.
const std::vector<std::pair<Shape, Strides>> kLayouts = {
    {{2, 3, 4}, {12, 4, 1}}, {{2, 3, 4}, {1, 2, 6}}, {{4, 3}, {0, 1}}, {{3, 1, 5}, {10, 7, 2}},
    {{2, 2, 2}, {-4, 2, 1}}, {{}, {}},               {{1, 1}, {9, 9}}, {{6}, {3}},
};

int64_t place(const Shape& shape, const Strides& strides, int64_t elem) {
  int64_t result = 0;
  for (size_t i = shape.size(); i-- > 0; elem /= shape[i]) result += elem % shape[i] * strides[i];
  return result;
}

TEST(CommonUtilsTest, PlacesOfElements) {
  for (auto& [shape, strides] : kLayouts) {
    auto size = static_cast<int64_t>(mx::element_count(shape));
    mx::ContiguousIterator walk(shape, strides, static_cast<int>(shape.size()));
    auto [short_shape, short_strides] = mx::collapse_contiguous_dims(shape, strides);
    EXPECT_LE(short_shape.size(), std::max<size_t>(shape.size(), 1));
    for (int64_t i = 0; i < size; i++, walk.step()) {
      int64_t expected = place(shape, strides, i);
      EXPECT_EQ(walk.loc, expected);
      EXPECT_EQ(mx::elem_to_loc(i, shape, strides), expected);
      EXPECT_EQ(mx::elem_to_loc(i, short_shape, short_strides), expected);
    }
    walk.reset();
    EXPECT_EQ(walk.loc, 0);
    walk.seek(size - 1);
    EXPECT_EQ(walk.loc, place(shape, strides, size - 1));
    walk.reset();
    walk.step(size / 2);
    EXPECT_EQ(walk.loc, place(shape, strides, size / 2));
  }
}

TEST(CommonUtilsTest, CollapseJoinsWhatLiesTogether) {
  auto [shape, strides] = mx::collapse_contiguous_dims(Shape{2, 3, 4}, {Strides{12, 4, 1}, Strides{4, 0, 1}});
  EXPECT_EQ(shape, (Shape{2, 3, 4}));
  std::tie(shape, strides) = mx::collapse_contiguous_dims(Shape{2, 3, 4}, {Strides{12, 4, 1}, Strides{24, 8, 2}});
  EXPECT_EQ(shape, (Shape{24}));
  EXPECT_EQ(strides, (std::vector<Strides>{{1}, {2}}));
  auto [capped, capped_strides] = mx::collapse_contiguous_dims(Shape{2, 3, 4}, Strides{12, 4, 1}, 12);
  EXPECT_EQ(capped, (Shape{6, 4}));
  EXPECT_EQ(capped_strides, (Strides{4, 1}));
  mx::array a = mx::reshape(mx::arange(6.0), {2, 3}), b = mx::transpose(mx::reshape(a, {3, 2}));
  mx::eval(a, b);
  EXPECT_EQ(std::get<0>(mx::collapse_contiguous_dims(a, b)), (Shape{2, 3}));
  EXPECT_EQ(mx::collapse_contiguous_dims(a).first, (Shape{6}));
  EXPECT_THROW(mx::collapse_contiguous_dims(a, mx::zeros({6})), std::invalid_argument);
  EXPECT_EQ(mx::ContiguousIterator(a).contiguous_suffix(), 6);
  EXPECT_EQ(mx::ContiguousIterator(b).contiguous_suffix(), 0);
}

TEST(CommonUtilsTest, Contiguity) {
  EXPECT_EQ(mx::check_contiguity({2, 3}, {3, 1}), std::make_tuple(6, true, false));
  EXPECT_EQ(mx::check_contiguity({2, 3}, {1, 2}), std::make_tuple(6, false, true));
  EXPECT_EQ(mx::check_contiguity({2, 3}, {0, 1}), std::make_tuple(3, false, false));
  EXPECT_EQ(mx::make_contiguous_strides({2, 3, 4}), (Strides{12, 4, 1}));
  EXPECT_EQ(mx::remove_index(Shape{4, 5, 6}, 1), (Shape{4, 6}));
}

TEST(CommonUtilsTest, Grids) {
  for (Shape dims : {Shape{1000, 1, 1}, Shape{3, 70, 5}, Shape{1, 1, 1}, Shape{64, 64, 64}}) {
    int d[3] = {static_cast<int>(dims[0]), static_cast<int>(dims[1]), static_cast<int>(dims[2])};
    auto [grid, block] = mx::get_grid_and_block_common(d[0], d[1], d[2]);
    EXPECT_EQ(block, mx::get_block_dims_common(d[0], d[1], d[2]));
    EXPECT_LE(std::get<0>(block) * std::get<1>(block) * std::get<2>(block), 1024u);
    EXPECT_GE(std::get<0>(block) * std::get<0>(grid), dims[0]);
    EXPECT_GE(std::get<1>(block) * std::get<1>(grid), dims[1]);
    EXPECT_GE(std::get<2>(block) * std::get<2>(grid), dims[2]);
  }
  EXPECT_EQ(mx::get_2d_grid_dims_common({4, 5, 6}, {30, 6, 1}), Dims(120, 1, 1));
  EXPECT_EQ(mx::get_2d_grid_dims_common({4, 5, 6}, {6, 0, 1}), Dims(24, 1, 1));
  EXPECT_EQ(mx::get_2d_grid_dims_common({4, 5, 6}, {30, 6, 1}, 8), Dims(15, 1, 1));
  EXPECT_EQ(mx::get_2d_grid_dims_common({0, 5}, {5, 1}), Dims(0, 1, 1));
  EXPECT_EQ(mx::get_2d_grid_dims_common({1 << 20, 1 << 20}, {1 << 20, 1}), Dims(1 << 20, 1 << 20, 1));
  EXPECT_THROW(mx::get_2d_grid_dims_common({int64_t(1) << 33, 1}, {1, 1}), std::runtime_error);
}

// A reshape of one's own: a view where that works.
class OwnReshape : public mx::UnaryPrimitive {
 public:
  using UnaryPrimitive::UnaryPrimitive;
  using UnaryPrimitive::eval_cpu;
  using UnaryPrimitive::eval_gpu;
  void eval_cpu(const std::vector<mx::array>& inputs, mx::array& out) override {
    auto [copies, strides] = mx::prepare_reshape(inputs[0], out);
    if (!copies) return mx::shared_buffer_reshape(inputs[0], strides, out);
    out.set_data(mx::allocator::malloc(out.nbytes()));
    for (size_t i = 0; i < out.size(); i++) {
      out.data<float>()[i] = inputs[0].data<float>()[mx::elem_to_loc(static_cast<int64_t>(i), inputs[0])];
    }
  }
  void eval_gpu(const std::vector<mx::array>&, mx::array&) override {}
  DEFINE_NAME(OwnReshape)
};

TEST(CommonUtilsTest, ReshapeOfOnesOwn) {
  auto reshape = [](const mx::array& x, Shape shape) {
    mx::array y(shape, x.dtype(), std::make_shared<OwnReshape>(mx::default_stream(mx::Device::cpu)), {x});
    y.eval();
    return y;
  };
  mx::array x = mx::reshape(mx::arange(12.0), {3, 4});
  x.eval();
  EXPECT_EQ(reshape(x, {2, 6}).data<float>(), x.data<float>());
  mx::array turned = mx::transpose(x);
  EXPECT_TRUE(mx::array_equal(reshape(turned, {2, 6}), mx::reshape(turned, {2, 6})).item<bool>());
}

TEST(CommonUtilsTest, WhereTheLibraryIs) { EXPECT_TRUE(std::filesystem::is_directory(mx::current_binary_dir())); }

}  // namespace
