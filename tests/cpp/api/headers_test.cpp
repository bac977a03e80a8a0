// What C++ sees of families that Python tests cover: overloads, pairs, enumerations, callbacks, streams of text.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <sstream>

#include "mlx/mlx.h"

namespace mx = mlx::core;
using mx::array, mx::Shape;

namespace {

void expect_close(const array& a, const array& b, double tolerance = 1e-5) {
  ASSERT_EQ(a.shape(), b.shape());
  EXPECT_TRUE(mx::allclose(a, b, tolerance, tolerance).item<bool>()) << a << " and " << b;
}

std::string temporary(const char* name) {
  return (std::filesystem::temp_directory_path() / (std::to_string(getpid()) + name)).string();
}

TEST(LinalgHeaderTest, NormsOfEveryOverload) {
  array x({3.0f, -4.0f, 0.0f, 5.0f, 12.0f, 0.0f}, {2, 3});
  EXPECT_FLOAT_EQ(mx::linalg::norm(x).item<float>(), std::sqrt(9.0f + 16 + 25 + 144));
  expect_close(mx::linalg::norm(x, 1), array({5.0f, 13.0f}));
  expect_close(mx::linalg::norm(x, std::vector<int>{0, 1}, true), mx::reshape(mx::linalg::norm(x), {1, 1}));
  expect_close(mx::linalg::norm(x, 1.0, 1), array({7.0f, 17.0f}));
  expect_close(mx::linalg::norm(x, 1.0, 1, true), array({7.0f, 17.0f}, {2, 1}));
  expect_close(mx::linalg::norm(x, std::numeric_limits<double>::infinity(), 1), array({4.0f, 12.0f}));
  expect_close(mx::linalg::norm(x, "fro"), mx::linalg::norm(x));
  expect_close(mx::linalg::norm(x, "nuc", std::vector<int>{0, 1}), mx::sum(mx::linalg::svd(x, false, {})[0]));
  EXPECT_THROW(mx::linalg::norm(x, "none"), std::invalid_argument);
}

TEST(LinalgHeaderTest, PairsAndVectors) {
  array a({4.0f, 1.0f, 1.0f, 3.0f}, {2, 2}), eye = mx::eye(2);
  auto [q, r] = mx::linalg::qr(a);
  expect_close(mx::matmul(q, r), a);
  auto usv = mx::linalg::svd(a);
  ASSERT_EQ(usv.size(), 3u);
  expect_close(mx::matmul(usv[0] * usv[1], usv[2]), a);
  auto lu = mx::linalg::lu(a);
  ASSERT_EQ(lu.size(), 3u);
  auto [factors, pivots] = mx::linalg::lu_factor(a);
  EXPECT_EQ(pivots.shape(), (Shape{2}));
  auto [w, v] = mx::linalg::eigh(a);
  expect_close(mx::matmul(v * w, mx::transpose(v)), a);
  expect_close(mx::linalg::eigvalsh(a, "U"), w);
  EXPECT_EQ(mx::linalg::eig(a).first.dtype(), mx::complex64);
  auto [sign, log] = mx::linalg::slogdet(a);
  EXPECT_FLOAT_EQ(sign.item<float>() * std::exp(log.item<float>()), 11);
  array lower = mx::linalg::cholesky(a), upper = mx::linalg::cholesky(a, true);
  expect_close(lower, mx::transpose(upper));
  for (const array& inverse : {mx::linalg::inv(a), mx::linalg::pinv(a), mx::linalg::cholesky_inv(lower),
                               mx::linalg::cholesky_inv(upper, true), mx::linalg::solve(a, eye)}) {
    expect_close(mx::matmul(inverse, a), eye);
  }
  expect_close(mx::matmul(mx::linalg::tri_inv(upper, true), upper), eye);
  expect_close(mx::matmul(upper, mx::linalg::solve_triangular(upper, eye, true)), eye);
  expect_close(mx::linalg::cross(array({1.0f, 0.0f, 0.0f}), array({0.0f, 1.0f, 0.0f})), array({0.0f, 0.0f, 1.0f}));
}

// A singular matrix is an error of its own class, which programs catch as either of two.
TEST(LinalgHeaderTest, ErrorsOfMatrices) {
  array singular = mx::zeros({2, 2});
  EXPECT_THROW(mx::eval(mx::linalg::inv(singular)), std::exception);
  EXPECT_THROW(mx::eval(mx::linalg::cholesky(-mx::eye(2))), std::exception);
  EXPECT_THROW(mx::linalg::inv(mx::zeros({2, 3})), std::invalid_argument);
}

TEST(FFTHeaderTest, OverloadsAgree) {
  array x = mx::random::normal({3, 4, 6}, mx::float32, mx::random::key(1));
  std::vector<int> axes{-2, -1};
  expect_close(mx::fft::fft(x), mx::fft::fftn(x, std::vector<int>{-1}));
  expect_close(mx::fft::fft(x, 4, 1), mx::fft::fftn(x, Shape{4}, {1}));
  expect_close(mx::fft::fft2(x), mx::fft::fftn(x, axes));
  expect_close(mx::fft::fft2(x, {4, 6}, axes), mx::fft::fft2(x, axes));
  expect_close(mx::real(mx::fft::ifftn(mx::fft::fftn(x))), x);
  expect_close(mx::fft::irfft(mx::fft::rfft(x)), x);
  expect_close(mx::fft::irfft2(mx::fft::rfft2(x)), x);
  expect_close(mx::fft::irfftn(mx::fft::rfftn(x, {4, 6}, axes), {4, 6}, axes), x);
  for (auto norm : {mx::fft::FFTNorm::Ortho, mx::fft::FFTNorm::Forward}) {
    expect_close(mx::real(mx::fft::ifft(mx::fft::fft(x, -1, norm), -1, norm)), x);
  }
  expect_close(mx::fft::fft(x, -1, mx::fft::FFTNorm::Forward) * 6, mx::fft::fft(x));
  expect_close(mx::fft::ifftshift(mx::fft::fftshift(x, {0, 1}), {0, 1}), x);
  expect_close(mx::fft::fftfreq(4, 0.5), array({0.0f, 0.5f, -1.0f, -0.5f}));
  expect_close(mx::fft::rfftfreq(4), array({0.0f, 0.25f, 0.5f}));
}

TEST(EinsumHeaderTest, PathAndValue) {
  array a = mx::ones({2, 3}), b = mx::ones({3, 4}), c = mx::ones({4, 5});
  auto [path, text] = mx::einsum_path("ij,jk,kl->il", {a, b, c});
  size_t operands = 0;
  for (auto& step : path) operands += step.size();
  EXPECT_EQ(operands, 2 + path.size());  // each step takes some and puts one back
  EXPECT_FALSE(text.empty());
  expect_close(mx::einsum("ij,jk,kl->il", {a, b, c}), 12 * mx::ones({2, 5}));
  EXPECT_THROW(mx::einsum("ij,jk", {a}), std::invalid_argument);
}

TEST(ExportHeaderTest, FunctionsOfEveryForm) {
  std::string file = temporary("form.mlxfn");
  array x({1.0f, 2.0f}), y({3.0f, 4.0f});
  mx::export_function(file, [](const mx::Args& a) -> mx::Args { return {a[0] + a[1], a[0] * a[1]}; }, {x, y});
  auto positional = mx::import_function(file);
  expect_close(positional({x, y})[1], array({3.0f, 8.0f}));
  EXPECT_THROW(positional(mx::Args{x}), std::invalid_argument);

  using Named = std::function<mx::Args(const mx::Kwargs&)>;
  mx::export_function(file, Named([](const mx::Kwargs& k) -> mx::Args { return {k.at("x") - k.at("y")}; }),
                      mx::Kwargs{{"x", x}, {"y", y}}, false, "what it is");
  auto named = mx::import_function(file);
  EXPECT_EQ(named.metadata(), "what it is");
  expect_close(named(mx::Kwargs{{"y", y}, {"x", x}})[0], array({-2.0f, -2.0f}));

  using Mixed = std::function<mx::Args(const mx::Args&, const mx::Kwargs&)>;
  {
    auto exporter = mx::exporter(file, Mixed([](const mx::Args& a, const mx::Kwargs& k) -> mx::Args {
                                   return {a[0] * k.at("scale")};
                                 }));
    static_assert(!std::is_copy_constructible_v<decltype(exporter)>);
    exporter({x}, {{"scale", array(2.0f)}});
    exporter({mx::ones({3})}, {{"scale", array(2.0f)}});
    exporter.close();
  }
  auto mixed = mx::import_function(file);
  for (const array& a : {x, mx::ones({3})}) expect_close(mixed({a}, {{"scale", array(5.0f)}})[0], a * 5.0f);
  std::filesystem::remove(file);
}

TEST(ExportHeaderTest, CallbackSeesTheGraph) {
  std::vector<std::string> primitives;
  mx::export_function(
      [&](const mx::ExportCallbackInput& part) {
        if (std::get<std::string>(part.at("type")) == "primitive") {
          primitives.push_back(std::get<std::string>(part.at("name")));
        }
      },
      [](const mx::Args& a) -> mx::Args { return {mx::log1p(a[0] + a[0])}; }, mx::Args{mx::ones({2})});
  EXPECT_EQ(primitives, (std::vector<std::string>{"Add", "Log1p"}));
}

TEST(GraphUtilsHeaderTest, TextAndDot) {
  array x({1.0f, 2.0f}), y = mx::exp(x), z = y * x;
  mx::NodeNamer namer;
  namer.set_name(x, "weights");
  EXPECT_EQ(namer.get_name(x), "weights");
  EXPECT_EQ(namer.get_name(y), namer.get_name(y));
  EXPECT_NE(namer.get_name(y), namer.get_name(z));
  std::ostringstream one, two, dot, named_dot;
  mx::print_graph(one, z);
  mx::print_graph(two, namer, y, z);
  EXPECT_NE(one.str().find("Multiply"), std::string::npos);
  EXPECT_NE(two.str().find("weights"), std::string::npos);
  mx::export_to_dot(dot, y, z);
  mx::export_to_dot(named_dot, namer, std::vector<array>{z});
  EXPECT_EQ(dot.str().substr(0, 7), "digraph");
  EXPECT_NE(named_dot.str().find("weights"), std::string::npos);
  EXPECT_TRUE(z.has_primitive()) << "drawing evaluates nothing";
}

TEST(DistributedHeaderTest, AGroupOfOne) {
  namespace dist = mx::distributed;
  EXPECT_TRUE(dist::is_available() && dist::is_available("any"));
  dist::Group group = dist::init();
  EXPECT_EQ(group.rank(), 0);
  EXPECT_EQ(group.size(), 1);
  EXPECT_NE(group.raw_group(), nullptr);
  EXPECT_THROW(dist::init(true), std::runtime_error);
  EXPECT_THROW(dist::init(false, "pigeons"), std::invalid_argument);
  EXPECT_THROW(group.split(0), std::runtime_error);
  array x({1.0f, 2.0f});
  for (const array& y : {dist::all_sum(x), dist::all_max(x, group), dist::all_min(x), dist::all_gather(x),
                         dist::sum_scatter(x, std::nullopt, mx::Device::cpu)}) {
    expect_close(y, x);
  }
  EXPECT_THROW(dist::send(x, 0), std::invalid_argument);
  EXPECT_THROW(dist::recv({2}, mx::float32, 0), std::invalid_argument);
  EXPECT_THROW(dist::recv_like(x, 0), std::invalid_argument);
  dist::clear_backends();
}

TEST(BackendHeadersTest, NoGPU) {
  EXPECT_FALSE(mx::metal::is_available());
  EXPECT_TRUE(mx::metal::device_info().empty());
  mx::metal::start_capture();  // does nothing
  mx::metal::stop_capture();
  EXPECT_EQ(mx::gpu::is_available(), mx::device_count(mx::Device::gpu) > 0);
  EXPECT_EQ(mx::cu::is_available(), mx::gpu::is_available());
  EXPECT_TRUE(mx::device_info(mx::Device::cpu).contains("device_name"));
}

}  // namespace
