// See batching.h.

#include "mlx/ops/batching.h"

#include <algorithm>

#include "mlx/ops.h"

namespace mlx::core {

std::vector<array> align_batch(const std::vector<array>& inputs, const std::vector<int>& axes, const Stream& s) {
  int ndim = 0;  // without the batch axis
  for (size_t i = 0; i < inputs.size(); i++) {
    ndim = std::max(ndim, static_cast<int>(inputs[i].ndim()) - (axes[i] >= 0));
  }
  std::vector<array> aligned;
  for (size_t i = 0; i < inputs.size(); i++) {
    array x = axes[i] > 0 ? moveaxis(inputs[i], axes[i], 0, s) : inputs[i];
    bool batched = axes[i] >= 0;
    int missing = ndim - (static_cast<int>(x.ndim()) - batched);
    if (missing > 0 || !batched) {
      Shape shape = x.shape();
      shape.insert(shape.begin() + batched, static_cast<size_t>(missing), 1);
      if (!batched) shape.insert(shape.begin(), 1);
      x = reshape(x, shape, s);
    }
    aligned.push_back(std::move(x));
  }
  return aligned;
}

array batch_to_front(const array& x, int axis, ShapeElem size, const Stream& s) {
  if (axis > 0) return moveaxis(x, axis, 0, s);
  if (axis == 0) return x;
  Shape shape = x.shape();
  shape.insert(shape.begin(), size);
  return broadcast_to(x, shape, s);
}

ShapeElem batch_size(const std::vector<array>& inputs, const std::vector<int>& axes) {
  for (size_t i = 0; i < inputs.size(); i++) {
    if (axes[i] >= 0) return inputs[i].shape(axes[i]);
  }
  return 1;
}

array sum_to_shape(const array& x, const Shape& shape, const Stream& s) {
  if (x.shape() == shape) return x;
  if (x.ndim() < shape.size()) return broadcast_to(x, shape, s);
  int extra = static_cast<int>(x.ndim() - shape.size());
  std::vector<int> axes;
  for (int i = 0; i < static_cast<int>(x.ndim()); i++) {
    if (i < extra || (shape[i - extra] == 1 && x.shape(i) != 1)) axes.push_back(i);
  }
  array summed = axes.empty() ? x : sum(x, axes, true, s);
  array shaped = extra ? reshape(summed, Shape(summed.shape().begin() + extra, summed.shape().end()), s) : summed;
  return shaped.shape() == shape ? shaped : broadcast_to(shaped, shape, s);
}

}  // namespace mlx::core
