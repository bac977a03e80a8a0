// The fake device: see fake_device.h.

#include "fake_device.h"

#include <algorithm>
#include <cstring>

#include "mlx/array.h"

namespace mlx::core {

FakeDevice::~FakeDevice() {
  for (auto& [index, queue] : queues_) {
    {
      std::lock_guard guard(queue->mutex);
      queue->closed = true;
    }
    queue->changed.notify_all();
    queue->worker.join();
  }
}

FakeDevice::Queue& FakeDevice::queue_of(const Stream& stream) {
  std::lock_guard guard(mutex_);
  std::unique_ptr<Queue>& queue = queues_[stream.index];
  if (!queue) {
    queue = std::make_unique<Queue>();
    Queue& fresh = *queue;
    fresh.worker = std::thread([this, &fresh, seed = static_cast<unsigned>(stream.index)] { work(fresh, seed); });
  }
  return *queue;
}

void FakeDevice::submit(Queue& queue, std::function<void()> command) {
  {
    std::lock_guard guard(queue.mutex);
    if (queue.in_region) return queue.region.push_back(std::move(command));
    queue.commands.push_back(std::move(command));
    units++;
  }
  queue.changed.notify_all();
}

void FakeDevice::work(Queue& queue, unsigned seed) {
  std::mt19937 random(seed);
  std::unique_lock lock(queue.mutex);
  while (true) {
    queue.changed.wait(lock, [&] { return queue.closed || !queue.commands.empty(); });
    if (queue.commands.empty()) return;
    std::function<void()> command = std::move(queue.commands.front());
    queue.commands.pop_front();
    queue.busy = true;
    lock.unlock();
    if (max_delay_us_ > 0 && random() % 4 == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(random() % max_delay_us_));
    }
    command();
    command = nullptr;
    lock.lock();
    queue.busy = false;
    queue.changed.notify_all();
  }
}

void FakeDevice::signal(const Stream& stream, const Event& event) {
  Queue& queue = queue_of(stream);
  {
    std::lock_guard guard(mutex_);
    given_.insert(event.id());
  }
  submit(queue, [this, &queue, event] {
    {
      std::lock_guard guard(mutex_);
      given_.erase(event.id());
    }
    event.set(std::exchange(queue.error, nullptr));
  });
}

bool FakeDevice::wait(const Stream& stream, const Event& event) {
  {
    std::lock_guard guard(mutex_);
    if (!given_.count(event.id())) return false;  // of the host, or of work that is still to come
  }
  device_waits++;
  submit(queue_of(stream), [event] {
    while (!event.wait_for(1000)) {
    }
  });
  return true;
}

void FakeDevice::order(const Stream& later, const Stream& earlier) {
  Event reached(earlier);
  submit(queue_of(earlier), [reached] { reached.set(); });
  submit(queue_of(later), [reached] {
    while (!reached.wait_for(1000)) {
    }
  });
}

FakeDevice::Block& FakeDevice::block_of(const void* address) {
  return *std::prev(blocks_.upper_bound(address))->second;
}

void* FakeDevice::allocate(const Stream&, size_t bytes) {
  auto block = std::make_unique<Block>();
  block->bytes.assign(bytes + 1, fresh_pattern);
  void* address = block->bytes.data();
  std::lock_guard guard(mutex_);
  live_bytes_ += bytes;
  blocks_[address] = std::move(block);
  return address;
}

void FakeDevice::free(std::span<const Stream> streams, void* block) {
  {
    std::lock_guard guard(mutex_);
    blocks_.at(block)->users = static_cast<int>(streams.size());
  }
  for (const Stream& s : streams) submit(queue_of(s), [this, block] { retire(block); });
}

void FakeDevice::retire(void* address) {
  std::lock_guard guard(mutex_);
  Block& block = *blocks_.at(address);
  if (--block.users > 0) return;
  std::fill(block.bytes.begin(), block.bytes.end(), freed_pattern);
  live_bytes_ -= block.bytes.size() - 1;
  freed_.push_back(std::move(blocks_.at(address)));
  blocks_.erase(address);
}

void FakeDevice::upload(const Stream& stream, void* to, const void* from, size_t bytes) {
  uploads++;
  const auto* first = static_cast<const unsigned char*>(from);
  auto staged = std::make_shared<std::vector<unsigned char>>(first, first + bytes);
  submit(queue_of(stream), [to, staged] { std::memcpy(to, staged->data(), staged->size()); });
}

void FakeDevice::download(const Stream& stream, void* to, const void* from, size_t bytes) {
  downloads++;
  Event copied(stream);
  submit(queue_of(stream), [=, this] {
    std::exception_ptr error;
    {
      std::lock_guard guard(mutex_);
      error = block_of(from).error;
    }
    if (!error) std::memcpy(to, from, bytes);
    copied.set(error);
  });
  while (!copied.wait_for(1000)) {
  }
  copied.check_error();
}

void FakeDevice::evaluate(const Stream&, Primitive& primitive, std::span<array> inputs, std::span<array> outputs) {
  std::vector<array> in(inputs.begin(), inputs.end()), out(outputs.begin(), outputs.end());
  primitive.eval_gpu(in, out);
}

void FakeDevice::begin_region(const Stream& stream, const Region& region) {
  Queue& queue = queue_of(stream);
  std::scoped_lock guard(mutex_, queue.mutex);
  queue.in_region = true;
  region_keys.push_back(region.key);
}

void FakeDevice::end_region(const Stream& stream) {
  Queue& queue = queue_of(stream);
  std::vector<std::function<void()>> region;
  {
    std::lock_guard guard(queue.mutex);
    queue.in_region = false;
    region.swap(queue.region);
  }
  submit(queue, [region = std::move(region)] {
    for (const std::function<void()>& command : region) command();
  });
}

void FakeDevice::launch(const Stream& stream, std::vector<const void*> reads, std::vector<void*> writes,
                        std::function<void()> kernel) {
  launches++;
  Queue& queue = queue_of(stream);
  submit(queue, [=, this, &queue] { run_kernel(queue, reads, writes, kernel); });
}

void FakeDevice::run_kernel(Queue& queue, const std::vector<const void*>& reads, const std::vector<void*>& writes,
                            const std::function<void()>& kernel) {
  std::exception_ptr error;
  {
    std::lock_guard guard(mutex_);
    for (const void* address : reads) {
      if (!error) error = block_of(address).error;
    }
  }
  try {
    if (!error) kernel();
  } catch (...) {
    error = std::current_exception();
  }
  if (!error) return;
  queue.error = error;
  std::lock_guard guard(mutex_);
  for (void* address : writes) block_of(address).error = error;
}

void FakeDevice::finish() {
  std::vector<Queue*> all;
  {
    std::lock_guard guard(mutex_);
    for (auto& [index, queue] : queues_) all.push_back(queue.get());
  }
  for (Queue* queue : all) {
    std::unique_lock lock(queue->mutex);
    queue->changed.wait(lock, [&] { return queue->commands.empty() && !queue->busy; });
  }
}

size_t FakeDevice::live_bytes() const {
  std::lock_guard guard(mutex_);
  return live_bytes_;
}

int FakeDevice::damaged_blocks() {
  std::lock_guard guard(mutex_);
  return static_cast<int>(std::count_if(freed_.begin(), freed_.end(), [](const auto& block) {
    return std::any_of(block->bytes.begin(), block->bytes.end(), [](unsigned char b) { return b != freed_pattern; });
  }));
}

}  // namespace mlx::core
