// Checks of the operations that a file holds, class by class. Where a public function takes the members of a primitive
// as they are, that function checks them: called with the same inputs it has to build an equal primitive. See
// export_check.h.

#include "mlx/graph/export_check.h"

#include <algorithm>

#include "mlx/graph/export_check_step.h"
#include "mlx/ops.h"
#include "mlx/ops/elementwise.h"

namespace mlx::core::export_detail {

// Element-wise

Dtypes check(const Elementwise& p, const Step& step) {
  const ElementwiseRow& row = elementwise_row(p.op());
  step.count(static_cast<size_t>(row.arity));
  Dtype t = step.x.back().dtype();
  bool select = p.op() == Op::Select;
  if (select) step.need(step.x[0].dtype() == bool_);
  for (size_t i = select; i < step.x.size(); i++) step.need(step.x[i].dtype() == t);
  step.need(accepts_dtype(row.accepts, static_cast<int>(t.val())));
  return {dtype_from_index(result_dtype(row.result, static_cast<int>(t.val())))};
}
Dtypes check(const AsType& p, const Step& step) {
  step.count(1);
  return {p.dtype()};
}

// Views, layouts and what passes values through

Dtypes check(const Broadcast&, const Step& step) {
  step.need(step.x.size() == 1 || step.x.size() == 2);
  return {step.x[0].dtype()};
}
Dtypes check(const ExpandDims& p, const Step& step) {
  return step.built(p, 1, [&] { return expand_dims(step.x[0], p.axes(), step.s); });
}
Dtypes check(const Squeeze& p, const Step& step) {
  return step.built(p, 1, [&] { return squeeze(step.x[0], p.axes(), step.s); });
}
Dtypes check(const Reshape& p, const Step& step) {
  return step.built_or_left_out(p, [&] { return reshape(step.x[0], p.shape(), step.s); });
}
Dtypes check(const Flatten& p, const Step& step) {
  auto [start, end] = p.state();
  return step.built(p, 1, [&, start = start, end = end] { return flatten(step.x[0], start, end, step.s); });
}
Dtypes check(const Unflatten& p, const Step& step) {
  auto [axis, shape] = p.state();
  return step.built(p, 1, [&, axis = axis, &shape = shape] { return unflatten(step.x[0], axis, shape, step.s); });
}
Dtypes check(const Transpose& p, const Step& step) {
  step.distinct(p.axes());
  step.need(p.axes().size() == step.x[0].ndim());
  return step.built_or_left_out(p, [&] { return transpose(step.x[0], p.axes(), step.s); });
}
Dtypes check(const View& p, const Step& step) {
  return step.built_or_left_out(p, [&] { return view(step.x[0], std::get<0>(p.state()), step.s); });
}
Dtypes check(const NumberOfElements& p, const Step& step) {
  step.count(1);
  for (int axis : std::get<0>(p.state())) step.axis(axis);
  return {std::get<2>(p.state())};
}
Dtypes check(const StopGradient&, const Step& step) { return step.same_as_input(); }
Dtypes check(const Contiguous&, const Step& step) { return step.same_as_input(); }
Dtypes check(const Copy&, const Step& step) { return step.same_as_input(); }

// Slices, joining, creation

namespace {

void check_request(const SliceRequest& r, const Step& step) {
  size_t ndim = step.x[0].ndim();
  step.need(r.start.size() == ndim && r.stop.size() == ndim && r.strides.size() == ndim && r.only_size.size() == ndim);
  for (ShapeElem stride : r.strides) step.need(stride != 0 && stride >= -slice_end);
}
void check_mode(Combine mode, const Step& step) { step.need(mode >= Combine::Set && mode <= Combine::Min); }

}  // namespace

Dtypes check(const Slice& p, const Step& step) {
  step.count(1);
  check_request(p.request(), step);
  return {step.x[0].dtype()};
}
Dtypes check(const SliceUpdate& p, const Step& step) {
  step.count(2);
  check_mode(p.mode(), step);
  check_request(p.request(), step);
  return step.common_dtype();
}
Dtypes check(const Split& p, const Step& step) {
  auto [axis, parts, cuts] = p.state();
  step.count(1);
  step.axis(axis);
  step.need(step.outputs == (parts > 0 ? static_cast<size_t>(parts) : cuts.size() + 1) && parts >= 0);
  return Dtypes(step.outputs, step.x[0].dtype());
}
Dtypes check(const AsStrided& p, const Step& step) {
  step.need(p.offset() >= 0);
  for (ShapeElem n : p.shape()) step.need(n >= 0);
  return step.built(p, 1, [&] {
    return as_strided(step.x[0], p.shape(), p.strides(), static_cast<size_t>(p.offset()), step.s);
  });
}
Dtypes check(const Arange& p, const Step& step) {
  step.count(0);
  Dtype t = std::get<3>(p.state());
  step.need(t != bool_);
  return {t};
}
Dtypes check(const Concatenate& p, const Step& step) {
  step.axis(p.axis());
  return step.common_dtype();
}
Dtypes check(const Pad& p, const Step& step) {
  step.count(2);
  step.need(step.x[1].ndim() == 0 && p.low().size() == step.x[0].ndim() && p.high().size() == step.x[0].ndim());
  for (const Shape* widths : {&p.low(), &p.high()}) {
    for (ShapeElem n : *widths) step.need(n >= 0);
  }
  return step.common_dtype();
}

// Reductions and scans

Dtypes check(const Reduce& p, const Step& step) {
  return step.built(p, 1, [&] {
    switch (p.type()) {
      case Reduce::And: return all(step.x[0], p.axes(), true, step.s);
      case Reduce::Or: return any(step.x[0], p.axes(), true, step.s);
      case Reduce::Sum: return sum(step.x[0], p.axes(), true, step.s);
      case Reduce::Prod: return prod(step.x[0], p.axes(), true, step.s);
      case Reduce::Min: return min(step.x[0], p.axes(), true, step.s);
      case Reduce::Max: return max(step.x[0], p.axes(), true, step.s);
    }
    raise("there is no such reduction");
  });
}
Dtypes check(const ArgReduce& p, const Step& step) {
  step.need(p.type() == ArgReduce::ArgMin || p.type() == ArgReduce::ArgMax);
  return step.built(p, 1, [&] {
    return p.type() == ArgReduce::ArgMin ? argmin(step.x[0], p.axis(), true, step.s)
                                         : argmax(step.x[0], p.axis(), true, step.s);
  });
}
Dtypes check(const Mean& p, const Step& step) {
  step.count(1);
  step.sorted(p.axes());
  Dtype t = step.x[0].dtype(), result = std::get<1>(p.state());
  step.need(result == (issubdtype(t, inexact) ? t : float32));
  return {result};
}
Dtypes check(const Variance& p, const Step& step) {
  step.count(1);
  step.sorted(p.axes());
  Dtype t = step.x[0].dtype(), result = std::get<2>(p.state());
  step.need(t != complex64 && issubdtype(result, floating) && (result == float64) == (t == float64));
  return {result};
}
Dtypes check(const LogSumExp& p, const Step& step) {
  step.sorted(p.axes());
  step.is(0, floating);
  return step.same_as_input();
}
Dtypes check(const Softmax& p, const Step& step) {
  step.sorted(p.axes());
  step.is(0, floating);
  return step.same_as_input();
}
Dtypes check(const Scan& p, const Step& step) {
  step.axis(p.axis());
  step.need(p.type() >= Scan::Sum && p.type() <= Scan::LogSumExp);
  Dtype t = step.x[0].dtype();
  step.need(p.type() == Scan::LogSumExp ? issubdtype(t, inexact) : p.type() != Scan::Sum || t != bool_);
  return step.same_as_input();
}
Dtypes check(const Recurrence& p, const Step& step) {
  step.count(2);
  step.axis(p.axis());
  step.need(step.x[0].shape() == step.x[1].shape());
  return step.common_dtype();
}

// Indexing, sorting and searching

Dtypes check(const Gather& p, const Step& step) {
  auto [axes, sizes, from] = p.state();
  step.count(1 + axes.size());
  step.distinct(axes);
  step.need(sizes.size() == step.x[0].ndim() && from.size() == sizes.size());
  for (ShapeElem n : sizes) step.need(n >= -1);
  for (size_t i = 1; i < step.x.size(); i++) step.is(i, integer);
  return {step.x[0].dtype()};
}
Dtypes check(const Scatter& p, const Step& step) {
  check_mode(p.mode(), step);
  return step.built(p, 2 + p.axes().size(), [&] {
    Arrays indices(step.x.begin() + 1, step.x.end() - 1);
    return scatter(p.mode(), step.x[0], indices, step.x.back(), p.axes(), step.s);
  });
}
Dtypes check(const GatherAxis& p, const Step& step) {
  step.count(2);
  step.axis(p.axis());
  step.is(1, integer);
  step.need(step.x[0].ndim() == step.x[1].ndim() && (step.x[0].shape(p.axis()) > 0 || step.x[1].size() == 0));
  return {step.x[0].dtype()};
}
Dtypes check(const ScatterAxis& p, const Step& step) {
  step.count(3);
  step.axis(p.axis());
  step.is(1, integer);
  step.need(p.mode() == Combine::Set || p.mode() == Combine::Sum);
  step.need(step.x[0].ndim() == step.x[1].ndim() && (step.x[0].shape(p.axis()) > 0 || step.x[1].size() == 0));
  step.need(step.x[2].dtype() == step.x[0].dtype());
  return {step.x[0].dtype()};
}
Dtypes check(const MaskedScatter&, const Step& step) {
  step.count(3);
  step.need(step.x[0].ndim() == 3 && step.x[1].ndim() == 2 && step.x[2].ndim() == 2);
  step.need(step.x[1].dtype() == bool_ && step.x[2].dtype() == step.x[0].dtype());
  return {step.x[0].dtype()};
}
Dtypes check(const NonZero& p, const Step& step) {
  step.count(1);
  step.need(step.x[0].dtype() == bool_ && step.x[0].ndim() > 0 && p.size() >= 0);
  return {index_dtype(static_cast<size_t>(step.x[0].shape(-1)) + 1)};
}
Dtypes check(const SearchSorted&, const Step& step) {
  step.count(2);
  size_t batch = step.x[0].ndim() - 1;
  step.need(step.x[0].ndim() > 0 && step.x[1].ndim() >= batch && step.x[0].dtype() == step.x[1].dtype());
  step.need(std::equal(step.x[1].shape().begin(), step.x[1].shape().begin() + static_cast<ptrdiff_t>(batch),
                       step.x[0].shape().begin()));
  return {uint32};
}
Dtypes check(const Sort& p, const Step& step) {
  step.axis(p.axis());
  return step.same_as_input();
}
Dtypes check(const ArgSort& p, const Step& step) {
  step.count(1);
  step.axis(p.axis());
  return {uint32};
}
static void check_places(const Shape& kths, int axis, const Step& step) {
  step.axis(axis);
  ShapeElem n = step.x[0].shape(axis);
  for (ShapeElem kth : kths) step.need(kth >= -n && kth < n);
}
Dtypes check(const Partition& p, const Step& step) {
  check_places(p.kths(), p.axis(), step);
  return step.same_as_input();
}
Dtypes check(const ArgPartition& p, const Step& step) {
  step.count(1);
  check_places(p.kths(), p.axis(), step);
  check_sort_index("argpartition", step.x[0].shape(p.axis()));
  return {uint32};
}
Dtypes check(const RandomBits& p, const Step& step) {
  step.count(1);
  step.need(step.x[0].dtype() == uint32 && step.x[0].ndim() > 0 && step.x[0].shape(-1) == 2);
  for (ShapeElem n : p.shape()) step.need(n >= 0);
  step.need(p.width() == 1 || p.width() == 2 || p.width() == 4);
  return {p.width() == 1 ? uint8 : p.width() == 2 ? uint16 : uint32};
}

// No file can hold these.
#define MLX_NEVER(Class)                                          \
  Dtypes check(const Class&, const Step& step) {                  \
    step.need(false);                                             \
    return {};                                                    \
  }
MLX_NEVER(Compiled)
MLX_NEVER(CustomTransforms)
MLX_NEVER(Depends)
MLX_NEVER(Load)
#undef MLX_NEVER

std::vector<Dtype> checked_dtypes(const Primitive& primitive, const std::vector<array>& inputs, size_t outputs) {
  using Check = Dtypes (*)(const Primitive&, const Step&);
  constexpr Check checks[] = {
#define PRIMITIVE(Class) \
  [](const Primitive& p, const Step& step) { return check(static_cast<const Class&>(p), step); },
#include "mlx/ops/primitives.def"
  };
  return checks[primitive.kind()](primitive, Step{inputs, outputs, primitive.stream()});
}

}  // namespace mlx::core::export_detail
