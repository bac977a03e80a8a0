// Evaluation from Python: without the GIL, then warnings and dropped references.
#pragma once

#include "binding.h"
#include "gil.h"

namespace mlx::python {

void evaluate(const mx::array& a);
void evaluate(std::vector<mx::array> arrays);

}  // namespace mlx::python
