"""Quantization: exact packed words and scales, products of two quantized operands, 8-bit floats, errors."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from cases.quantize import unpack
from harness.compare import assert_close, assert_same_bits, to_numpy

import mlx.core as mx

GOLDEN = Path(__file__).parents[1] / "golden"
ENTRIES = json.loads((GOLDEN / "quantize.json").read_text())
ARRAYS = np.load(GOLDEN / "quantize.npz")
FP_MODES = {"mxfp4": (32, 4), "mxfp8": (32, 8), "nvfp4": (16, 4)}
FP4 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])


def golden_array(place):
    values = ARRAYS[place["array"]]
    if place["dtype"] == "bfloat16":
        return (values.astype(np.uint32) << 16).view(np.float32)
    return values


def ramp(*shape, lo=-1.0, hi=1.0, step=0.618033988749895):
    fraction = np.modf(np.arange(np.prod(shape)) * step + 0.5)[0]
    return (lo + (hi - lo) * fraction).reshape(shape).astype(np.float32)


@pytest.mark.parametrize("entry", ENTRIES, ids=[f"c{i}" for i in range(len(ENTRIES))])
def test_golden(entry):
    given = dict(entry["in"])
    w = mx.array(ARRAYS[given.pop("w")[1:]]).astype(getattr(mx, given.pop("dtype", "float32")))
    packed = mx.quantize(w, **given)
    results, exact = list(packed), len(packed)
    if "edge case" not in entry["call"]:
        results.append(mx.dequantize(*packed, **given))
    if "quantized_matmul" in entry["call"]:
        x = mx.array(ramp(2, w.shape[1], step=0.7548776662466927)).astype(w.dtype)
        results.append(mx.quantized_matmul(x, *packed, **given))
    for i, (got, place) in enumerate(zip(results, entry["out"], strict=True)):
        assert str(got.dtype) == f"mlx.core.{place['dtype']}"
        expected = golden_array(place)
        if i < exact or "mode" in given:
            np.testing.assert_array_equal(to_numpy(got), expected)
        elif i == exact:
            assert_close(got, expected.astype(np.float64), 1)
        else:  # rounding errors of a sum are relative to the sum of magnitudes
            terms = np.abs(to_numpy(x)) @ np.abs(to_numpy(results[exact])).T
            assert_close(got, expected.astype(np.float64), 2, scale=float(terms.max()))


def words(array):
    return array.reshape(-1).tolist()


def test_known_words():
    w, s, b = mx.quantize(mx.arange(64, dtype=mx.float32)[None])
    half = [3740200959, 3167538653, 2863311803, 2290653593]
    assert words(w) == [*half, 1717991287, 1145394517, 572732212, 69906]
    assert abs(s.item() + 4.2) < 1e-6 and b.item() == 63
    w, s, b = mx.quantize(mx.arange(32, dtype=mx.float32)[None], group_size=32, bits=1)
    assert words(w) == [4294901760] and s.item() == 31 and b.item() == 0
    row = mx.arange(32, dtype=mx.float32)[None]
    w, s = mx.quantize(row, mode="mxfp4")
    assert words(w) == [554766336, 1127428642, 1431585860, 1717917013] and words(s) == [130]
    w, s = mx.quantize(row, mode="mxfp8")
    assert words(w)[0] == 1549291520 and words(s) == [124]
    w, s = mx.quantize(row, mode="nvfp4")
    assert words(w) == [1413685776, 2004248165, 1717986901, 2004318054] and words(s) == [66, 74]


def decode_fp8(codes):
    codes = np.asarray(codes, np.int64)
    exponent, mantissa = codes >> 3 & 15, codes & 7
    value = np.where(exponent == 0, mantissa * 2.0**-9, (8 + mantissa) * 2.0 ** (exponent - 10.0))
    value = np.where((codes & 127) == 127, np.nan, value)
    return np.where(codes & 128, -value, value)


def test_fp8_decodes_every_code():
    got = mx.from_fp8(mx.arange(256).astype(mx.uint8), mx.float32)
    np.testing.assert_array_equal(np.array(got), decode_fp8(range(256)))
    assert np.signbit(np.array(got)[128])
    for dtype in (mx.float16, mx.bfloat16, mx.float64):
        assert_same_bits(mx.from_fp8(mx.arange(256).astype(mx.uint8), dtype), got.astype(dtype))
    assert mx.from_fp8(mx.array([56], mx.uint8)).dtype == mx.bfloat16


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
def test_fp8_encodes_the_nearest(dtype):
    table = decode_fp8(range(127))
    middles = (table[1:] + table[:-1]) / 2
    values = np.concatenate([table, middles, middles * (1 + 2**-7), middles * (1 - 2**-7), [1e4, np.inf]])
    x = mx.array(np.concatenate([values, -values])).astype(getattr(mx, dtype))
    codes = np.array(mx.to_fp8(x)).astype(np.int64)
    numbers = to_numpy(x).astype(np.float64)
    clipped = np.clip(np.abs(numbers), 0, 448)
    distance = np.abs(table[None] - clipped[:, None])
    nearest = distance == distance.min(-1, keepdims=True)
    assert nearest[np.arange(len(codes)), codes & 127].all()
    ties = nearest.sum(-1) > 1
    assert ties.any() and (codes[ties] % 2 == 0).all()
    assert ((codes >> 7) == np.signbit(numbers)).all()
    nan = mx.array(np.array([np.nan, -np.nan], np.float32))
    assert words(mx.to_fp8(nan)) == [0x7E, 0xFE]
    assert words(mx.to_fp8(mx.array([1.0, 2.0**-10, 1.0625, 1.1875, -0.0]))) == [56, 0, 56, 58, 128]


def dequantized(packed, scales, mode):
    group, bits = FP_MODES[mode]
    codes = unpack(np.array(packed), bits)
    values = decode_fp8(codes) if bits == 8 else FP4[codes & 7] * np.where(codes & 8, -1.0, 1.0)
    scale = decode_fp8(scales) if mode == "nvfp4" else 2.0 ** (np.array(scales).astype(np.float64) - 127)
    return values * np.repeat(scale, group, -1)


@pytest.mark.parametrize("mode", FP_MODES)
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
def test_float_modes(mode, dtype):
    kind = getattr(mx, dtype)
    x = mx.array(ramp(11, 96) * np.logspace(-3, 3, 96)).astype(kind)
    w, s = mx.quantize(x, mode=mode)
    expected = dequantized(w, s, mode)
    assert_same_bits(mx.dequantize(w, s, mode=mode), mx.array(expected).astype(mx.bfloat16))
    np.testing.assert_array_equal(np.array(mx.dequantize(w, s, mode=mode, dtype=mx.float64)), expected)
    assert np.abs(expected - to_numpy(x)).max() <= np.abs(to_numpy(x)).max() / 3
    for rows in (1, 4, 7, 40):
        a = mx.array(ramp(rows, 96)).astype(kind)
        got = mx.quantized_matmul(a, w, s, mode=mode)
        assert got.dtype == kind
        assert_close(got, to_numpy(a).astype(np.float64) @ expected.T, 32)
        b = mx.array(ramp(rows, 11)).astype(kind)
        turned = mx.quantized_matmul(b, w, s, transpose=False, mode=mode)
        assert_close(turned, to_numpy(b).astype(np.float64) @ expected, 32)


def test_extreme_groups_saturate():
    for mode in FP_MODES:
        for value in (3e38, 1e-38, 1e-45, 0.0, np.inf, np.nan):
            x = mx.full((1, 32), value)
            w, s = mx.quantize(x, mode=mode)
            result = np.array(mx.dequantize(w, s, mode=mode, dtype=mx.float32))
            if value in (0.0, 1e-45) or (mode == "nvfp4" and value == 1e-38):
                assert (result == 0).all(), (mode, value)
    w, s = mx.quantize(mx.array([[1e30] + [0.0] * 15]), mode="nvfp4")
    assert words(w)[0] & 15 == 7 and words(s) == [0x7E]  # 6 * 448


def test_global_scale():
    x = mx.array(ramp(8, 64))
    g = mx.abs(x).max()
    w, s = mx.quantize(x, mode="nvfp4", global_scale=g)
    got = mx.dequantize(w, s, mode="nvfp4", global_scale=g)
    assert got.dtype == mx.float32
    np.testing.assert_allclose(np.array(got), dequantized(w, s, "nvfp4") * g.item() / 2688, rtol=1e-6)
    assert np.abs(np.array(got) - np.array(x)).max() < 0.17
    assert mx.dequantize(w, s, mode="nvfp4", global_scale=g, dtype=mx.float16).dtype == mx.float16

    def total(scale):
        return (mx.dequantize(w, s, mode="nvfp4", global_scale=scale) * x).sum()

    np.testing.assert_allclose(mx.grad(total)(g).item(), total(g).item() / g.item(), rtol=1e-5)
    scales = mx.array([1.0, 2.0])
    pair, pair_scales = mx.stack([w, w]), mx.stack([s, s])
    out = mx.gather_qmm(x, pair, pair_scales, rhs_indices=mx.array([1, 0]), mode="nvfp4", global_scale=scales)
    plain = np.array(x) @ (dequantized(w, s, "nvfp4") / 2688).T
    np.testing.assert_allclose(np.array(out), np.stack([2 * plain, plain]), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("mode", FP_MODES)
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_qqmm(mode, dtype):
    kind = getattr(mx, dtype)
    x, w = mx.array(ramp(5, 64)).astype(kind), mx.array(ramp(7, 64, step=0.7548776662466927)).astype(kind)
    packed, packed_x = mx.quantize(w, mode=mode), mx.quantize(x, mode=mode)
    expected = dequantized(*packed_x, mode) @ dequantized(*packed, mode).T
    for got in (mx.qqmm(x, *packed, mode=mode), mx.qqmm(x, w, mode=mode)):
        assert got.dtype == kind
        assert_close(got, expected, 16)
    assert_close(mx.qqmm(x[0], *packed, mode=mode), expected[0], 16)
    batch = mx.stack([w, w])
    for got in (mx.gather_qqmm(x, *mx.quantize(batch, mode=mode), rhs_indices=mx.array([1, -2]), mode=mode),
                mx.gather_qqmm(x, batch, rhs_indices=mx.array([1, -2]), mode=mode)):  # fmt: skip
        assert_close(got, np.stack([expected, expected]), 16)
    ct = mx.array(ramp(5, 7)).astype(kind)
    _, (dx, dw) = mx.vjp(lambda a, b: mx.qqmm(a, b, mode=mode), [x, w], [ct])
    wide = to_numpy(ct).astype(np.float64)
    assert_close(dx, wide @ dequantized(*packed, mode), 16)
    assert_close(dw, wide.T @ dequantized(*packed_x, mode), 16)
    mapped = mx.vmap(lambda a: mx.qqmm(a, *packed, mode=mode))(x)
    assert_close(mapped, expected, 16)


def test_qqmm_global_scales():
    x, w = mx.array(ramp(5, 64)), mx.array(ramp(7, 64, step=0.75))
    gx, gw = mx.array(1.5), mx.array([0.75])
    packed, packed_x = (mx.quantize(a, mode="nvfp4", global_scale=g) for a, g in ((w, gw), (x, gx)))
    expected = (dequantized(*packed_x, "nvfp4") * 1.5 / 2688) @ (
        dequantized(*packed, "nvfp4") * 0.75 / 2688
    ).T
    for operands in (packed, (w,)):
        got = mx.qqmm(x, *operands, global_scale_x=gx, global_scale_w=gw)
        np.testing.assert_allclose(np.array(got), expected, rtol=1e-4, atol=1e-6)


def test_many_rows_and_long_sums():
    x, w = mx.array(ramp(300, 4352)), mx.array(ramp(70, 4352, step=0.7548776662466927))
    for bits in (3, 4, 8):
        packed = mx.quantize(w, bits=bits)
        expected = (
            np.array(x).astype(np.float64) @ np.array(mx.dequantize(*packed, bits=bits)).astype(np.float64).T
        )
        for rows in (1, 3, 8, 9, 300):
            got = mx.quantized_matmul(x[:rows], *packed, bits=bits)
            assert_close(got, expected[:rows], 64, scale=np.abs(expected).max())


def test_empty():
    for mode, group in (("affine", 64), *((m, g) for m, (g, _) in FP_MODES.items())):
        for shape in ((0, 2 * group), (3, 0)):
            parts = mx.quantize(mx.zeros(shape), mode=mode)
            assert mx.dequantize(*parts, mode=mode).shape == shape
    w, s, b = mx.quantize(mx.zeros((0, 64)))
    assert mx.quantized_matmul(mx.zeros((2, 64)), w, s, b).shape == (2, 0)
    w, s, b = mx.quantize(mx.zeros((3, 0)))
    assert_same_bits(mx.quantized_matmul(mx.zeros((2, 0)), w, s, b), mx.zeros((2, 3)))
    w, s, b = mx.quantize(mx.zeros((3, 64)))
    assert mx.quantized_matmul(mx.zeros((0, 64)), w, s, b).shape == (0, 3)
    assert mx.quantize(mx.ones((1, 48)), mode="nvfp4")[1].shape == (1, 3)


def test_vmap_of_packing():
    x = mx.array(ramp(4, 3, 64))
    for axis in (0, 1):
        parts = mx.vmap(mx.quantize, in_axes=axis)(x)
        whole = mx.quantize(mx.moveaxis(x, axis, 0))
        for got, want in zip(parts, whole, strict=True):
            assert_same_bits(got, want)
    back = mx.vmap(mx.dequantize, in_axes=(0, 0, 0))(*mx.quantize(x))
    assert_same_bits(back, mx.dequantize(*mx.quantize(x)))
    assert mx.vmap(mx.to_fp8)(x).shape == x.shape


W, S, B = mx.quantize(mx.ones((4, 64)))
FW, FS = mx.quantize(mx.ones((4, 64)), mode="mxfp4")
X = mx.ones((2, 64))
ERRORS = {
    "bits": (lambda: mx.quantize(X, bits=7), "bits must be 1, 2, 3, 4, 5, 6 or 8, but are 7"),
    "group": (lambda: mx.quantize(X, group_size=16), "group size must be 32, 64 or 128, but is 16"),
    "mode": (lambda: mx.quantize(X, mode="int4"), "not 'int4'"),
    "pair": (lambda: mx.quantize(X, bits=8, mode="mxfp4"), "mxfp4 has a group size of 32 and 4 bits"),
    "ndim": (lambda: mx.quantize(mx.ones((64,))), r"at least 2 dimensions, but has shape \(64,\)"),
    "dtype": (lambda: mx.quantize(mx.ones((2, 64), mx.int32)), "real floating-point, but is int32"),
    "divisible": (lambda: mx.quantize(mx.ones((2, 65))), "divisible by the group size 64"),
    "global mode": (lambda: mx.quantize(X, global_scale=mx.array(1.0)), "nvfp4 only, not with affine"),
    "global shape": (
        lambda: mx.quantize(X, mode="nvfp4", global_scale=mx.ones((2,))),
        r"must have shape \(1,\)",
    ),
    "packed dtype": (lambda: mx.dequantize(W.astype(mx.int32), S, B), "must be uint32, but is int32"),
    "biases": (lambda: mx.dequantize(W, S), "Biases are required for the mode affine"),
    "no biases": (lambda: mx.dequantize(FW, FS, FS, mode="mxfp4"), "not part of the mode mxfp4"),
    "fp scales": (
        lambda: mx.dequantize(FW, FS.astype(mx.float32), mode="mxfp4"),
        "must be uint8, but are float32",
    ),
    "shapes": (lambda: mx.dequantize(W, S[:2], B[:2]), "do not match with a group size of 64 and 4 bits"),
    "result dtype": (
        lambda: mx.dequantize(W, S, B, dtype=mx.int32),
        "must be real floating-point, but is int32",
    ),
    "inner": (lambda: mx.quantized_matmul(mx.ones((2, 32)), W, S, B), "must match the 64 columns"),
    "inner rows": (lambda: mx.quantized_matmul(X, W, S, B, transpose=False), "must match the 4 rows"),
    "complex x": (lambda: mx.quantized_matmul(X.astype(mx.complex64), W, S, B), "but x is complex64"),
    "int x": (lambda: mx.quantized_matmul(X.astype(mx.int32), FW, FS, mode="mxfp4"), "but x is int32"),
    "float indices": (lambda: mx.gather_qmm(X, W, S, B, rhs_indices=mx.array([0.0])), "must be integers"),
    "qqmm float64": (lambda: mx.qqmm(X.astype(mx.float64), X), "but is float64"),
    "qqmm scales": (lambda: mx.qqmm(X, FW, mode="mxfp4"), "A packed w needs scales"),
    "qqmm ndim": (lambda: mx.qqmm(X, mx.ones((2, 2, 64))), "w must have 2 dimensions"),
    "qqmm one": (lambda: mx.qqmm(X, X, global_scale_x=mx.array(1.0)), "for both x and w or for none"),
    "to_fp8": (lambda: mx.to_fp8(mx.array([1])), "real floating-point, but is int32"),
    "from_fp8": (lambda: mx.from_fp8(mx.array([1])), "must be uint8, but is int32"),
    "from_fp8 dtype": (lambda: mx.from_fp8(FS, mx.int32), "must be real floating-point, but is int32"),
    "to_fp8 gradient": (
        lambda: mx.grad(lambda x: mx.to_fp8(x).astype(mx.float32).sum())(X),
        "has no derivative",
    ),
    "scale gradient": (
        lambda: mx.grad(lambda s: mx.dequantize(FW, s, mode="mxfp4").sum())(FS),
        "no derivative by the scales",
    ),
    "gather_mm float": (lambda: mx.gather_mm(X, X.T, mx.array([0.5])), "must be integers, but are float32"),
    "gather_mm int": (lambda: mx.gather_mm(X.astype(mx.int32), X.T.astype(mx.int32)), "promote to int32"),
    "gather_mm inner": (lambda: mx.gather_mm(X, X), "must match second to last dimension"),
    "block size": (lambda: mx.block_masked_mm(X, X.T, 16, mx.ones((1, 1))), "32 or 64, but is 16"),
    "block mask": (
        lambda: mx.block_masked_mm(X, X.T, 32, mx.ones((2, 1))),
        "mask of the result must have shape",
    ),
    "segments": (lambda: mx.segmented_mm(X, X.T, mx.array([0, 1, 2])), r"must have shape \(\.\.\., 2\)"),
    "segments float": (lambda: mx.segmented_mm(X, X.T, mx.array([0.0, 1.0])), "must be integers"),
    "segments ndim": (lambda: mx.segmented_mm(X[None], X.T, mx.array([0, 1])), "must have 2 dimensions"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name):
    call, text = ERRORS[name]
    with pytest.raises(ValueError, match=text) as info:
        mx.eval(call())
    assert re.match(r"\[\w+\] ", str(info.value))


def test_packed_gradient_is_refused():
    with pytest.raises(RuntimeError, match="no derivative by packed values"):
        mx.grad(lambda w: mx.quantized_matmul(X, w, S, B).sum())(W)


def test_an_index_out_of_range_raises_when_it_is_used():
    bad = {
        "gather_mm": lambda i: mx.gather_mm(mx.ones((2, 3, 4)), mx.ones((2, 4, 5)), i, i),
        "gather_qmm": lambda i: mx.gather_qmm(X, *(mx.stack([a, a]) for a in (W, S, B)), rhs_indices=i),
    }
    for name, call in bad.items():
        for index in (2, -3):
            y = call(mx.array([0, index]))
            text = rf"\[{name}\] Index {index} is out of bounds for axis 0 with size 2"
            with pytest.raises(IndexError, match=text):
                mx.eval(y)
    for segment in ([0, 65], [-1, 4]):
        with pytest.raises(IndexError, match="out of bounds for axis 1 with size 64"):
            mx.eval(mx.segmented_mm(X, X.T, mx.array([segment])))
    assert_same_bits(mx.segmented_mm(X, X.T, mx.array([[5, 5], [6, 2]])), mx.zeros((2, 2, 2)))


def test_default_indices_name_all_matrices():
    a, b = mx.array(ramp(3, 2, 4)), mx.array(ramp(3, 4, 5, step=0.3))
    assert_close(mx.gather_mm(a, b), np.array(a) @ np.array(b), 8)
    one = mx.gather_mm(a, b[0])
    assert_close(one, np.array(a) @ np.array(b[0]), 8)


def test_a_bool_mask_removes_what_is_not_finite():
    a = mx.full((32, 64), mx.nan)
    a[:, :32] = 1
    keep = mx.array([[True, False]])
    got = mx.block_masked_mm(a, mx.ones((64, 32)), 32, None, keep, None)
    assert_same_bits(got, mx.full((32, 32), 32.0))
