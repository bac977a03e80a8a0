// Work of one's own in the order of a stream.
#pragma once

#include <atomic>
#include <functional>
#include <utility>

#include "mlx/event.h"
#include "mlx/stream.h"

namespace mlx::core::scheduler {

class Scheduler {
 public:
  Scheduler() = default;
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // The task runs after the work that the stream has so far, on a thread of the pool: it must not block. What it throws
  // is thrown by the next synchronize() or check_error() of the stream.
  void enqueue(Stream s, std::function<void()> task);
  // The same, and not before the event. An error of the event becomes the stream's, and the task does not run.
  void wait_event(Stream s, Event event, std::function<void(Event&)> task);
  // The same as enqueue, and then the event fires, with the task's error where it threw.
  void signal_event(Stream s, Event event, std::function<void(Event&)> task);
  // Throws the first error of the stream's work since it was last thrown.
  void check_error(Stream s);

  // Work that is done elsewhere, and counts.
  void notify_new_task(const Stream&) { others_++; }
  void notify_task_completion(const Stream&) { others_--; }
  // What streams have not finished, all of them together.
  int n_active_tasks() const;
  // Returns once there are fewer of these, or none.
  void wait_for_one();

 private:
  std::atomic<int> others_{0};
};

Scheduler& scheduler();

template <typename F>
void enqueue(Stream s, F&& f) {
  scheduler().enqueue(s, std::forward<F>(f));
}
template <typename F>
void wait_event(Stream s, Event event, F&& f) {
  scheduler().wait_event(s, std::move(event), std::forward<F>(f));
}
template <typename F>
void signal_event(Stream s, Event event, F&& f) {
  scheduler().signal_event(s, std::move(event), std::forward<F>(f));
}
inline void check_error(Stream s) { scheduler().check_error(s); }
inline int n_active_tasks() { return scheduler().n_active_tasks(); }
inline void notify_new_task(const Stream& stream) { scheduler().notify_new_task(stream); }
inline void notify_task_completion(const Stream& stream) { scheduler().notify_task_completion(stream); }
inline void wait_for_one() { scheduler().wait_for_one(); }

}  // namespace mlx::core::scheduler
