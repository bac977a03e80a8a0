// See thread_pool.h.

#include "mlx/io/thread_pool.h"

#include "mlx/core/thread_pool_impl.h"

namespace mlx::core::io {

void ThreadPool::submit(std::function<void()> task) { core::ThreadPool::get().submit(std::move(task)); }

ThreadPool& thread_pool() {
  static ThreadPool handle;  // no state: the pool is the process's
  return handle;
}

}  // namespace mlx::core::io
