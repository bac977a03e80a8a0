// Fork and exit handlers: see process.h.

#include "mlx/core/process.h"

#include <cstdlib>
#include <mutex>

#include "mlx/core/fork.h"
#include "mlx/core/stream_queue.h"
#include "mlx/core/thread_pool_impl.h"

namespace mlx::core {

namespace {
constexpr int drain_limit = 1000;  // milliseconds
constexpr int join_limit = 500;
}  // namespace

void watch_process() {
  static std::once_flag once;
  std::call_once(once, [] {
    ThreadPool::get();  // its own handler, for the fresh pool, comes first
    at_fork_in_child([] {
      abandon_evaluations_in_child();
      restart_streams_in_child();
      ThreadPool::get().hold(false);
    });
    std::atexit(end_process);
  });
}

void end_process() {
  // In the child of a fork that asked for nothing, what the parent had queued is left alone.
  if (ThreadPool::get().is_running()) drain_streams(drain_limit);
  ThreadPool::get().shut_down(join_limit);
}

}  // namespace mlx::core
