// Movement of buffers between host and device: see residency.h.

#include "mlx/core/residency.h"

#include <algorithm>
#include <memory>

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
  if (std::find(streams_.begin(), streams_.end(), stream) == streams_.end()) {
    // No event tells of an upload.
    if (uploaded_) backend_.order(stream, streams_.front());
    streams_.push_back(stream);
  }
  return device_;
}

void* device_input(const array& a, Backend& backend, const Stream& stream) {
  array::Data& data = *a.data_shared_ptr();
  std::lock_guard guard(attach_mutex);
  Residency* residency = data.residency.load();
  if (!residency) {
    auto fresh = std::make_unique<Residency>(backend, stream, backend.allocate(stream, data.bytes), true);
    residency = fresh.get();
    backend.upload(stream, residency->use(stream), data.buffer.raw_ptr(), data.bytes);
    data.residency.store(fresh.release(), std::memory_order_release);
  }
  return static_cast<char*>(residency->use(stream)) + a.offset();
}

void* device_output(array& a, Backend& backend, const Stream& stream) {
  a.set_data(allocator::Buffer(nullptr));
  auto fresh = std::make_unique<Residency>(backend, stream, backend.allocate(stream, a.nbytes()), false);
  void* device = fresh->use(stream);
  a.data_shared_ptr()->residency.store(fresh.release(), std::memory_order_release);
  return device;
}

void fetch_to_host(const array& a) {
  array::Data& data = *a.data_shared_ptr();
  if (Residency* residency = data.residency.load(std::memory_order_acquire)) residency->fetch(data);
}

}  // namespace mlx::core
