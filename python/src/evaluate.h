// Evaluation from Python: without the GIL, then warnings and dropped references.
#pragma once

#include "binding.h"

namespace mlx::python {

void evaluate(const mx::array& a);
void evaluate(std::vector<mx::array> arrays);

// Runs a wait without the GIL.
template <typename Body>
void without_gil(Body&& body) {
  nb::gil_scoped_release released;
  body();
}

}  // namespace mlx::python
