// Evaluation: order, errors, streams, many threads. Interruption is in interrupt_test.cpp.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <thread>

#include "mlx/core/error.h"
#include "mlx/core/stream_queue.h"
#include "mlx/memory.h"
#include "test_primitives.h"

using namespace mlx::core;
using namespace mlx::core::testing;

namespace {

const std::string failure = "[fails] It fails. While evaluating Custom of float32 (2,).";

void run_threads(int count, const std::function<void(int)>& f) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; t++) threads.emplace_back([&, t] { f(t); });
  for (auto& thread : threads) thread.join();
}

TEST(Eval, Chain) {
  array x({1.0f, 2.0f});
  array y = add_constant(add_constant(x, 1), 2);
  EXPECT_EQ(y.status(), array::unscheduled);
  eval(y);
  EXPECT_EQ(y.data<float>()[1], 5.0f);
  EXPECT_FALSE(y.has_primitive());
  EXPECT_TRUE(y.inputs().empty());
  EXPECT_EQ(y.status(), array::available);
}

TEST(Eval, Nothing) {
  eval(std::vector<array>{});
  array x = ones(1);
  eval(x, x);
  async_eval(std::vector<array>{});
}

TEST(Eval, NothingRunsBeforeItIsAskedFor) {
  std::atomic<int> runs = 0;
  array x = slow(ones(1), 0, cpu_stream(), &runs), y = slow(x, 0, cpu_stream(), &runs);
  EXPECT_EQ(runs, 0);
  eval(x);
  EXPECT_EQ(runs, 1);
  eval(y);
  eval(y);
  EXPECT_EQ(runs, 2);
}

TEST(Eval, DiamondRunsEachNodeOnce) {
  std::atomic<int> runs = 0;
  array x = ones(2);
  for (int i = 0; i < 50; i++) {
    array y = slow(x, 0, cpu_stream(), &runs);
    x = add(y, y);
  }
  eval(x);
  EXPECT_EQ(runs, 50);
}

TEST(Eval, ErrorsPoisonDependentsAndRepeat) {
  array bad = fails(array({1.0f, 2.0f})), y = add_constant(bad, 1), z = add_constant(ones(2), 1);
  for (int i = 0; i < 2; i++) {
    EXPECT_EQ(error_of([&] { eval(y); }), failure);
    EXPECT_EQ(error_of([&] { eval(z, bad); }), failure);
  }
  EXPECT_EQ(error_of([&] { eval(add_constant(y, 1)); }), failure);
  EXPECT_EQ(z.data<float>()[0], 2.0f) << "one failure does not spoil the rest";
}

TEST(Eval, AnOperationWithoutDataIsAnError) {
  array x = custom({}, {2}, [](const auto&, auto&) {});
  EXPECT_EQ(error_of([&] { eval(x); }),
            "[Custom] eval_cpu returned without giving an output its data. While evaluating Custom.");
}

TEST(Eval, OutOfMemoryGoesOn) {
  size_t old = set_memory_limit(get_active_memory() + (1 << 20));
  array x = custom({}, {1 << 20}, [](const auto&, auto& out) { allocate(out[0]); });
  EXPECT_THROW(eval(x), OutOfMemoryError);
  EXPECT_THROW(eval(x), OutOfMemoryError);
  set_memory_limit(old);
  EXPECT_EQ(add_constant(ones(1), 1).item<float>(), 2.0f);
}

TEST(Eval, AStreamThatDoesNotExistLeavesTheGraphPending) {
  array x = add_constant(ones(2), 1), y = add_constant(x, 1, Stream(12345, Device::cpu));
  for (int i = 0; i < 2; i++) EXPECT_THROW(eval(y), std::out_of_range);
  array z = add_constant(x, 1, Stream(0, Device::gpu));
  EXPECT_THROW(eval(z), std::exception);
  EXPECT_EQ(x.status(), array::unscheduled);
  eval(x);
  EXPECT_EQ(x.data<float>()[0], 2.0f);
}

