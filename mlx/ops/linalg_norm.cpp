// norm and cross: compositions of other operations.

#include <algorithm>
#include <cmath>

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/linalg.h"
#include "mlx/ops.h"
#include "mlx/ops/linalg_nodes.h"
#include "mlx/ops/reduce_axes.h"

namespace mlx::core::linalg {

namespace {

// What is summed, and the dtype of the result: integers become float32, half types are summed in
// float32.
struct NormOperand {
  array x;
  Dtype result;
};
NormOperand norm_operand(const array& a, StreamOrDevice s) {
  if (!issubdtype(a.dtype(), inexact)) return {astype(a, float32, s), float32};
  bool is_half = a.dtype() == float16 || a.dtype() == bfloat16;
  return {is_half ? astype(a, float32, s) : a, a.dtype() == complex64 ? float32 : a.dtype()};
}

std::vector<int> norm_axes(const array& a, const std::optional<std::vector<int>>& axis,
                           bool has_order) {
  if (!axis && has_order && (a.ndim() < 1 || a.ndim() > 2)) {
    raise("[norm] With an order but no axis the array must have one or two dimensions, but has ",
          a.ndim(), ".");
  }
  if (!axis) return all_axes(a);
  std::vector<int> axes = checked_axes("norm", *axis, a.ndim());
  if (axes.size() > 2) raise("[norm] At most two axes make a norm, but got ", axes, ".");
  return axes;
}

array squares(const array& x, StreamOrDevice s) {
  if (x.dtype() != complex64) return square(x, s);
  return add(square(real(x, s), s), square(imag(x, s), s), s);
}

array euclidean(const array& x, const std::vector<int>& axes, bool keepdims, StreamOrDevice s) {
  return axes.empty() ? abs(x, s) : sqrt(sum(squares(x, s), axes, keepdims, s), s);
}

void check_not_empty(const array& x, const std::vector<int>& axes) {
  for (int i : axes) {
    if (x.shape(i) == 0)
      raise("[norm] The largest or smallest of no elements: the array has shape ", x.shape(), ".");
  }
}

array vector_norm(const array& x, double ord, int axis, bool keepdims, StreamOrDevice s) {
  array size = abs(x, s);
  std::vector<int> axes{axis};
  if (std::isinf(ord)) {
    check_not_empty(x, axes);
    return ord > 0 ? max(size, axes, keepdims, s) : min(size, axes, keepdims, s);
  }
  if (ord == 0) {
    return sum(astype(not_equal(size, array(0, size.dtype()), s), size.dtype(), s), axes, keepdims,
               s);
  }
  if (ord == 1) return sum(size, axes, keepdims, s);
  if (ord == 2) return euclidean(x, axes, keepdims, s);
  array powers = sum(power(size, array(ord, size.dtype()), s), axes, keepdims, s);
  return power(powers, array(1 / ord, size.dtype()), s);
}

// Sums along one axis, the largest or smallest of them along the other.
array extreme_sum(const array& x, int summed, int searched, bool largest, bool keepdims,
                  StreamOrDevice s) {
  check_not_empty(x, {searched});
  array sums = sum(abs(x, s), std::vector<int>{summed}, true, s);
  array found = largest ? max(sums, std::vector<int>{searched}, true, s)
                        : min(sums, std::vector<int>{searched}, true, s);
  return keepdims ? found : squeeze(found, {summed, searched}, s);
}

array singular_values(const array& x, const std::vector<int>& axes, StreamOrDevice s) {
  std::vector<int> order = other_axes(static_cast<int>(x.ndim()), axes);
  order.insert(order.end(), axes.begin(), axes.end());
  return svd(transpose(x, order, s), false, s)[0];
}
array restore_axes(const array& x, std::vector<int> axes, bool keepdims, StreamOrDevice s) {
  std::sort(axes.begin(), axes.end());
  return keepdims ? expand_dims(x, axes, s) : x;
}

array matrix_norm(const array& x, double ord, const std::vector<int>& axes, bool keepdims,
                  StreamOrDevice s) {
  double size = std::abs(ord);
  if (size == 1) return extreme_sum(x, axes[0], axes[1], ord > 0, keepdims, s);
  if (std::isinf(ord)) return extreme_sum(x, axes[1], axes[0], ord > 0, keepdims, s);
  if (size != 2) raise("[norm] A matrix has no norm of order ", ord, ".");
  check_not_empty(x, axes);
  array values = singular_values(x, axes, s);
  array found = ord > 0 ? max(values, -1, false, s) : min(values, -1, false, s);
  return restore_axes(found, axes, keepdims, s);
}

}  // namespace

array norm(const array& a, const double ord, const std::optional<std::vector<int>>& axis,
           bool keepdims, StreamOrDevice s) {
  std::vector<int> axes = norm_axes(a, axis, true);
  auto [x, result] = norm_operand(a, s);
  array y = axes.empty()       ? abs(x, s)
            : axes.size() == 1 ? vector_norm(x, ord, axes[0], keepdims, s)
                               : matrix_norm(x, ord, axes, keepdims, s);
  return astype(y, result, s);
}

array norm(const array& a, const std::string& ord, const std::optional<std::vector<int>>& axis,
           bool keepdims, StreamOrDevice s) {
  std::vector<int> axes = norm_axes(a, axis, true);
  if (ord != "fro" && ord != "f" && ord != "nuc")
    raise("[norm] There is no norm of order '", ord, "'.");
  if (axes.size() != 2)
    raise("[norm] The order '", ord, "' needs two axes, but got ", axes.size(), ".");
  auto [x, result] = norm_operand(a, s);
  array y = ord != "nuc"
                ? euclidean(x, axes, keepdims, s)
                : restore_axes(sum(singular_values(x, axes, s), -1, false, s), axes, keepdims, s);
  return astype(y, result, s);
}

array norm(const array& a, const std::optional<std::vector<int>>& axis, bool keepdims,
           StreamOrDevice s) {
  std::vector<int> axes = norm_axes(a, axis, false);
  auto [x, result] = norm_operand(a, s);
  return astype(euclidean(x, axes, keepdims, s), result, s);
}

array cross(const array& a, const array& b, int axis, StreamOrDevice s) {
  Dtype t = result_type(a, b);
  int axis_a = checked_axis("cross", axis, a.ndim());
  int axis_b = checked_axis("cross", axis, b.ndim());
  note_size_read();
  auto parts_of = [&](const array& x, int ax) {
    ShapeElem n = x.shape(ax);
    if (n != 2 && n != 3)
      raise("[cross] Vectors have 2 or 3 elements, but axis ", axis, " has size ", n, ".");
    Arrays parts = unstack(astype(x, t, s), ax, s);
    if (n == 2) parts.push_back(zeros_like(parts[0], s));
    return parts;
  };
  Arrays u = parts_of(a, axis_a), v = parts_of(b, axis_b);
  auto minor = [&](int i, int j) {
    return subtract(multiply(u[i], v[j], s), multiply(u[j], v[i], s), s);
  };
  Arrays result{minor(1, 2), minor(2, 0), minor(0, 1)};
  int ndim = static_cast<int>(std::max(a.ndim(), b.ndim()));
  return stack(result, axis < 0 ? axis : checked_axis("cross", axis, ndim), s);
}

}  // namespace mlx::core::linalg
