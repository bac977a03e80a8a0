// Evaluation: order, donation, errors, many threads.
#include <gtest/gtest.h>

#include <thread>

#include "mlx/primitives.h"
#include "mlx/core/error.h"
#include "mlx/transforms.h"

using namespace mlx::core;

namespace {

// x + c on float32, in place where it may be.
class AddConstant : public UnaryPrimitive {
 public:
  AddConstant(Stream s, float c) : UnaryPrimitive(s), c_(c) {}
  using UnaryPrimitive::eval_cpu;
  using UnaryPrimitive::eval_gpu;
  void eval_cpu(const std::vector<array>& inputs, array& out) override {
    const array& x = inputs[0];
    if (x.is_donatable()) out.copy_shared_buffer(x);
    else out.set_data(allocator::malloc(out.nbytes()));
    const float* from = x.data<float>();
    float* to = out.data<float>();
    for (size_t i = 0; i < x.size(); i++) to[i] = from[i] + c_;
  }
  void eval_gpu(const std::vector<array>&, array&) override { throw std::runtime_error("no gpu"); }
  DEFINE_NAME(AddConstant)

 private:
  float c_;
};

class Fails : public UnaryPrimitive {
 public:
  using UnaryPrimitive::UnaryPrimitive;
  using UnaryPrimitive::eval_cpu;
  using UnaryPrimitive::eval_gpu;
  void eval_cpu(const std::vector<array>&, array&) override { throw std::runtime_error("[fails] It fails."); }
  void eval_gpu(const std::vector<array>&, array&) override { throw std::runtime_error("no gpu"); }
  DEFINE_NAME(Fails)
};

array add_constant(const array& x, float c, Stream s = default_stream(Device::cpu)) {
  return array(x.shape(), x.dtype(), std::make_shared<AddConstant>(s, c), {x});
}

TEST(Eval, Chain) {
  array x({1.0f, 2.0f});
  array y = add_constant(add_constant(x, 1), 2);
  EXPECT_EQ(y.status(), array::unscheduled);
  eval(y);
  EXPECT_EQ(y.data<float>()[1], 5.0f);
  EXPECT_FALSE(y.has_primitive());
}

TEST(Eval, MillionNodes) {
  array x(0.0f);
  for (int i = 0; i < 1000000; i++) x = add_constant(x, 1);
  { array unevaluated = x; for (int i = 0; i < 1000000; i++) unevaluated = add_constant(unevaluated, 1); }
  EXPECT_EQ(x.item<float>(), 1000000.0f);
}

TEST(Eval, FailurePoisonsAndRepeats) {
  Stream s = default_stream(Device::cpu);
  array bad({2}, float32, std::make_shared<Fails>(s), {array({1.0f, 2.0f})});
  array y = add_constant(bad, 1);
  for (int i = 0; i < 2; i++) {
    try {
      eval(y);
      FAIL();
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "[fails] It fails. While evaluating Fails of float32 (2,).");
    }
  }
  EXPECT_THROW(bad.eval(), std::runtime_error);
}

TEST(Eval, TwoStreamsAndAsync) {
  Stream s = new_stream(Device::cpu), t = new_stream(Device::cpu);
  array x(1.0f);
  for (int i = 0; i < 100; i++) x = add_constant(x, 1, i % 2 ? s : t);
  array y = add_constant(x, 1);
  async_eval(y);
  EXPECT_EQ(y.item<float>(), 102.0f);
}

TEST(Eval, ManyThreadsShareOneGraph) {
  for (int round = 0; round < 200; round++) {
    array x({1.0f, 2.0f});
    for (int i = 0; i < 20; i++) x = add_constant(x, 1);
    std::vector<std::thread> threads;
    std::atomic<int> right = 0;
    for (int t = 0; t < 8; t++) {
      threads.emplace_back([&, t] {
        array y = add_constant(x, static_cast<float>(t));
        eval(y);
        right += y.data<float>()[1] == 22.0f + t;
      });
    }
    for (auto& t : threads) t.join();
    EXPECT_EQ(right, 8);
  }
}

}  // namespace
