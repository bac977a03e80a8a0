// searchsorted.

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/index_primitives.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/search_primitives.h"

namespace mlx::core {

namespace {

array search(const array& sequence, const array& values, bool right, const Stream& s) {
  return array(values.shape(), uint32, std::make_shared<SearchSorted>(s, right), {sequence, values});
}

void check_length(ShapeElem n) {
  if (n >= (ShapeElem{1} << 32)) {
    raise<std::overflow_error>("[searchsorted] Places in a sequence of size ", n, " do not fit in uint32.");
  }
}

}  // namespace

array searchsorted(const array& sorted_sequence, const array& values, const std::string& side, StreamOrDevice s) {
  if (side != "left" && side != "right") raise("[searchsorted] Side must be left or right, but is ", side, ".");
  if (sorted_sequence.ndim() != 1) {
    raise("[searchsorted] The sorted sequence must be a vector, but has shape ", sorted_sequence.shape(), ".");
  }
  check_length(sorted_sequence.shape(0));
  Stream stream = to_stream(s);
  Dtype dtype = result_type(sorted_sequence, values);
  return search(astype(sorted_sequence, dtype, stream), astype(values, dtype, stream), side == "right", stream);
}

std::vector<Shape> SearchSorted::output_shapes(const Arrays& inputs) {
  check_length(inputs[0].shape(-1));
  return {inputs[1].shape()};
}
Arrays SearchSorted::jvp(const Arrays& primals, const Arrays&, const std::vector<int>&) {
  return {zeros_like(primals[1], uint32, stream())};
}
Arrays SearchSorted::vjp(const Arrays& primals, const Arrays&, const std::vector<int>& argnums, const Arrays&) {
  Arrays result;
  for (int i : argnums) result.push_back(zeros_like(primals[i], stream()));
  return result;
}
// An unbatched sequence serves all values.
std::pair<Arrays, std::vector<int>> SearchSorted::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  if (axes[0] < 0 && inputs[0].ndim() == 1) return {{search(inputs[0], inputs[1], right_, stream())}, {axes[1]}};
  ShapeElem size = batch_size(inputs, axes);
  array sequence = batch_to_front(inputs[0], axes[0], size, stream());
  return {{search(sequence, batch_to_front(inputs[1], axes[1], size, stream()), right_, stream())}, {0}};
}

}  // namespace mlx::core
