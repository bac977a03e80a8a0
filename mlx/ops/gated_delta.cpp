// fast::gated_delta_update. The derivatives unroll the recurrence into operations that are differentiable
// themselves:
//   P = gamma S,  d = beta (v - P k),  S' = P + d k^T,  out = S' q       for each head and step.

#include "mlx/core/error.h"
#include "mlx/core/tracing.h"
#include "mlx/fast.h"
#include "mlx/ops.h"
#include "mlx/ops/fast_primitives.h"
#include "mlx/ops/matrices.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

namespace {

enum Input { kQ, kK, kV, kGamma, kBeta, kState, kMask };

struct Sizes {
  ShapeElem batch, time, key_heads, key_size, heads, value_size;
};

Sizes checked_sizes(const Arrays& in) {
  constexpr const char* names[] = {"q", "k", "v", "gamma", "beta", "initial_state", "mask"};
  if (in[kQ].ndim() != 4 || in[kV].ndim() != 4)
    raise("[gated_delta_update] q and v must have 4 dimensions, but have shapes ", in[kQ].shape(), " and ",
          in[kV].shape(), ".");
  Sizes n{in[kQ].shape(0), in[kQ].shape(1), in[kQ].shape(2),
          in[kQ].shape(3), in[kV].shape(2), in[kV].shape(3)};
  auto check = [&](int i, const Shape& expected) {
    if (in[i].shape() != expected)
      raise("[gated_delta_update] ", names[i], " must have shape ", expected, ", but has ", in[i].shape(),
            ".");
  };
  if (n.time == 0)
    raise("[gated_delta_update] There must be at least one step, but q has shape ", in[kQ].shape(), ".");
  if (n.key_heads == 0 || n.heads % n.key_heads != 0)
    raise("[gated_delta_update] The ", n.heads, " heads of v are no multiple of the ", n.key_heads,
          " heads of q.");
  check(kK, in[kQ].shape());
  check(kV, {n.batch, n.time, n.heads, n.value_size});
  bool per_key = in[kGamma].ndim() == 4;
  check(kGamma, per_key ? Shape{n.batch, n.time, n.heads, n.key_size} : Shape{n.batch, n.time, n.heads});
  check(kBeta, {n.batch, n.time, n.heads});
  check(kState, {n.batch, n.heads, n.value_size, n.key_size});
  if (in.size() > kMask) check(kMask, {n.batch, n.time});
  return n;
}

}  // namespace

namespace fast {

std::vector<array> gated_delta_update(const array& q, const array& k, const array& v, const array& gamma,
                                      const array& beta, const std::optional<array>& initial_state,
                                      const std::optional<array>& mask, StreamOrDevice s) {
  Arrays in{q, k, v, gamma, beta};
  for (const array& x : in) {
    if (!issubdtype(x.dtype(), floating))
      raise("[gated_delta_update] The inputs must be real floating-point arrays, but one is ",
            dtype_name(x.dtype()), ".");
  }
  Stream stream = to_stream(s);
  Dtype wide = v.dtype() == float64 ? float64 : float32;
  if (initial_state) {
    in.push_back(*initial_state);
  } else if (v.ndim() == 4 && q.ndim() == 4) {
    note_size_read();
    in.push_back(zeros({v.shape(0), v.shape(2), v.shape(3), q.shape(3)}, wide, stream));
  } else {
    in.push_back(zeros({}, wide, stream));
  }
  if (mask) in.push_back(not_equal(*mask, array(0, mask->dtype()), stream));
  Sizes n = checked_sizes(in);
  for (int i = 0; i < kMask; i++) in[i] = astype(in[i], i == kV ? v.dtype() : wide, stream);
  std::vector<Shape> shapes{v.shape(), Shape{n.batch, n.heads, n.value_size, n.key_size}};
  return array::make_arrays(std::move(shapes), {v.dtype(), wide},
                            std::make_shared<GatedDeltaUpdate>(stream, mask.has_value()), in);
}

}  // namespace fast

