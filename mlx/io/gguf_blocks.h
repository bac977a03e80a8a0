// The element types of gguf files (the GGML formats): plain numbers, and blocks of values that share scales.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "mlx/core/reader.h"
#include "mlx/dtype.h"

namespace mlx::core::io {

// One array that is made of a tensor: `bytes` of `dtype` from each block. Numbers are copied.
struct GgufPart {
  const char* suffix;  // of the array's name; null: the tensor's own name
  Dtype dtype;
  size_t bytes;
  void (*decode)(const unsigned char* block, unsigned char* out);
};

struct GgufType {
  uint32_t id;
  const char* name;
  size_t elements, bytes;  // of a block
  std::vector<GgufPart> parts;
};

// Null for a number that no type has, or one that is not supported.
const GgufType* gguf_type(uint32_t id);
// The type that holds a dtype, or null.
const GgufType* gguf_type(Dtype dtype);

// The bytes of a part of a tensor of `blocks` blocks that begin at `offset` in the source, decoded as they are read.
std::shared_ptr<Reader> gguf_part_reader(std::shared_ptr<Reader> source, size_t offset, size_t blocks,
                                         const GgufType& type, const GgufPart& part);

}  // namespace mlx::core::io
