// Waiting for a 32-bit word to change: between looks at it, and asleep, with a time limit (std::atomic::wait has none).
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace mlx::core {

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t));

// Tells the processor that this thread only waits.
inline void spin_pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// Sleeps while word == expected; returns early on a wake, a signal or after the milliseconds (negative: no limit).
inline void futex_wait(std::atomic<uint32_t>& word, uint32_t expected, int milliseconds = -1) {
  timespec limit{milliseconds / 1000, (milliseconds % 1000) * 1000000L};
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), FUTEX_WAIT_PRIVATE, expected,
          milliseconds < 0 ? nullptr : &limit, nullptr, 0);
}

inline void futex_wake(std::atomic<uint32_t>& word, int count) {
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

}  // namespace mlx::core
