// The text of arrays.

#include <cmath>
#include <cstdio>
#include <ostream>

#include "mlx/core/dispatch.h"
#include "mlx/utils.h"

namespace mlx::core {

namespace {

// Dimensions longer than this show `edge` items at each end.
constexpr int64_t longest = 6;
constexpr int64_t edge = 3;

std::string float_text(double value, int precision) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char text[400];
  std::snprintf(text, sizeof text, precision < 0 ? "%.*g" : "%.*f", precision < 0 ? 6 : precision, value);
  return text;
}

void print_element(std::ostream& os, Dtype dtype, const char* p) {
  dispatch_dtype(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T value = *reinterpret_cast<const T*>(p);
    if constexpr (std::is_integral_v<T> && sizeof(T) == 1 && !std::is_same_v<T, bool>) {
      get_global_formatter().print(os, static_cast<int32_t>(value));
    } else {
      get_global_formatter().print(os, value);
    }
  });
}

// Prints the axis `dim` and those below it; `from` is its first element.
void print_axis(std::ostream& os, const array& a, const char* from, size_t dim) {
  if (dim == a.ndim()) return print_element(os, a.dtype(), from);
  int64_t n = a.shape()[dim];
  int64_t step = a.strides()[dim] * static_cast<int64_t>(a.itemsize());
  std::string separator = dim + 1 == a.ndim() ? ", " : ",\n" + std::string(7 + dim, ' ');
  os << "[";
  for (int64_t i = 0; i < n; i++) {
    if (i) os << separator;
    if (n > longest && i == edge) {
      os << "...";
      i = n - edge - 1;
      continue;
    }
    print_axis(os, a, from + i * step, dim + 1);
  }
  os << "]";
}

}  // namespace

PrintFormatter& get_global_formatter() {
  static PrintFormatter formatter;
  return formatter;
}

void set_printoptions(PrintOptions options) { get_global_formatter().format_options = options; }

void PrintFormatter::print(std::ostream& os, bool val) { os << (val ? "True" : "False"); }
void PrintFormatter::print(std::ostream& os, int16_t val) { os << val; }
void PrintFormatter::print(std::ostream& os, uint16_t val) { os << val; }
void PrintFormatter::print(std::ostream& os, int32_t val) { os << val; }
void PrintFormatter::print(std::ostream& os, uint32_t val) { os << val; }
void PrintFormatter::print(std::ostream& os, int64_t val) { os << val; }
void PrintFormatter::print(std::ostream& os, uint64_t val) { os << val; }
void PrintFormatter::print(std::ostream& os, float16_t val) { print(os, static_cast<double>(val)); }
void PrintFormatter::print(std::ostream& os, bfloat16_t val) { print(os, static_cast<double>(val)); }
void PrintFormatter::print(std::ostream& os, float val) { print(os, static_cast<double>(val)); }
void PrintFormatter::print(std::ostream& os, double val) { os << float_text(val, format_options.precision); }
void PrintFormatter::print(std::ostream& os, complex64_t val) {
  std::string imaginary = float_text(val.imag(), format_options.precision);
  os << float_text(val.real(), format_options.precision) << (imaginary[0] == '-' ? "" : "+") << imaginary << "j";
}

std::ostream& operator<<(std::ostream& os, array a) {
  a.eval();
  os << "array(";
  print_axis(os, a, a.size() ? a.data<char>() : nullptr, 0);
  return os << ", dtype=" << dtype_name(a.dtype()) << ")";
}

}  // namespace mlx::core
