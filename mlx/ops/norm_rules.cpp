// Derivatives of the norms, composed of differentiable operations. With E the mean over the last axis, n = c
// r the normalized row, c = x - E(x) (x for the root mean square norm) and r = (E(c^2) + eps)^(-1/2), the
// derivative of n is
//   P(t) = r (t - E(t) - n E(n t))      (without E(t) for the root mean square norm),
// which is its own transpose. The gradient primitive computes P(w ct), sum(ct n) and sum(ct).

#include <algorithm>

#include "mlx/ops.h"
#include "mlx/ops/norm_primitives.h"
#include "mlx/ops/rules.h"

namespace mlx::core {

namespace {

// Arithmetic on the wide copies of one norm's arrays.
class Norm {
 public:
  array normalized, inverse;

  Norm(const NormSpec& spec, const array& x, const Stream& s)
      : normalized(x), inverse(x), spec_(spec), s_(s), wide_(x.dtype() == float64 ? float64 : float32),
        dtype_(x.dtype()) {
    StreamContext here(s_);
    array c = widened(x);
    if (spec_.centered) c = c - E(c);
    inverse = rsqrt(E(square(c)) + array(spec_.eps, wide_));
    normalized = c * inverse;
  }

  array widened(const array& x) const { return astype(x, wide_, s_); }
  array narrowed(const array& x) const { return astype(x, dtype_, s_); }
  array E(const array& x) const { return mean(x, -1, true, s_); }
  array centered(const array& t) const { return spec_.centered ? t - E(t) : t; }
  array project(const array& t) const {
    StreamContext here(s_);
    return inverse * (centered(t) - normalized * E(normalized * t));
  }
  // Sums over all axes but the last and the first `batch` ones.
  array sum_rows(const array& x, int batch = 0) const {
    std::vector<int> axes;
    for (int i = batch; i + 1 < static_cast<int>(x.ndim()); i++) axes.push_back(i);
    return axes.empty() ? x : sum(x, axes, false, s_);
  }

