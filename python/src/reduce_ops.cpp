// Reductions over axes, as functions and methods.

#include "define.h"

namespace mlx::python {

namespace {

// A call of the library by axes or over all axes, with keepdims or another bool behind them.
#define MLX_OVER_AXES(name)                                       \
  [](Args& x) {                                                   \
    auto axes = x.axes(1);                                        \
    bool option = x.boolean(2, false);                            \
    return axes ? mx::name(x.array(0), *axes, option, x.stream()) \
                : mx::name(x.array(0), option, x.stream());       \
  }

#define MLX_REDUCTION(name, summary)                                                                   \
  m.def_both(#name                                                                                     \
             "(a: array, /, axis: None | int | Sequence[int] = None, keepdims: bool = False, *, "      \
             "stream: StreamOrDevice = None) -> array",                                                \
             summary "\n\naxis: the axes to reduce, by default all. keepdims: keep them with size 1.", \
             MLX_OVER_AXES(name));

void bind_plain(Functions& m) {
  MLX_REDUCTION(all, "Whether all elements are nonzero.")
  MLX_REDUCTION(any, "Whether any element is nonzero.")
  MLX_REDUCTION(prod, "Product of the elements. Small integers and bool give int32 or uint32.")
  MLX_REDUCTION(min, "Smallest element; NaN if there is one.")
  MLX_REDUCTION(max, "Largest element; NaN if there is one.")
  // Unlike the others, sum takes its array by keyword.
  m.def_both(
      "sum(array: array, axis: None | int | Sequence[int] = None, keepdims: bool = False, *, stream: "
      "StreamOrDevice = None) -> array",
      "Sum of the elements. Small integers and bool give int32 or uint32.\n\naxis: the axes to reduce, by "
      "default all. keepdims: keep them with size 1.",
      MLX_OVER_AXES(sum));
}

// One that divides by the number of elements less ddof.
#define MLX_SPREAD(name, summary)                                                                         \
  m.def_both(                                                                                             \
      #name                                                                                               \
      "(a: array, /, axis: None | int | Sequence[int] = None, keepdims: bool = False, ddof: int = 0, *, " \
      "stream: StreamOrDevice = None) -> array",                                                          \
      summary                                                                                             \
      " Integers and bool give float32.\n\naxis: the axes to reduce, by default all. keepdims: keep "     \
      "them with size 1. ddof: what is taken from the\nnumber of elements in the divisor.",               \
      [](Args& x) {                                                                                       \
        auto axes = x.axes(1);                                                                            \
        bool keep = x.boolean(2, false);                                                                  \
        int ddof = x.small_int(3, 0);                                                                     \
        return axes ? mx::name(x.array(0), *axes, keep, ddof, x.stream())                                 \
                    : mx::name(x.array(0), keep, ddof, x.stream());                                       \
      });

// One that gives an index.
#define MLX_SEARCH(name, summary)                                                                         \
  m.def_both(                                                                                             \
      #name                                                                                               \
      "(a: array, /, axis: None | int = None, keepdims: bool = False, *, stream: StreamOrDevice = None) " \
      "-> array",                                                                                         \
      summary                                                                                             \
      "\n\naxis: by default the index counts in the flat array. keepdims: keep the axis with size 1.",    \
      [](Args& x) {                                                                                       \
        auto axis = x.optional_int(1);                                                                    \
        bool keep = x.boolean(2, false);                                                                  \
        return axis ? mx::name(x.array(0), *axis, keep, x.stream())                                       \
                    : mx::name(x.array(0), keep, x.stream());                                             \
      });

void bind_statistics(Functions& m) {
  MLX_REDUCTION(mean, "Mean of the elements. Integers and bool give float32.")
  MLX_REDUCTION(logsumexp, "Logarithm of the sum of the exponentials, without overflow.")
  MLX_SPREAD(var, "Variance of the elements.")
  MLX_SPREAD(std, "Standard deviation of the elements.")
  MLX_SEARCH(argmin,
             "Index (uint32) of the smallest element, the first of equal ones; NaN counts as the smallest.")
  MLX_SEARCH(argmax,
             "Index (uint32) of the largest element, the first of equal ones; NaN counts as the largest.")
  m.def("count_nonzero(a: array, /, axis: None | int | Sequence[int] = None, *, keepdims: bool = False, stream: "
        "StreamOrDevice = None) -> array",
        "How many elements are not zero (int32).\n\naxis: the axes to reduce, by default all. keepdims: keep them "
        "with size 1.",
        MLX_OVER_AXES(count_nonzero));
  m.def("median(a: array, /, axis: None | int | Sequence[int] = None, keepdims: bool = False, *, stream: "
        "StreamOrDevice = None) -> array",
        "The middle element, or the mean of the two in the middle; NaN if there is one. Integers and bool give "
        "float32.\n\naxis: the axes to reduce, by default all. keepdims: keep them with size 1.",
        MLX_OVER_AXES(median));
  m.def("minmax(a: array, /, axis: None | int | Sequence[int] = None, keepdims: bool = False, *, stream: "
        "StreamOrDevice = None) -> tuple[array, array]",
        "Smallest and largest element; NaN if there is one.\n\naxis: the axes to reduce, by default all. keepdims: "
        "keep them with size 1.",
        [](Args& x) {
          auto axes = x.axes(1);
          bool keep = x.boolean(2, false);
          auto [low, high] = axes ? mx::minmax(x.array(0), *axes, keep, x.stream())
                                  : mx::minmax(x.array(0), keep, x.stream());
          return tuple_of({low, high});
        });
  m.def(
      "softmax(a: array, /, axis: None | int | Sequence[int] = None, *, precise: bool = False, stream: "
      "StreamOrDevice = None) -> array",
      "Exponentials divided by their sum over axes, by default all. precise: compute half types in float32.",
      MLX_OVER_AXES(softmax));
}

}  // namespace

void bind_reduce_ops(nb::module_& module) {
  Functions m(module);
  bind_plain(m);
  bind_statistics(m);
}

}  // namespace mlx::python
