// The ordered queue of a stream. One thread at a time drains it: a pool worker, or the thread that evaluates.
#pragma once

#include <atomic>
#include <deque>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include "mlx/core/fork.h"
#include "mlx/event.h"
#include "mlx/stream.h"

namespace mlx::core {

class StreamQueue {
 public:
  // Starts after all earlier items and after the events it waits for. `run` must not throw. `take_over`, where there
  // is one, is asked first: true when the device itself will order the work of `run` after the event.
  struct Item {
    std::vector<Event> waits;
    std::function<void()> run;
    std::function<bool(const Event&)> take_over = {};
  };

  void push(Item item);

  // True makes the caller the one who drains: nothing else of this stream runs until release().
  bool acquire_if_idle();
  void release();
  // Is this thread the one that drains?
  bool is_drained_here();

  // The first error of asynchronous work since it was last taken.
  void keep_error(std::exception_ptr error);
  std::exception_ptr take_error();

  // After a fork only the thread that forked drains in the child. What is queued is kept and goes on when somebody
  // waits.
  void restart_in_child();

  int size() const { return size_.load(std::memory_order_relaxed); }

 private:
  void drain_one();

  // A few locks serve all queues, which are many and never die; a fork takes every lock there is.
  static ForkMutex& shared_mutex();

  ForkMutex& mutex_ = shared_mutex();  // guards the members below it; never held together with another queue's
  std::deque<Item> items_;
  std::exception_ptr error_;
  bool busy_ = false;
  std::thread::id drainer_;
  std::atomic<bool> parked_{false};  // an event will hand the queue back to the pool
  std::atomic<int> size_{0};
};

// Throws std::out_of_range for a stream that was never made.
StreamQueue& stream_queue(const Stream& s);

// Items that wait or run, over all streams.
int queued_items();

void restart_streams_in_child();

// Waits until all streams are idle; false when the milliseconds are over first.
bool drain_streams(int milliseconds);

}  // namespace mlx::core
