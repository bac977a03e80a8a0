// One object per thread, made on first use and destroyed when the thread ends. Unlike a plain thread_local it may be
// used later still: by destructors and exit handlers that run at the end of the process.
#pragma once

#include <utility>

namespace mlx::core {

template <typename T>
class PerThread {
 public:
  static T& get() {
    if (!slot_) {
      slot_ = new T;
      static thread_local Owner owner;  // not made again once it is gone: what comes after it is left to the process
    }
    return *slot_;
  }

 private:
  struct Owner {
    Owner() {}  // not trivial, so that it is made here
    ~Owner() { delete std::exchange(slot_, nullptr); }
  };
  static inline constinit thread_local T* slot_ = nullptr;
};

}  // namespace mlx::core
