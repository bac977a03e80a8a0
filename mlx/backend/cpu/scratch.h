// Working memory of kernels.
#pragma once

#include <cstddef>

namespace mlx::core::cpu {

// A 64-byte aligned buffer borrowed from the calling thread's stock, which keeps a few buffers until the
// thread ends. A thread may hold several at once: while it waits for a loop it may be given other work.
class Scratch {
 public:
  explicit Scratch(size_t bytes);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  template <typename T = void>
  T* data() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_;
  size_t size_;
};

}  // namespace mlx::core::cpu
