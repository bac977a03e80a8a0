// A second device for tests: memory of its own, a thread per stream with random delays, late frees, regions that run as
// one unit, late errors. It needs nothing of the library but core/backend.h.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "mlx/core/backend.h"
#include "mlx/core/primitive.h"

namespace mlx::core {

class FakeDevice : public Backend {
 public:
  explicit FakeDevice(int max_delay_us = 200) : max_delay_us_(max_delay_us) {}
  ~FakeDevice() override;

  int device_count() const override { return 1; }
  const DeviceInfo& device_info(int) const override { return info_; }
  bool uses_host_memory() const override { return false; }
  bool supports(const Primitive& primitive) const override { return !lacks.count(primitive.name()); }

  void open(const Stream& stream) override { queue_of(stream); }
  void signal(const Stream& stream, const Event& event) override;
  bool wait(const Stream& stream, const Event& event) override;
  void order(const Stream& later, const Stream& earlier) override;
  void* allocate(const Stream& stream, size_t bytes) override;
  void free(std::span<const Stream> streams, void* block) override;
  void upload(const Stream& stream, void* to, const void* from, size_t bytes) override;
  void download(const Stream& stream, void* to, const void* from, size_t bytes) override;
  void evaluate(const Stream& stream, Primitive& primitive, std::span<array> inputs,
                std::span<array> outputs) override;
  void begin_region(const Stream& stream, const Region& region) override;
  void end_region(const Stream& stream) override;

  // Gives the stream a kernel. When it throws, or a block that it reads was spoilt so, the blocks it writes are
  // spoilt too, and the next signal of the stream carries the error.
  void launch(const Stream& stream, std::vector<const void*> reads, std::vector<void*> writes,
              std::function<void()> kernel);

  // Blocks until all streams are idle; then nothing may be allocated that an array does not own.
  void finish();
  size_t live_bytes() const;
  // Freed blocks that somebody wrote to afterwards.
  int damaged_blocks();

  std::set<std::string> lacks;
  std::atomic<int> uploads{0}, downloads{0}, launches{0}, units{0}, device_waits{0};
  std::vector<uint64_t> region_keys;

 private:
  struct Block {
    std::vector<unsigned char> bytes;
    std::exception_ptr error;
    int users = 0;  // streams that have not passed the free yet
  };
  struct Queue {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::function<void()>> commands;
    bool busy = false, closed = false, in_region = false;
    std::vector<std::function<void()>> region;
    std::exception_ptr error;  // of the commands since the last signal; the worker's own
    std::thread worker;
  };

  Queue& queue_of(const Stream& stream);
  void submit(Queue& queue, std::function<void()> command);
  void work(Queue& queue, unsigned seed);
  void run_kernel(Queue& queue, const std::vector<const void*>& reads, const std::vector<void*>& writes,
                  const std::function<void()>& kernel);
  Block& block_of(const void* address);  // needs mutex_
  void retire(void* block);

  static constexpr unsigned char fresh_pattern = 0xAB, freed_pattern = 0xDD;

  int max_delay_us_;
  DeviceInfo info_{{"device_name", std::string("fake")}};
  mutable std::mutex mutex_;  // guards all below
  std::map<int, std::unique_ptr<Queue>> queues_;
  std::map<const void*, std::unique_ptr<Block>> blocks_;
  std::deque<std::unique_ptr<Block>> freed_;
  std::set<const void*> given_;  // events that a stream will fire
  size_t live_bytes_ = 0;
};

}  // namespace mlx::core
