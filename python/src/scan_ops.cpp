// Scans along an axis, as functions and methods.

#include "define.h"

namespace mlx::python {

namespace {

#define MLX_SCAN_DOC                                                                                          \
  "\n\naxis: by default the array is flattened. reverse: from the end. inclusive: whether an element counts " \
  "for its own place."

// One scan of the library, with or without an axis.
#define MLX_SCAN_CALL(name)                                                                 \
  [](Args& x) {                                                                             \
    auto axis = x.optional_int(1);                                                          \
    bool reverse = x.boolean(2, false), inclusive = x.boolean(3, true);                     \
    return axis ? mx::name(x.array(0), *axis, reverse, inclusive, x.stream())               \
                : mx::name(x.array(0), reverse, inclusive, x.stream());                     \
  }

#define MLX_SCAN_OPTIONS "axis: int | None = None, *, reverse: bool = False, inclusive: bool = True, "

#define MLX_SCAN(name, summary)                                                                         \
  m.def_both(#name "(a: array, /, " MLX_SCAN_OPTIONS "stream: StreamOrDevice = None) -> array",         \
             summary MLX_SCAN_DOC, MLX_SCAN_CALL(name));

// The function takes a dtype too, the method does not.
#define MLX_SCAN_OF(name, summary)                                                                          \
  Methods().def(#name "(self, " MLX_SCAN_OPTIONS "stream: StreamOrDevice = None) -> array",                 \
                summary MLX_SCAN_DOC, MLX_SCAN_CALL(name));                                                 \
  m.def(#name "(a: array, /, " MLX_SCAN_OPTIONS                                                             \
              "dtype: Dtype | None = None, stream: StreamOrDevice = None) -> array",                        \
        summary MLX_SCAN_DOC " dtype: what the elements are converted to first.", [](Args& x) {             \
          auto axis = x.optional_int(1);                                                                    \
          bool reverse = x.boolean(2, false), inclusive = x.boolean(3, true);                               \
          auto dtype = x.optional_dtype(4);                                                                 \
          return axis ? mx::name(x.array(0), *axis, reverse, inclusive, dtype, x.stream())                  \
                      : mx::name(x.array(0), reverse, inclusive, dtype, x.stream());                        \
        });

}  // namespace

void bind_scan_ops(nb::module_& module) {
  Functions m(module);
  MLX_SCAN_OF(cumsum,
              "Cumulative sum. bool gives int32; other dtypes stay, and integers wrap. Half types are added in "
              "float32.")
  MLX_SCAN_OF(cumprod, "Cumulative product. Dtypes stay, and integers wrap. Half types are multiplied in float32.")
  m.alias("cumulative_sum", "cumsum").alias("cumulative_prod", "cumprod");
  MLX_SCAN(cummax, "Cumulative maximum; NaN from the first NaN on.")
  MLX_SCAN(cummin, "Cumulative minimum; NaN from the first NaN on.")
  MLX_SCAN(logcumsumexp,
           "Logarithm of the cumulative sum of the exponentials, without overflow. Integers and bool give float32.")
  m.def("diff(a: array, /, n: int = 1, axis: int = -1, *, stream: StreamOrDevice = None) -> array",
        "Differences of neighbours along an axis, taken n times; of bool whether they differ. Unsigned integers "
        "wrap.",
        [](Args& x) { return mx::diff(x.array(0), x.small_int(1, 1), x.small_int(2, -1), x.stream()); });
}

}  // namespace mlx::python
