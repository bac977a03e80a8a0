// Functions, rules and transformations of all rows of elementwise.def.

#include "mlx/ops/elementwise_classes.h"

#include <array>

#include "mlx/core/error.h"
#include "mlx/core/per_thread.h"
#include "mlx/ops.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

namespace {

// The function's name; KERNEL rows have only that of the class, "BitwiseAnd" for bitwise_and.
std::string shown_name(Op op) {
  const ElementwiseRow& row = elementwise_row(op);
  if (!row.function.empty()) return std::string(row.function);
  std::string name;
  for (char c : row.class_name) {
    bool upper = c >= 'A' && c <= 'Z';
    if (upper && !name.empty()) name += '_';
    name += static_cast<char>(upper ? c - 'A' + 'a' : c);
  }
  return name;
}

Dtype row_result(Op op, Dtype operand) {
  return dtype_from_index(result_dtype(elementwise_row(op).result, static_cast<int>(operand.val())));
}

array cast_to(const array& x, Dtype t, StreamOrDevice s) { return x.dtype() == t ? x : astype(x, t, s); }

}  // namespace

Dtype elementwise_operand_dtype(Op op, Dtype t) {
  Accepts accepts = elementwise_row(op).accepts;
  if (accepts_dtype(accepts, static_cast<int>(t.val()))) return t;
  bool wants_float = accepts == Accepts::Float || accepts == Accepts::RealFloat;
  if (wants_float && !issubdtype(t, inexact)) return float32;
  raise("[", shown_name(op), "] The operation is not defined for ", dtype_name(t), ".");
}

namespace {

struct PrimitiveCache {
  Stream stream{-1, Device::cpu};
  std::array<std::shared_ptr<Primitive>, kNumOps> primitives;
};

using MakeRow = Elementwise* (*)(const Stream&);

constexpr MakeRow make_row[] = {
#define UNARY(Class, ...) [](const Stream& s) -> Elementwise* { return new Class(s); },
#define BINARY(Class, ...) [](const Stream& s) -> Elementwise* { return new Class(s); },
#define TERNARY(Class, ...) [](const Stream& s) -> Elementwise* { return new Class(s); },
#define KERNEL(Class, ...) [](const Stream& s) -> Elementwise* { return new Class(s); },
#include "mlx/ops/elementwise.def"
};

}  // namespace

std::shared_ptr<Primitive> elementwise_primitive(Op op, const Stream& stream) {
  PrimitiveCache& cache = PerThread<PrimitiveCache>::get();
  if (cache.stream != stream) {
    cache.primitives = {};
    cache.stream = stream;
  }
  std::shared_ptr<Primitive>& p = cache.primitives[static_cast<size_t>(op)];
  if (!p) p.reset(make_row[static_cast<size_t>(op)](stream));
  return p;
}

array elementwise(Op op, const array& x, StreamOrDevice s) {
  Dtype t = elementwise_operand_dtype(op, x.dtype());
  Stream stream = to_stream(s);
  return array::make(x.shape(), row_result(op, t), elementwise_primitive(op, stream), {cast_to(x, t, stream)});
}

array elementwise(Op op, const array& a, const array& b, StreamOrDevice s) {
  Dtype t = elementwise_operand_dtype(op, promote_types(a.dtype(), b.dtype()));
  Stream stream = to_stream(s);
  Shape shape = a.shape() == b.shape() ? a.shape() : broadcast_shapes(a.shape(), b.shape());
  return array::make(std::move(shape), row_result(op, t), elementwise_primitive(op, stream),
                     {cast_to(a, t, stream), cast_to(b, t, stream)});
}

array elementwise_select(const array& condition, const array& a, const array& b, StreamOrDevice s) {
  Dtype t = promote_types(a.dtype(), b.dtype());
  Stream stream = to_stream(s);
  Shape shape = broadcast_shapes(condition.shape(), broadcast_shapes(a.shape(), b.shape()));
  return array::make(std::move(shape), t, elementwise_primitive(Op::Select, stream),
                     {cast_to(condition, bool_, stream), cast_to(a, t, stream), cast_to(b, t, stream)});
}

#define UNARY(Class, function, ...) \
  array function(const array& a, StreamOrDevice s) { return elementwise(Op::Class, a, s); }
