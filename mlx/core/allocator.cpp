// The caching host allocator. Sizes are rounded to classes a quarter of a power of two apart, freed blocks wait in a
// list per class, and the limits count whole blocks.

#include "mlx/allocator.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "mlx/core/error.h"
#include "mlx/core/fork.h"
#include "mlx/core/system.h"
#include "mlx/memory.h"

namespace mlx::core {

namespace {

constexpr size_t alignment = 64;
constexpr size_t header_size = 64;  // before each block: its size
constexpr size_t smallest = 64;

// Multiples of 64 up to 512, then four classes per power of two.
size_t class_size(size_t bytes) {
  size_t n = std::max(bytes, smallest);
  size_t step = n <= 512 ? 64 : std::bit_floor(n - 1) / 4;
  return (n + step - 1) / step * step;
}

struct Header {
  size_t size;
};
Header* header_of(void* block) { return reinterpret_cast<Header*>(static_cast<char*>(block) - header_size); }

class CachingAllocator : public allocator::Allocator {
 public:
  CachingAllocator()
      : memory_limit_(available_memory() / 10 * 8), cache_limit_(memory_limit_ / 4) {}

  allocator::Buffer malloc(size_t bytes) override {
    if (bytes > (size_t{1} << 62)) fail(bytes);
    size_t size = class_size(bytes);
    std::vector<void*> dropped;
    void* block = nullptr;
    {
      std::lock_guard guard(mutex_);
      auto it = free_.find(size);
      if (it != free_.end() && !it->second.empty()) {
        block = it->second.back();
        it->second.pop_back();
        cached_ -= size;
      } else if (active_ + size > memory_limit_) {
        fail_locked(bytes);
      } else if (active_ + cached_ + size > memory_limit_) {
        drop_locked(active_ + cached_ + size - memory_limit_, dropped);
      }
      active_ += size;
      peak_ = std::max(peak_, active_);
    }
    release_all(dropped);
    if (!block) block = fresh(size);
    return allocator::Buffer(block);
  }

  void free(allocator::Buffer buffer) override {
    void* block = buffer.raw_ptr();
    if (!block) return;
    size_t size = header_of(block)->size;
    std::vector<void*> dropped;
    {
      std::lock_guard guard(mutex_);
      active_ -= size;
      cached_ += size;
      free_[size].push_back(block);
      if (cached_ > cache_limit_) drop_locked(cached_ - cache_limit_, dropped);
    }
    release_all(dropped);
  }

  size_t size(allocator::Buffer buffer) const override {
    void* block = const_cast<void*>(std::as_const(buffer).ptr());
    return block ? header_of(block)->size : 0;
  }

  void clear_cache() { trim(0); }
  size_t active() { return read(active_); }
  size_t cached() { return read(cached_); }
  size_t peak() { return read(peak_); }
  void reset_peak() {
    std::lock_guard guard(mutex_);
    peak_ = 0;
  }
  size_t memory_limit() { return read(memory_limit_); }
  size_t cache_limit() { return read(cache_limit_); }
  size_t set_memory_limit(size_t limit) {
    std::lock_guard guard(mutex_);
    return std::exchange(memory_limit_, limit);
  }
  size_t set_cache_limit(size_t limit) {
    size_t old;
    {
      std::lock_guard guard(mutex_);
      old = std::exchange(cache_limit_, limit);
    }
    trim(limit);
    return old;
  }

 private:
  size_t read(size_t& value) {
    std::lock_guard guard(mutex_);
    return value;
  }

  void trim(size_t target) {
    std::vector<void*> dropped;
    {
      std::lock_guard guard(mutex_);
      if (cached_ > target) drop_locked(cached_ - target, dropped);
    }
    release_all(dropped);
  }

  // Takes at least that many bytes out of the cache, biggest blocks first.
  void drop_locked(size_t bytes, std::vector<void*>& dropped) {
    size_t taken = 0;
    for (auto it = free_.rbegin(); it != free_.rend() && taken < bytes; ++it) {
      while (!it->second.empty() && taken < bytes) {
        dropped.push_back(it->second.back());
        it->second.pop_back();
        taken += it->first;
      }
    }
    cached_ -= taken;
  }

  void* fresh(size_t size) {
    void* memory = std::aligned_alloc(alignment, size + header_size);
    if (!memory) {
      clear_cache();
      memory = std::aligned_alloc(alignment, size + header_size);
    }
    if (!memory) {
      std::lock_guard guard(mutex_);
      active_ -= size;
      fail_locked(size);
    }
    void* block = static_cast<char*>(memory) + header_size;
    header_of(block)->size = size;
    return block;
  }

  static void release_all(const std::vector<void*>& blocks) {
    for (void* block : blocks) std::free(header_of(block));
  }

  [[noreturn]] void fail(size_t bytes) {
    std::lock_guard guard(mutex_);
    fail_locked(bytes);
  }
  [[noreturn]] void fail_locked(size_t bytes) {
    raise<OutOfMemoryError>("[malloc] Out of memory: ", bytes, " bytes requested, ", active_, " active, ", cached_,
                            " cached, the limit is ", memory_limit_, ".");
  }

  ForkMutex mutex_{ForkMutex::allocator};  // guards all below
  std::map<size_t, std::vector<void*>> free_;
  size_t active_ = 0, cached_ = 0, peak_ = 0;
  size_t memory_limit_, cache_limit_;
};

CachingAllocator& caching_allocator() {
  static CachingAllocator* a = new CachingAllocator;  // arrays may outlive the end of main
  return *a;
}

}  // namespace

namespace allocator {
Allocator& allocator() { return caching_allocator(); }
bool can_reuse_alien_buffer(void*) { return false; }
}  // namespace allocator

size_t get_active_memory() { return caching_allocator().active(); }
size_t get_peak_memory() { return caching_allocator().peak(); }
void reset_peak_memory() { caching_allocator().reset_peak(); }
size_t get_cache_memory() { return caching_allocator().cached(); }
size_t set_memory_limit(size_t limit) { return caching_allocator().set_memory_limit(limit); }
size_t get_memory_limit() { return caching_allocator().memory_limit(); }
size_t set_cache_limit(size_t limit) { return caching_allocator().set_cache_limit(limit); }
size_t get_cache_limit() { return caching_allocator().cache_limit(); }
void clear_cache() { caching_allocator().clear_cache(); }
size_t set_wired_limit(size_t) { return 0; }

}  // namespace mlx::core
