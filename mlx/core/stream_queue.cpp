// Draining of stream queues: see stream_queue.h. A queue whose first item waits for an event is parked; the event
// hands it back to the pool, so that no pool thread ever blocks on an event.

#include "mlx/core/stream_queue.h"

#include <mutex>
#include <utility>

#include "mlx/core/thread_pool_impl.h"

namespace mlx::core {

void StreamQueue::push(Item item) {
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
  return busy_ = true;
}

void StreamQueue::release() {
  {
    std::lock_guard guard(mutex_);
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
  }
  while (!item->waits.empty()) {
    Event event = item->waits.back();
    item->waits.pop_back();
    if (!event.is_signaled()) {
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
