// The primitive behind loaded arrays: it has no inputs, so no rules beyond equality.

#include "mlx/core/error.h"
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
std::vector<Shape> Load::output_shapes(const Arrays&) { throw NoRule("[load] The shape of a loaded array is fixed."); }
Arrays Load::jvp(const Arrays&, const Arrays&, const std::vector<int>&) { throw NoRule("[jvp] load has no inputs."); }
Arrays Load::vjp(const Arrays&, const Arrays&, const std::vector<int>&, const Arrays&) {
  throw NoRule("[vjp] load has no inputs.");
}
std::pair<Arrays, std::vector<int>> Load::vmap(const Arrays&, const std::vector<int>&) {
  throw NoRule("[vmap] load has no inputs.");
}

}  // namespace mlx::core
