"""Rows of quantization, random numbers and `fast`."""

from __future__ import annotations

import numpy as np

import mlx.core as mx

from .draw import REALS
from .graph import DTYPES, INTEGERS, Row
from .rows_math import logsumexp

MODES = {"mxfp4": (32, 4), "mxfp8": (32, 8), "nvfp4": (16, 4)}


def packing(g, dtypes=REALS):
    """Mode, group size, bits, a dtype that goes with them, and the length of a row."""
    dtype = g.dtype(dtypes)
    if g.chance(0.6):
        group, bits = g.pick([32, 64]), g.pick([1, 2, 3, 4, 5, 6, 8])
        return dtype, {"group_size": group, "bits": bits, "mode": "affine"}, group * g.int(1, 2)
    mode = g.pick(list(MODES))
    group, bits = MODES[mode]
    return dtype, {"group_size": group, "bits": bits, "mode": mode}, 32 * g.int(1, 2)


def quantized(g, lead):
    """The packed form of a matrix, drawn by quantizing one."""
    dtype, kwargs, width = packing(g)
    w = g.new((*lead, width), dtype)
    return dtype, kwargs, width, g.call(TABLE["quantize"], [w], kwargs)


def quantize_draw(g):
    dtype, kwargs, width = packing(g)
    return [g.new((*g.shape(1, 2), width), dtype)], kwargs


def dequantize_draw(g):
    _, kwargs, _, refs = quantized(g, g.shape(1, 2))
    return refs, kwargs


def quantized_matmul_draw(g):
    dtype, kwargs, width, refs = quantized(g, (g.length(1),))
    rows = g.shape_of(refs[0])[0]
    transpose = g.chance(0.7)
    x = g.new((g.length(), width if transpose else rows), dtype)
    return [x, *refs], {**kwargs, "transpose": transpose}


def expanded(x, w, s, b=None, transpose=True, **kwargs):
    """The product with the matrix that `dequantize` gives."""
    if b is None:
        full = np.array(mx.dequantize(mx.array(w), mx.array(s), **kwargs, dtype=mx.float32), np.float64)
    else:
        parts = [mx.array(p, dtype=mx.float64) for p in (s, b)]
        full = np.array(mx.dequantize(mx.array(w), *parts, **kwargs))
    return x @ (np.swapaxes(full, -1, -2) if transpose else full)


def gather_qmm_draw(g):
    count = g.int(1, 3)
    dtype, kwargs, width, refs = quantized(g, (count, g.length(1)))
    xs = g.int(1, 3)
    x = g.new((xs, g.length(1), width), dtype)
    left, right = g.new((2,), "uint32", "index", xs), g.new((2,), "uint32", "index", count)
    return [x, left, right, *refs], kwargs


def gather_qmm(x, left, right, w, s, b=None, **kwargs):
    return mx.gather_qmm(x, w, s, b, left, right, **kwargs)


def qqmm_draw(g):
    mode = g.pick(list(MODES)[1:])
    group, bits = MODES[mode]
    kwargs = {"group_size": group, "bits": bits, "mode": mode}
    w = g.new((g.length(1), 32 * g.int(1, 2)), "float32")
    x = g.new((g.length(1), g.shape_of(w)[-1]), "float32")
    return [x, *g.call(TABLE["quantize"], [w], kwargs)], kwargs


def gather_qqmm_draw(g):
    mode = g.pick(list(MODES)[1:])
    group, bits = MODES[mode]
    kwargs = {"group_size": group, "bits": bits, "mode": mode}
    w = g.new((2, g.length(1), 32), "float32")
    x = g.new((2, g.length(1), 32), "float32")
    index = g.new((2,), "uint32", "index", 2)
    return [x, index, *g.call(TABLE["quantize"], [w], kwargs)], kwargs


def gather_qqmm(x, index, w, s, **kwargs):
    return mx.gather_qqmm(x, w, s, index, index, **kwargs)


# Random numbers: always with a key.


def keyed(make, *inputs):
    def draw(g):
        key = g.new((2,), "uint32", "key")
        refs = [f(g) for f in inputs]
        return [key, *refs], make(g)

    return draw


def with_key(fn):
    return lambda key, *rest, **kwargs: fn(*rest, **kwargs, key=key)


def random_shape(g):
    return {"shape": g.shape(), "dtype": getattr(mx, g.dtype(REALS))}


def small_float(g):
    return g.new((), "float32")


def random(name, make, *inputs, **options):
    return Row(
        f"random.{name}",
        keyed(make, *inputs),
        None,
        with_key(getattr(mx.random, name.split(":")[0])),
        **options,
    )


def multivariate_draw(g):
    n = g.int(1, 3)
    refs = [g.new((2,), "uint32", "key"), g.new((n,), "float32"), g.new((n, n), "float32", "definite")]
    return refs, {"shape": g.shape(0, 2), "dtype": mx.float32}


def logits(g):
    return g.array(REALS, low=1, shortest=1)


# fast.


def normed_draw(bias):
    def draw(g):
        x = g.array(REALS, low=1, shortest=1)
        n, d = g.shape_of(x)[-1], g.dtype_of(x)
        return [x, g.new((n,), d), *([g.new((n,), d)] if bias else [])], {"eps": 1e-3}

    return draw


def rms_oracle(x, w, eps):
    return x / np.sqrt(np.mean(x * x, -1, keepdims=True) + eps) * w


