// Rows along an axis, brought together in memory and spread out again.
#pragma once

#include "mlx/array.h"

namespace mlx::core::cpu {

bool rows_in_place(const array& x, int axis);
// A row-major copy with the axis last.
array gather_rows(const array& x, int axis);
// Gives `out` a buffer with those rows along the axis.
void spread_rows(const array& rows, int axis, array& out);

}  // namespace mlx::core::cpu
