// What Python cannot show of linalg and fft: the C++ overloads, the scope of errors, and that rules keep its mode.
#include <gtest/gtest.h>

#include "mlx/mlx.h"
#include "mlx/primitives.h"

namespace mlx::core {
namespace {

array singular() { return array({1.0f, 2.0f, 2.0f, 4.0f}, {2, 2}); }

TEST(Linalg, TheScopeOfErrorsIsPartOfTheOperation) {
  array nan = singular();
  {
    linalg::ErrorScope scope(linalg::OnError::nan);
    nan = linalg::inv(singular());
    EXPECT_EQ(linalg::current_mode(), linalg::OnError::nan);
  }
  EXPECT_EQ(linalg::current_mode(), linalg::OnError::raise);
  array raises = linalg::inv(singular());
  EXPECT_FALSE(nan.primitive().is_equivalent(raises.primitive()));
  EXPECT_TRUE(all(isnan(nan)).item<bool>());
  for (int i = 0; i < 2; i++) EXPECT_THROW(eval(raises), linalg::LinAlgError);
}

TEST(Linalg, Overloads) {
  array a({3.0f, 4.0f, 0.0f, 0.0f}, {2, 2});
  EXPECT_EQ(linalg::norm(a).item<float>(), 5);
  EXPECT_EQ(linalg::norm(a, 1.0, 1).shape(), (Shape{2}));
  EXPECT_EQ(linalg::norm(a, "fro", std::vector<int>{0, 1}, true).shape(), (Shape{1, 1}));
  EXPECT_EQ(linalg::svd(a).size(), 3u);
  EXPECT_EQ(linalg::svd(a, false, {}).size(), 1u);
  auto [q, r] = linalg::qr(a);
  EXPECT_TRUE(allclose(matmul(q, r), a).item<bool>());
}

TEST(Fft, Overloads) {
  array x({1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f}, {2, 3});
  EXPECT_EQ(fft::fft(x).shape(), (Shape{2, 3}));
  EXPECT_EQ(fft::fft(x, 5, 0).shape(), (Shape{5, 3}));
  EXPECT_EQ(fft::rfft(x, 0).shape(), (Shape{2, 3}));
  EXPECT_EQ(fft::rfft2(x).shape(), (Shape{2, 2}));
  EXPECT_EQ(fft::rfftn(x, {4, 4}, {0, 1}).shape(), (Shape{4, 3}));
  EXPECT_TRUE(allclose(fft::irfftn(fft::rfftn(x), {2, 3}, {0, 1}), x).item<bool>());
  EXPECT_TRUE(allclose(real(fft::ifftn(fft::fftn(x, fft::FFTNorm::Ortho), fft::FFTNorm::Ortho)), x).item<bool>());
}

}  // namespace
}  // namespace mlx::core
