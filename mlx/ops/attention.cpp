// fast::scaled_dot_product_attention. Its derivatives compute the scores again, by operations that are
// differentiable themselves.

#include <limits>

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/fast.h"
#include "mlx/ops.h"
#include "mlx/ops/fast_primitives.h"
#include "mlx/ops/matrices.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

namespace {

constexpr const char* kName = "scaled_dot_product_attention";

Shape attention_shape(const array& q, const array& k, const array& v) {
  const array* all[] = {&q, &k, &v};
  for (const array* x : all) {
    if (x->ndim() != 4)
      raise("[", kName, "] Queries, keys and values must have 4 dimensions, but one has shape ", x->shape(),
            ".");
    if (x->shape(0) != q.shape(0))
      raise("[", kName, "] The batch sizes differ: ", q.shape(0), " and ", x->shape(0), ".");
  }
  if (q.shape(3) != k.shape(3))
    raise("[", kName, "] Queries of ", q.shape(3), " and keys of ", k.shape(3), " features do not match.");
  if (k.shape(1) != v.shape(1) || k.shape(2) != v.shape(2))
    raise("[", kName, "] Keys of shape ", k.shape(), " and values of shape ", v.shape(), " do not match.");
  if (k.shape(1) == 0 ? q.shape(1) != 0 : q.shape(1) % k.shape(1) != 0)
    raise("[", kName, "] The ", q.shape(1), " query heads are no multiple of the ", k.shape(1),
          " key heads.");
  return {q.shape(0), q.shape(1), q.shape(2), v.shape(3)};
}

void check_mask(const Shape& mask, const array& q, const array& k) {
  Shape scores{q.shape(0), q.shape(1), q.shape(2), k.shape(2)};
  bool fits = mask.size() <= 4;
  for (size_t i = 0; fits && i < mask.size(); i++) {
    ShapeElem size = scores[4 - mask.size() + i];
    fits = mask[i] == 1 || mask[i] == size;
  }
  if (!fits)
    raise("[", kName, "] The mask of shape ", mask, " does not broadcast to the scores of shape ", scores,
          ".");
}

void check_sinks(const Shape& sinks, const array& q) {
  if (sinks.size() != 1 || sinks[0] != q.shape(1))
    raise("[", kName, "] The sinks must have shape (", q.shape(1), ",), one per query head, but have ", sinks,
          ".");
}

void check_promotes(const char* what, Dtype from, Dtype to) {
  if (promote_types(from, to) != to)
    raise("[", kName, "] The dtype of the ", what, ", ", dtype_name(from),
          ", does not promote to that of the result, ", dtype_name(to), ".");
}

// Leading axes of size 1, up to four dimensions.
array with_four_axes(const array& x, const Stream& s) {
  std::vector<int> added;
  for (int i = 0; i < 4 - static_cast<int>(x.ndim()); i++) added.push_back(i);
  return added.empty() ? x : expand_dims(x, added, s);
}

}  // namespace

namespace fast {

array scaled_dot_product_attention(const array& queries, const array& keys, const array& values, double scale,
                                   const std::string& mask_mode, std::optional<array> mask_arr,
                                   const std::optional<array>& sinks, bool force_fused, StreamOrDevice s) {
  if (mask_mode != "" && mask_mode != "array" && mask_mode != "causal")
    raise("[", kName, "] The mask must be 'causal' or an array, not '", mask_mode, "'.");
  if (mask_arr.has_value() != (mask_mode == "array"))
    raise("[", kName, "] A mask array goes with the mask mode 'array' and no other, but the mode is '",
          mask_mode, "'.");
  Shape shape = attention_shape(queries, keys, values);
  Dtype t = result_type({queries, keys, values});
  if (!issubdtype(t, floating))
    raise("[", kName, "] The inputs must be real floating-point arrays, but promote to ", dtype_name(t), ".");
  Stream stream = to_stream(s);
  if (force_fused)
    raise("[", kName, "] force_fused=True but no fused kernel is available in ",
          stream.device == Device::cpu ? "CPU" : "this", " backend");
  Arrays inputs{astype(queries, t, stream), astype(keys, t, stream), astype(values, t, stream)};
  if (mask_arr) {
    check_mask(mask_arr->shape(), queries, keys);
    array mask = with_four_axes(*mask_arr, stream);
    if (mask.dtype() != bool_) {
      check_promotes("mask", mask.dtype(), t);
      mask = astype(mask, t, stream);
    }
    inputs.push_back(mask);
  }
  if (sinks) {
    check_sinks(sinks->shape(), queries);
    check_promotes("sinks", sinks->dtype(), t);
    inputs.push_back(astype(*sinks, t, stream));
  }
  auto primitive = std::make_shared<ScaledDotProductAttention>(stream, scale, mask_mode == "causal",
                                                               mask_arr.has_value(), sinks.has_value());
  return array(std::move(shape), t, std::move(primitive), std::move(inputs));
}

}  // namespace fast

