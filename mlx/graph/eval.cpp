// eval and async_eval, and what happens to evaluations around a fork and at the end of the process.

#include "mlx/core/process.h"
#include "mlx/graph/evaluation.h"
#include "mlx/transforms.h"

namespace mlx::core {

namespace {

// Waits until none of the outputs is being computed any more, whoever computes it.
void settle_all(std::span<const array> outputs, Evaluation& evaluation) {
  try {
    for (const array& out : outputs) settle(*out.node());
  } catch (...) {  // interrupted
    evaluation.cancel();
    throw;
  }
}

bool any_pending(std::span<const array> outputs) {
  for (const array& out : outputs) {
    if (out.node()->state.load(std::memory_order_acquire) == NodeState::pending) return true;
  }
  return false;
}

}  // namespace

void evaluate_and_wait(std::span<const array> outputs) {
  watch_process();
  do {  // again when somebody else had claimed an array and was interrupted
    auto evaluation = Evaluation::start(outputs, Evaluation::Mode::wait);
    if (evaluation->is_inline()) evaluation->run_inline();
    settle_all(outputs, *evaluation);
  } while (any_pending(outputs));
  for (const array& out : outputs) array(out).wait();
}

void eval(std::vector<array> outputs) { evaluate_and_wait(outputs); }

void async_eval(std::vector<array> outputs) {
  watch_process();
  Evaluation::start(outputs, Evaluation::Mode::async);
}

}  // namespace mlx::core