std::vector<Shape> GatedDeltaUpdate::output_shapes(const Arrays& inputs) {
  checked_sizes(inputs);
  return {inputs[kV].shape(), inputs[kState].shape()};
}

namespace {

// The steps of the recurrence as operations, in the wide type, with q and k repeated for each head of v.
class Unrolled {
 public:
  struct Step {
    array q, k, v, gamma, beta, before;  // columns (B, H, D, 1), rows (B, H, 1, D), scalars (B, H, 1, 1)
    std::optional<array> keep;           // (B, 1, 1, 1)
    array gated, residual, delta, after;
  };

  Unrolled(const Arrays& in, const Stream& s) : sizes_(checked_sizes(in)), context_(s) {
    note_size_read();
    wide_ = in[kState].dtype();
    array state = in[kState];
    std::vector<array> parts[kMask + 1];
    for (int i = 0; i < static_cast<int>(in.size()); i++)
      if (i != kState) parts[i] = unstack(i == kMask ? in[i] : astype(in[i], wide_, s), 1, s);
    bool per_key = in[kGamma].ndim() == 4;
    for (ShapeElem t = 0; t < sizes_.time; t++) {
      array k = expand_dims(repeated(parts[kK][t]), -2), v = expand_dims(parts[kV][t], -1);
      array gamma = per_key ? expand_dims(parts[kGamma][t], -2) : expand_dims(parts[kGamma][t], {-1, -2});
      array beta = expand_dims(parts[kBeta][t], {-1, -2});
      array gated = multiply(gamma, state), residual = subtract(v, matmul(gated, transposed(k)));
      array delta = multiply(beta, residual), after = add(gated, multiply(delta, k));
      Step step{expand_dims(repeated(parts[kQ][t]), -2),
                k,
                v,
                gamma,
                beta,
                state,
                {},
                gated,
                residual,
                delta,
                after};
      if (in.size() > kMask) step.keep = expand_dims(parts[kMask][t], {1, 2, 3});
      state = step.keep ? where(*step.keep, after, state) : after;
      steps_.push_back(std::move(step));
    }
  }

  const std::vector<Step>& steps() const { return steps_; }
  const Sizes& sizes() const { return sizes_; }
  Dtype wide() const { return wide_; }
  array kept(const Step& step, const array& x) const {
    return step.keep ? where(*step.keep, x, array(0, wide_)) : x;
  }
  // Key heads beside the heads of v that use them, and the sum over these.
  array repeated(const array& x) const {
    return repeat(x, static_cast<int>(sizes_.heads / sizes_.key_heads), 1);
  }
  array summed(const array& x) const {
    return sum(unflatten(x, 1, {sizes_.key_heads, sizes_.heads / sizes_.key_heads}), 2);
  }

 private:
  Sizes sizes_;
  StreamContext context_;
  Dtype wide_ = float32;
  std::vector<Step> steps_;
};

}  // namespace

