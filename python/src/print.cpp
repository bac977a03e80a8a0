// The text of arrays, and its precision.

#include <cmath>
#include <cstdio>
#include <string>

#include "array_slots.h"
#include "convert.h"
#include "define.h"
#include "evaluate.h"

namespace mlx::python {

namespace {

// Dimensions longer than this show `edge` items at each end.
constexpr int64_t longest = 6;
constexpr int64_t edge = 3;

struct PrintOptions {
  int precision = -1;  // negative: six significant digits
};

PrintOptions& current_options() {
  static PrintOptions options;
  return options;
}

std::string float_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  int precision = current_options().precision;
  char text[400];
  std::snprintf(text, sizeof text, precision < 0 ? "%.*g" : "%.*f", precision < 0 ? 6 : precision, value);
  return text;
}

std::string element_text(mx::Dtype dtype, const char* p) {
  nb::object value = steal(element_to_python(dtype, p));
  if (PyFloat_Check(value.ptr())) return float_text(PyFloat_AS_DOUBLE(value.ptr()));
  if (!PyComplex_Check(value.ptr())) return text_of(value);
  Py_complex c = PyComplex_AsCComplex(value.ptr());
  std::string imaginary = float_text(c.imag);
  return float_text(c.real) + (imaginary[0] == '-' ? "" : "+") + imaginary + "j";
}

// Prints the axis `dim` and those below it; `from` is its first element.
void print_axis(const mx::array& a, const char* from, size_t dim, std::string* out) {
  if (dim == a.ndim()) {
    *out += element_text(a.dtype(), from);
    return;
  }
  int64_t n = a.shape()[dim];
  int64_t step = a.strides()[dim] * static_cast<int64_t>(a.itemsize());
  std::string separator = dim + 1 == a.ndim() ? ", " : ",\n" + std::string(7 + dim, ' ');
  *out += "[";
  for (int64_t i = 0; i < n; i++) {
    if (i) *out += separator;
    if (n > longest && i == edge) {
      *out += "...";
      i = n - edge - 1;
      continue;
    }
    print_axis(a, from + i * step, dim + 1, out);
  }
  *out += "]";
}

std::string array_text(const mx::array& lazy) {
  mx::array a = lazy;
  evaluate(a);
  std::string out = "array(";
  print_axis(a, a.size() ? a.data<char>() : nullptr, 0, &out);
  return out + concat(", dtype=", mx::dtype_name(a.dtype()), ")");
}

// "with mx.printoptions(precision=3):".
struct PrintContext {
  PrintOptions wanted;
  std::vector<PrintOptions> previous = {};
};

void bind_options(nb::module_& m) {
  nb::class_<PrintOptions> options(m, "PrintOptions", "How arrays are printed.",
                                   initializer("PrintOptions(self, precision: int = -1)", [](Args& x) {
                                     construct<PrintOptions>(x, x.small_int(1, -1));
                                   }));
  options.def_prop_rw(
      "precision", [](const PrintOptions& o) { return o.precision; },
      [](PrintOptions& o, nb::object value) {
        int64_t digits;
        if (!to_integer(value.ptr(), &digits))
          raise_type_error("[precision] It must be an int, not ", type_name(value.ptr()), ".");
        o.precision = static_cast<int>(digits);
      },
      nb::arg().none());
  nb::class_<PrintContext> context(
      m, "_PrintOptionsContext", "Sets the print options inside a with block.",
      initializer("_PrintOptionsContext(self, options: PrintOptions)", [](Args& x) {
        if (!nb::isinstance<PrintOptions>(nb::handle(x[1]))) {
          x.raise_wrong(1, "PrintOptions");
        }
        construct<PrintContext>(x, *nb::inst_ptr<PrintOptions>(x[1]));
      }));
  Methods(context)
      .def("__enter__(self) -> _PrintOptionsContext", "",
           [](Args& x) {
             auto& c = *nb::inst_ptr<PrintContext>(x[0]);
             c.previous.push_back(std::exchange(current_options(), c.wanted));
             return nb::borrow(x[0]);
           })
      .def("__exit__(self, *args) -> None", "", [](Args& x) {
        auto& c = *nb::inst_ptr<PrintContext>(x[0]);
        if (c.previous.empty()) return;
        current_options() = c.previous.back();
        c.previous.pop_back();
      });
  Functions(m)
      .def("set_printoptions(precision: int = -1) -> None",
           "Print floats with a fixed number of digits after the point; -1 prints six significant digits.",
           [](Args& x) { current_options().precision = x.small_int(0, -1); })
      .def("get_printoptions() -> PrintOptions", "The options in force.",
           [](Args&) { return nb::cast(current_options()); })
      .def("printoptions(precision: int = -1) -> _PrintOptionsContext",
           "A context for `with` that prints floats with a fixed number of digits.",
           [](Args& x) { return nb::cast(PrintContext{PrintOptions{x.small_int(0, -1)}}); });
}

}  // namespace

PyObject* array_repr(PyObject* self) noexcept {
  return guarded([&] { return to_python(array_text(as_array(self))); });
}

void bind_print(nb::module_& m) { bind_options(m); }

}  // namespace mlx::python
