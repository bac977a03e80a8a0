// Helpers of the file formats: see format.h.

#include "mlx/io/format.h"

#include "mlx/ops.h"

namespace mlx::core::io {

size_t bytes_left(Reader& reader) {
  size_t position = reader.tell();
  reader.seek(0, std::ios_base::end);
  size_t end = reader.tell();
  reader.seek(static_cast<int64_t>(position));
  return end > position ? end - position : 0;
}

std::optional<size_t> byte_count(const Shape& shape, Dtype dtype) {
  int64_t bytes = dtype.size();
  bool is_empty = false, fits = true;
  for (ShapeElem n : shape) {
    if (n == 0) is_empty = true;
    else fits = fits && !__builtin_mul_overflow(bytes, n, &bytes);
  }
  if (is_empty) bytes = 0;
  if (!fits) return std::nullopt;
  return static_cast<size_t>(bytes);
}

array row_major(const array& a) {
  array b = a;
  b.eval();
  if (b.flags().row_contiguous) return b;
  b = contiguous(b, false, Device(Device::cpu));
  b.eval();
  return b;
}

std::string with_suffix(std::string path, std::string_view suffix) {
  if (!path.ends_with(suffix)) path += suffix;
  return path;
}

}  // namespace mlx::core::io
