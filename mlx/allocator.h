// Host memory for array buffers: a caching allocator under a limit.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mlx::core::allocator {

class Buffer {
 public:
  explicit Buffer(void* ptr) : ptr_(ptr) {}
  void* raw_ptr() { return ptr_; }
  const void* ptr() const { return ptr_; }
  void* ptr() { return ptr_; }

 private:
  void* ptr_;
};

class Allocator {
 public:
  virtual Buffer malloc(size_t size) = 0;
  virtual void free(Buffer buffer) = 0;
  virtual size_t size(Buffer buffer) const = 0;
  // A buffer over foreign memory, or a null buffer where the allocator cannot take it.
  virtual Buffer make_buffer(void*, size_t) { return Buffer{nullptr}; }
  virtual void release(Buffer) {}

  Allocator() = default;
  Allocator(const Allocator&) = delete;
  Allocator& operator=(const Allocator&) = delete;
  virtual ~Allocator() = default;
};

Allocator& allocator();

// 64-byte aligned. Throws OutOfMemoryError (mlx/memory.h) past the memory limit.
inline Buffer malloc(size_t size) { return allocator().malloc(size); }
inline void free(Buffer buffer) { allocator().free(buffer); }
inline Buffer make_buffer(void* ptr, size_t size) { return allocator().make_buffer(ptr, size); }
inline void release(Buffer buffer) { allocator().release(buffer); }
bool can_reuse_alien_buffer(void* ptr);

}  // namespace mlx::core::allocator
