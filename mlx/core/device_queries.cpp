// Questions about GPUs, answered through the devices that exist.

#include "mlx/backend/cuda/cuda.h"
#include "mlx/backend/gpu/device_info.h"
#include "mlx/backend/metal/metal.h"
#include "mlx/device.h"

namespace mlx::core {

namespace gpu {
bool is_available() { return device_count() > 0; }
int device_count() { return mlx::core::device_count(Device::gpu); }
const std::unordered_map<std::string, std::variant<std::string, size_t>>& device_info(int device_index) {
  static const std::unordered_map<std::string, std::variant<std::string, size_t>> none;
  return device_index >= 0 && device_index < device_count() ? mlx::core::device_info(Device(Device::gpu, device_index))
                                                            : none;
}
}  // namespace gpu

namespace cu {
bool is_available() { return gpu::is_available(); }
const std::unordered_map<std::string, std::variant<std::string, size_t>>& device_info(int device_index) {
  return gpu::device_info(device_index);
}
}  // namespace cu

namespace metal {
namespace {
std::string& metallib_path() {
  static std::string path;
  return path;
}
}  // namespace
bool is_available() { return false; }
void start_capture(std::string) {}
void stop_capture() {}
const std::unordered_map<std::string, std::variant<std::string, size_t>>& device_info() {
  static const std::unordered_map<std::string, std::variant<std::string, size_t>> none;
  return none;
}
void set_metallib_path(const std::string& path) { metallib_path() = path; }
const std::string& get_metallib_path() { return metallib_path(); }
}  // namespace metal

}  // namespace mlx::core
