// The backends of this process and the default device of each thread.

#include "mlx/device.h"

#include <array>
#include <atomic>
#include <mutex>

#include "mlx/core/backend.h"
#include "mlx/core/error.h"

namespace mlx::core {

namespace {

struct Backends {
  std::mutex mutex;
  // A replaced backend stays alive: buffers may still refer to it.
  std::vector<std::shared_ptr<Backend>> owned;
  std::array<std::atomic<Backend*>, 2> current{};
};

Backends& backends() {
  static Backends* b = [] {
    auto* fresh = new Backends;
    fresh->owned.push_back(make_cpu_backend());
    fresh->current[static_cast<int>(Device::cpu)] = fresh->owned.back().get();
    return fresh;
  }();
  return *b;
}

thread_local std::optional<Device> chosen_device;

}  // namespace

Backend* find_backend(Device::DeviceType type) {
  return backends().current[static_cast<int>(type)].load(std::memory_order_acquire);
}

Backend& backend(Device::DeviceType type) {
  Backend* found = find_backend(type);
  if (!found) raise("[device] There is no GPU here: no GPU backend is loaded.");
  return *found;
}

void set_backend(Device::DeviceType type, std::shared_ptr<Backend> backend) {
  Backends& b = backends();
  std::lock_guard guard(b.mutex);
  b.current[static_cast<int>(type)] = backend.get();
  if (backend) b.owned.push_back(std::move(backend));
}

const Device& default_device() {
  if (!chosen_device) chosen_device = Device(find_backend(Device::gpu) ? Device::gpu : Device::cpu);
  return *chosen_device;
}

void set_default_device(const Device& d) {
  check_device(d, "set_default_device");
  chosen_device = d;
}

int device_count(Device::DeviceType type) {
  Backend* b = find_backend(type);
  return b ? b->device_count() : 0;
}

void check_device(const Device& d, const char* name) {
  if (is_available(d)) return;
  raise<AxisError>("[", name, "] There is no device ", d.type == Device::cpu ? "cpu" : "gpu", " ", d.index, " here.");
}

bool is_available(const Device& d) { return d.index >= 0 && d.index < device_count(d.type); }

const DeviceInfo& device_info(const Device& d) {
  static const DeviceInfo* none = new DeviceInfo;
  return is_available(d) ? backend(d.type).device_info(d.index) : *none;
}

}  // namespace mlx::core
