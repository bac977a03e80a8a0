// The Python side. The domain "mlx" makes arrays, streams and devices of mlx.core known here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/variant.h>

#include "axpby.h"

namespace nb = nanobind;
using namespace nb::literals;

NB_MODULE(_ext, m) {
  nb::module_::import_("mlx.core");
  m.def("axpby", &axpby_example::axpby, "x"_a, "y"_a, "alpha"_a, "beta"_a, nb::kw_only(), "stream"_a = nb::none(),
        "alpha * x + beta * y, element by element, in a floating-point dtype. Operands broadcast.");
}
