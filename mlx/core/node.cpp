// Birth and death of nodes. Destruction is iterative: a node that dies while another is being destroyed joins a list.

#include "mlx/core/node.h"

#include <mutex>

#include "mlx/core/error.h"
#include "mlx/core/interrupt.h"
#include "mlx/core/primitive.h"
#include "mlx/core/residency.h"
#include "mlx/core/slab.h"

namespace mlx::core {

namespace {

thread_local Node* dead_nodes = nullptr;
thread_local bool burying = false;

bool try_ref(Node* node) {
  uint32_t count = node->refs.load(std::memory_order_relaxed);
  while (count > 0) {
    if (node->refs.compare_exchange_weak(count, count + 1, std::memory_order_acq_rel)) return true;
  }
  return false;
}

void bury(Node* node) {
  node->next_dead = dead_nodes;
  dead_nodes = node;
  if (burying) return;
  burying = true;
  while (Node* next = dead_nodes) {
    dead_nodes = next->next_dead;
    if (next->siblings) leave_siblings(next);
    delete next;
  }
  burying = false;
}

}  // namespace

Node::Node(Shape s, Dtype d) : dtype(d), size(element_count(s)), shape(std::move(s)) {
  if (size > (size_t{1} << 63) / dtype.size() - 1) {
    raise<std::overflow_error>("[array] The bytes of an array do not fit in 63 bits: ", size, " elements of ",
                               dtype_name(dtype), ".");
  }
}
Node::~Node() { delete row_major.load(std::memory_order_relaxed); }
void* Node::operator new(size_t size) { return Slab<sizeof(Node)>::take(size); }
void Node::operator delete(void* block) { Slab<sizeof(Node)>::give(block); }

ForkMutex& graph_mutex() {
  static ForkMutex* mutex = new ForkMutex(ForkMutex::graph);
  return *mutex;
}

uint32_t next_mark_locked() {
  static uint32_t mark = 0;
  if (++mark == 0) mark = 1;  // 0 is on fresh nodes
  return mark;
}

void leave_siblings(Node* node) {
  Siblings* siblings;
  {
    std::lock_guard guard(graph_mutex());
    siblings = std::exchange(node->siblings, nullptr);
    if (siblings && siblings->nodes[node->position] == node) siblings->nodes[node->position] = nullptr;
  }
  if (siblings && siblings->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) delete siblings;
}

Inputs take_inputs_locked(Node* node) {
  Inputs taken = std::move(node->inputs);
  node->inputs.clear();
  return taken;
}

std::vector<array> outputs_locked(Node* node) {
  std::vector<array> outputs;
  auto hold = [&](Node* n) {
    n->refs.fetch_add(1, std::memory_order_relaxed);
    outputs.emplace_back(n);
  };
  Siblings* siblings = node->siblings;
  if (!siblings) {
    hold(node);
    return outputs;
  }
  for (size_t i = 0; i < siblings->nodes.size(); i++) {
    Node* n = siblings->nodes[i];
    if (n && try_ref(n)) {
      outputs.emplace_back(n);
      continue;
    }
    auto& [shape, dtype] = siblings->kinds[i];
    n = new Node(shape, dtype);
    n->primitive = node->primitive;
    n->inputs = node->inputs;
    n->trace = node->trace;
    n->siblings = siblings;
    n->position = static_cast<uint32_t>(i);
    siblings->refs++;
    siblings->nodes[i] = n;
    outputs.emplace_back(n);
  }
  return outputs;
}

void settle(Node& node) {
  while (node.state.load(std::memory_order_acquire) == NodeState::claimed) {
    Event event;
    {
      std::lock_guard guard(graph_mutex());
      event = node.event;
    }
    InterruptPoll interrupt;
    while (event.valid() && !event.wait_for(InterruptPoll::period.count())) interrupt.poll();
  }
}

array::array(const array& other) noexcept : node_(other.node_) {
  node_->refs.fetch_add(1, std::memory_order_relaxed);
}

array& array::operator=(const array& other) & noexcept {
  array copy(other);
  std::swap(node_, copy.node_);
  return *this;
}

array& array::operator=(array&& other) & noexcept {
  std::swap(node_, other.node_);
  return *this;
}

array::~array() {
  if (node_ && node_->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) bury(node_);
}

}  // namespace mlx::core
