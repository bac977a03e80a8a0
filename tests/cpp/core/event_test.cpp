// Events: waiting, errors, continuations, inheritance, streams.
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "mlx/event.h"
#include "mlx/stream.h"

using namespace mlx::core;

namespace {

std::exception_ptr error(const char* text) { return std::make_exception_ptr(std::runtime_error(text)); }

class EventTest : public ::testing::Test {
 protected:
  Stream s = default_stream(Device::cpu);
};

TEST_F(EventTest, FiresOnce) {
  Event e(s), copy = e;
  EXPECT_FALSE(copy.is_signaled());
  EXPECT_FALSE(copy.wait_for(5));
  e.set(error("first"));
  e.set();
  EXPECT_TRUE(copy.wait_for(0));
  for (int i = 0; i < 2; i++) EXPECT_THROW(copy.wait(), std::runtime_error);
  EXPECT_EQ(copy.id(), e.id());
}

TEST_F(EventTest, WakesAllWaiters) {
  for (int round = 0; round < 200; round++) {
    Event e(s);
    std::vector<std::thread> waiting;
    std::atomic<int> woken = 0;
    for (int t = 0; t < 4; t++) {
      waiting.emplace_back([&] {
        e.wait();
        woken++;
      });
    }
    if (round % 2) std::this_thread::yield();
    e.set();
    for (auto& t : waiting) t.join();
    EXPECT_EQ(woken, 4);
  }
}

TEST_F(EventTest, ContinuationsRunOnceInOrderBeforeOrAfter) {
  std::vector<int> order;
  Event e(s);
  for (int i = 0; i < 5; i++) e.then([&, i] { order.push_back(i); });
  e.set();
  e.then([&] { order.push_back(5); });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5}));
}

TEST_F(EventTest, ContinuationsRaceWithTheFiring) {
  for (int round = 0; round < 500; round++) {
    Event e(s);
    std::atomic<int> runs = 0;
    std::thread adding([&] {
      for (int i = 0; i < 20; i++) e.then([&] { runs++; });
    });
    e.set();
    adding.join();
    EXPECT_EQ(runs, 20);
  }
}

TEST_F(EventTest, InheritsTheFirstErrorOnly) {
  Event fine(s), bad(s), worse(s), heir(s), own(s);
  fine.set();
  bad.set(error("bad"));
  worse.set(error("worse"));
  heir.inherit_errors({fine, bad, worse});
  heir.set();
  EXPECT_EQ(heir.error(), bad.error());
  own.inherit_errors({bad});
  own.set(worse.error());
  EXPECT_EQ(own.error(), worse.error());
}

TEST_F(EventTest, OrdersStreams) {
  Stream a = new_stream(Device::cpu), b = new_stream(Device::cpu);
  Event gate(s), passed(a), after(b);
  gate.wait(a);
  passed.signal(a);
  passed.wait(b);
  after.signal(b);
  EXPECT_FALSE(after.wait_for(20));
  gate.set();
  after.wait();
  EXPECT_TRUE(passed.is_signaled());
}

TEST_F(EventTest, ContinuationsOfAnEventThatNeverFiresAreFreed) {
  auto kept = std::make_shared<int>(1);
  { Event(s).then([kept] {}); }
  EXPECT_EQ(kept.use_count(), 1);
}

}  // namespace
