// Classes, templates and macros of the public headers as programs use them; functions are in the tables beside.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "calls.h"
#include "mlx/api.h"
#include "mlx/fence.h"
#include "mlx/types/limits.h"

namespace {

using namespace api;

template <typename T>
std::vector<T> values(array a) {
  a = mx::contiguous(a);
  a.eval();
  return std::vector<T>(a.data<T>(), a.data<T>() + a.size());
}

TEST(ApiTest, OperatorsTakeArraysAndScalarsOnEitherSide) {
  array a({6.0f, 8.0f}), b({2.0f, 3.0f});
  EXPECT_EQ(values<float>(a + b - a * b / a % b), (std::vector<float>{8, 11}));
  EXPECT_EQ(values<float>(1 + a * 2.0f - 3), (std::vector<float>{10, 14}));
  EXPECT_EQ(values<float>(2.0 / b / 2), (std::vector<float>{0.5f, 2.0f / 3 / 2}));
  EXPECT_EQ(values<float>(7 % b + b % 2), (std::vector<float>{1, 2}));
  EXPECT_EQ(values<bool>(((a == 6.0f) && (a != b) && (a > 5) && (a >= 6) && (b < 3) && (b <= 2)) || !(a < 9)),
            (std::vector<bool>{true, false}));
  array i({6, 5}), j({3, 1});
  EXPECT_EQ(values<int>((i & j) | (i ^ j) << (j >> j)), (std::vector<int>{(6 & 3) | (6 ^ 3), (5 & 1) | (5 ^ 1)}));
  EXPECT_EQ(values<int>(-i + ~j), (std::vector<int>{-10, -7}));
}

// Each type that becomes an array by itself stands beside one, too, with the dtype of that array.
TEST(ApiTest, ScalarsOfEveryType) {
  array a({6.0f, 8.0f}, mx::float16), z(std::complex<float>(0, 1));
  auto both_sides = [&](auto scalar, Dtype dtype) {
    EXPECT_EQ((a + scalar).dtype(), dtype);
    EXPECT_EQ((scalar * a).dtype(), dtype);
    EXPECT_EQ((scalar == a).dtype(), mx::bool_);
    EXPECT_EQ(values<bool>(a != scalar), (std::vector<bool>{true, true}));
    EXPECT_TRUE(mx::array_equal(scalar - a, array(scalar) - a).template item<bool>());
    EXPECT_TRUE(mx::array_equal(a / scalar, a / array(scalar)).template item<bool>());
  };
  both_sides(mx::float16_t(2.0f), mx::float16);
  both_sides(mx::bfloat16_t(2.0f), mx::float32);
  both_sides(mx::complex64_t(1.0f, 2.0f), mx::complex64);
  both_sides(std::complex<float>(1.0f, 2.0f), mx::complex64);
  both_sides(2.0, mx::float32);
  both_sides(int8_t{2}, mx::float16);
  both_sides(size_t{2}, mx::float16);
  both_sides(true, mx::float16);
  EXPECT_EQ((std::complex<float>(0, 1) * z).item<mx::complex64_t>(), mx::complex64_t(-1, 0));
}

// Sizes are 64-bit integers, which are neither int nor double.
TEST(ApiTest, RangesOfSizes) {
  array x = mx::zeros({4, 6});
  for (const array& r : {mx::arange(x.shape(0)), mx::arange(x.size() / 6), mx::arange(4u), mx::arange(short{4}),
                         mx::arange(0, x.shape(0)), mx::arange(0, x.shape(0), 1u), mx::arange(0, 4L, mx::int32),
                         mx::arange(x.shape(0), mx::Device::cpu)}) {
    EXPECT_EQ(r.dtype(), mx::int32);
    EXPECT_EQ(values<int>(r), (std::vector<int>{0, 1, 2, 3}));
  }
  EXPECT_EQ(mx::arange(x.shape(1), x.shape(0), -1).shape(), (Shape{2}));
  EXPECT_EQ(mx::arange(4L, mx::float32).dtype(), mx::float32);
  int64_t large = int64_t{1} << 40;
  EXPECT_EQ(values<int64_t>(mx::arange(large, large + 2)), (std::vector<int64_t>{large, large + 1}));
  EXPECT_EQ(values<int64_t>(mx::arange(0, large + 1, large)), (std::vector<int64_t>{0, large}));
  EXPECT_THROW(mx::arange(~uint64_t{0}), std::overflow_error);
}

TEST(ApiTest, StreamContextOfAListedStream) {
  Stream own = mx::new_stream(Device::cpu), before = mx::default_stream(Device::cpu);
  {
    mx::StreamContext context = {own};
    EXPECT_EQ(mx::default_stream(Device::cpu), own);
  }
  EXPECT_EQ(mx::default_stream(Device::cpu), before);
}

TEST(ApiTest, Arrays) {
  std::vector<float> host{1, 2, 3, 4, 5, 6};
  array x(host.begin(), {2, 3});
  EXPECT_EQ(x.shape(-1), 3);
  EXPECT_EQ(x.strides(0), 3);
  EXPECT_EQ(x.nbytes(), x.size() * x.itemsize());
  EXPECT_EQ(array(1.5).dtype(), mx::float32);
  EXPECT_EQ(array({1, 2}, mx::int8).dtype(), mx::int8);
  EXPECT_EQ(array(std::complex<float>(1, 2)).item<mx::complex64_t>(), mx::complex64_t(1, 2));
  EXPECT_EQ(array({true, false}).dtype(), mx::bool_);
  float sum = 0;
  for (array row : x) sum += mx::sum(row).item<float>();
  EXPECT_EQ(sum, 21);
  bool freed = false;
  {
    array foreign(host.data(), {6}, mx::float32, [&](void*) { freed = true; });
    EXPECT_EQ(foreign.data<float>(), host.data());
  }
  EXPECT_TRUE(freed);
  auto buffer = mx::allocator::malloc(8);
  array own(buffer, {2}, mx::float32);
  EXPECT_EQ(own.buffer().raw_ptr(), buffer.raw_ptr());
  EXPECT_FALSE(own.has_primitive());
  EXPECT_TRUE(own.is_available() && own.status() == array::Status::available);
  static_assert(mx::is_arrays_v<array, const array&> && !mx::is_array_v<int>);
  static_assert(!std::is_default_constructible_v<array>);
  static_assert(!std::is_assignable_v<array&&, array>);
}

TEST(ApiTest, Numbers) {
  static_assert(MLX_VERSION_NUMERIC == 100000 * MLX_VERSION_MAJOR + 1000 * MLX_VERSION_MINOR + MLX_VERSION_PATCH);
  std::ostringstream version;
  version << MLX_VERSION_MAJOR << "." << MLX_VERSION_MINOR << "." << MLX_VERSION_PATCH;
  EXPECT_EQ(version.str(), mx::version());
  EXPECT_EQ(Dtype(mx::TypeToDtype<double>()), mx::float32);
  EXPECT_EQ(Dtype(mx::TypeToDtype<long>()), mx::int64);
  EXPECT_EQ(Dtype(mx::TypeToDtype<unsigned long long>()), mx::uint64);
  EXPECT_TRUE(mx::issubdtype(mx::float16, mx::floating) && mx::issubdtype(mx::inexact, mx::number));
  EXPECT_EQ(mx::kindof(mx::bfloat16), Dtype::Kind::V);
  EXPECT_EQ(static_cast<float>(mx::numeric_limits<mx::float16_t>::max()), 65504.0f);
  EXPECT_EQ(mx::finfo(mx::float32).eps, std::numeric_limits<float>::epsilon());
  EXPECT_EQ(mx::iinfo(mx::uint8).max, 255u);
  EXPECT_LT(mx::complex64_t(1, 2), mx::complex64_t(1, 3));
  EXPECT_THROW(mx::safe_cast(uint64_t(1) << 63, "op"), std::overflow_error);
  EXPECT_EQ(mx::result_type(array(1), array(1.0f)), mx::float32);
}

TEST(ApiTest, Templates) {
  EXPECT_EQ(values<int>(mx::full({2}, 7)), (std::vector<int>{7, 7}));
  EXPECT_EQ(mx::full({2}, 7, mx::int8).dtype(), mx::int8);
  EXPECT_EQ(values<int>(mx::full_like(array({1, 2}), 3)), (std::vector<int>{3, 3}));
  EXPECT_EQ(mx::random::uniform(0, 1, {2, 3}).shape(), (Shape{2, 3}));
  EXPECT_EQ(mx::random::randint(0, 5, {4}).dtype(), mx::int32);
  EXPECT_EQ(mx::random::bernoulli(0.5, Shape{4}).dtype(), mx::bool_);
  array a = array({1.0f}) + 1, b = a * 2;
  mx::eval(a, b);
  mx::async_eval(a, b);
  auto twice = mx::compile([](const Arrays& in) { return Arrays{in[0] * 2}; });
  EXPECT_EQ(twice({array(4.0f)})[0].item<float>(), 8);
  EXPECT_EQ(mx::Shape({1, 2, 3}).back(), 3);
  EXPECT_EQ(mx::transpose(mx::zeros({2, 3}), {1, 0}).shape(), (Shape{3, 2}));
  EXPECT_EQ(mx::slice(mx::zeros({4, 3}), {1, 0}, {3, 3}, {1, 1}).shape(), (Shape{2, 3}));
}

TEST(ApiTest, Printing) {
  std::ostringstream out;
  out << array({1.0f, 2.0f}) << " " << mx::float32 << " " << Device(Device::cpu) << " " << Shape{1, 2} << " "
      << mx::complex64_t(1, 2) << " " << std::vector<Shape>{{1}, {2, 3}};
  EXPECT_EQ(out.str(), "array([1, 2], dtype=float32) float32 Device(cpu, 0) (1,2) 1+2j ((1,),(2,3))");
}

// A class per row, and the nodes that functions make are of it.
TEST(ApiTest, ElementwiseOperationsHaveClasses) {
  array x({1.0f, 2.0f}), y = mx::log1p(x), z = x + y;
  EXPECT_NE(dynamic_cast<mx::Log1p*>(&y.primitive()), nullptr);
  EXPECT_EQ(typeid(z.primitive()), typeid(mx::Add));
  EXPECT_EQ(dynamic_cast<mx::Multiply*>(&z.primitive()), nullptr);
  Stream s = mx::default_stream(Device::cpu);
  array own(x.shape(), x.dtype(), std::make_shared<mx::Multiply>(s), {x, x});
  EXPECT_TRUE(own.primitive().is_equivalent((x * x).primitive()));
  EXPECT_EQ(values<float>(own), (std::vector<float>{1, 4}));
  auto [batched, axes] = mx::Exp(s).vmap({x}, {0});
  EXPECT_EQ(typeid(batched[0].primitive()), typeid(mx::Exp));
  std::set<std::string> names;
#define UNARY(Class, ...) names.insert(mx::Class(s).name());
#define BINARY(Class, ...) names.insert(mx::Class(s).name());
#define TERNARY(Class, ...) names.insert(mx::Class(s).name());
#define KERNEL(Class, ...) names.insert(mx::Class(s).name());
#include "mlx/ops/elementwise.def"
  EXPECT_EQ(names.size(), static_cast<size_t>(mx::kNumOps));
}

TEST(ApiTest, SchedulerOrdersWork) {
  Stream a = mx::new_stream(Device::cpu), b = mx::new_stream(Device::cpu);
  mx::Event event(a);
  std::vector<int> order;
  mx::scheduler::wait_event(b, event, [&](mx::Event& e) { order.push_back(e.is_signaled() ? 2 : -2); });
  mx::scheduler::enqueue(a, [&] { order.push_back(0); });
  mx::scheduler::signal_event(a, event, [&](mx::Event&) { order.push_back(1); });
  mx::synchronize(b);
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
  mx::Event failing(a);
  mx::scheduler::signal_event(a, failing, [](mx::Event&) { throw std::runtime_error("task"); });
  mx::scheduler::wait_event(b, failing, [&](mx::Event&) { order.push_back(3); });
  EXPECT_THROW(mx::synchronize(b), std::runtime_error);
  EXPECT_THROW(failing.check_error(), std::runtime_error);
  EXPECT_THROW(mx::scheduler::check_error(a), std::runtime_error);
  EXPECT_NO_THROW(mx::scheduler::check_error(a));
  EXPECT_EQ(order.size(), 3u);
}

TEST(ApiTest, SchedulerCountsWork) {
  Stream s = mx::new_stream(Device::cpu);
  while (mx::scheduler::n_active_tasks() > 0) mx::scheduler::wait_for_one();  // what other tests left behind
  mx::scheduler::notify_new_task(s);
  EXPECT_EQ(mx::scheduler::n_active_tasks(), 1);
  mx::scheduler::enqueue(s, [&] { mx::scheduler::notify_task_completion(s); });
  while (mx::scheduler::n_active_tasks() > 0) mx::scheduler::wait_for_one();
  mx::scheduler::wait_for_one();  // nothing to wait for
  mx::synchronize(s);
}

TEST(ApiTest, FencesOrderStreams) {
  Stream a = mx::new_stream(Device::cpu), b = mx::new_stream(Device::cpu);
  array x(1.0f);
  std::vector<int> order;
  mx::Fence fence(a);
  mx::scheduler::enqueue(a, [&] { order.push_back(0); });
  fence.update(a, x, false);
  fence.wait(b, x);
  mx::scheduler::enqueue(b, [&] { order.push_back(1); });
  mx::synchronize(b);
  EXPECT_EQ(order, (std::vector<int>{0, 1}));
  mx::Fence().wait(b, x);
}

TEST(ApiTest, ThreadPoolOfReaders) {
  auto sum = mx::io::thread_pool().enqueue([](int a, int b) { return a + b; }, 2, 3);
  EXPECT_EQ(sum.get(), 5);
  auto failing = mx::io::thread_pool().enqueue([] { throw std::out_of_range("task"); });
  EXPECT_THROW(failing.get(), std::out_of_range);
}

TEST(ApiTest, Environment) {
  ASSERT_EQ(setenv("MLX_API_TEST", "12", 1), 0);
  EXPECT_EQ(mx::env::get_var("MLX_API_TEST", 3), 12);
  EXPECT_EQ(mx::env::get_var("MLX_API_TEST", "x"), "12");
  EXPECT_EQ(mx::env::get_var("MLX_API_TEST_NONE", 3), 3);
  ASSERT_EQ(setenv("MLX_ENABLE_TF32", "0", 1), 0);
  EXPECT_FALSE(mx::env::enable_tf32());
  unsetenv("MLX_ENABLE_TF32");
  EXPECT_TRUE(mx::env::enable_tf32());
  EXPECT_EQ(mx::env::max_ops_per_buffer(17), 17);
}

}  // namespace