#define BINARY(Class, function, ...) \
  array function(const array& a, const array& b, StreamOrDevice s) { return elementwise(Op::Class, a, b, s); }
#include "mlx/ops/elementwise.def"

array where(const array& condition, const array& x, const array& y, StreamOrDevice s) {
  return elementwise_select(condition, x, y, s);
}

// Transformations

namespace {

// Rows whose derivative is not an expression of the table; see elementwise_special.cpp.
bool is_special(Op op, Dtype operand) {
  return elementwise_row(op).function.empty() || (op == Op::Sign && operand == complex64);
}

}  // namespace

array special_tangent(Op op, int i, const Arrays& operands, const array& y, const array& t, const Stream& s);
array special_cotangent(Op op, int i, const Arrays& operands, const array& y, const array& ct, const Stream& s);

array Elementwise::tangent(int i, const Arrays& operands, const array& y, const array& t) const {
  auto c = [&](double value) { return array(value, y.dtype()); };
  auto zero = [&](const array&) { return zeros(y.shape(), y.dtype(), stream()); };
  StreamContext here(stream());
  if (is_special(op_, operands[0].dtype())) return special_tangent(op_, i, operands, y, t, stream());
  switch (op_) {
#define UNARY(Class, function, accepts, result, domain, value, tangent, summary)      \
  case Op::Class: {                                                                   \
    [[maybe_unused]] const array& x = operands[0];                                    \
    return tangent;                                                                   \
  }
#define BINARY(Class, function, accepts, result, domain, value, tangent_a, tangent_b, summary) \
  case Op::Class: {                                                                            \
    [[maybe_unused]] const array &a = operands[0], &b = operands[1];                           \
    return i == 0 ? (tangent_a) : (tangent_b);                                                 \
  }
#define TERNARY(Class, function, accepts, result, domain, value, tangent_b, tangent_c, summary) \
  case Op::Class: {                                                                             \
    const array& c = operands[0];                                                               \
    if (i == 0) return zero(t);                                                                 \
    return i == 1 ? (tangent_b) : (tangent_c);                                                  \
  }
#include "mlx/ops/elementwise.def"
    default: return zero(t);  // special
  }
}

Arrays Elementwise::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  array y = primals.size() == 1   ? elementwise(op_, primals[0], stream())
            : primals.size() == 2 ? elementwise(op_, primals[0], primals[1], stream())
                                  : elementwise_select(primals[0], primals[1], primals[2], stream());
  if (y.dtype() == bool_) return {zeros(y.shape(), bool_, stream())};  // steps
  array total = tangent(argnums[0], primals, y, tangents[0]);
  for (size_t k = 1; k < argnums.size(); k++) {
    total = add(total, tangent(argnums[k], primals, y, tangents[k]), stream());
  }
  return {broadcast_to(total, y.shape(), stream())};
}

// The Jacobian is diagonal, so the vjp is the conjugate of the tangent of the conjugate, summed over broadcast axes.
Arrays Elementwise::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                        const Arrays& outputs) {
  Arrays result;
  for (int i : argnums) {
    const array& operand = primals[i];
    if (outputs[0].dtype() == bool_) {
      result.push_back(zeros_like(operand, stream()));
      continue;
    }
    array g = is_special(op_, operand.dtype())
                  ? special_cotangent(op_, i, primals, outputs[0], cotangents[0], stream())
                  : conjugate(tangent(i, primals, outputs[0], conjugate(cotangents[0], stream())), stream());
    if (g.dtype() != operand.dtype()) g = astype(g, operand.dtype(), stream());
    result.push_back(sum_to_shape(g, operand.shape(), stream()));
  }
  return result;
}

std::pair<Arrays, std::vector<int>> Elementwise::vmap(const Arrays& inputs, const std::vector<int>& axes) {
  Arrays in = align_batch(inputs, axes, stream());
  Shape shape = common_shape(in);
  Dtype t = row_result(op_, in.back().dtype());
  return {{array(std::move(shape), t, elementwise_primitive(op_, stream()), std::move(in))}, {0}};
}

std::vector<Shape> Elementwise::output_shapes(const Arrays& inputs) {
  return {common_shape(inputs)};
}

}  // namespace mlx::core
