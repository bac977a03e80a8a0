// Apple GPUs, which this library does not use: nothing is available, and captures do nothing.
#pragma once

#include <string>
#include <unordered_map>
#include <variant>

namespace mlx::core::metal {

bool is_available();
void start_capture(std::string path = "");
void stop_capture();
const std::unordered_map<std::string, std::variant<std::string, size_t>>& device_info();
void set_metallib_path(const std::string& path);
const std::string& get_metallib_path();

}  // namespace mlx::core::metal
