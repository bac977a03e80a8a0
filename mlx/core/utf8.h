// Texts in files.
#pragma once

#include <string_view>

namespace mlx::core {

bool is_utf8(std::string_view text);

}  // namespace mlx::core
