// What the file formats share: checks against the size of the source, and bytes of arrays in a given order.
#pragma once

#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "mlx/array.h"
#include "mlx/core/error.h"
#include "mlx/core/reader.h"

namespace mlx::core::io {

static_assert(std::endian::native == std::endian::little, "the formats are written in little-endian order");

// Bytes from the position of the reader to the end of the source.
size_t bytes_left(Reader& reader);

// Bytes of an array; nothing where they, or its elements, do not fit in 63 bits.
std::optional<size_t> byte_count(const Shape& shape, Dtype dtype);

// The elements in row-major order without gaps, evaluated.
array row_major(const array& a);

std::string with_suffix(std::string path, std::string_view suffix);

// A reader or a writer that a caller gave: is there one, and can the reader be read?
void require(const std::shared_ptr<Reader>& reader, const char* op);
void require(const std::shared_ptr<Writer>& writer, const char* op);

// All is written. Not every writer throws: what it says of itself is asked before and after it publishes.
void finish(Writer& writer, const char* op);

// "[op] 'label': fault."
template <typename... Parts>
[[noreturn]] void fail(const char* op, const std::string& label, const Parts&... fault) {
  raise<std::runtime_error>("[", op, "] '", label, "': ", concat(fault...), ".");
}

}  // namespace mlx::core::io
