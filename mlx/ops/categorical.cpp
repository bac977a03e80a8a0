// Draws from discrete distributions.

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/axes.h"
#include "mlx/random.h"

namespace mlx::core::random {

namespace {

int class_axis(const array& logits, int axis) {
  int ax = checked_axis("categorical", axis, logits.ndim());
  if (logits.size() == 0) raise("[categorical] There is nothing to draw from logits of shape ", logits.shape(), ".");
  return ax;
}

Shape without(Shape shape, int axis) {
  shape.erase(shape.begin() + axis);
  return shape;
}

// One distribution and many draws: uniform numbers are looked up in the sums of the weights.
array by_search(const array& logits, const Shape& shape, const std::optional<array>& key, StreamOrDevice s) {
  array x = astype(flatten(logits, s), float32, s), largest = max(x, true, s);
  array at_largest = astype(equal(x, largest, s), float32, s);
  array weights = where(isinf(largest, s), at_largest, exp(subtract(x, largest, s), s), s);
  array below = cumsum(weights, 0, false, false, std::nullopt, s);
  array drawn = multiply(uniform(shape, float32, key, s), sum(weights, false, s), s);
  return subtract(searchsorted(below, drawn, "right", s), array(1, uint32), s);
}

// The largest of the logits, each with Gumbel noise of its own. `last` counts the class axis from the end.
array by_noise(const array& logits, int last, const Shape& shape, const std::optional<array>& key, StreamOrDevice s) {
  int axis = static_cast<int>(shape.size()) + 1 + last;
  Shape noisy = shape;
  noisy.insert(noisy.begin() + axis, logits.shape(last));
  return argmax(add(gumbel(noisy, float32, key, s), logits, s), axis, false, s);
}

}  // namespace

array categorical(const array& logits, int axis, const Shape& shape, const std::optional<array>& key,
                  StreamOrDevice s) {
  int ax = class_axis(logits, axis);
  Shape rest = without(logits.shape(), ax);
  if (broadcast_shapes(shape, rest) != shape) {
    raise("[categorical] Draws of shape ", shape, " do not fit logits of shape ", logits.shape(),
          " with classes along axis ", ax, ".");
  }
  note_size_read();
  if (!shape.empty() && logits.shape(ax) == static_cast<ShapeElem>(logits.size())) {
    return by_search(logits, shape, key, s);
  }
  return by_noise(logits, ax - static_cast<int>(logits.ndim()), shape, key, s);
}

array categorical(const array& logits, int axis, int num_samples, const std::optional<array>& key,
                  StreamOrDevice s) {
  int ax = class_axis(logits, axis);
  if (num_samples < 0) raise("[categorical] The number of samples cannot be negative, but is ", num_samples, ".");
  Shape shape = without(logits.shape(), ax);
  shape.push_back(num_samples);
  return categorical(expand_dims(logits, -1, s), ax, shape, key, s);
}

array categorical(const array& logits, int axis, const std::optional<array>& key, StreamOrDevice s) {
  int ax = class_axis(logits, axis);
  return categorical(logits, ax, without(logits.shape(), ax), key, s);
}

}  // namespace mlx::core::random
