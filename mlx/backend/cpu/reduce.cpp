// Reductions on the CPU, element by element.

#include "mlx/backend/common/layout.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/core/dispatch.h"
#include "mlx/core/convert.h"
#include "mlx/ops/reduce_primitives.h"

namespace mlx::core::cpu {

void eval(Reduce& primitive, InputSpan inputs, OutputSpan outputs) {
  const array& in = inputs[0];
  array& out = outputs[0];
  out.set_data(allocator::malloc(out.nbytes()));
  Strides to = row_major_strides(out.shape());
  for (int axis : primitive.axes()) to[axis] = 0;
  dispatch_dtype(in.dtype(), [&]<typename T>(TypeTag<T>) {
    dispatch_dtype(out.dtype(), [&]<typename R>(TypeTag<R>) {
      R* result = out.data<R>();
      std::vector<bool> seen(out.size());
      auto type = primitive.type();
      R start = type == Reduce::Prod || type == Reduce::And ? R(1) : R(0);
      for (size_t i = 0; i < out.size(); i++) result[i] = start;
      for (size_t i = 0; i < in.size(); i++) {
        int64_t rest = static_cast<int64_t>(i), from = 0, at = 0;
        for (size_t axis = in.ndim(); axis-- > 0;) {
          int64_t k = rest % in.shape(axis);
          rest /= in.shape(axis);
          from += k * in.strides(axis);
          at += k * to[axis];
        }
        R x = convert_element<R>(in.data<T>()[from]);
        if (type == Reduce::Sum) result[at] = static_cast<R>(result[at] + x);
        else if (type == Reduce::Prod) result[at] = static_cast<R>(result[at] * x);
        else if (type == Reduce::And) result[at] = result[at] != R(0) && x != R(0) ? R(1) : R(0);
        else if (type == Reduce::Or) result[at] = result[at] != R(0) || x != R(0) ? R(1) : R(0);
        else if (!seen[at] || x != x || (type == Reduce::Min ? x < result[at] : x > result[at])) result[at] = x;
        seen[at] = true;
      }
    });
  });
}

}  // namespace mlx::core::cpu
