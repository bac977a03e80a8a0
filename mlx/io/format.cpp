// Helpers of the file formats: see format.h.

#include "mlx/io/format.h"

#include "mlx/ops.h"

namespace mlx::core::io {

void require(const std::shared_ptr<Reader>& reader, const char* op) {
  if (!reader) raise("[", op, "] The stream is nullptr.");
  if (!reader->is_open()) fail(op, reader->label(), "the reader is not open");
  if (!reader->good()) fail(op, reader->label(), "the reader has failed");
}

void require(const std::shared_ptr<Writer>& writer, const char* op) {
  if (!writer) raise("[", op, "] The stream is nullptr.");
}

void finish(Writer& writer, const char* op) {
  auto check = [&] {
    if (!writer.is_open()) fail(op, writer.label(), "the writer is not open");
    if (!writer.good()) fail(op, writer.label(), "the writer has failed");
  };
  check();
  writer.commit();
  check();
}

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
