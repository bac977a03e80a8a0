// Questions about GPUs of any kind.
#pragma once

#include <string>
#include <unordered_map>
#include <variant>

namespace mlx::core::gpu {

bool is_available();
int device_count();
// Empty where there is no such device.
const std::unordered_map<std::string, std::variant<std::string, size_t>>& device_info(int device_index = 0);

}  // namespace mlx::core::gpu
