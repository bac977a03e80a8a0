// An array whose bytes are still in a file.
#pragma once

#include <memory>

#include "mlx/core/reader.h"
#include "mlx/ops/operation.h"

namespace mlx::core {

// Row-major bytes at an offset; `swap` for the other byte order.
class Load : public Operation {
 public:
  Load(Stream s, std::shared_ptr<io::Reader> reader, size_t offset, bool swap)
      : Operation(s), reader_(std::move(reader)), offset_(offset), swap_(swap) {}
  MLX_KIND(Load)
  bool is_equivalent(const Primitive& other) const override;
  io::Reader& reader() const { return *reader_; }
  size_t offset() const { return offset_; }
  bool swap() const { return swap_; }

 private:
  std::shared_ptr<io::Reader> reader_;
  size_t offset_;
  bool swap_;
};

// Throws std::runtime_error when the source holds fewer bytes than the array needs.
array load_array(Shape shape, Dtype dtype, std::shared_ptr<io::Reader> reader, size_t offset, bool swap,
                 const Stream& s);

}  // namespace mlx::core
