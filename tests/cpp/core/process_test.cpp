// Fork during work, and the end of the process. MLX_TEST_REPEAT sets how often each way to end is
// tried.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <thread>

#include "mlx/core/fork.h"
#include "test_primitives.h"

using namespace mlx::core;
using namespace mlx::core::testing;

namespace {

using Clock = std::chrono::steady_clock;

// The exit code of the child; -1 when it is not over in time, -2 when a signal ended it.
int wait_for(pid_t child, int milliseconds) {
  auto limit = Clock::now() + std::chrono::milliseconds(milliseconds);
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (Clock::now() > limit) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return -1;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -2;
}

// The child leaves with 0 when f says true.
pid_t fork_child(const std::function<bool()>& f) {
  pid_t child = fork();
  if (child == 0) {
    bool right = false;
    try {
      right = f();
    } catch (...) {
    }
    _exit(right ? 0 : 1);
  }
  return child;
}

array chain(int length, int milliseconds, std::vector<Stream> streams) {
  array x = ones(2, 0);
  for (int i = 0; i < length; i++) x = slow(x, milliseconds, streams[i % streams.size()]);
  return x;
}

bool is_value(array x, float value) {
  eval(x);
  return x.data<float>()[0] == value && x.data<float>()[1] == value;
}

TEST(Fork, ChildEvaluatesNewAndInheritedArrays) {
  array x = chain(10, 0, {cpu_stream()});
  pid_t child = fork_child([&] {
    return is_value(x, 10) && is_value(add_constant(ones(2), 1, new_stream(Device::cpu)), 2);
  });
  EXPECT_EQ(wait_for(child, 5000), 0);
  EXPECT_TRUE(is_value(x, 10));
}

TEST(Fork, DuringInlineWorkOfAnotherThread) {
  array x = chain(50, 2, {cpu_stream()});
  std::thread other([&] { EXPECT_TRUE(is_value(x, 50)); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  auto start = Clock::now();
  pid_t child = fork_child([&] { return is_value(x, 50); });
  EXPECT_LT(Clock::now() - start, std::chrono::milliseconds(60))
      << "the fork waits for a step, not for the evaluation";
  EXPECT_EQ(wait_for(child, 5000), 0);
  other.join();
}

TEST(Fork, DuringQueuedWork) {
  Stream s = new_stream(Device::cpu), t = new_stream(Device::cpu);
  array x = chain(50, 2, {s, t, t}), y = chain(50, 2, {s});
  async_eval(x, y);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  pid_t child = fork_child([&] {
    synchronize(s);
    return is_value(x, 50) && is_value(y, 50);
  });
  EXPECT_TRUE(is_value(x, 50));
  EXPECT_EQ(wait_for(child, 5000), 0);
}

TEST(Fork, FromAnOperation) {
  pid_t child = -1;
  for (bool queued : {false, true}) {
    Stream s = new_stream(Device::cpu);
    array x = custom(
        {ones(2)}, {2},
        [&](const auto& in, auto& out) {
          allocate(out[0]);
          for (int i = 0; i < 2; i++)
            out[0].template data<float>()[i] = in[0].template data<float>()[i] + 1;
          child = fork_child([&] { return queued || is_value(add_constant(in[0], 1, s), 2); });
        },
        s);
    array y = add_constant(x, 1, s);
    if (queued) async_eval(y);
    EXPECT_TRUE(is_value(y, 3));
    EXPECT_EQ(wait_for(child, 5000), 0);
  }
}

TEST(Fork, TwoOperationsAtOnce) {
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; t++) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; i++) {
        array x = custom({}, {2}, [&](const auto&, auto& out) {
          allocate(out[0]);
          right += wait_for(fork_child([] { return true; }), 5000) == 0;
        });
        eval(x);
      }
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(right, 40);
}

TEST(Fork, AStepCutInTwoFailsInTheChild) {
  std::atomic<bool> inside = false, go_on = false;
  array x = custom({ones(2)}, {2}, [&](const auto&, auto& out) {
    WorkScope::Pause pause;  // as an operation does that waits for the host's lock
    inside = true;
    while (!go_on) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    allocate(out[0]);
    out[0].template data<float>()[0] = out[0].template data<float>()[1] = 7;
  });
  array y = add_constant(x, 1);
  std::thread other([&] { eval(x); });
  while (!inside) std::this_thread::yield();
  pid_t child = fork_child([&] {
    try {
      eval(y);
    } catch (const std::runtime_error& e) {
      return std::string(e.what()) ==
             "[fork] Another thread was computing the array when the process forked.";
    }
    return false;
  });
  EXPECT_EQ(wait_for(child, 5000), 0);
  go_on = true;
  other.join();
  EXPECT_TRUE(is_value(y, 8));
}

TEST(Fork, AgainAndAgainWhileTheMainThreadWorks) {
  std::atomic<bool> stop = false;
  std::atomic<int> right = 0;
  Stream s = new_stream(Device::cpu);
  array shared = chain(3, 0, {s, cpu_stream()});
  std::thread forking([&] {
    for (int i = 0; i < 200; i++) {
      array mine = add_constant(shared, 1);
      right += wait_for(fork_child([&] {
                          return is_value(mine, 4) && is_value(chain(4, 0, {s, cpu_stream()}), 4);
                        }),
                        5000) == 0;
    }
    stop = true;
  });
  int rounds = 0;
  for (; !stop; rounds++) {
    array x = chain(20, 0, {cpu_stream(), s});
    if (rounds % 2) async_eval(x);
    ASSERT_TRUE(is_value(x, 20));
    ASSERT_TRUE(is_value(chain(20, 0, {cpu_stream()}), 20));
  }
  forking.join();
  EXPECT_EQ(right, 200);
  EXPECT_GT(rounds, 0);
}

TEST(Fork, StreamsMayBeMadeMeanwhile) {
  std::atomic<bool> stop = false;
  std::thread making([&] {
    for (int i = 0; i < 5000 && !stop; i++) new_stream(Device::cpu);
  });
  for (int i = 0; i < 50; i++)
    EXPECT_EQ(wait_for(fork_child([] { return is_value(add_constant(ones(2), 1), 2); }), 5000), 0);
  stop = true;
  making.join();
}

TEST(Fork, AChildThatAsksForNothingEndsAtOnce) {
  Stream s = new_stream(Device::cpu);
  array x = chain(100, 5, {s});
  async_eval(x);
  pid_t child = fork();
  if (child == 0) std::exit(4);
  auto start = Clock::now();
  EXPECT_EQ(wait_for(child, 2000), 4);
  EXPECT_LT(Clock::now() - start, std::chrono::milliseconds(300));
  eval(x);
}

// Ends of a process. Each runs in a program of its own: this one, called with a word.

int end_with_async_work() {
  for (int i = 0; i < 2000; i++) async_eval(slow(ones(2), 5, cpu_stream()));
  return 7;
}
int end_with_short_async_work() {
  static std::atomic<int> runs = 0;
  std::atexit([] {
    if (runs != 20) _exit(99);  // registered before the library's own handler: runs after it
  });
  for (int i = 0; i < 20; i++) async_eval(slow(ones(2), 1, cpu_stream(), &runs));
  return 8;
}
int end_with_a_running_thread() {
  std::thread([] {
    while (true) eval(chain(5, 1, {cpu_stream(), new_stream(Device::cpu)}));
  }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return 3;
}
int end_by_exit_in_a_thread() {
  std::thread([] {
    async_eval(chain(5, 1, {cpu_stream()}));
    std::exit(5);
  }).join();
  return 1;
}
int end_and_evaluate_afterwards() {
  std::atexit([] {
    if (!is_value(chain(10, 0, {new_stream(Device::cpu), cpu_stream()}), 10)) _exit(99);
  });
  eval(chain(3, 0, {cpu_stream(), new_stream(Device::cpu)}));
  return 6;
}
int end_with_a_long_operation() {
  async_eval(slow(ones(2), 10000));
  return 9;
}

struct End {
  const char* name;
  int (*run)();
  int code;
};
const End ends[] = {
    {"async", end_with_async_work, 7},
    {"short_async", end_with_short_async_work, 8},
    {"thread", end_with_a_running_thread, 3},
    {"exit_in_thread", end_by_exit_in_a_thread, 5},
    {"afterwards", end_and_evaluate_afterwards, 6},
    {"long_operation", end_with_a_long_operation, 9},
};

class ExitTest : public ::testing::TestWithParam<End> {};

TEST_P(ExitTest, RightCodeInTime) {
  const char* repeat = std::getenv("MLX_TEST_REPEAT");
  for (int i = 0, n = repeat ? std::atoi(repeat) : 3; i < n; i++) {
    pid_t child = fork();
    if (child == 0) {
      execl("/proc/self/exe", "process_test", "--end", GetParam().name, nullptr);
      _exit(127);
    }
    ASSERT_EQ(wait_for(child, 2000), GetParam().code);
  }
}

INSTANTIATE_TEST_SUITE_P(Ends, ExitTest, ::testing::ValuesIn(ends),
                         [](const auto& p) { return p.param.name; });

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2 && std::string(argv[1]) == "--end") {
    for (const End& end : ends) {
      if (std::string(argv[2]) == end.name) return end.run();
    }
    return 126;
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
