// Where an array is not zero. The size of the result is a value: without a given one these evaluate their input.

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/ops.h"
#include "mlx/ops/index_primitives.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/search_primitives.h"

namespace mlx::core {

array nonzero_places(const array& mask, int64_t size, const Stream& s) {
  Shape shape = mask.shape();
  Dtype dtype = index_dtype(static_cast<size_t>(shape.back()) + 1);
  shape.back() = size;
  return array(std::move(shape), dtype, std::make_shared<NonZero>(s, size), {mask});
}

namespace {

// Pieces are counted in int32, as sums of bool are: a cast of the whole would take eight times its memory.
array count_of(const array& mask, const Stream& s) {
  constexpr ShapeElem piece = ShapeElem{1} << 30;
  array flat = flatten(mask, s);
  ShapeElem n = flat.shape(0), whole = n - n % piece;
  array count = astype(sum(slice(flat, {whole}, {n}, s), false, s), int64, s);
  if (whole == 0) return count;
  array pieces = reshape(slice(flat, {0}, {whole}, s), {whole / piece, piece}, s);
  return add(count, sum(astype(sum(pieces, 1, false, s), int64, s), false, s), s);
}

}  // namespace

int64_t count_true(const char* name, const char* parameters, const array& mask, const Stream& s) {
  array count = count_of(mask, s);
  try {
    return count.item<int64_t>();
  } catch (const NoValue&) {
    raise("[", name, "] The size of the result depends on values, which a function inside vmap or compile does not ",
          "know: give ", parameters, " for a result of fixed size.");
  }
}

void check_fixed_size(const char* name, int64_t size) {
  if (size < 0) raise("[", name, "] The size cannot be negative, but is ", size, ".");
}

array single_fill(const char* name, const array& fill_value, Dtype dtype, const Stream& s) {
  if (fill_value.size() != 1) {
    raise("[", name, "] The fill value must be a single element, but has shape ", fill_value.shape(), ".");
  }
  return astype(reshape(fill_value, {}, s), dtype, s);
}

namespace {

struct Places {
  array flat;             // size of the flat array where there is none
  std::optional<array> missing;  // a mask; nothing where all places are there
};

// `a` is flat.
Places places_of(const char* name, const array& a, std::optional<int64_t> size, const Stream& s) {
  // A bool array of another library may hold other bytes than 0 and 1; a comparison gives these.
  array mask = stop_gradient(a.dtype() == bool_ ? not_equal(a, array(false), s) : astype(a, bool_, s), s);
  if (!size) return {nonzero_places(mask, count_true(name, "size= and fill_value=", mask, s), s), std::nullopt};
  check_fixed_size(name, *size);
  note_size_read();
  array flat = nonzero_places(mask, *size, s);
  return {flat, equal(flat, array(a.shape(0), flat.dtype()), s)};
}

array filled(const char* name, const Places& places, const array& index, const std::optional<array>& fill_value,
             const Stream& s) {
  if (!places.missing) return index;
  array fill = single_fill(name, fill_value.value_or(array(0)), index.dtype(), s);
  return where(*places.missing, fill, index, s);
}

array flat_places(const char* name, const array& a, std::optional<int64_t> size,
                  const std::optional<array>& fill_value, const Stream& s) {
  Places places = places_of(name, a, size, s);
  return filled(name, places, places.flat, fill_value, s);
}

Arrays nonzero_named(const char* name, const array& a, std::optional<int64_t> size,
                     const std::optional<array>& fill_value, const Stream& s) {
  if (a.ndim() == 1) return {flat_places(name, a, size, fill_value, s)};
  Places places = places_of(name, flatten(a, s), size, s);
  note_size_read();
  array rest = places.flat;
  Arrays indices(a.ndim(), rest);
  for (size_t axis = a.ndim(); axis-- > 0;) {
    ShapeElem n = std::max<ShapeElem>(a.shape(static_cast<int>(axis)), 1);
    array size_of_axis(n, rest.dtype());
    indices[axis] = filled(name, places, remainder(rest, size_of_axis, s), fill_value, s);
    rest = floor_divide(rest, size_of_axis, s);
  }
  return indices;
}

}  // namespace

std::vector<array> nonzero(const array& a, std::optional<int64_t> size, const std::optional<array>& fill_value,
                           StreamOrDevice s) {
  if (a.ndim() == 0) raise("[nonzero] The array must have at least one dimension.");
  return nonzero_named("nonzero", a, size, fill_value, to_stream(s));
}

array flatnonzero(const array& a, std::optional<int64_t> size, const std::optional<array>& fill_value,
                  StreamOrDevice s) {
  return flat_places("flatnonzero", flatten(a, s), size, fill_value, to_stream(s));
}

array argwhere(const array& a, std::optional<int64_t> size, const std::optional<array>& fill_value,
               StreamOrDevice s) {
  Stream stream = to_stream(s);
  if (a.ndim() > 0) return stack(nonzero_named("argwhere", a, size, fill_value, stream), 1, stream);
  array flat = flat_places("argwhere", flatten(a, stream), size, fill_value, stream);
  return zeros({flat.shape(0), 0}, flat.dtype(), stream);
}

array compress(const array& condition, const array& a, std::optional<int> axis, std::optional<int64_t> size,
               const std::optional<array>& fill_value, StreamOrDevice s) {
  Stream stream = to_stream(s);
  if (!axis) return compress(condition, flatten(a, stream), 0, size, fill_value, stream);
  int ax = checked_axis("compress", *axis, a.ndim());
  if (condition.ndim() != 1 || condition.shape(0) > a.shape(ax)) {
    raise("[compress] A condition of shape ", condition.shape(), " does not fit axis ", ax, " with size ", a.shape(ax),
          ".");
  }
  Places places = places_of("compress", condition, size, stream);
  if (!places.missing) return take(a, places.flat, ax, stream);
  array fill = single_fill("compress", fill_value.value_or(array(0)), a.dtype(), stream);
  Shape shape = a.shape(), line(a.ndim(), 1);
  shape[ax] = line[ax] = *size;
  if (condition.shape(0) == 0) return full(shape, fill, a.dtype(), stream);
  array taken = take(a, where(*places.missing, array(0, places.flat.dtype()), places.flat, stream), ax, stream);
  return where(reshape(*places.missing, line, stream), fill, taken, stream);
}

std::vector<Shape> NonZero::output_shapes(const Arrays& inputs) {
  Shape shape = inputs[0].shape();
  shape.back() = size_;
  return {shape};
}
Arrays NonZero::jvp(const Arrays& primals, const Arrays&, const std::vector<int>&) {
  return {zeros_like(nonzero_places(primals[0], size_, stream()), stream())};
}
Arrays NonZero::vjp(const Arrays& primals, const Arrays&, const std::vector<int>&, const Arrays&) {
  return {zeros_like(primals[0], stream())};
}
std::pair<Arrays, std::vector<int>> NonZero::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  return {{nonzero_places(moveaxis(inputs[0], axes[0], 0, stream()), size_, stream())}, {0}};
}

}  // namespace mlx::core