std::vector<Shape> ScaledDotProductAttention::output_shapes(const Arrays& inputs) {
  Shape shape = attention_shape(inputs[0], inputs[1], inputs[2]);
  if (has_mask_) check_mask(inputs[3].shape(), inputs[0], inputs[1]);
  if (has_sinks_) check_sinks(inputs.back().shape(), inputs[0]);
  return {shape};
}

// In the wide type, query heads split into (key heads, group): the scores' softmax and what made it.
struct ScaledDotProductAttention::Parts {
  Stream s;
  Dtype wide;
  ShapeElem key_heads;
  std::optional<array> q, k, v, keep, probabilities, sink_probability;

  array widened(const array& x) const { return astype(x, wide, s); }
  array split_heads(const array& x) const { return unflatten(widened(x), 1, {key_heads, -1}, s); }
  array with_group(const array& x) const { return expand_dims(widened(x), 2, s); }
  array merge_heads(const array& x, Dtype dtype) const { return astype(flatten(x, 1, 2, s), dtype, s); }
  array masked(const array& scores, double value) const {
    return keep ? where(*keep, scores, array(value, wide), s) : scores;
  }
  // The derivative of the softmax, which is its own transpose, for scores' tangents and one of the sinks'.
  array through_softmax(const array& t, const std::optional<array>& sink = {}) const {
    array mean = sum(multiply(*probabilities, t, s), -1, true, s);
    if (sink) mean = add(mean, multiply(*sink_probability, *sink, s), s);
    return multiply(*probabilities, subtract(t, mean, s), s);
  }
  // (heads,) beside scores (batch, key heads, group, time, 1)
  array sinks_beside(const array& sinks) const {
    array split = unflatten(widened(sinks), 0, {key_heads, -1}, s);
    return expand_dims(split, {0, 3, 4}, s);
  }
  // Gradients with respect to keys or values sum over the group.
  array summed(const array& x, Dtype dtype) const { return astype(sum(x, 2, false, s), dtype, s); }
};

ScaledDotProductAttention::Parts ScaledDotProductAttention::parts(const Arrays& primals) const {
  note_size_read();
  const Stream& s = stream();
  Parts p{s, primals[0].dtype() == float64 ? float64 : float32, primals[1].shape(1), {}, {}, {}, {}, {}, {}};
  p.q = p.split_heads(primals[0]);
  p.k = p.with_group(primals[1]);
  p.v = p.with_group(primals[2]);
  array scores = multiply(matmul(*p.q, transposed(*p.k, s), s), array(scale_, p.wide), s);
  ShapeElem time = primals[0].shape(2), keys = primals[1].shape(2);
  if (causal_) {
    array rows = arange(double(keys - time), double(keys), int64, s),
          columns = arange(double(keys), int64, s);
    p.keep = greater_equal(expand_dims(rows, 1, s), columns, s);
  }
  if (has_mask_) {
    array mask = primals[3];
    mask = mask.shape(1) == 1 ? expand_dims(mask, 2, s) : unflatten(mask, 1, {p.key_heads, -1}, s);
    if (mask.dtype() == bool_)
      p.keep = mask;
    else
      scores = add(scores, p.widened(mask), s);
  }
  double lowest =
      p.wide == float64 ? std::numeric_limits<double>::lowest() : std::numeric_limits<float>::lowest();
  scores = p.masked(scores, lowest);
  if (keys == 0 || !has_sinks_) {
    p.probabilities = softmax(scores, std::vector<int>{-1}, true, s);
  }
  if (has_sinks_) {
    array sinks = p.sinks_beside(primals.back());
    array total = keys == 0 ? broadcast_to(sinks, sum(scores, -1, true, s).shape(), s)
                            : logaddexp(logsumexp(scores, -1, true, s), sinks, s);
    if (keys > 0) p.probabilities = exp(subtract(scores, total, s), s);
    p.sink_probability = exp(subtract(sinks, total, s), s);
  }
  return p;
}

