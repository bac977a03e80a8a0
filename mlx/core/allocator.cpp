// The caching host allocator. Sizes are rounded to classes a quarter of a power of two apart, freed blocks wait in a
// list per class, and the limits count whole blocks. Lists run through the blocks: freeing never allocates.

#include "mlx/allocator.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "mlx/core/error.h"
#include "mlx/core/fork.h"
#include "mlx/core/round.h"
#include "mlx/core/system.h"
#include "mlx/memory.h"

namespace mlx::core {

namespace {

constexpr size_t alignment = 64;
constexpr size_t header_size = 64;  // before each block
constexpr size_t smallest = 64;

// Multiples of 64 up to 512, then four classes per power of two.
size_t class_size(size_t bytes) {
  size_t n = std::max(bytes, smallest);
  size_t step = n <= 512 ? 64 : std::bit_floor(n - 1) / 4;
  return round_up(n, step);
}

struct Header {
  size_t size;
  Header* next;  // in a list of free blocks
};
Header* header_of(void* block) { return reinterpret_cast<Header*>(static_cast<char*>(block) - header_size); }

class CachingAllocator : public allocator::Allocator {
 public:
  CachingAllocator()
      : memory_limit_(available_memory() / 10 * 8), cache_limit_(memory_limit_ / 4) {}

  allocator::Buffer malloc(size_t bytes) override {
    if (bytes > (size_t{1} << 62)) fail(bytes);
    size_t size = class_size(bytes);
    Header* dropped = nullptr;
    Header* header = nullptr;
    {
      std::lock_guard guard(mutex_);
      if (size > memory_limit_ || active_ > memory_limit_ - size) fail_locked(bytes);
      Header*& first = free_[size];  // from here on free() finds its list
      if (first) {
        header = std::exchange(first, first->next);
        cached_ -= size;
      } else if (active_ + cached_ + size > memory_limit_) {
        dropped = drop_locked(active_ + cached_ + size - memory_limit_);
      }
      active_ += size;
      peak_ = std::max(peak_, active_);
    }
    release_all(dropped);
    if (!header) header = fresh(size, bytes);
    return allocator::Buffer(reinterpret_cast<char*>(header) + header_size);
  }

  void free(allocator::Buffer buffer) override {
    void* block = buffer.raw_ptr();
    if (!block) return;
    Header* header = header_of(block);
    Header* dropped = nullptr;
    {
      std::lock_guard guard(mutex_);
      active_ -= header->size;
      cached_ += header->size;
      Header*& first = free_.find(header->size)->second;
      header->next = std::exchange(first, header);
      if (cached_ > cache_limit_) dropped = drop_locked(cached_ - cache_limit_);
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
    Header* dropped = nullptr;
    {
      std::lock_guard guard(mutex_);
      if (cached_ > target) dropped = drop_locked(cached_ - target);
    }
    release_all(dropped);
  }

  // Takes at least that many bytes out of the cache, biggest blocks first.
  Header* drop_locked(size_t bytes) {
    Header* dropped = nullptr;
    size_t taken = 0;
    for (auto it = free_.rbegin(); it != free_.rend() && taken < bytes; ++it) {
      for (Header*& first = it->second; first && taken < bytes; taken += it->first) {
        Header* header = std::exchange(first, first->next);
        header->next = std::exchange(dropped, header);
      }
    }
    cached_ -= taken;
    return dropped;
  }

  Header* fresh(size_t size, size_t bytes) {
    void* memory = std::aligned_alloc(alignment, size + header_size);
    if (!memory) {
      clear_cache();
      memory = std::aligned_alloc(alignment, size + header_size);
    }
    if (!memory) {
      std::lock_guard guard(mutex_);
      active_ -= size;
      fail_locked(bytes);
    }
    return new (memory) Header{size, nullptr};
  }

  static void release_all(Header* first) {
    while (first) std::free(std::exchange(first, first->next));
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
  std::map<size_t, Header*> free_;  // by size
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
