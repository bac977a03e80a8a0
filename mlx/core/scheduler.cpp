// The public side of stream queues; see stream_queue.h.

#include "mlx/scheduler.h"

#include <thread>

#include "mlx/core/interrupt.h"
#include "mlx/core/stream_queue.h"

namespace mlx::core::scheduler {

namespace {

// Runs the task; returns what it threw, which the stream keeps.
std::exception_ptr run_on(StreamQueue& queue, const std::function<void()>& task) {
  try {
    task();
    return nullptr;
  } catch (...) {
    std::exception_ptr error = std::current_exception();
    queue.keep_error(error);
    return error;
  }
}

}  // namespace

void Scheduler::enqueue(Stream s, std::function<void()> task) {
  StreamQueue& queue = stream_queue(s);
  queue.push({.waits = {}, .run = [&queue, task = std::move(task)] { run_on(queue, task); }});
}

void Scheduler::wait_event(Stream s, Event event, std::function<void(Event&)> task) {
  event.stream();  // there must be one
  StreamQueue& queue = stream_queue(s);
  queue.push({.waits = {event}, .run = [&queue, event, task = std::move(task)] {
                run_on(queue, [&] {
                  event.check_error();
                  Event own = event;
                  task(own);
                });
              }});
}

void Scheduler::signal_event(Stream s, Event event, std::function<void(Event&)> task) {
  event.stream();  // there must be one
  StreamQueue& queue = stream_queue(s);
  queue.push({.waits = {}, .run = [&queue, event, task = std::move(task)] {
                Event own = event;
                event.set(run_on(queue, [&] { task(own); }));
              }});
}

void Scheduler::check_error(Stream s) {
  if (std::exception_ptr error = stream_queue(s).take_error()) std::rethrow_exception(error);
}

int Scheduler::n_active_tasks() const { return queued_items() + others_.load(); }

void Scheduler::wait_for_one() {
  InterruptPoll interrupt;
  for (int before = n_active_tasks(), now = before; now > 0 && now >= before; now = n_active_tasks()) {
    interrupt.poll();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

Scheduler& scheduler() {
  static auto* the_one = new Scheduler;  // never destroyed: streams work until the end
  return *the_one;
}

}  // namespace mlx::core::scheduler
