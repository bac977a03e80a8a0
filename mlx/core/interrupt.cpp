// The process-wide interrupt hook and warning handler.

#include "mlx/core/interrupt.h"

#include <atomic>

#include "mlx/core/fork.h"
#include "mlx/core/warnings.h"

namespace mlx::core {

namespace {
std::atomic<InterruptHook> interrupt_hook{nullptr};
std::atomic<WarningHandler> warning_handler{nullptr};
}  // namespace

InterruptHook set_interrupt_hook(InterruptHook hook) { return interrupt_hook.exchange(hook); }

void InterruptPoll::poll() {
  InterruptHook hook = interrupt_hook.load(std::memory_order_acquire);
  if (!hook) return;
  auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + period;
  WorkScope::Pause pause;  // the hook may wait for a lock that a forking thread holds
  hook();
}

WarningHandler set_warning_handler(WarningHandler handler) { return warning_handler.exchange(handler); }

void warn(const std::string& message) {
  if (WarningHandler handler = warning_handler.load(std::memory_order_acquire)) handler(message);
}

}  // namespace mlx::core
