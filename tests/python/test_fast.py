"""mlx.core.fast: golden values, special rows, determinism, errors."""

import json
from pathlib import Path

import numpy as np
import pytest
from harness.compare import assert_close, assert_same_bits

import mlx.core as mx

GOLDEN = Path(__file__).parents[1] / "golden"


def entries(file, words):
    arrays = np.load(GOLDEN / f"{file}.npz")
    for i, entry in enumerate(json.loads((GOLDEN / f"{file}.json").read_text())):
        if any(word in entry["call"] for word in words):
            given = {k: mx.array(arrays[v[1:]]) if isinstance(v, str) and v.startswith("@") else v
                     for k, v in entry["in"].items()}  # fmt: skip
            yield f"{file}-{i}", entry["call"], given, [arrays[o["array"]] for o in entry["out"]]


def run(call, given):
    if call.startswith("fast.rope(x, 16"):
        freqs = given["freqs"]
        return mx.fast.rope(given["x"], 16, traditional=False, base=None, scale=1, offset=3, freqs=freqs)
    if call.startswith("fast.rope with"):
        offset = mx.array([0, 5])
        return mx.fast.rope(given["x"], 16, traditional=False, base=10000.0, scale=1.0, offset=offset)
    if call.startswith("fast.rope"):
        return mx.fast.rope(given.pop("x"), given.pop("dims"), **given)
    if call.startswith("block_masked_mm"):
        return mx.block_masked_mm(given.pop("a"), given.pop("b"), 32, **given)
    if call.startswith("gather_mm"):
        return mx.gather_mm(given["a"], given["b"], mx.array([0, 2, 1, 0]), mx.array([4, 4, 0, 1]))
    if call.startswith("fast.gated"):
        return mx.fast.gated_delta_update(**given)
    if "causal" in call:
        given["mask"] = "causal"
    q, k, v = (given.pop(name) for name in "qkv")
    return mx.fast.scaled_dot_product_attention(q, k, v, scale=0.35, **given)


WORDS = ("rope", "attention", "... ", "block_masked", "gather_mm", "gated_delta")
CASES = [*entries("conventions", WORDS), *entries("later", WORDS)]


def test_golden_cases_are_there():
    assert len(CASES) == 16 + 2 + 5 + 2 + 9


@pytest.mark.parametrize(("name", "call", "given", "expected"), CASES, ids=[c[0] for c in CASES])
def test_golden(name, call, given, expected):
    got = run(call, given)
    for x, want in zip(got if isinstance(got, list) else [got], expected, strict=True):
        np.testing.assert_allclose(np.array(x), want, rtol=1e-5, atol=1e-6)


def sdpa(*args, scale=0.5, **kwargs):
    return mx.fast.scaled_dot_product_attention(*args, scale=scale, **kwargs)


def qkv(batch, heads, key_heads, time, keys, size, dtype=mx.float32):
    rng = np.random.default_rng(time + keys)
    shapes = ((batch, heads, time, size), (batch, key_heads, keys, size), (batch, key_heads, keys, size))
    return [mx.array(rng.standard_normal(s).astype(np.float32)).astype(dtype) for s in shapes]


@pytest.mark.parametrize("time", [1, 12])
def test_rows_without_keys(time):
    q, k, v = qkv(1, 2, 2, time, 700, 8)
    none = mx.zeros((time, 700), mx.bool_)
    average = np.broadcast_to(np.array(v).mean(2, keepdims=True), (1, 2, time, 8))
    np.testing.assert_allclose(np.array(sdpa(q, k, v, mask=none)), average, atol=1e-6)
    assert np.isnan(np.array(sdpa(q, k, v, mask=mx.full((time, 700), -mx.inf)))).all()
    with_sinks = sdpa(q, k, v, mask=mx.full((time, 700), -mx.inf), sinks=mx.zeros((2,)))
    assert_same_bits(with_sinks, mx.zeros(q.shape))
    # A panel that is left out altogether leaves no trace.
    window = mx.where(mx.arange(700) < 600, -mx.inf, 0.0)
    for mask in (window, window == 0):
        alone = sdpa(q, k[:, :, 600:], v[:, :, 600:])
        assert_close(sdpa(q, k, v, mask=mask), np.array(alone).astype(np.float64), 8)


def test_no_keys_give_zero():
    q, k, v = qkv(1, 2, 2, 3, 0, 8)
    assert_same_bits(sdpa(q, k, v), mx.zeros(q.shape))
    assert_same_bits(sdpa(q, k, v, sinks=mx.zeros((2,))), mx.zeros(q.shape))
    assert sdpa(q[:, :, :0], *qkv(1, 2, 2, 3, 5, 8)[1:]).shape == (1, 2, 0, 8)
    grads = mx.grad(lambda *a: sdpa(*a).sum(), argnums=(0, 1, 2))(q, k, v)
    assert [g.shape for g in grads] == [q.shape, k.shape, v.shape]


