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
#include "mlx/core/stream_queue.h"
#include "mlx/core/tracing.h"

namespace mlx::core {

namespace {

// Evaluations that run on a caller's thread; guarded by the graph lock.
std::vector<Evaluation*>& inline_runs() {
  static auto* runs = new std::vector<Evaluation*>;
  return *runs;
}

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
  if (node.placeholder_reason) raise(node.placeholder_reason);
  raise<std::runtime_error>("[eval] The array has neither a value nor a primitive to compute one.");
}

}  // namespace

std::shared_ptr<Evaluation> Evaluation::start(std::span<const array> outputs, Mode mode) {
  auto evaluation = std::make_shared<Evaluation>();
  evaluation->mode_ = mode;
  std::lock_guard guard(graph_mutex());
  evaluation->order_locked(outputs);
  for (Node* node : evaluation->order_) evaluation->claim_locked(node);
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

void Evaluation::claim_locked(Node* node) {
  const Stream& stream = node->primitive->stream();
  if (segments_.empty() || segments_.back().stream != stream) {
    segments_.push_back({stream, steps_.size(), 0, {}, Event(stream), steps_.size()});
  }
  Segment& segment = segments_.back();
  Step step{node->primitive, {}, {}};
  for (array& out : outputs_locked(node)) step.outputs.push_back(std::move(out));
  // A traced node keeps its edges: a transformation will walk them after the value is known.
  bool traced = is_active_trace_locked(node->trace);
  if (traced) step.inputs = node->inputs;
  else step.inputs = take_inputs_locked(node);
  for (array& out : step.outputs) {
    Node* n = out.node();
    n->state.store(NodeState::claimed, std::memory_order_release);
    n->event = segment.done;
    if (traced) continue;
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
    if (!e.valid() || e.stream() == segment.stream || e.is_signaled()) continue;
    auto same = [&](const Event& other) { return other == e; };
    if (std::none_of(segment.waits.begin(), segment.waits.end(), same)) segment.waits.push_back(e);
  }
}

void Evaluation::queue_locked() {
  if (mode_ == Mode::wait && segments_.size() == 1 && stream_queue(segments_[0].stream).acquire_if_idle()) {
    inline_ = true;
    return;
  }
  for (size_t i = 0; i < segments_.size(); i++) {
    Segment& s = segments_[i];
    std::vector<Event> waits;
    for (const Event& e : s.waits) {
      if (!backend(s.stream.device.type).wait(s.stream, e)) waits.push_back(e);
    }
    stream_queue(s.stream).push({std::move(waits), [self = shared_from_this(), i] { self->run_queued(i); }});
  }
}

void Evaluation::run_inline() {
  Segment& segment = segments_[0];
  auto leave = [&] {
    {
      std::lock_guard guard(graph_mutex());
      std::erase(inline_runs(), this);
    }
    stream_queue(segment.stream).release();
  };
  try {
    for (const Event& e : segment.waits) {
      InterruptPoll interrupt;
      while (!e.wait_for(InterruptPoll::period.count())) interrupt.poll();
    }
    WorkScope scope;
    run_segment(segment, true);
  } catch (...) {
    withdraw(segment);
    leave();
    throw;
  }
  leave();
}

void Evaluation::cancel() {
  cancelled_ = true;
  for (const Segment& s : segments_) {
    while (!s.done.wait_for(1000)) {
    }
  }
}

// What has not run is pending again, and the event tells those who wait for it to look again.
void Evaluation::withdraw(Segment& segment) {
  {
    std::lock_guard guard(graph_mutex());
    for (size_t i = segment.next; i < segment.end; i++) restore_locked(steps_[i]);
  }
  backend(segment.stream.device.type).signal(segment.stream, segment.done);
}

void Evaluation::restore_locked(Step& step) {
  for (array& out : step.outputs) {
    Node* n = out.node();
    if (!n->primitive) {
      n->primitive = step.primitive;
      n->inputs = step.inputs;
    }
    n->event = {};
    n->state.store(NodeState::pending, std::memory_order_release);
  }
}

void abandon_evaluations_in_child() { Evaluation::abandon_all_in_child(); }

void Evaluation::abandon_all_in_child() {
  std::vector<Evaluation*> runs;
  {
    std::lock_guard guard(graph_mutex());
    runs.swap(inline_runs());
  }
  for (Evaluation* e : runs) {
    e->withdraw(e->segments_[0]);
    stream_queue(e->segments_[0].stream).release();
  }
}

}  // namespace mlx::core
