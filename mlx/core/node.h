// The node behind an array handle: one block with the count, the edges, the state of evaluation and the value.
//
// Who may touch what: the edges, the siblings and the event under the graph lock only; the value is written by the
// evaluating thread before the state becomes done (the strides, before has_layout), and never again; shape and dtype
// never change.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "mlx/array.h"
#include "mlx/core/fork.h"

namespace mlx::core {

enum class NodeState : uint8_t { pending, claimed, done, failed };

using Inputs = SmallVector<array, 3>;

// The outputs of a primitive with several. They know each other without keeping each other alive.
struct Siblings {
  std::atomic<uint32_t> refs{0};
  std::vector<Node*> nodes;  // null once a node has died; guarded by the graph lock
  std::vector<std::pair<Shape, Dtype>> kinds;
};

struct Node {
  std::atomic<uint32_t> refs{1};
  std::atomic<NodeState> state{NodeState::pending};
  std::atomic<bool> has_layout{false};  // strides are those of the value
  uint32_t position = 0;
  uint32_t trace = 0;  // the latest trace among those of the inputs; see core/tracing.h
  uint32_t mark = 0;  // the traversal that saw the node last; guarded by the graph lock
  uint32_t step = 0;  // of the evaluation that claimed it; guarded by the graph lock
  Dtype dtype;
  size_t size;
  Shape shape;

  std::shared_ptr<Primitive> primitive;
  Inputs inputs;
  Siblings* siblings = nullptr;
  Event event;
  const char* placeholder_reason = nullptr;

  std::exception_ptr error;
  array::DataPtr data;
  int64_t offset = 0;  // bytes
  size_t data_size = 0;
  array::Flags flags{};
  Strides strides;
  std::atomic<Strides*> row_major{nullptr};  // owned; what strides() says before there is a value, made on demand

  Node* next_dead = nullptr;

  Node(Shape shape, Dtype dtype);
  ~Node();
  static void* operator new(size_t size);
  static void operator delete(void* block);

  bool is_done() const { return state.load(std::memory_order_acquire) == NodeState::done; }
};

// Held for ordering, claiming and edge changes; never while computing, allocating big memory or running destructors.
ForkMutex& graph_mutex();

// Both need the graph lock. The outputs of the node's primitive, itself included; dead ones come back to life.
std::vector<array> outputs_locked(Node* node);
// Takes the edges out of the node.
Inputs take_inputs_locked(Node* node);

// Once the node has its value its siblings are no way back to it: a handle made from nothing would share a buffer
// that somebody else believes to be the only owner of, and might overwrite. Takes the graph lock.
void leave_siblings(Node* node);

// A fresh mark for a traversal; needs the graph lock.
uint32_t next_mark_locked();

// Waits while the node is claimed. An exception can only come from the interrupt hook.
void settle(Node& node);

// Orders and runs what the arrays need and waits for it; defined by graph/eval.cpp.
void evaluate_and_wait(std::span<const array> outputs);

}  // namespace mlx::core
