// See tracing.h.

#include "mlx/core/tracing.h"

#include <mutex>
#include <vector>

#include "mlx/core/node.h"

namespace mlx::core {

namespace {

thread_local int depth = 0;
thread_local uint32_t trace = 0;
thread_local int shapeless_depth = 0;
thread_local bool size_read = false;

// Of all threads; guarded by the graph lock.
std::vector<uint32_t>& active_traces() {
  static auto* traces = new std::vector<uint32_t>;
  return *traces;
}

}  // namespace

TraceScope::TraceScope() {
  if (depth++ > 0) return;
  std::lock_guard guard(graph_mutex());
  static uint32_t last = 0;
  trace = ++last;
  active_traces().push_back(trace);
}

TraceScope::~TraceScope() {
  if (--depth > 0) return;
  std::lock_guard guard(graph_mutex());
  std::erase(active_traces(), trace);
  trace = 0;
}

uint32_t current_trace() { return trace; }

bool is_active_trace_locked(uint32_t number) {
  for (uint32_t active : active_traces()) {
    if (active == number) return number != 0;
  }
  return false;
}

ShapelessScope::ShapelessScope() : outer_read_(size_read) {
  shapeless_depth++;
  size_read = false;
}
// What an inner program read, the outer one has read too.
ShapelessScope::~ShapelessScope() {
  shapeless_depth--;
  size_read |= outer_read_;
}
bool ShapelessScope::size_was_read() const { return size_read; }

bool tracing_shapeless() { return shapeless_depth > 0; }
void note_size_read() { size_read = true; }

}  // namespace mlx::core
