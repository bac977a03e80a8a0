// The pool behind thread_pool.h: workers run queued tasks first (a loop's own thread makes progress without them, a
// task does not) and help open loops otherwise. They start on first use, spin briefly when idle and then sleep.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
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

  // Called by whoever is about to wait. Starts the workers if tasks wait for them: in the child of a fork they do. When
  // there can be none (the process is ending, the system has no threads left) the tasks run on this thread.
  void ensure_running();
  bool is_running() const { return alive_.load() > 0; }
  // While held, tasks are only kept: the handlers of a fork must not start threads.
  void hold(bool on);

  // A worker that has to wait for other work (an operation that evaluates arrays itself) lends its place meanwhile.
  class Waiting {
   public:
    Waiting();
    ~Waiting();
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

   private:
    std::shared_ptr<std::atomic<bool>> over_;
  };

  // Lets running tasks end, waits at most the given time for them and joins the workers. Queued tasks stay queued.
  void shut_down(int milliseconds);

 private:
  struct Loop;

  ThreadPool();
  bool start_workers();
  void start_worker(std::vector<std::thread>& threads, std::shared_ptr<std::atomic<bool>> over = nullptr);
  void work(uint32_t generation, const std::atomic<bool>* over);
  Loop* find_loop();
  void wake(int count);
  static void share(Loop& loop);

  ForkMutex mutex_{ForkMutex::pool};  // guards the members below it
  std::deque<std::function<void()>> tasks_;
  std::vector<Loop*> loops_;
  std::vector<std::thread> workers_;
  bool closed_ = false;
  bool held_ = false;

  std::atomic<int> threads_;
  std::atomic<uint32_t> generation_{0};  // workers of an older generation leave
  std::atomic<uint32_t> work_signal_{0};
  std::atomic<int> sleeping_{0};
  std::atomic<int> alive_{0};
};

}  // namespace mlx::core
