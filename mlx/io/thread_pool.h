// The threads of the process for readers of one's own.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <type_traits>
#include <utility>

namespace mlx::core::io {

class ThreadPool {
 public:
  // Runs the function some time on a thread of the pool; it must not wait for other tasks. The future has its result.
  template <typename F, typename... Args>
  std::future<std::invoke_result_t<F, Args...>> enqueue(F&& f, Args&&... args) {
    using Result = std::invoke_result_t<F, Args...>;
    auto task = std::make_shared<std::packaged_task<Result()>>(
        [f = std::forward<F>(f), ... args = std::forward<Args>(args)]() mutable { return std::invoke(f, args...); });
    std::future<Result> result = task->get_future();
    submit([task] { (*task)(); });
    return result;
  }

 private:
  static void submit(std::function<void()> task);
};

ThreadPool& thread_pool();

}  // namespace mlx::core::io
