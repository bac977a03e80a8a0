// Small helpers of the public interface: streams and devices as arguments, shapes, printing, limits of dtypes.
#pragma once

#include <bit>
#include <iosfwd>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
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
  StreamContext(StreamOrDevice s);
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

// Limits of a dtype: of a floating-point one (complex64 has those of float32), or of an integer one. Others throw
// std::invalid_argument.
struct finfo {
  explicit finfo(Dtype dtype);
  Dtype dtype;
  int bits;
  double min, max, eps, smallest_normal;
};
struct iinfo {
  explicit iinfo(Dtype dtype);
  Dtype dtype;
  int bits;
  int64_t min;
  uint64_t max;
};

// Throws std::invalid_argument when the shapes do not broadcast.
Shape broadcast_shapes(const Shape& s1, const Shape& s2);

// Maps a negative axis to its place from the end. Throws AxisError when there is no such axis.
int normalize_axis_index(int axis, int ndim, const std::string& msg_prefix = "");

// The number as a size of an array. Throws std::overflow_error naming it where it does not fit.
template <typename T>
ShapeElem safe_cast(T dim, std::string_view op = "") {
  if (!std::in_range<ShapeElem>(dim)) {
    throw std::overflow_error("[" + std::string(op) + "] Size " + std::to_string(dim) + " does not fit in 63 bits.");
  }
  return static_cast<ShapeElem>(dim);
}

inline bool is_power_of_2(int n) { return n > 0 && (n & (n - 1)) == 0; }
inline int next_power_of_2(int n) { return n <= 1 ? 1 : static_cast<int>(std::bit_ceil(static_cast<unsigned>(n))); }
// The first thread of the process.
bool is_main_thread();

// How arrays are printed: digits after the point, or six significant digits where precision is negative.
struct PrintOptions {
  int precision = -1;
};
struct PrintFormatter {
  void print(std::ostream& os, bool val);
  void print(std::ostream& os, int16_t val);
  void print(std::ostream& os, uint16_t val);
  void print(std::ostream& os, int32_t val);
  void print(std::ostream& os, uint32_t val);
  void print(std::ostream& os, int64_t val);
  void print(std::ostream& os, uint64_t val);
  void print(std::ostream& os, float16_t val);
  void print(std::ostream& os, bfloat16_t val);
  void print(std::ostream& os, float val);
  void print(std::ostream& os, double val);
  void print(std::ostream& os, complex64_t val);
  PrintOptions format_options;
};
void set_printoptions(PrintOptions options);
PrintFormatter& get_global_formatter();

std::ostream& operator<<(std::ostream& os, const Device& d);
std::ostream& operator<<(std::ostream& os, const Stream& s);
std::ostream& operator<<(std::ostream& os, const Dtype& d);
std::ostream& operator<<(std::ostream& os, const Dtype::Kind& k);
std::ostream& operator<<(std::ostream& os, const Shape& shape);
std::ostream& operator<<(std::ostream& os, const std::vector<int>& values);
std::ostream& operator<<(std::ostream& os, const std::vector<int64_t>& values);
// Evaluates the array.
std::ostream& operator<<(std::ostream& os, array a);
inline std::ostream& operator<<(std::ostream& os, const float16_t& v) { return os << static_cast<float>(v); }
inline std::ostream& operator<<(std::ostream& os, const bfloat16_t& v) { return os << static_cast<float>(v); }

inline std::ostream& operator<<(std::ostream& os, const complex64_t& v) {
  return os << v.real() << (v.imag() < 0 ? "" : "+") << v.imag() << "j";
}

template <typename T>
inline constexpr bool is_vector_v = false;
template <typename... T>
inline constexpr bool is_vector_v<std::vector<T...>> = true;
template <typename T, size_t N>
inline constexpr bool is_vector_v<SmallVector<T, N>> = true;
template <typename Vec, typename = std::enable_if_t<is_vector_v<Vec>>>
std::ostream& operator<<(std::ostream& os, const Vec& v) {
  os << "(";
  for (size_t i = 0; i < v.size(); i++) os << (i ? "," : "") << v[i];
  return os << ")";
}

namespace env {
// The environment variable as a number or a text, or the default where it is not set.
int get_var(const char* name, int default_value);
std::string get_var(const char* name, const char* default_value);

// Read for programs that ask: a graph wider than this is ordered depth first elsewhere, here every one is.
inline int bfs_max_width() { return get_var("MLX_BFS_MAX_WIDTH", 20); }
// How much a GPU stream collects before it submits: operations, and megabytes that they read and write.
inline int max_ops_per_buffer(int default_value) { return get_var("MLX_MAX_OPS_PER_BUFFER", default_value); }
inline int max_mb_per_buffer(int default_value) { return get_var("MLX_MAX_MB_PER_BUFFER", default_value); }
// May a GPU multiply float32 in the TF32 format?
inline bool enable_tf32() { return get_var("MLX_ENABLE_TF32", 1) != 0; }
// Seconds that the processes of an NCCL group wait for each other.
inline int nccl_timeout(int default_value) { return get_var("MLX_NCCL_TIMEOUT", default_value); }
}  // namespace env

}  // namespace mlx::core
