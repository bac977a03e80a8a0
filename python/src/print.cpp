// The text of arrays, and its precision.

#include <sstream>
#include <string>

#include "array_slots.h"
#include "convert.h"
#include "define.h"
#include "evaluate.h"
#include "mlx/utils.h"

namespace mlx::python {

namespace {

using mx::PrintOptions;

PrintOptions& current_options() { return mx::get_global_formatter().format_options; }

std::string array_text(const mx::array& lazy) {
  mx::array a = lazy;
  evaluate(a);
  std::ostringstream os;
  os << a;
  return os.str();
}

// "with mx.printoptions(precision=3):".
struct PrintContext {
  PrintOptions wanted;
  std::vector<PrintOptions> previous = {};
};

void bind_options(nb::module_& m) {
  nb::class_<PrintOptions> options(
      m, "PrintOptions", "How arrays are printed.",
      initializer("PrintOptions(self, precision: int = -1)",
                  [](Args& x) { construct<PrintOptions>(x, x.small_int(1, -1)); }));
  options.def_prop_rw(
      "precision", [](const PrintOptions& o) { return o.precision; },
      [](PrintOptions& o, nb::object value) {
        int64_t digits;
        if (!to_integer(value.ptr(), &digits))
          raise_type_error("[precision] It must be an int, not ", type_name(value.ptr()), ".");
        o.precision = static_cast<int>(std::clamp<int64_t>(digits, -1, INT_MAX));
      },
      nb::arg().none(), "Digits after the point; -1 for six significant ones.");
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
           "Print floats with a fixed number of digits after the point; -1 prints six significant "
           "digits.",
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
