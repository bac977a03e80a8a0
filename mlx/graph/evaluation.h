// One evaluation: the claimed nodes in order, cut into segments per stream. Internal to graph/.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "mlx/array.h"
#include "mlx/core/backend.h"
#include "mlx/core/node.h"
#include "mlx/core/primitive.h"
#include "mlx/core/stream_queue.h"

namespace mlx::core {

// A claimed node, taken out of the graph so that nobody else can touch it; all outputs of a primitive are one step.
struct Step {
  std::shared_ptr<Primitive> primitive;
  SmallVector<array, 1> outputs;
  Inputs inputs;
  bool traced = false;        // a transformation will walk the edges: the nodes keep them
  std::vector<Step> parts{};  // of a fused step, until it runs
};

// Consecutive steps of one stream. Runs in the order of its stream, after the events it waits for.
struct Segment {
  enum State { queued, running, withdrawn };

  Stream stream;
  StreamQueue* queue;
  Backend* device;
  size_t begin, end;
  Event done;
  size_t next = begin;          // the first step that has not run
  bool inside_step = false;     // the step `next` has begun
  State state = queued;         // guarded by the graph lock
  std::vector<Event> waits{};   // of other streams, not over when the segment was made
  std::vector<Event> inputs{};  // of devices that may still report an error of the work that made an input
};

// An input is pending because the evaluation that had claimed it was interrupted, or this one was cancelled.
struct InputWithdrawn {};

class Evaluation : public std::enable_shared_from_this<Evaluation> {
 public:
  enum class Mode { wait, async };

  // Orders and claims what the outputs need, and queues it. When the caller is going to wait, the work of a single
  // idle stream is left to it: see run_inline. So is all work of an evaluation that an operation asks for: a queue
  // would only reach it after that operation. Claims nothing when it throws.
  static std::shared_ptr<Evaluation> start(std::span<const array> outputs, Mode mode);

  bool is_inline() const { return inline_; }
  // Runs the work on this thread. Interrupted: the remaining arrays are pending again and the exception passes on.
  // They are also pending again when an input was withdrawn; then somebody has to ask once more.
  void run_inline();
  // Makes the segments that have not started pending again, then those that have from their next step on.
  void cancel();

  // In the child of a fork: gives up what a thread of the parent was running.
  static void abandon_all_in_child();
  // Does an operation of an evaluation run on this thread?
  static bool runs_here();

 private:
  void order_locked(std::span<const array> outputs);
  void claim_locked(Node* node, std::vector<array>& unused);
  Segment& segment_for(const Stream& stream);
  void add_waits_locked(const Step& step, Segment& segment);
  void fuse_locked();
  void join_groups_locked(const std::vector<int>& groups);
  void queue_locked();
  void leave_inline();

  void run_queued(size_t segment);
  void run_segment(Segment& segment, bool interruptible);
  void run_step(Step& step, Segment& segment);
  void signal(Segment& segment);
  void withdraw(Segment& segment);
  void lose_step_in_child(Segment& segment);
  static void restore_locked(Step& step);

  std::vector<Node*> order_;  // only while the graph lock is held
  std::vector<Step> steps_;
  std::vector<Segment> segments_;
  Mode mode_ = Mode::wait;
  bool inline_ = false;
  bool nested_ = false;  // asked for by an operation that runs on this thread
  std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<bool> cancelled_{false};
};

}  // namespace mlx::core
