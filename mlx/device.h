// Devices and what is known about them.
#pragma once

#include <string>
#include <unordered_map>
#include <variant>

namespace mlx::core {

struct Device {
  enum class DeviceType { cpu, gpu };
  static constexpr DeviceType cpu = DeviceType::cpu;
  static constexpr DeviceType gpu = DeviceType::gpu;

  Device(DeviceType kind, int i = 0) : type(kind), index(i) {}

  DeviceType type;
  int index;

  bool operator==(const Device&) const = default;
  bool operator<(const Device& rhs) const {
    return type != rhs.type ? type < rhs.type : index < rhs.index;
  }
};

inline bool operator==(const Device& device, Device::DeviceType type) { return device.type == type; }

using DeviceInfo = std::unordered_map<std::string, std::variant<std::string, size_t>>;

// The device of operations that name none: the calling thread's choice, at first gpu where there is one.
const Device& default_device();
// Throws std::invalid_argument where the device does not exist.
void set_default_device(const Device& d);
bool is_available(const Device& d);
int device_count(Device::DeviceType type);
const DeviceInfo& device_info(const Device& d = default_device());

}  // namespace mlx::core
