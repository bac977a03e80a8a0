// Warnings go to a handler; nothing is ever printed. Without a handler they are dropped.
#pragma once

#include <string>

namespace mlx::core {

using WarningHandler = void (*)(const std::string& message);

// Returns the previous handler. The handler may be called from any thread and must not throw.
WarningHandler set_warning_handler(WarningHandler handler);
void warn(const std::string& message);

}  // namespace mlx::core
