// The second half of the docstrings: see documentation.cpp.
#pragma once

#include "binding.h"

namespace mlx::python {

// Adds shapes, dtypes, errors and examples to the docstrings of all that is defined; called last.
void add_documentation(nb::module_& m);

}  // namespace mlx::python