Arrays ScaledDotProductAttention::jvp(const Arrays& primals, const Arrays& tangents,
                                      const std::vector<int>& argnums) {
  const Stream& s = stream();
  Parts p = parts(primals);
  std::optional<array> t_scores, t_sinks, t_out;
  auto add_to = [&](std::optional<array>& total, const array& term) { accumulate(total, term, s); };
  array scale(scale_, p.wide);
  for (size_t i = 0; i < argnums.size(); i++) {
    const array& t = tangents[i];
    int input = argnums[i];
    if (input == 0)
      add_to(t_scores, multiply(scale, matmul(p.split_heads(t), transposed(*p.k, s), s), s));
    else if (input == 1)
      add_to(t_scores, multiply(scale, matmul(*p.q, transposed(p.with_group(t), s), s), s));
    else if (input == 2)
      add_to(t_out, matmul(*p.probabilities, p.with_group(t), s));
    else if (has_mask_ && input == 3) {
      if (primals[3].dtype() == bool_) continue;
      array mask = t.shape(1) == 1 ? expand_dims(t, 2, s) : unflatten(t, 1, {p.key_heads, -1}, s);
      add_to(t_scores, broadcast_to(p.widened(mask), p.probabilities->shape(), s));
    } else
      t_sinks = p.sinks_beside(t);
  }
  if (t_scores || t_sinks) {
    array t = t_scores ? p.masked(*t_scores, 0) : zeros_like(*p.probabilities, s);
    add_to(t_out, matmul(p.through_softmax(t, t_sinks), *p.v, s));
  }
  if (!t_out) return {zeros(output_shapes(primals)[0], primals[0].dtype(), s)};
  return {p.merge_heads(*t_out, primals[0].dtype())};
}

Arrays ScaledDotProductAttention::vjp(const Arrays& primals, const Arrays& cotangents,
                                      const std::vector<int>& argnums, const Arrays&) {
  const Stream& s = stream();
  Parts p = parts(primals);
  Dtype dtype = primals[0].dtype();
  array ct = p.split_heads(cotangents[0]), scale(scale_, p.wide);
  array d_probabilities = matmul(ct, transposed(*p.v, s), s);
  array d_scores = p.masked(p.through_softmax(d_probabilities), 0);
  Arrays result;
  for (int input : argnums) {
    if (input == 0)
      result.push_back(p.merge_heads(multiply(scale, matmul(d_scores, *p.k, s), s), dtype));
    else if (input == 1)
      result.push_back(p.summed(multiply(scale, matmul(transposed(d_scores, s), *p.q, s), s), dtype));
    else if (input == 2)
      result.push_back(p.summed(matmul(transposed(*p.probabilities, s), ct, s), dtype));
    else if (has_mask_ && input == 3) {
      const array& mask = primals[3];
      result.push_back(mask.dtype() == bool_ ? zeros_like(mask, s)
                                             : sum_to_shape(p.merge_heads(d_scores, dtype), mask.shape(), s));
    } else {
      array weighted = sum(multiply(*p.probabilities, d_probabilities, s), -1, true, s);
      array d =
          negative(sum(multiply(*p.sink_probability, weighted, s), std::vector<int>{0, 3, 4}, false, s), s);
      result.push_back(astype(flatten(d, s), dtype, s));
    }
  }
  return result;
}

// A batch makes more heads: key heads of the batch elements stay beside their query heads.
std::pair<Arrays, std::vector<int>> ScaledDotProductAttention::vmap(const Arrays& inputs,
                                                                    const std::vector<int>& axes) {
  const Stream& s = stream();
  ShapeElem size = batch_size(inputs, axes);
  // (batch, vmapped, heads, ...) with the heads at least repeated
  auto merged = [&](const array& x, int axis, int heads_axis, ShapeElem heads) {
    array y = axis >= 0 ? moveaxis(x, axis, heads_axis, s) : expand_dims(x, heads_axis, s);
    Shape shape = y.shape();
    shape[heads_axis] = size;
    shape[heads_axis + 1] = heads;
    return flatten(broadcast_to(y, shape, s), heads_axis, heads_axis + 1, s);
  };
  auto heads_of = [&](int i) { return inputs[i].shape(axes[i] >= 0 && axes[i] <= 1 ? 2 : 1); };
  Arrays in;
  for (int i = 0; i < 3; i++) in.push_back(merged(inputs[i], axes[i], 1, heads_of(i)));
  ShapeElem heads = heads_of(0);
  if (has_mask_) {
    bool shared = axes[3] < 0 && inputs[3].shape(1) == 1;
    in.push_back(shared ? inputs[3] : merged(inputs[3], axes[3], 1, heads));
  }
  if (has_sinks_) in.push_back(merged(inputs.back(), axes.back(), 0, heads));
  auto primitive = std::make_shared<ScaledDotProductAttention>(s, scale_, causal_, has_mask_, has_sinks_);
  array out(output_shapes(in)[0], in[0].dtype(), std::move(primitive), in);
  return {{unflatten(out, 1, {size, heads}, s)}, {1}};
}

}  // namespace mlx::core
