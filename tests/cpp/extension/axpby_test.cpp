// A user primitive with two outputs, alpha x + beta y and its negation, from public headers alone.
#include <gtest/gtest.h>

#include "mlx/allocator.h"
#include "mlx/backend/cpu/encoder.h"
#include "mlx/mlx.h"
#include "mlx/primitives.h"

namespace mx = mlx::core;

namespace {

std::vector<mx::array> axpby(const mx::array& x, const mx::array& y, float alpha, float beta, mx::Stream s);

class Axpby : public mx::Primitive {
 public:
  Axpby(mx::Stream stream, float alpha, float beta) : mx::Primitive(stream), alpha_(alpha), beta_(beta) {}

  void eval_cpu(const std::vector<mx::array>& inputs, std::vector<mx::array>& outputs) override {
    for (mx::array& out : outputs) out.set_data(mx::allocator::malloc(out.nbytes()));
    auto& encoder = mx::cpu::get_command_encoder(stream());
    for (const mx::array& in : inputs) encoder.set_input_array(in);
    for (mx::array& out : outputs) encoder.set_output_array(out);
    encoder.add_temporary(mx::array(1.0f));
    encoder.dispatch([x = inputs[0].data<float>(), y = inputs[1].data<float>(), sum = outputs[0].data<float>(),
                      negated = outputs[1].data<float>(), n = outputs[0].size(), a = alpha_, b = beta_] {
      for (size_t i = 0; i < n; i++) {
        sum[i] = a * x[i] + b * y[i];
        negated[i] = -sum[i];
      }
    });
  }
  void eval_gpu(const std::vector<mx::array>&, std::vector<mx::array>&) override {
    throw std::runtime_error("[axpby] There is no GPU version.");
  }

  std::vector<mx::array> jvp(const std::vector<mx::array>& primals, const std::vector<mx::array>& tangents,
                             const std::vector<int>& argnums) override {
    mx::array zero(std::vector<float>(primals[0].size(), 0.0f).begin(), primals[0].shape());
    mx::array dx = zero, dy = zero;
    for (size_t i = 0; i < argnums.size(); i++) (argnums[i] == 0 ? dx : dy) = tangents[i];
    return axpby(dx, dy, alpha_, beta_, stream());
  }

  std::vector<mx::array> vjp(const std::vector<mx::array>&, const std::vector<mx::array>& cotangents,
                             const std::vector<int>& argnums, const std::vector<mx::array>&) override {
    std::vector<mx::array> result;
    for (int argument : argnums) {
      float scale = argument == 0 ? alpha_ : beta_;
      result.push_back(axpby(cotangents[0], cotangents[1], scale, -scale, stream())[0]);
    }
    return result;
  }

  std::pair<std::vector<mx::array>, std::vector<int>> vmap(const std::vector<mx::array>& inputs,
                                                           const std::vector<int>& axes) override {
    if (axes[0] != axes[1]) throw std::invalid_argument("[axpby] Both inputs must be batched along the same axis.");
    return {axpby(inputs[0], inputs[1], alpha_, beta_, stream()), {axes[0], axes[0]}};
  }

  std::vector<mx::Shape> output_shapes(const std::vector<mx::array>& inputs) override {
    return {inputs[0].shape(), inputs[0].shape()};
  }
  bool is_equivalent(const mx::Primitive& other) const override {
    const auto& o = static_cast<const Axpby&>(other);
    return alpha_ == o.alpha_ && beta_ == o.beta_;
  }
  const char* name() const override { return "Axpby"; }

