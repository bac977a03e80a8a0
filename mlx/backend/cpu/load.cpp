// Reading of an array's bytes.

#include <algorithm>

#include "mlx/backend/cpu/eval.h"
#include "mlx/core/fork.h"
#include "mlx/ops/load_primitive.h"

namespace mlx::core::cpu {

namespace {

// Reverses the bytes of each part: of each element, or of each of the two floats of a complex number.
void swap_bytes(char* data, size_t bytes, size_t part) {
  for (size_t i = 0; i < bytes; i += part) std::reverse(data + i, data + i + part);
}

}  // namespace

void eval(Load& primitive, InputSpan, OutputSpan outputs) {
  array& out = outputs[0];
  out.set_data(allocator::malloc(out.nbytes()));
  {
    WorkScope::Pause pause;  // the reader may wait for a disk, or for the host's lock that a forking thread holds
    primitive.reader().read(out.data<char>(), out.nbytes(), primitive.offset());
  }
  if (out.dtype() == bool_) {  // any byte may be in a file
    for (char *p = out.data<char>(), *end = p + out.nbytes(); p < end; p++) *p = *p != 0;
  }
  size_t part = out.dtype() == complex64 ? sizeof(float) : out.itemsize();
  if (primitive.swap() && part > 1) swap_bytes(out.data<char>(), out.nbytes(), part);
}

}  // namespace mlx::core::cpu
