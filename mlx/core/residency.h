// Where the bytes of a buffer are, once a device other than the host has touched it. Arrays never change, so a copy
// stays valid until the buffer dies.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "mlx/array.h"
#include "mlx/core/backend.h"

namespace mlx::core {

class Residency {
 public:
  Residency(Backend& backend, const Stream& stream, void* device, bool host_valid)
      : backend_(backend), streams_{stream}, device_(device), uploaded_(host_valid), host_valid_(host_valid) {}
  ~Residency();

  // Makes the host copy valid; may wait for the device.
  void fetch(array::Data& data);
  bool host_valid() const { return host_valid_.load(std::memory_order_acquire); }
  // The device's block, for work about to be given to the stream.
  void* use(const Stream& stream);

 private:
  Backend& backend_;
  std::mutex mutex_;
  std::vector<Stream> streams_;  // that used the block, the first one wrote it
  void* device_;
  const bool uploaded_;
  std::atomic<bool> host_valid_;
};

// For backends with memory of their own. The device address of an evaluated input, uploaded when only the host has
// it; includes the array's offset.
void* device_input(const array& a, Backend& backend, const Stream& stream);
// Gives the output a fresh row-major buffer on the device and returns its address.
void* device_output(array& a, Backend& backend, const Stream& stream);

// Makes the host copy of an evaluated array valid.
void fetch_to_host(const array& a);

}  // namespace mlx::core
