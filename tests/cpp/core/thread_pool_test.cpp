// Loops, tasks, the number of threads, and that an idle pool sleeps.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <set>
#include <thread>

#include "mlx/core/system.h"
#include "mlx/core/thread_pool.h"
#include "mlx/core/thread_pool_impl.h"
#include "mlx/core/warnings.h"

using namespace mlx::core;

namespace {

double cpu_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  auto seconds = [](const timeval& t) { return t.tv_sec + t.tv_usec * 1e-6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

class ThreadPoolTest : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_num_threads(GetParam()); }
};

TEST_P(ThreadPoolTest, RunsEachIndexOnce) {
  for (int64_t count : {0, 1, 2, 7, 1000}) {
    std::vector<std::atomic<int>> runs(count);
    parallel_for(count, [&](int64_t i) { runs[i]++; });
    for (auto& r : runs) EXPECT_EQ(r, 1);
  }
}

TEST_P(ThreadPoolTest, ChunksCoverTheRangeWhateverTheThreads) {
  std::mutex mutex;
  for (int64_t n : {0, 1, 100, 4097, 1000003}) {
    std::set<std::pair<int64_t, int64_t>> chunks;
    parallel_chunks(n, 1000, [&](int64_t begin, int64_t end) {
      std::lock_guard guard(mutex);
      chunks.emplace(begin, end);
    });
    int64_t at = 0;
    for (auto [begin, end] : chunks) {
      EXPECT_EQ(begin, at);
      EXPECT_TRUE(end - begin >= 1000 || chunks.size() == 1 || end == n);
      at = end;
    }
    EXPECT_EQ(at, n);
    if (n == 1000003) {
      EXPECT_EQ(chunks.size(), 64u);
    }
  }
}

TEST_P(ThreadPoolTest, NestedLoops) {
  std::atomic<int64_t> sum = 0;
  parallel_for(20, [&](int64_t i) {
    parallel_for(20, [&](int64_t j) { parallel_for(5, [&](int64_t k) { sum += i * j + k; }); });
  });
  EXPECT_EQ(sum, 190 * 190 * 5 + 400 * 10);
}

TEST_P(ThreadPoolTest, ConcurrentLoops) {
  std::vector<std::thread> threads;
  std::atomic<int64_t> sum = 0;
  for (int t = 0; t < 8; t++) {
    threads.emplace_back([&] {
      for (int round = 0; round < 200; round++) parallel_for(50, [&](int64_t i) { sum += i; });
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(sum, 8 * 200 * 1225);
}

TEST_P(ThreadPoolTest, TheFirstExceptionComesOutWhenAllBodiesAreDone) {
  for (int round = 0; round < 100; round++) {
    std::atomic<int> inside = 0;
    EXPECT_THROW(parallel_for(100,
                              [&](int64_t i) {
                                inside++;
                                if (i % 10 == 3) {
                                  inside--;
                                  throw std::runtime_error("three");
                                }
                                std::this_thread::yield();
                                inside--;
                              }),
                 std::runtime_error);
    EXPECT_EQ(inside, 0);
  }
  std::atomic<int> runs = 0;
  parallel_for(10, [&](int64_t) { runs++; });
  EXPECT_EQ(runs, 10);
}

TEST_P(ThreadPoolTest, ExceptionsPassThroughNestedLoops) {
  EXPECT_THROW(parallel_for(10, [](int64_t) { parallel_for(10, [](int64_t) { throw std::invalid_argument("x"); }); }),
               std::invalid_argument);
}

TEST_P(ThreadPoolTest, TasksRunBesideBusyLoops) {
  std::atomic<bool> stop = false, ran = false;
  std::vector<std::thread> busy;
  for (int t = 0; t < 3; t++) {
    busy.emplace_back([&] {
      while (!stop) parallel_for(64, [](int64_t) { std::this_thread::sleep_for(std::chrono::microseconds(200)); });
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ThreadPool::get().submit([&] { ran = true; });
  for (int i = 0; i < 1000 && !ran; i++) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(ran);
  stop = true;
  for (auto& t : busy) t.join();
}

INSTANTIATE_TEST_SUITE_P(Threads, ThreadPoolTest, ::testing::Values(1, 2, 3, 7));

TEST(NumThreads, NonsenseIsRefused) {
  set_num_threads(3);
  for (int n : {0, -1, 1025, 1 << 30}) EXPECT_THROW(set_num_threads(n), std::invalid_argument) << n;
  EXPECT_EQ(num_threads(), 3);
}

TEST(NumThreads, MayChangeWhileLoopsAndTasksRun) {
  std::atomic<bool> stop = false;
  std::atomic<int> loops = 0;
  std::thread looping([&] {
    while (!stop) {
      std::atomic<int> runs = 0;
      parallel_for(100, [&](int64_t) { runs++; });
      loops += runs == 100;
    }
  });
  std::atomic<int> tasks = 0;
  for (int i = 0; i < 200; i++) {
    set_num_threads(1 + i % 5);
    ThreadPool::get().submit([&, i] {
      if (i % 10 == 0) set_num_threads(2);  // from a worker
      tasks++;
    });
  }
  for (int i = 0; i < 5000 && tasks < 200; i++) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  stop = true;
  looping.join();
  EXPECT_EQ(tasks, 200);
  EXPECT_GT(loops, 0);
}

TEST(ThreadPool, IdleUsesNoCpu) {
  set_num_threads(4);
  parallel_for(100, [](int64_t) { std::this_thread::sleep_for(std::chrono::microseconds(100)); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  double before = cpu_seconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_LT(cpu_seconds() - before, 0.02);
}

// In a process of its own: the number is read once.
std::string threads_with(const char* value) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 1);
    value ? setenv("MLX_NUM_THREADS", value, 1) : unsetenv("MLX_NUM_THREADS");
    execl("/proc/self/exe", "thread_pool_test", "--print-threads", nullptr);
    _exit(127);
  }
  close(ends[1]);
  std::string text;
  char buffer[256];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof(buffer))) > 0;) text.append(buffer, n);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text : "failed";
}

TEST(NumThreads, FromTheEnvironment) {
  std::string standard = std::to_string(available_cpus());
  EXPECT_EQ(threads_with(nullptr), standard);
  EXPECT_EQ(threads_with(""), standard);
  EXPECT_EQ(threads_with("5"), "5");
  for (std::string nonsense : {"0", "-2", "many", "3x", "1e3", "99999999999999999999"}) {
    EXPECT_EQ(threads_with(nonsense.c_str()), "MLX_NUM_THREADS=" + nonsense +
                                                  " is not a number of threads from 1 to 1024; using " + standard +
                                                  "." + standard);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "--print-threads") {
    set_warning_handler([](const std::string& text) { std::fputs(text.c_str(), stdout); });
    std::printf("%d", num_threads());
    return 0;
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
