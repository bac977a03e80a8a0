// An interrupt leaves arrays pending, and a second evaluation completes them.
#include <gtest/gtest.h>

#include <thread>

#include "mlx/core/error.h"
#include "mlx/core/interrupt.h"
#include "test_primitives.h"

using namespace mlx::core;
using namespace mlx::core::testing;

namespace {

std::atomic<bool> armed = false;
std::thread::id target;

class InterruptTest : public ::testing::Test {
 protected:
  void SetUp() override {
    target = std::this_thread::get_id();
    set_interrupt_hook([] {
      if (std::this_thread::get_id() == target && armed.exchange(false)) throw Interrupted();
    });
  }
  void TearDown() override {
    armed = false;
    set_interrupt_hook(nullptr);
  }
};

double seconds_of(const std::function<void()>& f) {
  auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

array slow_chain(int length, int milliseconds, std::vector<Stream> streams, std::atomic<int>* runs) {
  array x = ones(2, 0);
  for (int i = 0; i < length; i++) x = slow(x, milliseconds, streams[i % streams.size()], runs);
  return x;
}

TEST_F(InterruptTest, InlineEvaluation) {
  std::atomic<int> runs = 0;
  array x = slow_chain(100, 10, {cpu_stream()}, &runs);
  armed = true;
  EXPECT_LT(seconds_of([&] { EXPECT_THROW(eval(x), Interrupted); }), 0.5);
  EXPECT_EQ(x.status(), array::unscheduled);
  EXPECT_TRUE(x.has_primitive());
  int before = runs;
  EXPECT_GT(before, 0);
  eval(x);
  EXPECT_EQ(x.data<float>()[1], 100.0f);
  EXPECT_EQ(runs, 100) << "what was computed is not computed again";
}

TEST_F(InterruptTest, QueuedOnSeveralStreams) {
  std::atomic<int> runs = 0;
  array x = slow_chain(100, 10, {new_stream(Device::cpu), new_stream(Device::cpu), new_stream(Device::cpu)}, &runs);
  armed = true;
  EXPECT_LT(seconds_of([&] { EXPECT_THROW(eval(x), Interrupted); }), 0.5);
  EXPECT_EQ(x.status(), array::unscheduled);
  EXPECT_LT(runs, 50);
  eval(x);
  EXPECT_EQ(x.data<float>()[1], 100.0f);
  EXPECT_EQ(runs, 100);
}

TEST_F(InterruptTest, BehindABusyStreamItDoesNotWaitForIt) {
  Stream busy = new_stream(Device::cpu);
  array blocker = slow(ones(2), 1000, busy), x = add_constant(ones(2), 1, busy);
  async_eval(blocker);
  armed = true;
  EXPECT_LT(seconds_of([&] { EXPECT_THROW(eval(x), Interrupted); }), 0.5);
  EXPECT_EQ(x.status(), array::unscheduled);
  eval(x, blocker);
  EXPECT_EQ(x.data<float>()[0], 2.0f);
}

TEST_F(InterruptTest, OthersThatWaitForTheSameArraysFinishThem) {
  for (bool several : {false, true}) {
    std::atomic<int> runs = 0;
    std::vector<Stream> streams{cpu_stream()};
    if (several) streams = {new_stream(Device::cpu), new_stream(Device::cpu)};
    array x = slow_chain(60, 5, streams, &runs);
    std::vector<std::thread> others;
    std::atomic<int> right = 0;
    for (int t = 0; t < 4; t++) {
      others.emplace_back([&, t] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        array y = t % 2 ? x : add_constant(x, 0);
        eval(y);
        right += y.data<float>()[0] == 60.0f;
      });
    }
    armed = true;
    EXPECT_THROW(eval(x), Interrupted);
    for (auto& t : others) t.join();
    EXPECT_EQ(right, 4);
    EXPECT_EQ(runs, 60);
  }
}

TEST_F(InterruptTest, WhileWaitingForAnotherThreadsEvaluation) {
  array x = slow(ones(2), 400);
  std::thread other([&] { eval(x); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  armed = true;
  array y = add_constant(x, 1);
  EXPECT_LT(seconds_of([&] { EXPECT_THROW(eval(y), Interrupted); }), 0.3);
  EXPECT_EQ(y.status(), array::unscheduled);
  other.join();
  eval(y);
  EXPECT_EQ(y.data<float>()[0], 3.0f);
}

TEST_F(InterruptTest, Synchronize) {
  Stream s = new_stream(Device::cpu);
  array x = slow(ones(2), 300, s);
  async_eval(x);
  armed = true;
  EXPECT_THROW(synchronize(s), Interrupted);
  synchronize(s);
  EXPECT_TRUE(x.is_available());
}

TEST_F(InterruptTest, ReevaluatedArraysAreStillDonated) {
  array x = slow(ones(2), 100);
  x = custom({slow(x, 100)}, {2}, [&](const auto& in, auto& out) {
    EXPECT_TRUE(in[0].is_donatable());
    out[0].copy_shared_buffer(in[0]);
  });
  armed = true;
  EXPECT_THROW(eval(x), Interrupted);
  eval(x);
}

}  // namespace
