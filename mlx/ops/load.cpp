// The primitive behind loaded arrays: it has no inputs, so no rules beyond equality.

#include "mlx/ops.h"
#include "mlx/ops/load_primitive.h"

namespace mlx::core {

array load_array(Shape shape, Dtype dtype, std::shared_ptr<io::Reader> reader, size_t offset, bool swap,
                 const Stream& s) {
  return array(std::move(shape), dtype, std::make_shared<Load>(s, std::move(reader), offset, swap), {});
}

bool Load::is_equivalent(const Primitive& other) const {
  auto& o = static_cast<const Load&>(other);
  return o.reader_ == reader_ && o.offset_ == offset_ && o.swap_ == swap_;
}

}  // namespace mlx::core
