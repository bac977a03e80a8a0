// Evaluation of the view primitives: no bytes move unless the layout forces a copy.

#include "mlx/backend/common/layout.h"
#include "mlx/backend/cpu/copy.h"
#include "mlx/backend/cpu/eval.h"
#include "mlx/ops/view_primitives.h"

namespace mlx::core::cpu {

namespace {

// For reshape and its kin: the output's shape is already known.
void reshape_into(const array& in, array& out) {
  if (auto strides = reshape_strides(in.shape(), in.strides(), out.shape())) set_view(out, in, *strides);
  else copy_row_major(in, out);
}

}  // namespace

void eval(Broadcast&, InputSpan inputs, OutputSpan outputs) {
  const array& in = inputs[0];
  set_view(outputs[0], in, broadcast_strides(in.shape(), in.strides(), outputs[0].shape()));
}

void eval(Reshape&, InputSpan inputs, OutputSpan outputs) { reshape_into(inputs[0], outputs[0]); }
void eval(Flatten&, InputSpan inputs, OutputSpan outputs) { reshape_into(inputs[0], outputs[0]); }
void eval(Unflatten&, InputSpan inputs, OutputSpan outputs) { reshape_into(inputs[0], outputs[0]); }
void eval(ExpandDims&, InputSpan inputs, OutputSpan outputs) { reshape_into(inputs[0], outputs[0]); }
void eval(Squeeze&, InputSpan inputs, OutputSpan outputs) { reshape_into(inputs[0], outputs[0]); }

void eval(Transpose& primitive, InputSpan inputs, OutputSpan outputs) {
  Strides strides;
  for (int axis : primitive.axes()) strides.push_back(inputs[0].strides(axis));
  set_view(outputs[0], inputs[0], std::move(strides));
}

// The output keeps the buffer of a row-major input, unless its elements would not be aligned there.
void eval(View&, InputSpan inputs, OutputSpan outputs) {
  array in = row_major(inputs[0]);
  array& out = outputs[0];
  if (reinterpret_cast<uintptr_t>(in.data<void>()) % out.itemsize()) {
    array moved(in.shape(), in.dtype(), nullptr, {});
    copy_row_major(in, moved);
    in = moved;
  }
  Layout layout = layout_of(out.shape(), out.strides());
  out.copy_shared_buffer(in, out.strides(), layout.flags, layout.data_size);
}

void eval(NumberOfElements& primitive, InputSpan inputs, OutputSpan outputs) {
  copy_row_major(array(primitive.count(inputs[0].shape()), outputs[0].dtype()), outputs[0]);
}

void eval(StopGradient&, InputSpan inputs, OutputSpan outputs) { outputs[0].copy_shared_buffer(inputs[0]); }

}  // namespace mlx::core::cpu
