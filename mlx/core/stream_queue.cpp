// Draining of stream queues: see stream_queue.h. A queue whose first item waits for an event is parked; the event
// hands it back to the pool, so that no pool thread ever blocks on an event.

#include "mlx/core/stream_queue.h"

#include <mutex>
#include <utility>

#include "mlx/core/process.h"
#include "mlx/core/thread_pool_impl.h"

namespace mlx::core {

ForkMutex& StreamQueue::shared_mutex() {
  constexpr size_t count = 16;
  static auto* mutexes = [] {
    auto* fresh = new std::deque<ForkMutex>;
    for (size_t i = 0; i < count; i++) fresh->emplace_back(ForkMutex::queue);
    return fresh;
  }();
  static std::atomic<size_t> next{0};
  return (*mutexes)[next++ % count];
}

void StreamQueue::push(Item item) {
  watch_process();
  {
    std::lock_guard guard(mutex_);
    items_.push_back(std::move(item));
    size_++;
    if (busy_) return;
    busy_ = true;
  }
  ThreadPool::get().submit([this] { drain_one(); });
}

bool StreamQueue::acquire_if_idle() {
  std::lock_guard guard(mutex_);
  if (busy_) return false;
  drainer_ = std::this_thread::get_id();
  return busy_ = true;
}

bool StreamQueue::is_drained_here() {
  std::lock_guard guard(mutex_);
  return drainer_ == std::this_thread::get_id();
}

void StreamQueue::release() {
  {
    std::lock_guard guard(mutex_);
    drainer_ = {};
    if (items_.empty()) {
      busy_ = false;
      return;
    }
  }
  ThreadPool::get().submit([this] { drain_one(); });
}

void StreamQueue::keep_error(std::exception_ptr error) {
  std::lock_guard guard(mutex_);
  if (!error_) error_ = std::move(error);
}

std::exception_ptr StreamQueue::take_error() {
  std::lock_guard guard(mutex_);
  return std::exchange(error_, nullptr);
}

void StreamQueue::restart_in_child() {
  if (parked_) return;
  {
    std::lock_guard guard(mutex_);
    if (drainer_ == std::this_thread::get_id()) return;
    drainer_ = {};
    busy_ = !items_.empty();
    if (!busy_) return;
  }
  ThreadPool::get().submit([this] { drain_one(); });
}

// One item per turn, so that streams share the workers fairly.
void StreamQueue::drain_one() {
  WorkScope scope;
  Item* item;
  {
    std::lock_guard guard(mutex_);
    item = &items_.front();  // a deque keeps its front in place while others push
    drainer_ = std::this_thread::get_id();
  }
  while (!item->waits.empty()) {
    Event event = item->waits.back();
    item->waits.pop_back();
    if (!event.is_signaled() && !(item->take_over && item->take_over(event))) {
      {
        std::lock_guard guard(mutex_);
        drainer_ = {};
      }
      parked_ = true;
      event.then([this] {
        parked_ = false;
        ThreadPool::get().submit([this] { drain_one(); });
      });
      return;
    }
  }
  item->run();
  Item finished;  // destroyed without the lock
  {
    std::lock_guard guard(mutex_);
    finished = std::move(items_.front());
    items_.pop_front();
    size_--;
  }
  finished = {};
  release();
}

}  // namespace mlx::core