 private:
  NormSpec spec_;
  Stream s_;
  Dtype wide_, dtype_;
};

array value_or_zeros(const std::optional<array>& x, const array& like, const Stream& s) {
  return x ? *x : zeros_like(like, s);
}

}  // namespace

Arrays norm_jvp(const NormSpec& spec, const Arrays& primals, const Arrays& tangents,
                const std::vector<int>& argnums, const Stream& s) {
  StreamContext here(s);
  Norm norm(spec, primals[0], s);
  std::optional<array> total;
  for (size_t k = 0; k < argnums.size(); k++) {
    array t = norm.widened(tangents[k]);
    if (argnums[k] == 0) {
      t = norm.project(t);
      accumulate(total, spec.has_weight ? t * norm.widened(primals[1]) : t, s);
    } else if (argnums[k] == 1 && spec.has_weight) {
      accumulate(total, norm.normalized * t, s);
    } else {
      accumulate(total, broadcast_like(t, primals[0], s), s);
    }
  }
  return {norm.narrowed(*total)};
}

namespace {

// The batch axis in front; a parameter of one dimension is spread over the inner axes of x.
array batched(const array& x, int axis, ShapeElem size, size_t ndim, const Stream& s) {
  array front = batch_to_front(x, axis, size, s);
  if (front.ndim() == ndim) return front;
  Shape shape(ndim, 1);
  shape[0] = size;
  shape[ndim - 1] = x.shape(-1);
  return reshape(front, shape, s);
}

}  // namespace

array norm_vmap(const NormSpec& spec, const Arrays& inputs, const std::vector<int>& axes, const Stream& s) {
  StreamContext here(s);
  ShapeElem size = batch_size(inputs, axes);
  Arrays in = inputs;
  in[0] = batch_to_front(inputs[0], axes[0], size, s);
  bool parameters_batched = std::any_of(axes.begin() + 1, axes.end(), [](int axis) { return axis >= 0; });
  if (!parameters_batched) return norm(spec, in, s);
  array y = norm({spec.eps, spec.centered, false, false}, {in[0]}, s);
  auto parameter = [&](size_t i) {
    return axes[i] < 0 ? inputs[i] : batched(moveaxis(inputs[i], axes[i], 0, s), 0, size, in[0].ndim(), s);
  };
  if (spec.has_weight) y = y * parameter(1);
  if (spec.has_bias) y = y + parameter(inputs.size() - 1);
  return y;
}

Arrays norm_gradients_vmap(const NormSpec& spec, const Arrays& inputs, const std::vector<int>& axes,
                           const Stream& s) {
  StreamContext here(s);
  ShapeElem size = batch_size(inputs, axes);
  Norm norm(spec, batch_to_front(inputs[0], axes[0], size, s), s);
  array ct = norm.widened(batch_to_front(inputs.back(), axes.back(), size, s)), g = ct;
  if (spec.has_weight) {
    array w = axes[1] < 0 ? inputs[1] : batched(moveaxis(inputs[1], axes[1], 0, s), 0, size, ct.ndim(), s);
    g = ct * norm.widened(w);
  }
  Arrays out{norm.narrowed(norm.project(g))};
  if (spec.has_weight) out.push_back(norm.narrowed(norm.sum_rows(ct * norm.normalized, 1)));
  if (spec.has_bias) out.push_back(norm.narrowed(norm.sum_rows(ct, 1)));
  return out;
}

// Forward derivative of r (g - E(g) - n b), b = E(g n), and of the sums.
Arrays norm_gradients_jvp(const NormSpec& spec, const Arrays& primals, const Arrays& tangents,
                          const std::vector<int>& argnums, const Stream& s) {
  StreamContext here(s);
  Norm norm(spec, primals[0], s);
  const array &n = norm.normalized, &r = norm.inverse;
  array ct = norm.widened(primals.back());
  std::optional<array> w, tx, tw, tct;
  if (spec.has_weight) w = norm.widened(primals[1]);
  for (size_t k = 0; k < argnums.size(); k++) {
    array t = norm.widened(tangents[k]);
    if (argnums[k] == 0)
      tx = t;
    else if (argnums[k] + 1 == static_cast<int>(primals.size()))
      tct = t;
    else
      tw = t;
  }
  array g = w ? ct * *w : ct, b = norm.E(g * n);
  std::optional<array> tg, tdx, tweight;
  if (tct) tg = w ? *tct * *w : *tct;
  if (tw) accumulate(tg, ct * *tw, s);
  if (tg) tdx = norm.project(*tg);
  if (tct) tweight = *tct * n;
  if (tx) {
    array tn = norm.project(*tx);
    array relative = -(r * norm.E(n * *tx));  // of r
    if (spec.centered) relative = -(r * norm.E(n * norm.centered(*tx)));
    accumulate(tdx, relative * norm.project(g) - r * (tn * b + n * norm.E(g * tn)), s);
    accumulate(tweight, ct * tn, s);
  }
  Arrays out{norm.narrowed(value_or_zeros(tdx, ct, s))};
  if (spec.has_weight) out.push_back(norm.narrowed(norm.sum_rows(value_or_zeros(tweight, ct, s))));
  if (spec.has_bias) out.push_back(norm.narrowed(norm.sum_rows(value_or_zeros(tct, ct, s))));
  return out;
}

// Cotangents u of dx, v of the weight's and z of the bias' gradient. With a = E(u n), b = E(g n), the
// cotangent of n is q = -r (u b + g a) + v ct, and r contributes through E(u dx).
Arrays norm_gradients_vjp(const NormSpec& spec, const Arrays& primals, const Arrays& cotangents,
                          const std::vector<int>& argnums, const Stream& s) {
  StreamContext here(s);
  Norm norm(spec, primals[0], s);
  const array &n = norm.normalized, &r = norm.inverse;
  array ct = norm.widened(primals.back()), u = norm.widened(cotangents[0]), projected = norm.project(u);
  std::optional<array> w, v;
  if (spec.has_weight) {
    w = norm.widened(primals[1]);
    v = norm.widened(cotangents[1]);
  }
  Arrays result;
  for (int i : argnums) {
    if (i == 0) {
      array g = w ? ct * *w : ct;
      array q = -(r * (u * norm.E(g * n) + g * norm.E(u * n)));
      if (v) q = q + *v * ct;
      array dc = r * (q - n * norm.E(q * n) - n * norm.E(u * norm.project(g)));
      result.push_back(norm.narrowed(norm.centered(dc)));
    } else if (i + 1 == static_cast<int>(primals.size())) {
      array dct = w ? projected * *w + *v * n : projected;
      if (spec.has_bias) dct = dct + norm.widened(cotangents.back());
      result.push_back(norm.narrowed(dct));
    } else {
      result.push_back(norm.narrowed(norm.sum_rows(ct * projected)));
    }
  }
  return result;
}

}  // namespace mlx::core
