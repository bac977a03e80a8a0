// slice_update and its accumulating variants: a copy of the source with a regular part replaced.

#include "mlx/core/error.h"
#include "mlx/ops.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/slice_primitives.h"

namespace mlx::core {

namespace {

constexpr const char* names[] = {"slice_update", "slice_update_add", "slice_update_prod", "slice_update_max",
                                 "slice_update_min"};

array checked_update(Combine mode, const array& src, const array& update, Shape start, Shape stop, Shape strides,
                     StreamOrDevice s) {
  const char* name = names[static_cast<int>(mode)];
  SliceRequest r = slice_request(name, src, std::move(start), std::move(stop), std::move(strides));
  return slice_update(mode, src, update, r, to_stream(s));
}

}  // namespace

array slice_update(Combine mode, const array& src, const array& update, const SliceRequest& request, const Stream& s) {
  const char* name = names[static_cast<int>(mode)];
  Shape region = request.resolve(src.shape(), name).shape;
  bool fits = update.ndim() <= region.size();
  for (size_t i = 0; fits && i < update.ndim(); i++) {
    ShapeElem n = update.shape()[i];
    fits = n == 1 || n == region[region.size() - update.ndim() + i];
  }
  if (!fits) {
    raise("[", name, "] Cannot broadcast an update of shape ", update.shape(), " to a slice of shape ", region, ".");
  }
  return array(src.shape(), src.dtype(), std::make_shared<SliceUpdate>(s, mode, request),
               {src, astype(update, src.dtype(), s)});
}

#define MLX_SLICE_UPDATE(function, mode)                                                                        \
  array function(const array& src, const array& update, Shape start, Shape stop, Shape strides,                 \
                 StreamOrDevice s) {                                                                            \
    return checked_update(Combine::mode, src, update, std::move(start), std::move(stop), std::move(strides), s); \
  }                                                                                                             \
  array function(const array& src, const array& update, Shape start, Shape stop, StreamOrDevice s) {            \
    return function(src, update, std::move(start), std::move(stop), Shape(src.ndim(), 1), s);                   \
  }
MLX_SLICE_UPDATE(slice_update, Set)
MLX_SLICE_UPDATE(slice_update_add, Sum)
MLX_SLICE_UPDATE(slice_update_prod, Prod)
MLX_SLICE_UPDATE(slice_update_max, Max)
MLX_SLICE_UPDATE(slice_update_min, Min)
#undef MLX_SLICE_UPDATE

std::vector<Shape> SliceUpdate::output_shapes(const Arrays& inputs) {
  Shape region = request_.resolve(inputs[0].shape(), names[static_cast<int>(mode_)]).shape;
  if (broadcast_shapes(inputs[1].shape(), region) != region) {
    raise("[", names[static_cast<int>(mode_)], "] Cannot broadcast an update of shape ", inputs[1].shape(),
          " to a slice of shape ", region, ".");
  }
  return {inputs[0].shape()};
}

// Where the source's value stays, as ones of its dtype. Equal values count as replaced, as in maximum and minimum.
array SliceUpdate::extreme_mask(const array& source_part, const array& update) const {
  array stays = mode_ == Combine::Max ? greater(source_part, update, stream()) : less(source_part, update, stream());
  return astype(stays, source_part.dtype(), stream());
}

namespace {
array one_minus(const array& x, const Stream& s) { return subtract(array(1, x.dtype()), x, s); }
}  // namespace

Arrays SliceUpdate::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  const Stream& s = stream();
  array source_t = argnums[0] == 0 ? tangents[0] : zeros_like(primals[0], s);
  array update_t = argnums.back() == 1 ? tangents.back() : zeros_like(primals[1], s);
  if (mode_ == Combine::Set || mode_ == Combine::Sum) return {slice_update(mode_, source_t, update_t, request_, s)};
  array part = slice(primals[0], request_, s), part_t = slice(source_t, request_, s);
  if (mode_ == Combine::Prod) {
    array t = add(multiply(part_t, primals[1], s), multiply(part, update_t, s), s);
    return {slice_update(Combine::Set, source_t, t, request_, s)};
  }
  array stays = extreme_mask(part, primals[1]);
  array t = add(multiply(part_t, stays, s), multiply(update_t, one_minus(stays, s), s), s);
  return {slice_update(Combine::Set, source_t, t, request_, s)};
}

Arrays SliceUpdate::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                        const Arrays&) {
  const Stream& s = stream();
  const array &ct = cotangents[0], &update = primals[1];
  bool is_extreme = mode_ == Combine::Max || mode_ == Combine::Min;
  array part = slice(primals[0], request_, s);
  array stays = is_extreme ? extreme_mask(part, update) : update;  // the factor of the source's part
  Arrays result;
  for (int i : argnums) {
    if (i == 0) {
      if (mode_ == Combine::Sum) result.push_back(ct);
      else if (mode_ == Combine::Set) result.push_back(slice_update(mode_, ct, array(0, ct.dtype()), request_, s));
      else result.push_back(slice_update(Combine::Prod, ct, conjugate(stays, s), request_, s));
    } else {
      array g = slice(ct, request_, s);
      if (mode_ == Combine::Prod) g = multiply(g, conjugate(part, s), s);
      if (is_extreme) g = multiply(g, one_minus(stays, s), s);
      result.push_back(sum_to_shape(g, update.shape(), s));
    }
  }
  return result;
}

std::pair<Arrays, std::vector<int>> SliceUpdate::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  array src = batch_to_front(inputs[0], axes[0], batch_size(inputs, axes), stream());
  Arrays aligned = align_batch({src, inputs[1]}, {0, axes[1]}, stream());
  return {{slice_update(mode_, src, aligned[1], request_.batched(), stream())}, {0}};
}

}  // namespace mlx::core
