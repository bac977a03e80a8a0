// to_fp8 and from_fp8.

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/quantize_primitives.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

array to_fp8(array x, StreamOrDevice s) {
  if (!issubdtype(x.dtype(), floating))
    raise("[to_fp8] The input must be real floating-point, but is ", dtype_name(x.dtype()), ".");
  return array(x.shape(), uint8, std::make_shared<ConvertFP8>(to_stream(s), uint8), {x});
}

array from_fp8(array x, Dtype dtype, StreamOrDevice s) {
  if (x.dtype() != uint8) raise("[from_fp8] The input must be uint8, but is ", dtype_name(x.dtype()), ".");
  if (!issubdtype(dtype, floating))
    raise("[from_fp8] The dtype must be real floating-point, but is ", dtype_name(dtype), ".");
  return array(x.shape(), dtype, std::make_shared<ConvertFP8>(to_stream(s), dtype), {x});
}

std::vector<Shape> ConvertFP8::output_shapes(const Arrays& inputs) { return {inputs[0].shape()}; }
Arrays ConvertFP8::jvp(const Arrays&, const Arrays&, const std::vector<int>&) {
  raise("[", dtype_ == uint8 ? "to_fp8" : "from_fp8", "] Conversion of 8-bit floats has no derivative.");
}
Arrays ConvertFP8::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                       const Arrays&) {
  return jvp(primals, cotangents, argnums);
}
std::pair<Arrays, std::vector<int>> ConvertFP8::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  array x = inputs[0];
  return {{array(x.shape(), dtype_, std::make_shared<ConvertFP8>(stream(), dtype_), {x})}, {axes[0]}};
}

}  // namespace mlx::core
