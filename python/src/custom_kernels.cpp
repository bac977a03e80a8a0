// mlx.core.fast: kernels given as text.

#include "define.h"
#include "mlx/fast.h"

namespace mlx::python {

namespace {

struct CustomKernel {
  mx::fast::CustomKernelFunction function;
};

std::vector<std::string> names_argument(Args& x, int i) {
  if (!PySequence_Check(x[i]) || PyUnicode_Check(x[i])) x.raise_wrong(i, "a list of names");
  nb::object list = steal(PySequence_Fast(x[i], ""));
  std::vector<std::string> names;
  for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(list.ptr()); k++) {
    PyObject* name = PySequence_Fast_GET_ITEM(list.ptr(), k);
    if (!PyUnicode_Check(name)) x.raise_wrong(i, "a list of names");
    names.push_back(text_of(name));
  }
  return names;
}

// Every kernel of a machine without a GPU raises, whatever its arguments are.
mx::fast::CustomKernelFunction& function_of(Args& x) { return nb::inst_ptr<CustomKernel>(x[0])->function; }

}  // namespace

void bind_custom_kernels(nb::module_& fast) {
  nb::class_<CustomKernel> type(fast, "CustomKernel",
                                "A kernel given as text, called with its inputs and sizes.");
  Methods(type).def(
      "__call__(self, *, inputs: list[scalar | array], output_shapes: list[Sequence[int]], output_dtypes: "
      "list[Dtype], "
      "grid: tuple[int, int, int], threadgroup: tuple[int, int, int], template: list[tuple[str, bool | int | "
      "Dtype]] | "
      "None = None, init_value: float | None = None, verbose: bool = False, stream: StreamOrDevice = None) "
      "-> "
      "list[array]",
      "Runs the kernel. There is no GPU backend yet, so this raises RuntimeError.", [](Args& x) {
        return function_of(x)({}, {}, {}, {}, {}, {}, std::nullopt, x.boolean(8, false), x.stream());
      });
  Functions(fast)
      .def(
          "metal_kernel(name: str, input_names: Sequence[str], output_names: Sequence[str], source: str, "
          "header: str = "
          "'', ensure_row_contiguous: bool = True, atomic_outputs: bool = False, compile_options: dict | "
          "None = None) -> "
          "CustomKernel",
          "A kernel from the body of a function in the Metal shading language. It can be made anywhere; "
          "calling it needs "
          "a GPU backend and raises RuntimeError without one.",
          [](Args& x) {
            return nb::cast(CustomKernel{mx::fast::metal_kernel(
                x.text(0, ""), names_argument(x, 1), names_argument(x, 2), x.text(3, ""), x.text(4, ""),
                x.boolean(5, true), x.boolean(6, false))});
          })
      .def(
          "cuda_kernel(name: str, input_names: Sequence[str], output_names: Sequence[str], source: str, "
          "header: str = '', "
          "ensure_row_contiguous: bool = True, shared_memory: int = 0) -> CustomKernel",
          "A kernel from the body of a CUDA function. Raises RuntimeError without a CUDA backend.",
          [](Args& x) {
            return nb::cast(CustomKernel{
                mx::fast::cuda_kernel(x.text(0, ""), names_argument(x, 1), names_argument(x, 2),
                                      x.text(3, ""), x.text(4, ""), x.boolean(5, true), x.small_int(6, 0))});
          })
      .def(
          "precompiled_cuda_kernel(*, name: str, compiled_source: bytes, inputs: Sequence[scalar | array], "
          "output_shapes: "
          "Sequence[Sequence[int]], output_dtypes: Sequence[Dtype], scalars: Sequence[object], grid: "
          "tuple[int, int, "
          "int], threadgroup: tuple[int, int, int], shared_memory: int = 0, init_value: float | None = None, "
          "ensure_row_contiguous: bool = False, stream: StreamOrDevice = None) -> list[array]",
          "Runs a kernel of compiled CUDA code (PTX or cubin). Raises RuntimeError without a CUDA backend.",
          [](Args& x) {
            return mx::fast::precompiled_cuda_kernel(x.text(0, ""), "", {}, {}, {}, {}, {}, {},
                                                     x.small_int(8, 0), std::nullopt, x.boolean(10, false),
                                                     x.stream());
          });
}

}  // namespace mlx::python