Arrays GatedDeltaUpdate::jvp(const Arrays& primals, const Arrays& tangents, const std::vector<int>& argnums) {
  Unrolled u(primals, stream());
  Arrays full;
  for (int i = 0; i < kMask; i++) full.push_back(zeros_like(astype(primals[i], u.wide())));
  for (size_t i = 0; i < argnums.size(); i++)
    if (argnums[i] < kMask) full[argnums[i]] = astype(tangents[i], u.wide());
  std::vector<array> parts[kMask];
  for (int i = 0; i < kState; i++) parts[i] = unstack(full[i], 1);
  array ts = full[kState];
  std::vector<array> outs;
  bool per_key = primals[kGamma].ndim() == 4;
  for (size_t t = 0; t < u.steps().size(); t++) {
    const Unrolled::Step& step = u.steps()[t];
    array tk = expand_dims(u.repeated(parts[kK][t]), -2), tq = expand_dims(u.repeated(parts[kQ][t]), -2);
    array tg = per_key ? expand_dims(parts[kGamma][t], -2) : expand_dims(parts[kGamma][t], {-1, -2});
    array tb = expand_dims(parts[kBeta][t], {-1, -2}), tv = expand_dims(parts[kV][t], -1);
    array gated = add(multiply(tg, step.before), multiply(step.gamma, ts));
    array residual =
        subtract(tv, add(matmul(gated, transposed(step.k)), matmul(step.gated, transposed(tk))));
    array delta = add(multiply(tb, step.residual), multiply(step.beta, residual));
    array after = add(gated, add(multiply(delta, step.k), multiply(step.delta, tk)));
    array out = add(matmul(after, transposed(step.q)), matmul(step.after, transposed(tq)));
    outs.push_back(squeeze(u.kept(step, out), -1));
    ts = step.keep ? where(*step.keep, after, ts) : after;
  }
  return {astype(stack(outs, 1), primals[kV].dtype()), ts};
}

Arrays GatedDeltaUpdate::vjp(const Arrays& primals, const Arrays& cotangents, const std::vector<int>& argnums,
                             const Arrays&) {
  Unrolled u(primals, stream());
  array ds = cotangents[1];
  std::vector<array> d_outs = unstack(astype(cotangents[0], u.wide()), 1), found[kState];
  bool per_key = primals[kGamma].ndim() == 4;
  for (size_t t = u.steps().size(); t-- > 0;) {
    const Unrolled::Step& step = u.steps()[t];
    array d_out = u.kept(step, expand_dims(d_outs[t], -1)), later = u.kept(step, ds);
    array d_after = add(later, multiply(d_out, step.q));
    array d_delta = matmul(d_after, transposed(step.k)), d_residual = multiply(step.beta, d_delta);
    array d_gated = subtract(d_after, multiply(d_residual, step.k));
    array dk = subtract(matmul(transposed(step.delta), d_after),
                        matmul(transposed(d_residual), step.gated));
    array d_gamma = multiply(d_gated, step.before);
    found[kQ].push_back(u.summed(squeeze(matmul(transposed(d_out), step.after), -2)));
    found[kK].push_back(u.summed(squeeze(dk, -2)));
    found[kV].push_back(squeeze(d_residual, -1));
    found[kGamma].push_back(per_key ? sum(d_gamma, 2) : sum(d_gamma, std::vector<int>{2, 3}));
    found[kBeta].push_back(sum(multiply(d_delta, step.residual), std::vector<int>{2, 3}));
    array before = multiply(step.gamma, d_gated);
    ds = step.keep ? where(*step.keep, before, ds) : before;
  }
  Arrays result;
  for (int i : argnums) {
    if (i == kState) {
      result.push_back(ds);
    } else if (i == kMask) {
      result.push_back(zeros_like(primals[i]));
    } else {
      std::vector<array> in_order(found[i].rbegin(), found[i].rend());
      result.push_back(astype(stack(in_order, 1), primals[i].dtype()));
    }
  }
  return result;
}

std::pair<Arrays, std::vector<int>> GatedDeltaUpdate::vmap(const Arrays& inputs,
                                                           const std::vector<int>& axes) {
  const Stream& s = stream();
  ShapeElem size = batch_size(inputs, axes), entries = 0;
  Arrays in;
  for (size_t i = 0; i < inputs.size(); i++) {
    array x = batch_to_front(inputs[i], axes[i], size, s);
    entries = x.shape(1);
    in.push_back(flatten(x, 0, 1, s));
  }
  Arrays out = array::make_arrays({in[kV].shape(), in[kState].shape()}, {in[kV].dtype(), in[kState].dtype()},
                                  std::make_shared<GatedDeltaUpdate>(s, has_mask_), in);
  for (array& x : out) x = unflatten(x, 0, {size, entries}, s);
  return {out, {0, 0}};
}

}  // namespace mlx::core
