// Products of arrays.

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "define.h"
#include "mlx/einsum.h"

namespace mlx::python {

namespace {

void bind_products(Functions& m) {
  m.def("matmul(a: array, b: array, /, *, stream: StreamOrDevice = None) -> array",
        "Matrix product over the last two axes; leading axes broadcast, and a vector counts as a row (a) or "
        "column (b).",
        [](Args& x) { return mx::matmul(x.array(0), x.array(1), x.stream()); });
  m.def(
      "addmm(c: array, a: array, b: array, /, alpha: float = 1.0, beta: float = 1.0, *, stream: "
      "StreamOrDevice = None) -> array",
      "alpha * (a @ b) + beta * c. c broadcasts to the product.", [](Args& x) {
        float alpha = static_cast<float>(x.number(3, 1)), beta = static_cast<float>(x.number(4, 1));
        return mx::addmm(x.array(0), x.array(1), x.array(2), alpha, beta, x.stream());
      });
}

PyObject* einsum_path(Args& x) {
  auto [steps, text] = mx::einsum_path(x.text(0, ""), x.rest_arrays());
  nb::list path;
  for (const std::vector<int>& step : steps) path.append(nb::tuple(nb::cast(step)));
  return nb::make_tuple(path, text).release().ptr();
}

void bind_contractions(Functions& m) {
  m.def("einsum(subscripts: str, *operands: array, stream: StreamOrDevice = None) -> array",
        "Sum of products over the axes that subscripts name (Einstein's convention).\n\nsubscripts: one letter per "
        "axis of each operand, separated by commas, and after '->' those of the result; without it the letters that "
        "appear once, sorted. '...' stands for leading axes, which broadcast, as do sizes of 1. A letter twice in an "
        "operand is its diagonal. Sums of integers have the dtype of sum. Operands are contracted in pairs, in the "
        "order of einsum_path.\n\n    mx.einsum('bij,bjk->bik', a, b)",
        [](Args& x) { return mx::einsum(x.text(0, ""), x.rest_arrays(), x.stream()); });
  m.def("einsum_path(subscripts: str, *operands: array) -> tuple[list[tuple[int, ...]], str]",
        "The order in which einsum contracts its operands, and a description of the cost: a list of the places of "
        "the operands that each step joins, whose result goes to the end.",
        [](Args& x) { return einsum_path(x); });
  m.def("kron(a: array, b: array, *, stream: StreamOrDevice = None) -> array",
        "Kronecker product: every element of a times b, as blocks.",
        [](Args& x) { return mx::kron(x.array(0), x.array(1), x.stream()); });
  m.def("vecdot(a: array, b: array, /, axis: int = -1, *, stream: StreamOrDevice = None) -> array",
        "Sum of conj(a) * b along an axis; the other axes broadcast, and integers have the dtype of sum. A negative "
        "axis needs inputs with equally many axes.",
        [](Args& x) { return mx::vecdot(x.array(0), x.array(1), x.small_int(2, -1), x.stream()); });
  m.def(
      "hadamard_transform(a: array, /, scale: float | None = None, *, stream: StreamOrDevice = None) -> array",
      "scale * H a over the last axis, whose size is a power of two times 1, 12, 20 or 28, with a Hadamard matrix H; "
      "scale is 1 / sqrt(size) by default. Integers become float32.",
      [](Args& x) {
        auto scale = x.optional_number(1);
        return mx::hadamard_transform(x.array(0), scale ? std::optional(static_cast<float>(*scale)) : std::nullopt,
                                      x.stream());
      });
}

}  // namespace

void bind_product_ops(nb::module_& module) {
  Functions m(module);
  bind_products(m);
  bind_contractions(m);
}

}  // namespace mlx::python
