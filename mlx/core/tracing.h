// Traces: the extent in which a thread builds a graph for a transformation. Arrays made from a trace's inputs carry its
// number; evaluation keeps their edges as long as the trace is active, and lets go of them afterwards.
#pragma once

#include <cstdint>
#include <stdexcept>

namespace mlx::core {

// Somebody asked for the value of a placeholder, which only the transformation that made it will know.
class NoValue : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// Nested scopes of a thread are one trace. Zero stands for none.
class TraceScope {
 public:
  TraceScope();
  ~TraceScope();
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;
};

uint32_t current_trace();

// Needs the graph lock.
bool is_active_trace_locked(uint32_t trace);

// Tracing for programs that will run at other shapes. Whoever derives something from a size of a traced array, and
// not from a shape rule of a primitive, says so: the program is then kept for these sizes only.
class ShapelessScope {
 public:
  ShapelessScope();
  ~ShapelessScope();
  ShapelessScope(const ShapelessScope&) = delete;
  ShapelessScope& operator=(const ShapelessScope&) = delete;
  bool size_was_read() const;

 private:
  bool outer_read_;
};

bool tracing_shapeless();
void note_size_read();

}  // namespace mlx::core
