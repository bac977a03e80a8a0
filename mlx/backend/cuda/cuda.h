// Questions about NVIDIA GPUs.
#pragma once

#include <string>
#include <unordered_map>
#include <variant>

namespace mlx::core::cu {

bool is_available();
const std::unordered_map<std::string, std::variant<std::string, size_t>>& device_info(int device_index = 0);

}  // namespace mlx::core::cu
