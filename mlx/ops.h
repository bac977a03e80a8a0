// The operations on arrays. All are lazy: they check their arguments and make a node of the graph.
//
// Bad arguments throw std::invalid_argument, a bad axis or index AxisError (core/error.h); the text starts with the
// operation's name in brackets. s: the stream or device to compute on.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "mlx/array.h"
#include "mlx/utils.h"

namespace mlx::core {

// Element-wise operations: the rows of ops/elementwise.def, with their summaries there. Operands broadcast and are
// promoted to one dtype.
#define UNARY(Class, function, ...) array function(const array& a, StreamOrDevice s = {});
#define BINARY(Class, function, ...) array function(const array& a, const array& b, StreamOrDevice s = {});
#include "mlx/ops/elementwise.def"

array abs(const array& a, StreamOrDevice s = {});
array positive(const array& a, StreamOrDevice s = {});
array real(const array& a, StreamOrDevice s = {});
array imag(const array& a, StreamOrDevice s = {});
array conjugate(const array& a, StreamOrDevice s = {});
array power(const array& a, const array& b, StreamOrDevice s = {});
array floor_divide(const array& a, const array& b, StreamOrDevice s = {});
array remainder(const array& a, const array& b, StreamOrDevice s = {});
std::vector<array> divmod(const array& a, const array& b, StreamOrDevice s = {});
array bitwise_and(const array& a, const array& b, StreamOrDevice s = {});
array bitwise_or(const array& a, const array& b, StreamOrDevice s = {});
array bitwise_xor(const array& a, const array& b, StreamOrDevice s = {});
array left_shift(const array& a, const array& b, StreamOrDevice s = {});
array right_shift(const array& a, const array& b, StreamOrDevice s = {});
array round(const array& a, int decimals, StreamOrDevice s = {});
inline array round(const array& a, StreamOrDevice s = {}) { return round(a, 0, s); }
array where(const array& condition, const array& x, const array& y, StreamOrDevice s = {});
array astype(array a, Dtype dtype, StreamOrDevice s = {});

// Creation
array full(Shape shape, array vals, Dtype dtype, StreamOrDevice s = {});
array full(Shape shape, array vals, StreamOrDevice s = {});
array full_like(const array& a, array vals, Dtype dtype, StreamOrDevice s = {});
array full_like(const array& a, array vals, StreamOrDevice s = {});
template <typename T, typename = std::enable_if_t<!is_array_v<T>>>
array full(Shape shape, T val, Dtype dtype, StreamOrDevice s = {}) {
  return full(std::move(shape), array(val, dtype), dtype, s);
}
template <typename T, typename = std::enable_if_t<!is_array_v<T>>>
array full(Shape shape, T val, StreamOrDevice s = {}) {
  return full(std::move(shape), array(val), s);
}
template <typename T, typename = std::enable_if_t<!is_array_v<T>>>
array full_like(const array& a, T val, Dtype dtype, StreamOrDevice s = {}) {
  return full_like(a, array(val, dtype), dtype, s);
}
template <typename T, typename = std::enable_if_t<!is_array_v<T>>>
array full_like(const array& a, T val, StreamOrDevice s = {}) {
  return full_like(a, array(val, a.dtype()), s);
}
array zeros(const Shape& shape, Dtype dtype, StreamOrDevice s = {});
inline array zeros(const Shape& shape, StreamOrDevice s = {}) { return zeros(shape, float32, s); }
array zeros_like(const array& a, StreamOrDevice s = {});
array zeros_like(const array& a, Dtype dtype, StreamOrDevice s = {});
array ones(const Shape& shape, Dtype dtype, StreamOrDevice s = {});
inline array ones(const Shape& shape, StreamOrDevice s = {}) { return ones(shape, float32, s); }
array ones_like(const array& a, StreamOrDevice s = {});
array ones_like(const array& a, Dtype dtype, StreamOrDevice s = {});
array arange(double start, double stop, double step, Dtype dtype, StreamOrDevice s = {});
array arange(double start, double stop, double step, StreamOrDevice s = {});
array arange(double start, double stop, Dtype dtype, StreamOrDevice s = {});
array arange(double start, double stop, StreamOrDevice s = {});
array arange(double stop, Dtype dtype, StreamOrDevice s = {});
array arange(double stop, StreamOrDevice s = {});
array arange(int start, int stop, int step, StreamOrDevice s = {});
array arange(int start, int stop, StreamOrDevice s = {});
array arange(int stop, StreamOrDevice s = {});
// Of sizes and other integers that are no int: int32 where the bounds and the step fit, else int64.
namespace detail {
array arange(int64_t start, int64_t stop, int64_t step, StreamOrDevice s);
template <typename T>
inline constexpr bool is_integer_v = std::is_integral_v<T> && !std::is_same_v<T, bool>;
}  // namespace detail
template <typename T, typename U, typename V>
  requires(detail::is_integer_v<T> && detail::is_integer_v<U> && detail::is_integer_v<V>)
array arange(T start, U stop, V step, StreamOrDevice s = {}) {
  return detail::arange(safe_cast(start, "arange"), safe_cast(stop, "arange"), safe_cast(step, "arange"), s);
}
template <typename T, typename U>
  requires(detail::is_integer_v<T> && detail::is_integer_v<U>)
array arange(T start, U stop, StreamOrDevice s = {}) {
  return arange(start, stop, int64_t{1}, s);
}
template <typename T>
  requires(detail::is_integer_v<T>)
array arange(T stop, StreamOrDevice s = {}) {
  return arange(int64_t{0}, stop, int64_t{1}, s);
}
array linspace(double start, double stop, int num, bool endpoint, Dtype dtype = float32, StreamOrDevice s = {});
inline array linspace(double start, double stop, int num = 50, Dtype dtype = float32, StreamOrDevice s = {}) {
  return linspace(start, stop, num, true, dtype, s);
}
array eye(int n, int m, int k, Dtype dtype, StreamOrDevice s = {});
inline array eye(int n, Dtype dtype, StreamOrDevice s = {}) { return eye(n, n, 0, dtype, s); }
inline array eye(int n, int m, int k, StreamOrDevice s = {}) { return eye(n, m, k, float32, s); }
inline array eye(int n, int m, StreamOrDevice s = {}) { return eye(n, m, 0, float32, s); }
inline array eye(int n, StreamOrDevice s = {}) { return eye(n, n, 0, float32, s); }
inline array identity(int n, Dtype dtype, StreamOrDevice s = {}) { return eye(n, n, 0, dtype, s); }
inline array identity(int n, StreamOrDevice s = {}) { return eye(n, n, 0, float32, s); }

array tri(int n, int m, int k, Dtype dtype, StreamOrDevice s = {});
inline array tri(int n, Dtype dtype, StreamOrDevice s = {}) { return tri(n, n, 0, dtype, s); }
array tril(array x, int k = 0, StreamOrDevice s = {});
array triu(array x, int k = 0, StreamOrDevice s = {});
// Symmetric windows of M float32 values (Blackman and Tukey, "The measurement of power spectra", 1958).
array bartlett(int M, StreamOrDevice s = {});
array blackman(int M, StreamOrDevice s = {});
array hamming(int M, StreamOrDevice s = {});
array hanning(int M, StreamOrDevice s = {});
// One array per input, its values along its own axis; sparse ones keep size 1 along the others. Indexing: xy or ij.
std::vector<array> meshgrid(const std::vector<array>& arrays, bool sparse = false,
                            const std::string& indexing = "xy", StreamOrDevice s = {});
array copy(array a, StreamOrDevice s = {});
array contiguous(const array& a, bool allow_col_major = false, StreamOrDevice s = {});

// Shapes and axes
array reshape(const array& a, Shape shape, StreamOrDevice s = {});
array flatten(const array& a, int start_axis, int end_axis = -1, StreamOrDevice s = {});
array flatten(const array& a, StreamOrDevice s = {});
array unflatten(const array& a, int axis, Shape shape, StreamOrDevice s = {});
array squeeze(const array& a, const std::vector<int>& axes, StreamOrDevice s = {});
array squeeze(const array& a, int axis, StreamOrDevice s = {});
array squeeze(const array& a, StreamOrDevice s = {});
array expand_dims(const array& a, const std::vector<int>& axes, StreamOrDevice s = {});
array expand_dims(const array& a, int axis, StreamOrDevice s = {});
array atleast_1d(const array& a, StreamOrDevice s = {});
array atleast_2d(const array& a, StreamOrDevice s = {});
array atleast_3d(const array& a, StreamOrDevice s = {});
std::vector<array> atleast_1d(const std::vector<array>& a, StreamOrDevice s = {});
std::vector<array> atleast_2d(const std::vector<array>& a, StreamOrDevice s = {});
std::vector<array> atleast_3d(const std::vector<array>& a, StreamOrDevice s = {});
array transpose(const array& a, std::vector<int> axes, StreamOrDevice s = {});
array transpose(const array& a, StreamOrDevice s = {});
array swapaxes(const array& a, int axis1, int axis2, StreamOrDevice s = {});
array moveaxis(const array& a, int source, int destination, StreamOrDevice s = {});
array broadcast_to(const array& a, const Shape& shape, StreamOrDevice s = {});
std::vector<array> broadcast_arrays(const std::vector<array>& inputs, StreamOrDevice s = {});
array stop_gradient(const array& a, StreamOrDevice s = {});
// The bytes of the row-major content as values of another dtype; the last axis shrinks or grows.
array view(const array& a, const Dtype& dtype, StreamOrDevice s = {});
// The product of the sizes of the axes (inverted: its reciprocal), as a 0-d array that follows a compiled program to
// other sizes.
array number_of_elements(const array& a, std::vector<int> axes, bool inverted, Dtype dtype = int32,
                         StreamOrDevice s = {});
// The inputs, computed after the dependencies.
std::vector<array> depends(const std::vector<array>& inputs, const std::vector<array>& dependencies);

// Slices and their inverses. Bounds are those of Python slices: negative ones count from the end, and all are clipped.
// As a bound, slice_end stands for the end of an axis (the last element, for the start of a negative step) and
// slice_begin for the place before the first element: unlike numbers, they follow a compiled program to other sizes.
inline constexpr ShapeElem slice_end = INT64_MAX, slice_begin = INT64_MIN;
array slice(const array& a, Shape start, Shape stop, Shape strides, StreamOrDevice s = {});
inline array slice(const array& a, std::initializer_list<ShapeElem> start, Shape stop, Shape strides,
                   StreamOrDevice s = {}) {
  return slice(a, Shape(start.begin(), start.end()), std::move(stop), std::move(strides), s);
}
array slice(const array& a, Shape start, Shape stop, StreamOrDevice s = {});
// A window of slice_size that begins at start, one integer per axis of axes; moved inside the array where it would
// not fit.
array slice(const array& a, const array& start, std::vector<int> axes, Shape slice_size, StreamOrDevice s = {});
array slice_update(const array& src, const array& update, const array& start, std::vector<int> axes,
                   StreamOrDevice s = {});
array slice_update(const array& src, const array& update, Shape start, Shape stop, Shape strides,
                   StreamOrDevice s = {});
array slice_update(const array& src, const array& update, Shape start, Shape stop, StreamOrDevice s = {});
inline array slice_update(const array& src, const array& update, std::initializer_list<ShapeElem> start, Shape stop,
                          StreamOrDevice s = {}) {
  return slice_update(src, update, Shape(start.begin(), start.end()), std::move(stop), s);
}
array slice_update_add(const array& src, const array& update, Shape start, Shape stop, Shape strides,
                       StreamOrDevice s = {});
array slice_update_add(const array& src, const array& update, Shape start, Shape stop, StreamOrDevice s = {});
array slice_update_prod(const array& src, const array& update, Shape start, Shape stop, Shape strides,
                        StreamOrDevice s = {});
array slice_update_prod(const array& src, const array& update, Shape start, Shape stop, StreamOrDevice s = {});
array slice_update_max(const array& src, const array& update, Shape start, Shape stop, Shape strides,
                       StreamOrDevice s = {});
array slice_update_max(const array& src, const array& update, Shape start, Shape stop, StreamOrDevice s = {});
array slice_update_min(const array& src, const array& update, Shape start, Shape stop, Shape strides,
                       StreamOrDevice s = {});
array slice_update_min(const array& src, const array& update, Shape start, Shape stop, StreamOrDevice s = {});
array flip(const array& a, const std::vector<int>& axes, StreamOrDevice s = {});
array flip(const array& a, int axis, StreamOrDevice s = {});
array flip(const array& a, StreamOrDevice s = {});
std::vector<array> split(const array& a, int num_splits, int axis, StreamOrDevice s = {});
std::vector<array> split(const array& a, int num_splits, StreamOrDevice s = {});
std::vector<array> split(const array& a, const Shape& indices, int axis, StreamOrDevice s = {});
std::vector<array> split(const array& a, const Shape& indices, StreamOrDevice s = {});
std::vector<array> unstack(const array& a, int axis, StreamOrDevice s = {});
std::vector<array> unstack(const array& a, StreamOrDevice s = {});
array diagonal(const array& a, int offset = 0, int axis1 = 0, int axis2 = 1, StreamOrDevice s = {});
array diag(const array& a, int k = 0, StreamOrDevice s = {});
array trace(const array& a, int offset, int axis1, int axis2, Dtype dtype, StreamOrDevice s = {});
array trace(const array& a, int offset, int axis1, int axis2, StreamOrDevice s = {});
array trace(const array& a, StreamOrDevice s = {});
// Element strides and an element offset into the row-major content of a. Unlike the original it throws
// std::invalid_argument for what lies outside.
array as_strided(array a, Shape shape, Strides strides, size_t offset, StreamOrDevice s = {});

// Joining and repeating
array concatenate(std::vector<array> arrays, int axis, StreamOrDevice s = {});
array concatenate(std::vector<array> arrays, StreamOrDevice s = {});
array stack(const std::vector<array>& arrays, int axis, StreamOrDevice s = {});
array stack(const std::vector<array>& arrays, StreamOrDevice s = {});
array repeat(const array& arr, int repeats, int axis, StreamOrDevice s = {});
array repeat(const array& arr, int repeats, StreamOrDevice s = {});
array tile(const array& arr, std::vector<int> reps, StreamOrDevice s = {});
array roll(const array& a, int shift, StreamOrDevice s = {});
array roll(const array& a, const Shape& shift, StreamOrDevice s = {});
array roll(const array& a, int shift, int axis, StreamOrDevice s = {});
array roll(const array& a, int shift, const std::vector<int>& axes, StreamOrDevice s = {});
array roll(const array& a, const Shape& shift, int axis, StreamOrDevice s = {});
array roll(const array& a, const Shape& shift, const std::vector<int>& axes, StreamOrDevice s = {});
// Modes: constant, edge, reflect, symmetric.
array pad(const array& a, const std::vector<int>& axes, const Shape& low_pad_size, const Shape& high_pad_size,
          const array& pad_value = array(0), const std::string& mode = "constant", StreamOrDevice s = {});
array pad(const array& a, const std::vector<std::pair<int, int>>& pad_width, const array& pad_value = array(0),
          const std::string& mode = "constant", StreamOrDevice s = {});
array pad(const array& a, const std::pair<int, int>& pad_width, const array& pad_value = array(0),
          const std::string& mode = "constant", StreamOrDevice s = {});
array pad(const array& a, int pad_width, const array& pad_value = array(0), const std::string& mode = "constant",
          StreamOrDevice s = {});

// Indexing by arrays of integers. Negative indices count from the end; one out of range throws AxisError when the
// array is evaluated. No derivative passes through indices: that throws std::invalid_argument.
array gather(const array& a, const std::vector<array>& indices, const std::vector<int>& axes, const Shape& slice_sizes,
             StreamOrDevice s = {});
inline array gather(const array& a, const array& indices, int axis, const Shape& slice_sizes, StreamOrDevice s = {}) {
  return gather(a, std::vector<array>{indices}, std::vector<int>{axis}, slice_sizes, s);
}
array take(const array& a, const array& indices, int axis, StreamOrDevice s = {});
array take(const array& a, int index, int axis, StreamOrDevice s = {});
array take(const array& a, const array& indices, StreamOrDevice s = {});
array take(const array& a, int index, StreamOrDevice s = {});
array take_along_axis(const array& a, const array& indices, int axis, StreamOrDevice s = {});
// Of values written to one place the last in row-major order of the updates stays; sums are taken in that order.
array put_along_axis(const array& a, const array& indices, const array& values, int axis, StreamOrDevice s = {});
array scatter_add_axis(const array& a, const array& indices, const array& values, int axis, StreamOrDevice s = {});
array scatter(const array& a, const std::vector<array>& indices, const array& updates,
              const std::vector<int>& axes, StreamOrDevice s = {});
inline array scatter(const array& a, const array& indices, const array& updates, int axis, StreamOrDevice s = {}) {
  return scatter(a, std::vector<array>{indices}, updates, std::vector<int>{axis}, s);
}
array scatter_add(const array& a, const std::vector<array>& indices, const array& updates,
                  const std::vector<int>& axes, StreamOrDevice s = {});
inline array scatter_add(const array& a, const array& indices, const array& updates, int axis, StreamOrDevice s = {}) {
  return scatter_add(a, std::vector<array>{indices}, updates, std::vector<int>{axis}, s);
}
array scatter_prod(const array& a, const std::vector<array>& indices, const array& updates,
                   const std::vector<int>& axes, StreamOrDevice s = {});
inline array scatter_prod(const array& a, const array& indices, const array& updates, int axis, StreamOrDevice s = {}) {
  return scatter_prod(a, std::vector<array>{indices}, updates, std::vector<int>{axis}, s);
}
array scatter_max(const array& a, const std::vector<array>& indices, const array& updates,
                  const std::vector<int>& axes, StreamOrDevice s = {});
inline array scatter_max(const array& a, const array& indices, const array& updates, int axis, StreamOrDevice s = {}) {
  return scatter_max(a, std::vector<array>{indices}, updates, std::vector<int>{axis}, s);
}
array scatter_min(const array& a, const std::vector<array>& indices, const array& updates,
                  const std::vector<int>& axes, StreamOrDevice s = {});
inline array scatter_min(const array& a, const array& indices, const array& updates, int axis, StreamOrDevice s = {}) {
  return scatter_min(a, std::vector<array>{indices}, updates, std::vector<int>{axis}, s);
}

// The elements where mask is true, in row-major order, replaced by the elements of src in order. The mask has the
// leading axes of a.
array masked_scatter(const array& a, const array& mask, const array& src, StreamOrDevice s = {});

// Shapes that depend on values: these evaluate their input, so they throw inside vmap and compile. With a size they
// do not; what is missing is then filled with fill_value.
// The indices of the elements that are not zero, one array per axis; in the flat array; and as the rows of a matrix.
std::vector<array> nonzero(const array& a, std::optional<int64_t> size = std::nullopt,
                           const std::optional<array>& fill_value = std::nullopt, StreamOrDevice s = {});
array flatnonzero(const array& a, std::optional<int64_t> size = std::nullopt,
                  const std::optional<array>& fill_value = std::nullopt, StreamOrDevice s = {});
array argwhere(const array& a, std::optional<int64_t> size = std::nullopt,
               const std::optional<array>& fill_value = std::nullopt, StreamOrDevice s = {});
// The entries of a along an axis (without one: of the flat array) where a vector is not zero.
array compress(const array& condition, const array& a, std::optional<int> axis = std::nullopt,
               std::optional<int64_t> size = std::nullopt, const std::optional<array>& fill_value = std::nullopt,
               StreamOrDevice s = {});
// How often each value occurs in a vector of non-negative integers, or the sum of the weights of each; at least
// min_length of them. With a size so many, and values out of range do not count.
array bincount(const array& a, const std::optional<array>& weights = std::nullopt, int64_t min_length = 0,
               std::optional<int64_t> size = std::nullopt, StreamOrDevice s = {});
struct UniqueResult {
  array values, index, inverse, counts;
};
// The distinct values, sorted; index is that of the first of each, inverse the place of each element among the values.
UniqueResult unique(const array& a, std::optional<int64_t> size = std::nullopt,
                    const std::optional<array>& fill_value = std::nullopt, StreamOrDevice s = {});

// Sorting: stable, NaN last, -0 equal to 0, complex numbers by real, then imaginary part. Without an axis the array
// is flattened. Indices are uint32.
array sort(const array& a, int axis, StreamOrDevice s = {});
array sort(const array& a, StreamOrDevice s = {});
array argsort(const array& a, int axis, StreamOrDevice s = {});
array argsort(const array& a, StreamOrDevice s = {});
array partition(const array& a, int kth, int axis, StreamOrDevice s = {});
array partition(const array& a, int kth, StreamOrDevice s = {});
array argpartition(const array& a, int kth, int axis, StreamOrDevice s = {});
array argpartition(const array& a, int kth, StreamOrDevice s = {});
array topk(const array& a, int k, int axis, StreamOrDevice s = {});
array topk(const array& a, int k, StreamOrDevice s = {});
// The place of each value in a sorted vector: before (left) or behind (right) what equals it.
array searchsorted(const array& sorted_sequence, const array& values, const std::string& side = "left",
                   StreamOrDevice s = {});

// Reductions
#define MLX_REDUCTION(function)                                                                             \
  array function(const array& a, const std::vector<int>& axes, bool keepdims = false, StreamOrDevice s = {}); \
  array function(const array& a, bool keepdims, StreamOrDevice s = {});                                      \
  array function(const array& a, int axis, bool keepdims = false, StreamOrDevice s = {});                    \
  inline array function(const array& a, StreamOrDevice s = {}) { return function(a, false, s); }
MLX_REDUCTION(all)
MLX_REDUCTION(any)
MLX_REDUCTION(sum)
MLX_REDUCTION(prod)
MLX_REDUCTION(min)
MLX_REDUCTION(max)
MLX_REDUCTION(mean)
MLX_REDUCTION(logsumexp)
#undef MLX_REDUCTION
#define MLX_SPREAD(function)                                                                                    \
  array function(const array& a, const std::vector<int>& axes, bool keepdims = false, int ddof = 0,             \
                 StreamOrDevice s = {});                                                                        \
  array function(const array& a, bool keepdims, int ddof = 0, StreamOrDevice s = {});                           \
  array function(const array& a, int axis, bool keepdims = false, int ddof = 0, StreamOrDevice s = {});         \
  inline array function(const array& a, StreamOrDevice s = {}) { return function(a, false, 0, s); }
MLX_SPREAD(var)
MLX_SPREAD(std)
#undef MLX_SPREAD
#define MLX_SEARCH(function)                                                                                    \
  array function(const array& a, bool keepdims, StreamOrDevice s = {});                                         \
  array function(const array& a, int axis, bool keepdims = false, StreamOrDevice s = {});                       \
  inline array function(const array& a, StreamOrDevice s = {}) { return function(a, false, s); }
MLX_SEARCH(argmin)
MLX_SEARCH(argmax)
#undef MLX_SEARCH
array softmax(const array& a, const std::vector<int>& axes, bool precise = false, StreamOrDevice s = {});
array softmax(const array& a, bool precise = false, StreamOrDevice s = {});
inline array softmax(const array& a, int axis, bool precise = false, StreamOrDevice s = {}) {
  return softmax(a, std::vector<int>{axis}, precise, s);
}

array count_nonzero(const array& a, const std::vector<int>& axes, bool keepdims = false, StreamOrDevice s = {});
array count_nonzero(const array& a, int axis, bool keepdims = false, StreamOrDevice s = {});
array count_nonzero(const array& a, bool keepdims = false, StreamOrDevice s = {});
array median(const array& a, const std::vector<int>& axes, bool keepdims = false, StreamOrDevice s = {});
array median(const array& a, int axis, bool keepdims = false, StreamOrDevice s = {});
array median(const array& a, bool keepdims, StreamOrDevice s = {});
inline array median(const array& a, StreamOrDevice s = {}) { return median(a, false, s); }
std::pair<array, array> minmax(const array& a, const std::vector<int>& axes, bool keepdims = false,
                               StreamOrDevice s = {});
std::pair<array, array> minmax(const array& a, bool keepdims = false, StreamOrDevice s = {});

// Scans: element i combines the elements up to i (reverse: from i on), itself included unless inclusive is false.
// Without an axis the array is flattened. A dtype is the one of the sum.
#define MLX_SCAN(function)                                                                                    \
  array function(const array& a, bool reverse = false, bool inclusive = true, StreamOrDevice s = {});         \
  array function(const array& a, int axis, bool reverse = false, bool inclusive = true, StreamOrDevice s = {});
#define MLX_SCAN_OF(function)                                                                                 \
  array function(const array& a, bool reverse = false, bool inclusive = true,                                 \
                 std::optional<Dtype> dtype = std::nullopt, StreamOrDevice s = {});                           \
  array function(const array& a, int axis, bool reverse = false, bool inclusive = true,                       \
                 std::optional<Dtype> dtype = std::nullopt, StreamOrDevice s = {});                           \
  inline array function(const array& a, bool reverse, bool inclusive, StreamOrDevice s) {                     \
    return function(a, reverse, inclusive, std::nullopt, s);                                                  \
  }                                                                                                           \
  inline array function(const array& a, int axis, bool reverse, bool inclusive, StreamOrDevice s) {           \
    return function(a, axis, reverse, inclusive, std::nullopt, s);                                            \
  }
MLX_SCAN_OF(cumsum)
MLX_SCAN_OF(cumprod)
MLX_SCAN(cummax)
MLX_SCAN(cummin)
MLX_SCAN(logcumsumexp)
#undef MLX_SCAN_OF
#undef MLX_SCAN
// The n-th difference of neighbours along an axis.
array diff(const array& a, int n = 1, int axis = -1, StreamOrDevice s = {});

// Comparisons of whole arrays, limits of values
// A bool: equal shapes and elements; with equal_nan NaN equals NaN.
array array_equal(const array& a, const array& b, bool equal_nan, StreamOrDevice s = {});
inline array array_equal(const array& a, const array& b, StreamOrDevice s = {}) { return array_equal(a, b, false, s); }
// |a - b| <= atol + rtol |b|
array isclose(const array& a, const array& b, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false,
              StreamOrDevice s = {});
array allclose(const array& a, const array& b, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false,
               StreamOrDevice s = {});
// minimum(maximum(a, a_min), a_max)
array clip(const array& a, const std::optional<array>& a_min = std::nullopt,
           const std::optional<array>& a_max = std::nullopt, StreamOrDevice s = {});
// NaN and infinities replaced; by default by 0 and the largest finite values.
array nan_to_num(const array& a, float nan = 0.0f, const std::optional<float>& posinf = std::nullopt,
                 const std::optional<float>& neginf = std::nullopt, StreamOrDevice s = {});

// Products and convolutions
// Sums over the last axis of both.
array inner(const array& a, const array& b, StreamOrDevice s = {});
// All products of an element of a with one of b, both flattened.
array outer(const array& a, const array& b, StreamOrDevice s = {});
// Sums over the last axes of a and the first of b, or over the axes named.
array tensordot(const array& a, const array& b, const int axis = 2, StreamOrDevice s = {});
array tensordot(const array& a, const array& b, const std::vector<int>& axes_a, const std::vector<int>& axes_b,
                StreamOrDevice s = {});
// a (..., m, k) @ b (..., k, n); leading axes broadcast, a vector is a matrix of one row (a) or column (b).
array matmul(const array& a, const array& b, StreamOrDevice s = {});
// alpha * (a @ b) + beta * c
array addmm(array c, array a, array b, const float& alpha = 1.f, const float& beta = 1.f, StreamOrDevice s = {});
// input (batch, spatial..., channels), weight (outputs, spatial..., channels / groups), 1 to 3 spatial dimensions.
array conv_general(array input, array weight, std::vector<int> stride = {}, std::vector<int> padding_lo = {},
                   std::vector<int> padding_hi = {}, std::vector<int> kernel_dilation = {},
                   std::vector<int> input_dilation = {}, int groups = 1, bool flip = false, StreamOrDevice s = {});
array conv1d(const array& input, const array& weight, int stride = 1, int padding = 0, int dilation = 1,
             int groups = 1, StreamOrDevice s = {});
array conv2d(const array& input, const array& weight, const std::pair<int, int>& stride = {1, 1},
             const std::pair<int, int>& padding = {0, 0}, const std::pair<int, int>& dilation = {1, 1},
             int groups = 1, StreamOrDevice s = {});
array conv3d(const array& input, const array& weight, const std::tuple<int, int, int>& stride = {1, 1, 1},
             const std::tuple<int, int, int>& padding = {0, 0, 0},
             const std::tuple<int, int, int>& dilation = {1, 1, 1}, int groups = 1, StreamOrDevice s = {});
inline array conv_general(const array& input, const array& weight, std::vector<int> stride, std::vector<int> padding,
                          std::vector<int> kernel_dilation, std::vector<int> input_dilation, int groups = 1,
                          bool flip = false, StreamOrDevice s = {}) {
  return conv_general(input, weight, std::move(stride), padding, padding, std::move(kernel_dilation),
                      std::move(input_dilation), groups, flip, s);
}
// The gradient of a convolution with respect to its input: weight (outputs, spatial..., channels / groups).
array conv_transpose1d(const array& input, const array& weight, int stride = 1, int padding = 0, int dilation = 1,
                       int output_padding = 0, int groups = 1, StreamOrDevice s = {});
array conv_transpose2d(const array& input, const array& weight, const std::pair<int, int>& stride = {1, 1},
                       const std::pair<int, int>& padding = {0, 0}, const std::pair<int, int>& dilation = {1, 1},
                       const std::pair<int, int>& output_padding = {0, 0}, int groups = 1, StreamOrDevice s = {});
array conv_transpose3d(const array& input, const array& weight, const std::tuple<int, int, int>& stride = {1, 1, 1},
                       const std::tuple<int, int, int>& padding = {0, 0, 0},
                       const std::tuple<int, int, int>& dilation = {1, 1, 1},
                       const std::tuple<int, int, int>& output_padding = {0, 0, 0}, int groups = 1,
                       StreamOrDevice s = {});
// Convolution of two vectors as in signal processing. Modes: full, same, valid.
array convolve(const array& a, const array& v, const std::string& mode = "full", StreamOrDevice s = {});
// The Kronecker product.
array kron(const array& a, const array& b, StreamOrDevice s = {});
// The sum of conj(a) * b along an axis.
array vecdot(const array& a, const array& b, int axis = -1, StreamOrDevice s = {});
// y = scale H x over the last axis, of size m 2^k with m = 1, 12, 20 or 28; the default scale is 1 / sqrt(size).
array hadamard_transform(const array& a, std::optional<float> scale = std::nullopt, StreamOrDevice s = {});
// matmul of blocks: a block of block_size rows and columns of an operand or of the result is multiplied by its entry
// of the mask (a bool mask keeps or zeroes it).
array block_masked_mm(array a, array b, int block_size, std::optional<array> mask_out = std::nullopt,
                      std::optional<array> mask_lhs = std::nullopt, std::optional<array> mask_rhs = std::nullopt,
                      StreamOrDevice s = {});
// matmul of the matrices that the indices name, which count over the flattened batch axes and broadcast.
array gather_mm(array a, array b, std::optional<array> lhs_indices = std::nullopt,
                std::optional<array> rhs_indices = std::nullopt, bool sorted_indices = false, StreamOrDevice s = {});
// a (m, k) @ b (k, n) over the columns [start, end) of each of the segments (..., 2): (..., m, n).
array segmented_mm(array a, array b, array segments, StreamOrDevice s = {});

// Quantization. Modes: affine (groups of 32, 64 or 128 values, 1 to 6 or 8 bits), mxfp4, mxfp8 (OCP Microscaling
// Formats, 2023), nvfp4. Without group_size or bits the mode's defaults.
// The packed values, the scales and, for affine, the biases.
std::vector<array> quantize(const array& w, std::optional<int> group_size = std::nullopt,
                            std::optional<int> bits = std::nullopt, const std::string& mode = "affine",
                            const std::optional<array>& global_scale = std::nullopt, StreamOrDevice s = {});
array dequantize(const array& w, const array& scales, const std::optional<array>& biases = std::nullopt,
                 std::optional<int> group_size = std::nullopt, std::optional<int> bits = std::nullopt,
                 const std::string& mode = "affine", const std::optional<array>& global_scale = std::nullopt,
                 std::optional<Dtype> dtype = std::nullopt, StreamOrDevice s = {});
// x @ w, or x @ w.T where transpose is true, for a quantized w.
array quantized_matmul(const array& x, const array& w, const array& scales,
                       const std::optional<array>& biases = std::nullopt, bool transpose = true,
                       std::optional<int> group_size = std::nullopt, std::optional<int> bits = std::nullopt,
                       const std::string& mode = "affine", StreamOrDevice s = {});
array gather_qmm(const array& x, const array& w, const array& scales,
                 const std::optional<array>& biases = std::nullopt,
                 std::optional<array> lhs_indices = std::nullopt, std::optional<array> rhs_indices = std::nullopt,
                 bool transpose = true, std::optional<int> group_size = std::nullopt,
                 std::optional<int> bits = std::nullopt, const std::string& mode = "affine",
                 bool sorted_indices = false, StreamOrDevice s = {},
                 const std::optional<array>& global_scale = std::nullopt);
// The product x @ w.T with x quantized as w is. w is packed, or floating and then quantized too.
array qqmm(const array& x, const array& w, const std::optional<array>& w_scales = std::nullopt,
           std::optional<int> group_size = std::nullopt, std::optional<int> bits = std::nullopt,
           const std::string& mode = "nvfp4", const std::optional<array>& global_scale_x = std::nullopt,
           const std::optional<array>& global_scale_w = std::nullopt, StreamOrDevice s = {});
array gather_qqmm(const array& x, const array& w, const std::optional<array>& scales_w = std::nullopt,
                  const std::optional<array>& lhs_indices = std::nullopt,
                  const std::optional<array>& rhs_indices = std::nullopt,
                  std::optional<int> group_size = std::nullopt, std::optional<int> bits = std::nullopt,
                  const std::string& mode = "nvfp4", const std::optional<array>& global_scale_x = std::nullopt,
                  const std::optional<array>& global_scale_w = std::nullopt, bool sorted_indices = false,
                  StreamOrDevice s = {});
// Floats as the uint8 codes of e4m3 (4 exponent bits, 3 of mantissa, no infinity), and back.
array to_fp8(array x, StreamOrDevice s = {});
array from_fp8(array x, Dtype dtype, StreamOrDevice s = {});

// Operators. A C++ scalar becomes an array of its own type (double: float32), so it takes part in promotion.
template <typename T>
inline constexpr bool is_operand_v = is_scalar_v<T> || std::is_same_v<T, std::complex<float>>;
#define MLX_BINARY_OPERATOR(symbol, function)                                                       \
  inline array operator symbol(const array& a, const array& b) { return function(a, b); }           \
  template <typename T, typename = std::enable_if_t<is_operand_v<T>>>                               \
  array operator symbol(T a, const array& b) {                                                      \
    return function(array(a), b);                                                                   \
  }                                                                                                 \
  template <typename T, typename = std::enable_if_t<is_operand_v<T>>>                               \
  array operator symbol(const array& a, T b) {                                                      \
    return function(a, array(b));                                                                   \
  }
MLX_BINARY_OPERATOR(+, add)
MLX_BINARY_OPERATOR(-, subtract)
MLX_BINARY_OPERATOR(*, multiply)
MLX_BINARY_OPERATOR(/, divide)
MLX_BINARY_OPERATOR(%, remainder)
MLX_BINARY_OPERATOR(==, equal)
MLX_BINARY_OPERATOR(!=, not_equal)
MLX_BINARY_OPERATOR(<, less)
MLX_BINARY_OPERATOR(<=, less_equal)
MLX_BINARY_OPERATOR(>, greater)
MLX_BINARY_OPERATOR(>=, greater_equal)
#undef MLX_BINARY_OPERATOR
inline array operator&&(const array& a, const array& b) { return logical_and(a, b); }
inline array operator||(const array& a, const array& b) { return logical_or(a, b); }
inline array operator&(const array& a, const array& b) { return bitwise_and(a, b); }
inline array operator|(const array& a, const array& b) { return bitwise_or(a, b); }
inline array operator^(const array& a, const array& b) { return bitwise_xor(a, b); }
inline array operator<<(const array& a, const array& b) { return left_shift(a, b); }
inline array operator>>(const array& a, const array& b) { return right_shift(a, b); }
inline array operator-(const array& a) { return negative(a); }
inline array operator!(const array& a) { return logical_not(a); }
inline array operator~(const array& a) { return bitwise_invert(a); }

}  // namespace mlx::core
