// What the library does when the process forks or ends.
#pragma once

namespace mlx::core {

// Installs the handlers, once. Evaluations, queues and the pool survive a fork in both processes; at the end the
// streams get a moment to finish and the pool is joined.
void watch_process();

// The exit hook: waits a little over a second at most. Safe to call more than once.
void end_process();

// Makes what evaluations of other threads had claimed pending again; defined by graph/evaluation.cpp.
void abandon_evaluations_in_child();

}  // namespace mlx::core
