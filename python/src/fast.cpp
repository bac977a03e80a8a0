// mlx.core.fast: fused operations.

#include "mlx/fast.h"

#include "define.h"

namespace mlx::python {

namespace {

mx::array rope(Args& x) {
  std::optional<double> base = x.optional_number(3);
  std::optional<float> rate;
  if (base) rate = static_cast<float>(*base);
  int dims = x.small_int(1);
  bool traditional = x.boolean(2, false);
  float scale = static_cast<float>(x.number(4, 1));
  int64_t offset;
  if (!is_array(x[5]) && to_integer(x[5], &offset, &x, 5))
    return mx::fast::rope(x.array(0), dims, traditional, rate, scale, x.small_int(5), x.optional_array(6),
                          x.stream());
  return mx::fast::rope(x.array(0), dims, traditional, rate, scale, x.array(5, "an int or an array"),
                        x.optional_array(6), x.stream());
}

mx::array attention(Args& x) {
  std::string mode;
  std::optional<mx::array> mask;
  if (x.has(4)) {
    if (PyUnicode_Check(x[4])) {
      mode = x.text(4, "");
      if (mode != "causal") raise(x.describe(4), " must be None, 'causal' or an array, not '", mode, "'.");
    } else {
      mode = "array";
      mask = x.array(4, "None, 'causal' or an array");
    }
  }
  return mx::fast::scaled_dot_product_attention(x.array(0), x.array(1), x.array(2), x.number(3, 1), mode,
                                                mask, x.optional_array(5), x.boolean(6, false), x.stream());
}

void bind_attention(Functions& m) {
  m.def(
      "rope(a: array, dims: int, *, traditional: bool, base: float | None, scale: float, offset: int | "
      "array, freqs: "
      "array | None = None, stream: StreamOrDevice = None) -> array",
      "Rotary position embedding (Su et al., 2021) of a (batch, ..., time, features).\n\nPairs (i, i + dims "
      "/ 2) of the "
      "first dims features, or (2 i, 2 i + 1) where traditional, turn by (offset + time) * scale * base^(-2 "
      "i / dims), or "
      "by (offset + time) * scale / freqs[i]. Exactly one of base and freqs is given. offset: an integer, or "
      "one per "
      "batch entry.",
      [](Args& x) { return rope(x); });
  m.def(
      "scaled_dot_product_attention(q: array, k: array, v: array, *, scale: float, mask: None | str | array "
      "= None, "
      "sinks: array | None = None, force_fused: bool = False, stream: StreamOrDevice = None) -> array",
      "softmax(scale * q @ k.T + mask) @ v without the matrix of scores in memory.\n\nq (batch, heads, time, "
      "features); k "
      "(batch, key heads, key time, features) and v (batch, key heads, key time, value features), where "
      "heads is a "
      "multiple of key heads. The softmax is computed in float32, for float64 in float64.\nmask: 'causal' "
      "(aligned to the "
      "last key), a bool array that keeps where True, or an array to add; arrays broadcast to (batch, heads, "
      "time, key "
      "time). A row for which no key is kept averages all values.\nsinks: one logit per head that takes part "
      "in the "
      "softmax without a value.",
      [](Args& x) { return attention(x); });
  m.def("cross_entropy(logits: array, targets: array, *, stream: StreamOrDevice = None) -> array",
        "logsumexp(logits) - logits[target] over the last axis, float32.\n\ntargets: integer class ids of "
        "the shape of "
        "logits without the last axis; negative ones count from the end, others out of range raise at "
        "evaluation.",
        [](Args& x) { return mx::fast::cross_entropy(x.array(0), x.array(1), x.stream()); });
  m.def(
      "gated_delta_update(q: array, k: array, v: array, gamma: array, beta: array, initial_state: array | "
      "None = None, "
      "mask: array | None = None, stream: StreamOrDevice = None) -> list[array]",
      "The gated delta rule (Yang et al., 2024): per step S = gamma S; S += beta (v - S k) k^T; out = S "
      "q.\n\nq, k (B, T, "
      "Hk, Dk), v (B, T, Hv, Dv), gamma and beta (B, T, Hv), gamma also (B, T, Hv, Dk), initial_state (B, "
      "Hv, Dv, Dk). "
      "Head h uses key head h // (Hv / Hk). Steps where mask (B, T) is zero give 0 and leave the "
      "state.\nReturns out (B, T, "
      "Hv, Dv) and the last state in float32.",
      [](Args& x) {
        return mx::fast::gated_delta_update(x.array(0), x.array(1), x.array(2), x.array(3), x.array(4),
                                            x.optional_array(5), x.optional_array(6), x.stream());
      });
}

}  // namespace

void bind_fast(nb::module_& m) {
  nb::module_ fast = m.def_submodule("fast", "Fused operations.");
  Functions functions(fast);
  functions
      .def("rms_norm(x: array, weight: array | None, eps: float, *, stream: StreamOrDevice = None) -> array",
           "x / sqrt(mean(x^2) + eps) * weight over the last axis.",
           [](Args& x) {
             return mx::fast::rms_norm(x.array(0), x.optional_array(1), x.number(2, 0),
                                       x.stream());
           })
      .def(
          "layer_norm(x: array, weight: array | None, bias: array | None, eps: float, *, stream: "
          "StreamOrDevice = None) -> array",
          "(x - mean(x)) / sqrt(var(x) + eps) * weight + bias over the last axis.", [](Args& x) {
            return mx::fast::layer_norm(x.array(0), x.optional_array(1), x.optional_array(2),
                                        x.number(3, 0), x.stream());
          });
  bind_attention(functions);
  bind_custom_kernels(fast);
}

}  // namespace mlx::python
