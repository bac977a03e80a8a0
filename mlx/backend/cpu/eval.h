// The evaluation of each primitive on the CPU: one function per row of ops/primitives.def, in the file of its family.
#pragma once

#include <span>

#include "mlx/array.h"

namespace mlx::core {

#define PRIMITIVE(Class) class Class;
#include "mlx/ops/primitives.def"

namespace cpu {

// Inputs have data and may be donated; outputs get theirs.
using InputSpan = std::span<array>;
using OutputSpan = std::span<array>;

#define PRIMITIVE(Class) void eval(Class& primitive, InputSpan inputs, OutputSpan outputs);
#include "mlx/ops/primitives.def"

}  // namespace cpu
}  // namespace mlx::core
