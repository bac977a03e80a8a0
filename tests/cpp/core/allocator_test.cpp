// The caching allocator: counts, limits, cache, errors, threads.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <thread>

#include "mlx/allocator.h"
#include "mlx/array.h"
#include "mlx/memory.h"

using namespace mlx::core;

namespace {

class AllocatorTest : public ::testing::Test {
 protected:
  void SetUp() override { clear_cache(); }
  void TearDown() override {
    set_memory_limit(memory_limit_);
    set_cache_limit(cache_limit_);
    clear_cache();
    EXPECT_EQ(get_active_memory(), 0u);
  }

 private:
  size_t memory_limit_ = get_memory_limit(), cache_limit_ = get_cache_limit();
};

TEST_F(AllocatorTest, CountsWholeBlocks) {
  reset_peak_memory();
  EXPECT_EQ(get_peak_memory(), 0u);
  allocator::Buffer a = allocator::malloc(1000);
  size_t size = allocator::allocator().size(a);
  EXPECT_GE(size, 1000u);
  EXPECT_LE(size, 1250u);
  EXPECT_EQ(get_active_memory(), size);
  EXPECT_EQ(get_peak_memory(), size);
  allocator::free(a);
  EXPECT_EQ(get_active_memory(), 0u);
  EXPECT_EQ(get_cache_memory(), size);
  EXPECT_EQ(get_peak_memory(), size);
}

TEST_F(AllocatorTest, SizesAndAlignment) {
  for (size_t bytes : {0, 1, 63, 64, 65, 512, 513, 1023, 1025, 4097, 1 << 20, (1 << 20) + 1}) {
    allocator::Buffer b = allocator::malloc(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(b.raw_ptr()) % 64, 0u);
    size_t size = allocator::allocator().size(b);
    EXPECT_GE(size, bytes);
    EXPECT_LE(size, std::max<size_t>(64, bytes + bytes / 4 + 64));
    std::memset(b.raw_ptr(), 1, size);
    allocator::free(b);
  }
  allocator::free(allocator::Buffer(nullptr));
}

TEST_F(AllocatorTest, FreedBlocksComeBack) {
  allocator::Buffer a = allocator::malloc(5000);
  void* address = a.raw_ptr();
  allocator::free(a);
  allocator::Buffer b = allocator::malloc(5000);
  EXPECT_EQ(b.raw_ptr(), address);
  EXPECT_EQ(get_cache_memory(), 0u);
  allocator::free(b);
}

TEST_F(AllocatorTest, CacheLimitDropsBlocks) {
  EXPECT_EQ(set_cache_limit(1 << 16), get_memory_limit() / 4);
  EXPECT_EQ(get_cache_limit(), size_t{1} << 16);
  std::vector<allocator::Buffer> blocks;
  for (int i = 0; i < 32; i++) blocks.push_back(allocator::malloc(1 << 14));
  for (auto& b : blocks) allocator::free(b);
  EXPECT_LE(get_cache_memory(), size_t{1} << 16);
  EXPECT_GT(get_cache_memory(), 0u);
  set_cache_limit(0);
  EXPECT_EQ(get_cache_memory(), 0u);
}

TEST_F(AllocatorTest, PastTheLimitItRaisesAndGoesOn) {
  allocator::Buffer kept = allocator::malloc(1 << 16), cached = allocator::malloc(1 << 12);
  allocator::free(cached);
  size_t old = set_memory_limit(1 << 20);
  EXPECT_EQ(set_memory_limit(1 << 20), size_t{1} << 20);
  try {
    allocator::malloc(1 << 20);
    FAIL();
  } catch (const OutOfMemoryError& e) {
    EXPECT_STREQ(e.what(),
                 "[malloc] Out of memory: 1048576 bytes requested, 65536 active, 4096 cached, the limit is 1048576.");
  }
  EXPECT_EQ(get_active_memory(), size_t{1} << 16);
  allocator::free(allocator::malloc(1 << 19));
  EXPECT_THROW(allocator::malloc(size_t{1} << 63), OutOfMemoryError);
  EXPECT_THROW(allocator::malloc(~size_t{0}), OutOfMemoryError);
  EXPECT_THROW(array(std::vector<float>(1 << 19).begin(), Shape{1 << 19}), std::runtime_error);
  set_memory_limit(old);
  allocator::free(allocator::malloc(1 << 20));
  allocator::free(kept);
}

TEST_F(AllocatorTest, CachedBlocksCountAgainstTheLimitToo) {
  allocator::Buffer a = allocator::malloc(1 << 16), b = allocator::malloc(1 << 16);
  allocator::free(a);
  set_memory_limit(1 << 16);
  EXPECT_THROW(allocator::malloc(1 << 16), OutOfMemoryError);
  allocator::free(b);
}

TEST_F(AllocatorTest, TheCacheGivesWayToActiveMemory) {
  set_memory_limit(1 << 20);
  set_cache_limit(1 << 20);
  std::vector<allocator::Buffer> blocks;
  for (int i = 0; i < 15; i++) blocks.push_back(allocator::malloc(1 << 16));
  for (auto& b : blocks) allocator::free(b);
  allocator::Buffer big = allocator::malloc(3 << 18);
  EXPECT_LE(get_active_memory() + get_cache_memory(), size_t{1} << 20);
  allocator::free(big);
}

TEST_F(AllocatorTest, ManyThreads) {
  std::vector<std::thread> threads;
  std::atomic<int> damaged = 0;
  for (int t = 0; t < 8; t++) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      std::vector<std::pair<allocator::Buffer, size_t>> held;
      for (int i = 0; i < 20000; i++) {
        if (held.size() < 20 && random() % 2) {
          size_t bytes = 8 + random() % 5000;
          held.emplace_back(allocator::malloc(bytes), bytes);
          std::memset(held.back().first.raw_ptr(), t, bytes);
        } else if (!held.empty()) {
          auto [buffer, bytes] = held.back();
          held.pop_back();
          auto* data = static_cast<unsigned char*>(buffer.raw_ptr());
          damaged += data[0] != t || data[bytes - 1] != t;
          allocator::free(buffer);
        }
        if (i % 1000 == 0) clear_cache();
      }
      for (auto& [buffer, bytes] : held) allocator::free(buffer);
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(damaged, 0);
}

}  // namespace
