// See utf8.h.

#include "mlx/core/utf8.h"

#include <cstdint>

namespace mlx::core {

bool is_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    auto byte = [&](size_t k) { return static_cast<uint32_t>(static_cast<unsigned char>(text[k])); };
    uint32_t first = byte(i);
    size_t length = first < 0x80 ? 1 : first >> 5 == 0x6 ? 2 : first >> 4 == 0xE ? 3 : first >> 3 == 0x1E ? 4 : 0;
    if (length == 0 || length > text.size() - i) return false;
    uint32_t code = length == 1 ? first : first & (0x7Fu >> length);
    for (size_t k = 1; k < length; k++) {
      if (byte(i + k) >> 6 != 0x2) return false;
      code = code << 6 | (byte(i + k) & 0x3F);
    }
    // The shortest form only; no halves of surrogate pairs.
    constexpr uint32_t lowest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < lowest[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
    i += length;
  }
  return true;
}

}  // namespace mlx::core
