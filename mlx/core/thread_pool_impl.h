// The pool behind thread_pool.h: workers help open loops first and run queued tasks otherwise. They start on first
// use, spin briefly when idle and then sleep.
#pragma once

#include <atomic>
#include <deque>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include "mlx/core/fork.h"
#include "mlx/core/thread_pool.h"

namespace mlx::core {

class ThreadPool {
 public:
  static ThreadPool& get();

  int size() const { return threads_.load(std::memory_order_relaxed); }
  void resize(int threads);

  // Runs the task on a worker, some time. It must not throw and must not block on other tasks.
  void submit(std::function<void()> task);
  void run_loop(int64_t count, FunctionRef<void(int64_t)> body);

  // Starts the workers if tasks wait for them: needed in the child of a fork.
  void ensure_running();
  // Lets running tasks end, waits at most the given time for them and joins the workers. Queued tasks stay queued.
  void shut_down(int milliseconds);

 private:
  struct Loop;

  ThreadPool();
  void start_workers();
  void work(uint32_t generation);
  Loop* find_loop();
  void wake(int count);
  static void share(Loop& loop);

  ForkMutex mutex_{ForkMutex::pool};  // guards the members below it
  std::deque<std::function<void()>> tasks_;
  std::vector<Loop*> loops_;
  std::vector<std::thread> workers_;
  bool closed_ = false;

  std::atomic<int> threads_;
  std::atomic<uint32_t> generation_{0};  // workers of an older generation leave
  std::atomic<uint32_t> work_signal_{0};
  std::atomic<int> sleeping_{0};
  std::atomic<int> alive_{0};
};

}  // namespace mlx::core
