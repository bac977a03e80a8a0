// mlx.core.fast: fused operations.

#include "mlx/fast.h"

#include "define.h"

namespace mlx::python {

void bind_fast(nb::module_& m) {
  nb::module_ fast = m.def_submodule("fast", "Fused operations.");
  Functions(fast)
      .def("rms_norm(x: array, weight: array | None, eps: float, *, stream: StreamOrDevice = None) -> array",
           "x / sqrt(mean(x^2) + eps) * weight over the last axis.",
           [](Args& x) {
             return mx::fast::rms_norm(x.array(0), x.optional_array(1), static_cast<float>(x.number(2, 0)),
                                       x.stream());
           })
      .def(
          "layer_norm(x: array, weight: array | None, bias: array | None, eps: float, *, stream: "
          "StreamOrDevice = None) -> array",
          "(x - mean(x)) / sqrt(var(x) + eps) * weight + bias over the last axis.", [](Args& x) {
            return mx::fast::layer_norm(x.array(0), x.optional_array(1), x.optional_array(2),
                                        static_cast<float>(x.number(3, 0)), x.stream());
          });
}

}  // namespace mlx::python
