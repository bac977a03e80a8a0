// Ordering, claiming and queueing of an evaluation. How steps run is in evaluation_run.cpp.
//
// The protocol: one short graph lock is held while nodes are ordered and claimed and while the segments enter their
// stream queues. So queues hold work in the order of claims, and a segment only ever waits for events of work that
// was queued before it: evaluations cannot deadlock each other.

#include "mlx/graph/evaluation.h"

#include <algorithm>
#include <mutex>

#include "mlx/core/error.h"
#include "mlx/core/interrupt.h"
#include "mlx/core/process.h"
#include "mlx/core/tracing.h"

namespace mlx::core {

namespace {

// Evaluations that run on a caller's thread; guarded by the graph lock.
std::vector<Evaluation*>& inline_runs() {
  static auto* runs = new std::vector<Evaluation*>;
  return *runs;
}

// Does the device compute later than it is told to, so that errors come with events?
bool is_asynchronous(const Stream& stream) { return !backend(stream.device.type).uses_host_memory(); }

// Several outputs of one primitive are one visit.
void mark_locked(Node* node, uint32_t mark) {
  if (!node->siblings) {
    node->mark = mark;
    return;
  }
  for (Node* n : node->siblings->nodes) {
    if (n) n->mark = mark;
  }
}

[[noreturn]] void raise_no_value(const Node& node) {
  if (node.placeholder_reason) raise<NoValue>(node.placeholder_reason);
  raise<std::runtime_error>("[eval] The array has neither a value nor a primitive to compute one.");
}

}  // namespace

std::shared_ptr<Evaluation> Evaluation::start(std::span<const array> outputs, Mode mode) {
  auto evaluation = std::make_shared<Evaluation>();
  evaluation->mode_ = mode;
  evaluation->nested_ = mode == Mode::wait && runs_here();
  std::vector<array> unused;  // let go after the lock
  std::lock_guard guard(graph_mutex());
  evaluation->order_locked(outputs);
  try {
    for (Node* node : evaluation->order_) evaluation->claim_locked(node, unused);
    evaluation->fuse_locked();
  } catch (...) {  // a stream that does not exist
    for (Step& step : evaluation->steps_) restore_locked(step);
    throw;
  }
  evaluation->order_ = {};
  evaluation->queue_locked();
  if (evaluation->inline_) inline_runs().push_back(evaluation.get());
  return evaluation;
}

// Depth first, inputs before their users, without recursion.
void Evaluation::order_locked(std::span<const array> outputs) {
  struct Visit {
    Node* node;
    size_t next_input;
  };
  std::vector<Visit> stack;
  uint32_t mark = next_mark_locked();
  auto enter = [&](Node* node) {
    if (node->mark == mark || node->state.load(std::memory_order_acquire) != NodeState::pending) return;
    if (!node->primitive) raise_no_value(*node);
    mark_locked(node, mark);
    stack.push_back({node, 0});
  };
  for (const array& out : outputs) {
    enter(out.node());
    while (!stack.empty()) {
      Visit& top = stack.back();
      if (top.next_input < top.node->inputs.size()) {
        enter(top.node->inputs[top.next_input++].node());
      } else {
        order_.push_back(top.node);
        stack.pop_back();
      }
    }
  }
}

Segment& Evaluation::segment_for(const Stream& stream) {
  if (segments_.empty() || segments_.back().stream != stream) {
    size_t first = steps_.size();
    segments_.push_back({stream, &stream_queue(stream), &backend(stream.device.type), first, first, Event(stream)});
  }
  return segments_.back();
}

void Evaluation::claim_locked(Node* node, std::vector<array>& unused) {
  Segment& segment = segment_for(node->primitive->stream());
  Step step{node->primitive, {}, {}};
  for (array& out : outputs_locked(node)) {
    // A value never changes: when a sibling has one already, this one goes nowhere.
    if (out.node()->state.load(std::memory_order_acquire) != NodeState::pending) {
      unused.push_back(out);
      out = array(new Node(out.shape(), out.dtype()));
    }
    step.outputs.push_back(std::move(out));
  }
  // A traced node keeps its edges: a transformation will walk them after the value is known.
  step.traced = is_active_trace_locked(node->trace);
  if (step.traced) step.inputs = node->inputs;
  else step.inputs = take_inputs_locked(node);
  for (array& out : step.outputs) {
    Node* n = out.node();
    n->state.store(NodeState::claimed, std::memory_order_release);
    n->event = segment.done;
    if (step.traced) continue;
    n->primitive.reset();
    n->inputs.clear();
  }
  add_waits_locked(step, segment);
  steps_.push_back(std::move(step));
  segment.end = steps_.size();
}

// Work of the same stream is ordered by its queue; all other work that is not over yet has to be waited for.
void Evaluation::add_waits_locked(const Step& step, Segment& segment) {
  for (const array& x : step.inputs) {
    const Event& e = x.node()->event;
    if (!e.valid() || e == segment.done) continue;
    auto add = [&](std::vector<Event>& events) {
      auto same = [&](const Event& other) { return other == e; };
      if (std::none_of(events.begin(), events.end(), same)) events.push_back(e);
    };
    bool over = e.is_signaled();
    if (is_asynchronous(e.stream()) && (!over || e.error())) add(segment.inputs);
    // An operation that evaluates does not wait for its own stream to come to it.
    bool ordered = e.stream() == segment.stream && (!nested_ || segment.queue->is_drained_here());
    if (!over && !ordered) add(segment.waits);
  }
}

void Evaluation::queue_locked() {
  if (segments_.empty()) return;
  if (nested_ || (mode_ == Mode::wait && segments_.size() == 1 && segments_[0].queue->acquire_if_idle())) {
    inline_ = true;
    for (Segment& s : segments_) s.state = Segment::running;
    return;
  }
  for (size_t i = 0; i < segments_.size(); i++) {
    Segment& s = segments_[i];
    // Asked when the work is about to be given: earlier work of the stream must not wait for later events.
    auto take_over = [&s](const Event& e) { return s.device->wait(s.stream, e); };
    s.queue->push({s.waits, [self = shared_from_this(), i] { self->run_queued(i); }, take_over});
  }
}

void Evaluation::leave_inline() {
  {
    std::lock_guard guard(graph_mutex());
    std::erase(inline_runs(), this);
  }
  if (!nested_) segments_[0].queue->release();
}

void Evaluation::run_inline() {
  bool complete = false;
  std::exception_ptr interrupt_error;
  try {
    for (Segment& segment : segments_) {
      for (const Event& e : segment.waits) {
        InterruptPoll interrupt;
        if (segment.device->wait(segment.stream, e)) continue;
        while (!e.wait_for(InterruptPoll::period.count())) interrupt.poll();
      }
      WorkScope scope;
      run_segment(segment, true);
    }
    complete = true;
  } catch (const InputWithdrawn&) {
  } catch (...) {
    interrupt_error = std::current_exception();
  }
  if (!complete) {
    WorkScope scope;  // a fork must not come between an event and what hangs on it
    for (Segment& segment : segments_) withdraw(segment);
  }
  leave_inline();
  if (interrupt_error) std::rethrow_exception(interrupt_error);
}

void Evaluation::cancel() {
  cancelled_ = true;
  std::vector<Segment*> waiting;
  {
    std::lock_guard guard(graph_mutex());
    for (Segment& s : segments_) {
      if (s.state != Segment::queued) continue;
      s.state = Segment::withdrawn;
      waiting.push_back(&s);
    }
  }
  {
    WorkScope scope;
    for (Segment* s : waiting) withdraw(*s);
  }
  for (const Segment& s : segments_) {
    while (!s.done.wait_for(1000)) {
    }
  }
}

// What has not run is pending again, and the event tells those who wait for it to look again.
void Evaluation::withdraw(Segment& segment) {
  std::vector<Step> taken;  // let go after the lock: the arrays must not be held twice, and may die
  {
    std::lock_guard guard(graph_mutex());
    for (size_t i = segment.next; i < segment.end; i++) {
      restore_locked(steps_[i]);
      taken.push_back(std::move(steps_[i]));
    }
    segment.next = segment.end;
  }
  signal(segment);
}

void Evaluation::restore_locked(Step& step) {
  if (!step.parts.empty()) {
    for (Step& part : step.parts) restore_locked(part);
    return;
  }
  for (array& out : step.outputs) {
    Node* n = out.node();
    if (!step.traced) {
      n->primitive = step.primitive;
      n->inputs = step.inputs;
    }
    n->event = {};
    n->state.store(NodeState::pending, std::memory_order_release);
  }
}

void abandon_evaluations_in_child() { Evaluation::abandon_all_in_child(); }

void Evaluation::abandon_all_in_child() {
  std::vector<Evaluation*> lost;
  {
    std::lock_guard guard(graph_mutex());
    std::erase_if(inline_runs(), [&](Evaluation* e) {
      if (e->caller_ == std::this_thread::get_id()) return false;  // an operation of ours forked: it goes on
      lost.push_back(e);
      return true;
    });
  }
  for (Evaluation* e : lost) {
    for (Segment& s : e->segments_) {
      e->lose_step_in_child(s);
      e->withdraw(s);
    }
  }
}

}  // namespace mlx::core