@pytest.mark.parametrize("time", [1, 40])
def test_large_scores_and_nan(time):
    q, k, v = qkv(1, 1, 1, time, 9, 4)
    big = sdpa(q * 1e4, k * 1e3, v)
    assert np.isfinite(np.array(big)).all()
    bad = mx.array(np.array(v))
    bad[0, 0, 3] = mx.nan
    assert np.isnan(np.array(sdpa(q, k, bad))).all()
    q = mx.array(np.array(q))
    q[0, 0, 0, 0] = mx.nan
    got = np.array(sdpa(q, k, v))[0, 0]
    assert np.isnan(got[0]).all() and np.isfinite(got[1:]).all()


@pytest.mark.parametrize("dtype", [mx.float16, mx.bfloat16])
def test_half_types_keep_a_wide_softmax(dtype):
    q, k, v = qkv(1, 2, 1, 1, 3000, 16, dtype)
    for rows in (q, mx.repeat(q, 20, axis=2)):
        wide = sdpa(*(x.astype(mx.float64) for x in (rows, k, v)))
        got = sdpa(rows, k, v)
        assert got.dtype == dtype
        assert_close(got, np.array(wide), 1)


def test_results_do_not_depend_on_layout_or_neighbours():
    q, k, v = qkv(2, 4, 2, 70, 300, 16)
    whole = sdpa(q, k, v, mask="causal")
    turned = [mx.contiguous(x.transpose(0, 2, 1, 3)).transpose(0, 2, 1, 3) for x in (q, k, v)]
    assert_same_bits(sdpa(*turned, mask="causal"), whole)
    cache = [mx.concatenate([x, x], axis=2)[:, :, :300] for x in (k, v)]
    assert_same_bits(sdpa(q, *cache, mask="causal"), whole)
    assert_same_bits(sdpa(q[1:], k[1:], v[1:], mask="causal"), whole[1:])


