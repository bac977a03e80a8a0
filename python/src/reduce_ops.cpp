// Reductions over axes, as functions and methods.

#include "define.h"

namespace mlx::python {

namespace {

// One reduction of the library, called by axes or over all axes.
#define MLX_REDUCTION(name, summary)                                                                              \
  m.def_both(#name "(a: array, /, axis: None | int | Sequence[int] = None, keepdims: bool = False, *, "             \
                   "stream: StreamOrDevice = None) -> array",                                                       \
             summary "\n\naxis: the axes to reduce, by default all. keepdims: keep them with size 1.", [](Args& x) { \
               auto axes = x.axes(1);                                                                               \
               bool keep = x.boolean(2, false);                                                                     \
               return axes ? mx::name(x.array(0), *axes, keep, x.stream()) : mx::name(x.array(0), keep, x.stream()); \
             });

void bind_plain(Functions& m) {
  MLX_REDUCTION(all, "Whether all elements are nonzero.")
  MLX_REDUCTION(any, "Whether any element is nonzero.")
  MLX_REDUCTION(prod, "Product of the elements. Small integers and bool give int32 or uint32.")
  MLX_REDUCTION(min, "Smallest element; NaN if there is one.")
  MLX_REDUCTION(max, "Largest element; NaN if there is one.")
  // Unlike the others, sum takes its array by keyword.
  m.def_both("sum(array: array, axis: None | int | Sequence[int] = None, keepdims: bool = False, *, "
             "stream: StreamOrDevice = None) -> array",
             "Sum of the elements. Small integers and bool give int32 or uint32.\n\naxis: the axes to reduce, by "
             "default all. keepdims: keep them with size 1.",
             [](Args& x) {
               auto axes = x.axes(1);
               bool keep = x.boolean(2, false);
               return axes ? mx::sum(x.array(0), *axes, keep, x.stream()) : mx::sum(x.array(0), keep, x.stream());
             });
}

}  // namespace

void bind_reduce_ops(nb::module_& module) {
  Functions m(module);
  bind_plain(m);
}

}  // namespace mlx::python