 private:
  float alpha_, beta_;
};

std::vector<mx::array> axpby(const mx::array& x, const mx::array& y, float alpha, float beta, mx::Stream s) {
  if (x.shape() != y.shape()) throw std::invalid_argument("[axpby] The shapes differ.");
  return mx::array::make_arrays({x.shape(), x.shape()}, {mx::float32, mx::float32},
                                std::make_shared<Axpby>(s, alpha, beta), {x, y});
}

class AxpbyTest : public ::testing::Test {
 protected:
  mx::Stream s = mx::default_stream(mx::Device::cpu);
  mx::array x{{1.0f, 2.0f, 3.0f}}, y{{10.0f, 20.0f, 30.0f}};
};

void expect_values(mx::array a, const std::vector<float>& values) {
  mx::eval(a);
  ASSERT_EQ(a.size(), values.size());
  for (size_t i = 0; i < values.size(); i++) EXPECT_EQ(a.data<float>()[i], values[i]) << i;
}

TEST_F(AxpbyTest, BothOutputs) {
  auto out = axpby(x, y, 2, 1, s);
  expect_values(out[1], {-12, -24, -36});
  EXPECT_EQ(out[0].status(), mx::array::available);
  expect_values(out[0], {12, 24, 36});
}

TEST_F(AxpbyTest, ChainsOnAnyStream) {
  mx::Stream other = mx::new_stream(mx::Device::cpu);
  auto first = axpby(x, y, 1, 1, other);
  auto second = axpby(first[0], first[1], 1, 1, s);
  mx::async_eval(second[0]);
  expect_values(second[1], {0, 0, 0});
}

TEST_F(AxpbyTest, DerivativesByDirectCall) {
  auto out = axpby(x, y, 2, 3, s);
  mx::Primitive& p = out[0].primitive();
  mx::array one({1.0f, 1.0f, 1.0f}), two({2.0f, 2.0f, 2.0f});
  auto tangents = p.jvp({x, y}, {one, two}, {0, 1});
  expect_values(tangents[0], {8, 8, 8});
  expect_values(tangents[1], {-8, -8, -8});
  expect_values(p.jvp({x, y}, {two}, {1})[0], {6, 6, 6});
  auto cotangents = p.vjp({x, y}, {one, two}, {0, 1}, out);
  expect_values(cotangents[0], {-2, -2, -2});
  expect_values(cotangents[1], {-3, -3, -3});
}

TEST_F(AxpbyTest, VmapShapesAndEquivalenceByDirectCall) {
  auto out = axpby(x, y, 2, 3, s);
  auto [batched, axes] = out[0].primitive().vmap({x, y}, {0, 0});
  EXPECT_EQ(axes, (std::vector<int>{0, 0}));
  expect_values(batched[0], {32, 64, 96});
  EXPECT_EQ(out[0].primitive().output_shapes({x, y})[1], mx::Shape{3});
  EXPECT_TRUE(out[0].primitive().is_equivalent(axpby(y, x, 2, 3, s)[0].primitive()));
  EXPECT_FALSE(out[0].primitive().is_equivalent(axpby(y, x, 2, 4, s)[0].primitive()));
}

TEST_F(AxpbyTest, WhatItDoesNotSayIsAnError) {
  class Plain : public mx::Primitive {
   public:
    using Primitive::Primitive;
    void eval_cpu(const std::vector<mx::array>&, std::vector<mx::array>&) override {}
    void eval_gpu(const std::vector<mx::array>&, std::vector<mx::array>&) override {}
    DEFINE_NAME(Plain)
  } plain(s);
  EXPECT_THROW(plain.jvp({x}, {x}, {0}), std::invalid_argument);
  EXPECT_THROW(plain.vjp({x}, {x}, {0}, {x}), std::invalid_argument);
  EXPECT_THROW(plain.vmap({x}, {0}), std::invalid_argument);
  EXPECT_THROW(plain.output_shapes({x}), std::invalid_argument);
  EXPECT_FALSE(plain.is_equivalent(plain));
}

TEST_F(AxpbyTest, DispatchOutsideAnEvaluationEntersTheStream) {
  mx::Stream other = mx::new_stream(mx::Device::cpu);
  int sum = 0;
  auto& encoder = mx::cpu::get_command_encoder(other);
  for (int i = 0; i < 10; i++) encoder.dispatch([&sum](int n) { sum = sum * 2 + n; }, i % 2);
  mx::synchronize(other);
  EXPECT_EQ(sum, 341);
  encoder.dispatch([] { throw std::runtime_error("late"); });
  EXPECT_THROW(mx::synchronize(other), std::runtime_error);
  mx::synchronize(other);
  EXPECT_THROW(mx::cpu::get_command_encoder(mx::Stream(999, mx::Device::cpu)), std::out_of_range);
}

TEST_F(AxpbyTest, TemporariesDoNotPileUp) {
  size_t before = mx::get_active_memory();
  for (int i = 0; i < 100; i++) mx::eval(axpby(x, y, 1, 1, s));
  EXPECT_EQ(mx::get_active_memory(), before);
}

}  // namespace