Q, K, V = qkv(1, 4, 2, 3, 5, 8)
I = mx.array([0])  # noqa: E741
ROPE = {"traditional": False, "base": 10.0, "scale": 1.0, "offset": 0}
DELTA = [mx.ones(s) for s in ((1, 2, 1, 3), (1, 2, 1, 3), (1, 2, 2, 4), (1, 2, 2), (1, 2, 2))]
LOGITS = mx.ones((2, 5))
ERRORS = {
    "ndim": (lambda: sdpa(Q[0], K, V), "must have 4 dimensions"),
    "batch": (lambda: sdpa(Q, mx.concatenate([K, K]), V), "batch sizes differ: 1 and 2"),
    "features": (lambda: sdpa(Q[..., :4], K, V), "4 and keys of 8 features"),
    "heads": (lambda: sdpa(Q[:, :3], K, V), "3 query heads are no multiple of the 2 key heads"),
    "keys": (lambda: sdpa(Q, K, V[:, :, :4]), "do not match"),
    "int": (lambda: sdpa(*(x.astype(mx.int32) for x in (Q, K, V))), "promote to int32"),
    "mask name": (lambda: sdpa(Q, K, V, mask="none"), "not 'none'"),
    "empty mask name": (lambda: sdpa(Q, K, V, mask=""), "not ''"),
    "mask ndim": (lambda: sdpa(Q, K, V, mask=mx.ones((1, 1, 1, 1, 1))), "does not broadcast"),
    "mask shape": (lambda: sdpa(Q, K, V, mask=mx.ones((4, 5))), r"\(4,5\) does not broadcast"),
    "mask dtype": (
        lambda: sdpa(*(x.astype(mx.float16) for x in (Q, K, V)), mask=mx.ones((3, 5))),
        "float32, does not promote",
    ),
    "sinks": (lambda: sdpa(Q, K, V, sinks=mx.ones((2,))), r"shape \(4,\), one per query head"),
    "fused": (
        lambda: sdpa(Q, K, V, force_fused=True),
        "force_fused=True but no fused kernel is available in CPU backend",
    ),
    "rope ndim": (lambda: mx.fast.rope(LOGITS, 2, **ROPE), "at least 3 dimensions"),
    "rope dims": (lambda: mx.fast.rope(Q, 3, **ROPE), "even, positive and at most the 8 features, but is 3"),
    "rope dims 10": (lambda: mx.fast.rope(Q, 10, **ROPE), "but is 10"),
    "rope none": (lambda: mx.fast.rope(Q, 2, **{**ROPE, "base": None}), "Exactly one of base and freqs"),
    "rope both": (lambda: mx.fast.rope(Q, 2, **ROPE, freqs=mx.ones((1,))), "Exactly one of base and freqs"),
    "rope freqs": (
        lambda: mx.fast.rope(Q, 4, **{**ROPE, "base": None}, freqs=mx.ones((1,))),
        r"freqs must have shape \(2,\)",
    ),
    "rope int": (lambda: mx.fast.rope(Q.astype(mx.int32), 2, **ROPE), "but is int32"),
    "rope offset": (
        lambda: mx.fast.rope(Q, 2, **{**ROPE, "offset": mx.array(1.0)}),
        "offset must be integer",
    ),
    "rope offsets": (
        lambda: mx.fast.rope(Q, 2, **{**ROPE, "offset": mx.array([1, 2])}),
        "one for each of the 1 batch",
    ),
    "logits": (lambda: mx.fast.cross_entropy(LOGITS.astype(mx.int32), mx.array([0, 1])), "but are int32"),
    "targets": (
        lambda: mx.fast.cross_entropy(LOGITS, mx.array([0.0, 1])),
        "integer class ids, but are float32",
    ),
    "targets shape": (lambda: mx.fast.cross_entropy(LOGITS, mx.array([0])), "without the last axis"),
    "no logits": (lambda: mx.fast.cross_entropy(mx.ones((0, 5)), mx.zeros((0,), mx.int32)), "are empty"),
    "delta time": (lambda: mx.fast.gated_delta_update(*(x[:, :0] for x in DELTA)), "at least one step"),
    "delta heads": (
        lambda: mx.fast.gated_delta_update(*DELTA[:2], mx.ones((1, 2, 0, 4)), *DELTA[3:]),
        "gamma must have",
    ),
    "delta beta": (lambda: mx.fast.gated_delta_update(*DELTA[:4], mx.ones((1, 2))), "beta must have shape"),
    "delta state": (
        lambda: mx.fast.gated_delta_update(*DELTA, mx.ones((1,))),
        "initial_state must have shape",
    ),
    "delta int": (
        lambda: mx.fast.gated_delta_update(DELTA[0].astype(mx.int32), *DELTA[1:]),
        "but one is int32",
    ),
    "metal outputs": (lambda: mx.fast.metal_kernel("k", ["a"], [], ""), "at least one output"),
    "cuda outputs": (lambda: mx.fast.cuda_kernel("k", ["a"], [], ""), "at least one output"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name):
    call, text = ERRORS[name]
    with pytest.raises(ValueError, match=text):
        call()


def test_names_of_kernels_need_no_utf8():
    assert mx.fast.metal_kernel("k", ["\ud800"], ["b"], "")


def test_kernels_need_a_gpu():
    kernel = mx.fast.metal_kernel("k", ["a"], ["b"], "b[0] = a[0];")
    sizes = {
        "output_shapes": [(1,)],
        "output_dtypes": [mx.float32],
        "grid": (1, 1, 1),
        "threadgroup": (1, 1, 1),
    }
    for stream in (None, mx.cpu):
        with pytest.raises(RuntimeError, match="No Metal back-end"):
            kernel(inputs=[mx.ones((1,))], **sizes, stream=stream)
    with pytest.raises(TypeError):
        kernel()
    with pytest.raises(RuntimeError, match="No CUDA back-end"):
        mx.fast.cuda_kernel("k", ["a"], ["b"], "")
    with pytest.raises(RuntimeError, match="No CUDA back-end"):
        mx.fast.precompiled_cuda_kernel(name="k", compiled_source=b"", inputs=[], **sizes, scalars=[])


def test_cross_entropy_gradient_and_dtypes():
    rng = np.random.default_rng(3)
    x = rng.standard_normal((6, 9))
    targets = mx.array([0, 8, 3, 3, -1, 5])
    e = np.exp(x - x.max(-1, keepdims=True))
    expected = e / e.sum(-1, keepdims=True)
    expected[np.arange(6), np.array(targets)] -= 1
    for dtype in (mx.float32, mx.float64, mx.float16, mx.bfloat16):
        logits = mx.array(x).astype(dtype)
        loss = mx.fast.cross_entropy(logits, targets)
        assert loss.dtype == mx.float32
        gradient = mx.grad(lambda x: mx.fast.cross_entropy(x, targets).sum())(logits)
        assert gradient.dtype == dtype
        np.testing.assert_allclose(np.array(gradient.astype(mx.float32)), expected, atol=0.01)
    with pytest.raises(IndexError, match="Index 9 is out of bounds"):
        mx.eval(mx.fast.cross_entropy(mx.array(x), mx.array([9] * 6)))


def test_late_positions_are_exact():
    x = mx.array(np.random.default_rng(5).standard_normal((1, 4, 64)).astype(np.float32))
    options = {"traditional": False, "base": 10000.0, "scale": 1.0, "offset": 1_000_000}
    got = mx.fast.rope(x, 64, **options)
    assert_close(got, np.array(mx.fast.rope(x.astype(mx.float64), 64, **options)), 4)
