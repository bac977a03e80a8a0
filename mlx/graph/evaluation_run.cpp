// How the steps of an evaluation run: devices, fallback to the CPU, errors.

#include <mutex>
#include <set>
#include <string>
#include <typeinfo>

#include "mlx/core/error.h"
#include "mlx/core/interrupt.h"
#include "mlx/core/residency.h"
#include "mlx/core/stream_queue.h"
#include "mlx/core/warnings.h"
#include "mlx/graph/evaluation.h"
#include "mlx/memory.h"

namespace mlx::core {

namespace {

thread_local int running_segments = 0;

std::string describe(const Step& step) {
  std::string text = step.primitive->name();
  const char* separator = " of ";
  for (const array& x : step.inputs) {
    text += concat(separator, dtype_name(x.dtype()), " ", x.shape());
    separator = ", ";
  }
  return text;
}

// The same exception with the operation, shapes and dtypes in its text. Types that are not ours
// pass unchanged.
std::exception_ptr with_context(std::exception_ptr error, const Step& step) {
  auto extended = [&](const std::exception& e) {
    return concat(e.what(), " While evaluating ", describe(step), ".");
  };
  try {
    std::rethrow_exception(error);
  } catch (const OutOfMemoryError& e) {
    return std::make_exception_ptr(OutOfMemoryError(extended(e)));
  } catch (const AxisError& e) {
    return std::make_exception_ptr(AxisError(extended(e)));
  } catch (const std::invalid_argument& e) {
    return typeid(e) == typeid(std::invalid_argument)
               ? std::make_exception_ptr(std::invalid_argument(extended(e)))
               : error;
  } catch (const std::runtime_error& e) {
    return typeid(e) == typeid(std::runtime_error)
               ? std::make_exception_ptr(std::runtime_error(extended(e)))
               : error;
  } catch (const std::bad_alloc&) {
    return std::make_exception_ptr(
        OutOfMemoryError(concat("[eval] Out of memory. While evaluating ", describe(step), ".")));
  } catch (...) {
    return error;
  }
}

void finish(Step& step, const std::exception_ptr& error) {
  for (array& out : step.outputs) {
    Node* n = out.node();
    if (step.outputs.size() > 1 && !step.traced) leave_siblings(n);
    if (error) n->error = error;
    n->state.store(error ? NodeState::failed : NodeState::done, std::memory_order_release);
  }
}

// Brackets a program that a device may run as one unit.
void evaluate(Backend& device, const Stream& stream, Primitive& primitive, std::span<array> inputs,
              std::span<array> outputs) {
  uint64_t key = primitive.region_key();
  if (!key) return device.evaluate(stream, primitive, inputs, outputs);
  device.begin_region(stream, Region{key});
  try {
    device.evaluate(stream, primitive, inputs, outputs);
  } catch (...) {
    device.end_region(stream);
    throw;
  }
  device.end_region(stream);
}

// The error of a failed input; throws when an input has gone back to pending.
std::exception_ptr input_error(const Step& step) {
  for (const array& x : step.inputs) {
    NodeState state = x.node()->state.load(std::memory_order_acquire);
    if (state == NodeState::failed) return x.node()->error;
    if (state != NodeState::done) throw InputWithdrawn{};
    if (!x.data_shared_ptr()->residency.load(std::memory_order_acquire)) continue;
    Event made = x.event();
    if (!made.valid()) continue;
    if (std::exception_ptr error = made.error()) return error;
  }
  return nullptr;
}

void warn_of_fallback(const Primitive& primitive) {
  static std::mutex mutex;
  static auto* warned = new std::set<std::string>;
  {
    std::lock_guard guard(mutex);
    if (!warned->insert(primitive.name()).second) return;
  }
  warn(concat("[", primitive.name(),
              "] The device does not have this operation; it runs on the CPU."));
}

}  // namespace

bool Evaluation::runs_here() { return running_segments > 0; }

void Evaluation::run_step(Step& step, Segment& segment) {
  const Stream& stream = segment.stream;
  Backend& device = *segment.device;
  std::exception_ptr error = input_error(step);
  step.parts.clear();  // they hold the inputs too, which may be donated now
  if (!error) {
    try {
      std::span<array> outputs(step.outputs.data(), step.outputs.size());
      std::span<array> inputs(step.inputs.data(), step.inputs.size());
      if (device.supports(*step.primitive)) {
        evaluate(device, stream, *step.primitive, inputs, outputs);
      } else {
        warn_of_fallback(*step.primitive);
        for (const array& x : inputs) fetch_to_host(x);
        backend(Device::cpu).evaluate(stream, *step.primitive, inputs, outputs);
      }
    } catch (...) {
      error = with_context(std::current_exception(), step);
    }
  }
  finish(step, error);
  if (error && mode_ == Mode::async) segment.queue->keep_error(error);
  // Let go at once: the memory of an input is free, or may be donated, as soon as its last user has
  // run.
  step.outputs.clear();
  step.inputs.clear();
  step.primitive.reset();
}

void Evaluation::run_segment(Segment& segment, bool interruptible) {
  struct Running {
    Running() { running_segments++; }
    ~Running() { running_segments--; }
  } running;
  InterruptPoll interrupt;
  while (segment.next < segment.end) {
    if (interruptible)
      interrupt.poll();
    else if (cancelled_.load(std::memory_order_relaxed))
      throw InputWithdrawn{};
    WorkScope::safe_point();
    segment.inside_step = true;
    run_step(steps_[segment.next], segment);
    segment.inside_step = false;
    segment.next++;
  }
  signal(segment);
}

// Fires the event of the segment once its work is done. What a device reports late is the error of
// all that the segment made, and the error of an input passes on to it.
void Evaluation::signal(Segment& segment) {
  try {
    if (!segment.device->uses_host_memory()) {
      segment.done.inherit_errors(std::move(segment.inputs));
      if (mode_ == Mode::async) {
        segment.done.then([done = segment.done, queue = segment.queue] {
          if (std::exception_ptr error = done.error()) queue->keep_error(error);
        });
      }
    }
    segment.device->signal(segment.stream, segment.done);
  } catch (...) {
    segment.done.set(std::current_exception());
  }
}

// In the child of a fork: the thread that ran this step is gone, and the step's inputs may be half
// overwritten.
void Evaluation::lose_step_in_child(Segment& segment) {
  if (!segment.inside_step) return;
  segment.inside_step = false;
  finish(steps_[segment.next++],
         std::make_exception_ptr(std::runtime_error(
             "[fork] Another thread was computing the array when the process forked.")));
}

void Evaluation::run_queued(size_t index) {
  Segment& segment = segments_[index];
  {
    std::lock_guard guard(graph_mutex());
    if (segment.state == Segment::withdrawn) return;
    segment.state = Segment::running;
  }
  lose_step_in_child(segment);
  try {
    run_segment(segment, false);
  } catch (...) {  // cancelled, or something it needs was
    withdraw(segment);
  }
}

}  // namespace mlx::core
