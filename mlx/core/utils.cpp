// Streams as arguments, broadcasting of shapes, axes, printing of small things: see mlx/utils.h.

#include "mlx/utils.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <ostream>

#include "mlx/core/error.h"

namespace mlx::core {

Stream to_stream(StreamOrDevice s, Device default_) {
  if (auto* stream = std::get_if<Stream>(&s)) return *stream;
  if (auto* stream = std::get_if<ThreadLocalStream>(&s)) return stream_from_thread_local_stream(*stream);
  if (auto* device = std::get_if<Device>(&s)) return default_stream(*device);
  if (auto* type = std::get_if<Device::DeviceType>(&s)) return default_stream(Device(*type));
  return default_stream(default_);
}

Stream to_stream(StreamOrDevice s) { return to_stream(s, default_device()); }

StreamContext::StreamContext(StreamOrDevice s)
    : device_(default_device()), stream_(default_stream(to_stream(s).device)) {
  Stream chosen = to_stream(s);
  set_default_device(chosen.device);
  set_default_stream(chosen);
}

StreamContext::~StreamContext() {
  set_default_stream(stream_);
  set_default_device(device_);
}

Dtype result_type(const std::vector<array>& arrays) {
  if (arrays.empty()) raise("[result_type] At least one array is needed.");
  Dtype t = arrays[0].dtype();
  for (const array& a : arrays) t = promote_types(t, a.dtype());
  return t;
}

Shape broadcast_shapes(const Shape& s1, const Shape& s2) {
  const Shape& longer = s1.size() >= s2.size() ? s1 : s2;
  const Shape& shorter = s1.size() >= s2.size() ? s2 : s1;
  Shape out = longer;
  size_t extra = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); i++) {
    ShapeElem a = longer[extra + i], b = shorter[i];
    if (a != b && a != 1 && b != 1) raise("[broadcast_shapes] Shapes ", s1, " and ", s2, " cannot be broadcast.");
    out[extra + i] = a == 1 ? b : a;
  }
  return out;
}

int normalize_axis_index(int axis, int ndim, const std::string& msg_prefix) {
  if (axis < -ndim || axis >= ndim) {
    raise<AxisError>(msg_prefix, "Axis ", axis, " is out of bounds for array with ", ndim, " dimensions.");
  }
  return axis < 0 ? axis + ndim : axis;
}

// The kernel gives the first thread of a process the number of the process. glibc 2.28 has no gettid.
bool is_main_thread() { return syscall(SYS_gettid) == getpid(); }

namespace env {

int get_var(const char* name, int default_value) {
  const char* text = std::getenv(name);
  return text ? std::atoi(text) : default_value;
}
std::string get_var(const char* name, const char* default_value) {
  const char* text = std::getenv(name);
  return text ? text : default_value;
}

}  // namespace env

std::ostream& operator<<(std::ostream& os, const Dtype::Kind& k) { return os << "buifcV"[static_cast<int>(k)]; }

std::ostream& operator<<(std::ostream& os, const Device& d) {
  return os << "Device(" << (d.type == Device::cpu ? "cpu" : "gpu") << ", " << d.index << ")";
}
std::ostream& operator<<(std::ostream& os, const Stream& s) {
  return os << "Stream(" << s.device << ", " << s.index << ")";
}
std::ostream& operator<<(std::ostream& os, const Dtype& d) { return os << dtype_name(d); }

std::ostream& operator<<(std::ostream& os, const Shape& shape) { return os << concat(shape); }
std::ostream& operator<<(std::ostream& os, const std::vector<int>& values) { return os << concat(values); }
std::ostream& operator<<(std::ostream& os, const std::vector<int64_t>& values) { return os << concat(values); }

}  // namespace mlx::core
