// One evaluation: the claimed nodes in order, cut into segments per stream. Internal to graph/.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "mlx/array.h"
#include "mlx/core/backend.h"
#include "mlx/core/node.h"
#include "mlx/core/primitive.h"

namespace mlx::core {

// A claimed node, taken out of the graph so that nobody else can touch it; all outputs of a primitive are one step.
struct Step {
  std::shared_ptr<Primitive> primitive;
  SmallVector<array, 1> outputs;
  Inputs inputs;
};

// Consecutive steps of one stream. Runs in the order of its stream, after the events it waits for.
struct Segment {
  Stream stream;
  size_t begin, end;
  std::vector<Event> waits;
  Event done;
  size_t next;  // the first step that has not run
};

class Evaluation : public std::enable_shared_from_this<Evaluation> {
 public:
  enum class Mode { wait, async };

  // Orders and claims what the outputs need, and queues it. When the caller is going to wait, the work of a single
  // idle stream is left to it: see run_inline. Throws before anything is claimed when a value cannot be computed.
  static std::shared_ptr<Evaluation> start(std::span<const array> outputs, Mode mode);

  bool is_inline() const { return inline_; }
  // Runs the work on this thread. Interrupted: the remaining arrays are pending again and the exception passes on.
  void run_inline();
  // Makes the steps that have not started pending again, and returns once those that have are done.
  void cancel();

  // In the child of a fork: gives up what a thread of the parent was running.
  static void abandon_all_in_child();

 private:
  void order_locked(std::span<const array> outputs);
  void claim_locked(Node* node);
  void add_waits_locked(const Step& step, Segment& segment);
  void queue_locked();

  void run_queued(size_t segment);
  void run_segment(Segment& segment, bool interruptible);
  void run_step(Step& step, const Stream& stream, Backend& device);
  void withdraw(Segment& segment);
  void restore_locked(Step& step);

  std::vector<Node*> order_;  // only while the graph lock is held
  std::vector<Step> steps_;
  std::vector<Segment> segments_;
  Mode mode_ = Mode::wait;
  bool inline_ = false;
  std::atomic<bool> cancelled_{false};
};

}  // namespace mlx::core