def layer_oracle(x, w, b, eps):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps) * w + b


def rope_draw(g):
    dims = g.pick([2, 4, 8])
    x = g.new((g.int(1, 2), g.int(1, 3), g.int(1, 5), dims + g.int(0, 3)), g.dtype(REALS))
    return [x], {
        "dims": dims,
        "traditional": g.chance(0.5),
        "base": 100.0,
        "scale": 0.5,
        "offset": g.int(0, 5),
    }


def attention_draw(g):
    d = g.dtype(REALS)
    batch, kv, repeats, size = g.int(1, 2), g.int(1, 2), g.int(1, 2), g.int(1, 8)
    q, k = g.length(1), g.length(1)
    refs = [
        g.new((batch, kv * repeats, q, size), d),
        g.new((batch, kv, k, size), d),
        g.new((batch, kv, k, size), d),
    ]
    mode = g.pick(["none", "causal", "bool", "additive"])
    if mode == "causal" and q > k:
        mode = "none"
    if mode == "bool":
        refs.append(g.new((q, k), "bool"))
    if mode == "additive":
        refs.append(g.new((q, k), d))
    return refs, {"scale": 0.4, "mode": mode}


def attention(q, k, v, mask=None, *, scale, mode):
    return mx.fast.scaled_dot_product_attention(
        q, k, v, scale=scale, mask="causal" if mode == "causal" else mask
    )


def attention_oracle(q, k, v, mask=None, *, scale, mode):
    repeats = q.shape[1] // k.shape[1]
    k, v = np.repeat(k, repeats, 1), np.repeat(v, repeats, 1)
    scores = scale * (q @ np.swapaxes(k, -1, -2))
    if mode == "causal":
        mask = np.tril(np.ones(scores.shape[-2:], bool), k.shape[2] - q.shape[2])
    if mode == "additive":
        scores = scores + mask
    elif mask is not None:
        # A row without keys averages all values.
        scores = np.where(mask, scores, -1e30)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True)) @ v


def cross_entropy_draw(g):
    x = g.array(REALS, low=1, high=3, shortest=1)
    shape = g.shape_of(x)
    return [x, g.new(shape[:-1], "int32", "count", 0, shape[-1] - 1)], {}


def cross_entropy_oracle(x, t):
    return logsumexp(x, -1) - np.take_along_axis(x, t[..., None].astype(np.int64), -1)[..., 0]


def delta_draw(g):
    d = g.dtype(("float32", "float64"))
    batch, steps, heads, key, value = g.int(1, 2), g.int(1, 4), g.int(1, 2), 4, 4
    shapes = [(batch, steps, heads, key)] * 2 + [(batch, steps, heads, value)]
    gates = [g.into(g.new((batch, steps, heads), d), 0.1, 0.9) for _ in range(2)]
    return [*[g.new(s, d) for s in shapes], *gates], {}


ROWS = [
    Row("quantize", quantize_draw, skip={"derivative": "packing has none"}),
    Row("dequantize", dequantize_draw, wild=True),
    Row("quantized_matmul", quantized_matmul_draw, expanded, ulps=64, wild=True,
        scale=lambda x, *r, **k: 9.0 * x.shape[-1]),
    Row("gather_qmm", gather_qmm_draw, None, gather_qmm, ulps=64, wild=True),
    Row("qqmm", qqmm_draw, ulps=64, wild=True),
    Row("gather_qqmm", gather_qqmm_draw, None, gather_qqmm, ulps=64, wild=True),
    Row("random.key", lambda g: ([], {"seed": g.int(0, 2**31)})),
    Row("random.split", lambda g: ([g.new((2,), "uint32", "key")], {"num": g.int(1, 4)})),
    random("uniform", random_shape), random("normal", random_shape), random("gumbel", random_shape),
    random("laplace", random_shape),
    random("uniform:bounds", lambda g: {"shape": (2, 3)}, small_float, small_float),
    random("truncated_normal", lambda g: {**random_shape(g), "lower": -1.0, "upper": 2.0}),
    random("randint", lambda g: {"low": 0, "high": 9, "shape": g.shape(), "dtype": getattr(mx,
        g.pick(INTEGERS))}),
    random("bernoulli", lambda g: {"p": 0.3, "shape": g.shape()}),
    random("categorical", lambda g: {"axis": -1}, logits),
    random("permutation", lambda g: {}, lambda g: g.array(low=1)),
    Row("random.multivariate_normal", multivariate_draw, None,
        lambda key, mean, cov, **k: mx.random.multivariate_normal(mean, cov, key=key, **k), ulps=400),
    Row("fast.rms_norm", normed_draw(False), rms_oracle, ulps=16, smooth=True),
    Row("fast.layer_norm", normed_draw(True), layer_oracle, ulps=32, smooth=True, scale=lambda *a, **k: 30.0),
    Row("fast.rope", rope_draw, ulps=16, smooth=True),
    Row("fast.scaled_dot_product_attention", attention_draw, attention_oracle, attention, ulps=32,
        smooth=True,
        scale=lambda *a, **k: 3.0),
    Row("fast.cross_entropy", cross_entropy_draw, cross_entropy_oracle, ulps=16,
        scale=lambda *a: 6.0),
    Row("fast.gated_delta_update", delta_draw, ulps=64, smooth=True),
]  # fmt: skip
TABLE = {row.name: row for row in ROWS}
__all__ = ["DTYPES", "ROWS"]
