// Movement of buffers between host and device: see residency.h.

#include "mlx/core/residency.h"

#include <algorithm>

#include "mlx/core/node.h"

namespace mlx::core {

namespace {
std::mutex attach_mutex;  // for giving a host buffer its residency
}

Residency::~Residency() { backend_.free(streams_, device_); }

void Residency::fetch(array::Data& data) {
  std::lock_guard guard(mutex_);
  if (host_valid()) return;
  allocator::Buffer host = allocator::malloc(data.bytes);
  try {
    backend_.download(streams_.front(), host.raw_ptr(), device_, data.bytes);
  } catch (...) {
    allocator::free(host);
    throw;
  }
  data.buffer = host;
  host_valid_.store(true, std::memory_order_release);
}

void* Residency::use(const Stream& stream) {
  std::lock_guard guard(mutex_);
  if (std::find(streams_.begin(), streams_.end(), stream) == streams_.end()) streams_.push_back(stream);
  return device_;
}

void* device_input(const array& a, Backend& backend, const Stream& stream) {
  array::Data& data = *a.data_shared_ptr();
  std::lock_guard guard(attach_mutex);
  Residency* residency = data.residency.load();
  if (!residency) {
    void* device = backend.allocate(stream, data.bytes);
    backend.upload(stream, device, data.buffer.raw_ptr(), data.bytes);
    residency = new Residency(backend, stream, device, true);
    data.residency.store(residency, std::memory_order_release);
  }
  return static_cast<char*>(residency->use(stream)) + a.offset();
}

void* device_output(array& a, Backend& backend, const Stream& stream) {
  void* device = backend.allocate(stream, a.nbytes());
  a.set_data(allocator::Buffer(nullptr));
  array::Data& data = *a.data_shared_ptr();
  data.bytes = a.nbytes();
  data.residency.store(new Residency(backend, stream, device, false), std::memory_order_release);
  return device;
}

void fetch_to_host(const array& a) {
  array::Data& data = *a.data_shared_ptr();
  if (Residency* residency = data.residency.load(std::memory_order_acquire)) residency->fetch(data);
}

}  // namespace mlx::core