// Streams

TEST(Eval, MixedStreams) {
  std::vector<Stream> streams;
  for (int i = 0; i < 4; i++) streams.push_back(new_stream(Device::cpu));
  std::mt19937 random(1);
  for (int round = 0; round < 50; round++) {
    std::vector<array> arrays{ones(2)};
    std::vector<float> expected{1};
    for (int i = 0; i < 40; i++) {
      size_t a = random() % arrays.size();
      arrays.push_back(add_constant(arrays[a], 1, streams[random() % 4]));
      expected.push_back(expected[a] + 1);
      if (random() % 8 == 0) async_eval(arrays[random() % arrays.size()]);
    }
    eval(arrays);
    for (size_t i = 0; i < arrays.size(); i++) EXPECT_EQ(arrays[i].data<float>()[0], expected[i]);
  }
}

TEST(Eval, AStreamRunsInOrder) {
  Stream s = new_stream(Device::cpu);
  std::vector<int> order;
  for (int i = 0; i < 100; i++) {
    async_eval(custom({}, {1}, [&, i](const auto&, auto& out) {
      order.push_back(i);
      allocate(out[0]);
    }, s));
  }
  synchronize(s);
  ASSERT_EQ(order.size(), 100u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(Eval, AsyncErrorsReachEveryWaiterTwice) {
  Stream s = new_stream(Device::cpu), t = new_stream(Device::cpu);
  array bad = fails(slow(array({1.0f, 2.0f}), 20, s), s), y = add_constant(bad, 1, t);
  async_eval(y);
  std::atomic<int> right = 0;
  run_threads(8, [&](int k) {
    for (int i = 0; i < 2; i++) right += error_of([&] { k % 2 ? eval(y) : array(bad).wait(); }) == failure;
  });
  EXPECT_EQ(right, 16);
  EXPECT_EQ(error_of([&] { synchronize(s); }), failure);
  EXPECT_EQ(error_of([&] { synchronize(s); }), "no error");
  EXPECT_EQ(error_of([&] { synchronize(t); }), failure);
  EXPECT_EQ(error_of([&] { eval(y); }), failure);
}

TEST(Eval, StreamOfAThreadThatHasEnded) {
  array x = ones(2);
  std::thread([&] { x = add_constant(x, 1, new_stream(Device::cpu)); }).join();
  std::thread([&] { x = add_constant(x, 1); }).join();
  EXPECT_EQ((eval(x), x.data<float>()[0]), 3.0f);
}

// An operation that evaluates arrays itself.

TEST(Eval, NestedEvaluationOnTheSameAndOtherStreams) {
  Stream s = new_stream(Device::cpu), other = new_stream(Device::cpu);
  auto nested = [&](const auto& in, auto& out) {
    array x = add_constant(add_constant(in[0], 1, s), 1, other);
    x = add_constant(x, 1, s);
    eval(x);
    out[0].copy_shared_buffer(x);
  };
  array inline_run = custom({ones(2)}, {2}, nested, s);
  eval(inline_run);
  EXPECT_EQ(inline_run.data<float>()[0], 4.0f);
  std::vector<array> queued;
  for (int i = 0; i < 20; i++) queued.push_back(custom({ones(2)}, {2}, nested, i % 2 ? s : other));
  async_eval(queued);
  for (array& x : queued) {
    eval(x);
    EXPECT_EQ(x.data<float>()[1], 4.0f);
  }
}

TEST(Eval, NestedEvaluationMayWaitForQueuedWork) {
  Stream s = new_stream(Device::cpu), other = new_stream(Device::cpu);
  array later = slow(ones(2), 30, other);
  array x = custom({ones(2)}, {2}, [&](const auto&, auto& out) {
    eval(later);
    out[0].copy_shared_buffer(later);
  }, s);
  array blocker = custom({}, {1}, [](const auto&, auto& out) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    allocate(out[0]);
  }, other);
  async_eval(x, blocker, later);
  eval(x);
  EXPECT_EQ(x.data<float>()[0], 2.0f);
}

// Threads

TEST(Eval, ManyThreadsShareOneGraph) {
  for (int round = 0; round < 100; round++) {
    array x({1.0f, 2.0f});
    for (int i = 0; i < 20; i++) x = add_constant(x, 1);
    std::atomic<int> right = 0;
    run_threads(8, [&](int t) {
      array y = add_constant(x, static_cast<float>(t));
      eval(y);
      right += y.data<float>()[1] == 22.0f + static_cast<float>(t);
    });
    EXPECT_EQ(right, 8);
  }
}

TEST(Eval, ThreadsReadDetachEvaluateAndDropOneGraph) {
  Stream s = new_stream(Device::cpu), other = new_stream(Device::cpu);
  for (int round = 0; round < 100; round++) {
    std::vector<array> nodes{ones(2)};
    for (int i = 0; i < 30; i++) {
      nodes.push_back(add(nodes[i], nodes[i / 2], i % 3 ? s : other));
      if (i % 5 == 0) nodes.back() = both_sides(nodes.back(), s)[i % 2];
    }
    run_threads(8, [&](int t) {
      std::vector<array> mine = nodes;
      std::mt19937 random(t);
      for (int i = 0; i < 20; i++) {
        array& a = mine[random() % mine.size()];
        switch ((t + i) % 5) {
          case 0: error_of([&] { eval(a); }); break;
          case 1: for (array& x : a.inputs()) EXPECT_EQ(x.strides(), Strides{1}); break;
          case 2: for (array& x : a.outputs()) EXPECT_EQ(x.size(), 2u); break;
          case 3: error_of([&] { async_eval(a); }); break;
          default:
            if (t == 7 && i > 15) {
              a.detach();
            } else if (a.has_primitive()) {
              EXPECT_NE(a.siblings().size(), 5u);
            }
        }
        if (i % 7 == 0) mine.pop_back();
      }
    });
    nodes.clear();
  }
  error_of([&] { synchronize(s); });
  error_of([&] { synchronize(other); });
}

// A long run for MLX_TEST_SECONDS. No evaluation may take longer than a second.
TEST(Eval, ThreadsBuildEvaluateAndDropWithoutAStall) {
  const char* text = std::getenv("MLX_TEST_SECONDS");
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(text ? std::atoi(text) : 2);
  size_t before = get_active_memory();
  std::atomic<int64_t> longest = 0, evaluations = 0, wrong = 0;
  std::mutex mutex;
  std::vector<array> shared(8, ones(4, 0));
  run_threads(16, [&](int t) {
    std::mt19937 random(t);
    Stream s = new_stream(Device::cpu);
    while (std::chrono::steady_clock::now() < end) {
      std::unique_lock lock(mutex);
      array x = shared[random() % shared.size()];
      lock.unlock();
      int length = 1 + static_cast<int>(random() % 30);
      array y = x;
      for (int i = 0; i < length; i++) y = add_constant(y, 1, i % 7 == 6 ? s : cpu_stream());
      if (random() % 4 == 0) async_eval(y);
      auto start = std::chrono::steady_clock::now();
      eval(x, y);
      auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
      for (int64_t seen = longest; took.count() > seen && !longest.compare_exchange_weak(seen, took.count());) {
      }
      wrong += y.data<float>()[3] != x.data<float>()[3] + static_cast<float>(length);
      evaluations++;
      lock.lock();
      shared[random() % shared.size()] = y.data<float>()[0] > 1e6f ? ones(4, 0) : random() % 2 ? y : add_constant(y, 1);
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_LT(longest, 1000) << "milliseconds";
  EXPECT_GT(evaluations, 100);
  shared.clear();
  for (const Stream& s : get_streams()) error_of([&] { synchronize(s); });
  EXPECT_EQ(get_active_memory(), before);
}

}  // namespace
