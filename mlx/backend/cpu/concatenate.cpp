// Arrays put together in fresh memory: concatenate and pad; and contiguous, which may have to copy.

#include "mlx/backend/common/layout.h"
#include "mlx/backend/cpu/copy.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/ops/join_primitives.h"

namespace mlx::core::cpu {

namespace {

char* element(array& x, int64_t offset) { return x.data<char>() + offset * static_cast<int64_t>(x.itemsize()); }

}  // namespace

void eval(Concatenate& primitive, InputSpan inputs, OutputSpan outputs) {
  array& out = outputs[0];
  out.set_data(allocator::malloc(out.nbytes()));
  Strides strides = row_major_strides(out.shape());
  int64_t offset = 0;
  for (const array& in : inputs) {
    copy_strided(in.data<void>(), in.strides(), element(out, offset), strides, in.shape(), in.itemsize());
    offset += in.shape(primitive.axis()) * strides[primitive.axis()];
  }
}

// The border is written in slabs, two for each axis: full along the axes behind, inner along those before.
void eval(Pad& primitive, InputSpan inputs, OutputSpan outputs) {
  const array &in = inputs[0], &value = inputs[1];
  array& out = outputs[0];
  out.set_data(allocator::malloc(out.nbytes()));
  Strides strides = row_major_strides(out.shape()), still(out.ndim(), 0);
  Shape slab = out.shape();
  int64_t inner = 0;
  for (size_t axis = 0; axis < out.ndim(); axis++) {
    int64_t low = primitive.low()[axis], high = primitive.high()[axis];
    slab[axis] = low;
    copy_strided(value.data<void>(), still, element(out, inner), strides, slab, out.itemsize());
    slab[axis] = high;
    int64_t behind = inner + (low + in.shape()[axis]) * strides[axis];
    if (high > 0) copy_strided(value.data<void>(), still, element(out, behind), strides, slab, out.itemsize());
    slab[axis] = in.shape()[axis];
    inner += low * strides[axis];
  }
  if (in.size() > 0) {
    copy_strided(in.data<void>(), in.strides(), element(out, inner), strides, in.shape(), in.itemsize());
  }
}

void eval(Contiguous& primitive, InputSpan inputs, OutputSpan outputs) {
  const array& in = inputs[0];
  bool fits = in.flags().row_contiguous || (primitive.allow_col_major() && in.flags().col_contiguous);
  if (fits) outputs[0].copy_shared_buffer(in);
  else copy_row_major(in, outputs[0]);
}

void eval(Copy&, InputSpan inputs, OutputSpan outputs) { outputs[0].copy_shared_buffer(inputs[0]); }

}  // namespace mlx::core::cpu
