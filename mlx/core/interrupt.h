// The interrupt hook lets a host (Python) stop a long evaluation or wait. It throws to interrupt.
#pragma once

#include <chrono>

namespace mlx::core {

using InterruptHook = void (*)();

// Returns the previous hook; null for none.
InterruptHook set_interrupt_hook(InterruptHook hook);

// Calls the hook at most every 50 ms.
class InterruptPoll {
 public:
  static constexpr std::chrono::milliseconds period{50};
  void poll();

 private:
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + period;
};

}  // namespace mlx::core
