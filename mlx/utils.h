// Small helpers of the public interface: streams and devices as arguments, shapes, printing, limits of dtypes.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mlx/array.h"
#include "mlx/device.h"
#include "mlx/stream.h"

namespace mlx::core {

// Empty: the default stream of the default device.
using StreamOrDevice = std::variant<std::monostate, Stream, ThreadLocalStream, Device, Device::DeviceType>;

Stream to_stream(StreamOrDevice s);
Stream to_stream(StreamOrDevice s, Device default_);

// Sets the default device, or device and stream, and restores both at the end of the scope.
struct StreamContext {
  explicit StreamContext(StreamOrDevice s);
  ~StreamContext();
  StreamContext(const StreamContext&) = delete;
  StreamContext& operator=(const StreamContext&) = delete;

 private:
  Device device_;
  Stream stream_;
};

inline Dtype result_type(const array& a, const array& b) { return promote_types(a.dtype(), b.dtype()); }
inline Dtype result_type(const array& a, const array& b, const array& c) {
  return promote_types(result_type(a, b), c.dtype());
}
// Throws std::invalid_argument for no arrays.
Dtype result_type(const std::vector<array>& arrays);

// Throws std::invalid_argument when the shapes do not broadcast.
Shape broadcast_shapes(const Shape& s1, const Shape& s2);

// Maps a negative axis to its place from the end. Throws AxisError when there is no such axis.
int normalize_axis_index(int axis, int ndim, const std::string& msg_prefix = "");

std::ostream& operator<<(std::ostream& os, const Device& d);
std::ostream& operator<<(std::ostream& os, const Stream& s);
std::ostream& operator<<(std::ostream& os, const Dtype& d);
std::ostream& operator<<(std::ostream& os, const Shape& shape);
std::ostream& operator<<(std::ostream& os, const std::vector<int>& values);

}  // namespace mlx::core
