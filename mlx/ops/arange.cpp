// arange and linspace.

#include <cmath>
#include <utility>

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/arange_primitive.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

ShapeElem Arange::length(double start, double stop, double step) {
  if (std::isnan(start) || std::isnan(stop) || std::isnan(step)) {
    raise("[arange] Bounds and step must be numbers, but got ", start, ", ", stop, " and ", step, ".");
  }
  if (step == 0) raise("[arange] The step cannot be zero.");
  if (std::isinf(step)) return std::isfinite(start) && (step > 0 ? start < stop : start > stop) ? 1 : 0;
  double count = std::ceil((stop - start) / step);
  if (!(count < 0x1p62)) raise("[arange] The range from ", start, " to ", stop, " in steps of ", step, " is too long.");
  return count > 0 ? static_cast<ShapeElem>(count) : 0;
}

array arange(double start, double stop, double step, Dtype dtype, StreamOrDevice s) {
  if (dtype == bool_) raise("[arange] The dtype cannot be bool.");
  return array({Arange::length(start, stop, step)}, dtype,
               std::make_shared<Arange>(to_stream(s), start, stop, step, dtype), {});
}
array arange(double start, double stop, double step, StreamOrDevice s) { return arange(start, stop, step, float32, s); }
array arange(double start, double stop, Dtype dtype, StreamOrDevice s) { return arange(start, stop, 1.0, dtype, s); }
array arange(double start, double stop, StreamOrDevice s) { return arange(start, stop, 1.0, float32, s); }
array arange(double stop, Dtype dtype, StreamOrDevice s) { return arange(0.0, stop, 1.0, dtype, s); }
array arange(double stop, StreamOrDevice s) { return arange(0.0, stop, 1.0, float32, s); }
array arange(int start, int stop, int step, StreamOrDevice s) {
  return arange(static_cast<double>(start), static_cast<double>(stop), static_cast<double>(step), int32, s);
}
array arange(int start, int stop, StreamOrDevice s) { return arange(start, stop, 1, s); }
array arange(int stop, StreamOrDevice s) { return arange(0, stop, 1, s); }
array detail::arange(int64_t start, int64_t stop, int64_t step, StreamOrDevice s) {
  bool fit = std::in_range<int32_t>(start) && std::in_range<int32_t>(stop) && std::in_range<int32_t>(step);
  return core::arange(static_cast<double>(start), static_cast<double>(stop), static_cast<double>(step),
                      fit ? int32 : int64, s);
}

array linspace(double start, double stop, int num, bool endpoint, Dtype dtype, StreamOrDevice s) {
  if (num < 0) raise("[linspace] The number of samples cannot be negative, but got ", num, ".");
  Stream stream = to_stream(s);
  int steps = endpoint ? num - 1 : num;
  double step = steps > 0 ? (stop - start) / steps : 0;
  // In float64 where the device has it, so that the samples are right to the last bit of most dtypes.
  Dtype wide = stream.device.type == Device::cpu ? float64 : float32;
  array i = arange(0.0, static_cast<double>(num), 1.0, wide, stream);
  array samples = add(multiply(i, array(step, wide), stream), array(start, wide), stream);
  if (endpoint && num > 1) {
    array is_last = equal(i, array(static_cast<double>(num - 1), wide), stream);
    samples = where(is_last, array(stop, wide), samples, stream);
  }
  return astype(samples, dtype, stream);
}

std::vector<Shape> Arange::output_shapes(const Arrays&) { return {{length(start_, stop_, step_)}}; }
// There are no inputs to differentiate or to batch.
Arrays Arange::jvp(const Arrays&, const Arrays&, const std::vector<int>&) {
  return {zeros({length(start_, stop_, step_)}, dtype_, stream())};
}
Arrays Arange::vjp(const Arrays&, const Arrays&, const std::vector<int>&, const Arrays&) { return {}; }
std::pair<Arrays, std::vector<int>> Arange::vmap(const Arrays&, const std::vector<int>&) {
  return {{arange(start_, stop_, step_, dtype_, stream())}, {-1}};
}

}  // namespace mlx::core
