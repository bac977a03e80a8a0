"""Convolutions, Hadamard transforms and einsum: golden values, and calls that are wrong."""

import json
from pathlib import Path

import numpy as np
import pytest

import mlx.core as mx

GOLDEN = Path(__file__).parent.parent / "golden"
FUNCTIONS = ("conv2d", "conv_transpose2d", "conv_general", "hadamard_transform", "convolve")


def golden_calls():
    for i, call in enumerate(json.loads((GOLDEN / "conventions.json").read_text())):
        if call["call"].split("(")[0] in FUNCTIONS:
            yield pytest.param(call, id=f"{i}-{call['call'].split('(')[0]}")


def call_of(call, inputs):
    """The text of a golden call, made whole: its arguments are names of the inputs or Python values."""
    x = dict(inputs)
    name = call["call"].split("(")[0]
    if name == "conv_transpose2d":
        return mx.conv_transpose2d(
            x["x"], x["w"], x["stride"], x["padding"], x["dilation"], x["output_padding"]
        )
    return eval(f"mx.{call['call']}", {"mx": mx, **x})


@pytest.mark.parametrize("call", list(golden_calls()))
def test_golden(call):
    data = np.load(GOLDEN / "conventions.npz")
    inputs = {k: mx.array(data[v[1:]]) if isinstance(v, str) else v for k, v in call["in"].items()}
    got = call_of(call, inputs)
    want = data[call["out"][0]["array"]]
    assert got.shape == want.shape and got.dtype == mx.float32
    np.testing.assert_allclose(np.array(got), want, rtol=1e-5, atol=1e-5 * np.abs(want).max())


def test_hadamard_bases():
    """H Hᵀ = n I for every base size, and the first column of the bases is what the table says."""
    for n in (12, 20, 28, 24, 40, 56, 96, 256, 4096):
        h = np.array(mx.hadamard_transform(mx.eye(n, dtype=mx.float64), scale=1.0)).T
        assert set(np.unique(h)) == {-1.0, 1.0}
        np.testing.assert_array_equal(h @ h.T, n * np.eye(n))


def test_einsum_path_is_short():
    """A chain of products costs what its best order costs."""
    shapes = [(2, 500), (500, 3), (3, 400), (400, 2)]
    path, text = mx.einsum_path("ab,bc,cd,de->ae", *[mx.zeros(s) for s in shapes])
    assert [len(step) for step in path] == [2, 2, 2] and "Multiplications" in text
    assert mx.einsum_path("ij->i", mx.zeros((2, 3)))[0] == [(0,)]
    _, text = mx.einsum_path("ij,jk->ik", mx.zeros((2, 3)), mx.zeros((3, 4)))
    assert "at once: 24\n" in text and "in pairs: 24\n" in text
    many = [mx.ones((2, 2)) for _ in range(12)]
    letters = "abcdefghijklm"
    chain = ",".join(a + b for a, b in zip(letters, letters[1:], strict=False))
    assert mx.einsum(chain + "->am", *many).tolist() == [[2048.0, 2048.0], [2048.0, 2048.0]]
    mx.einsum_path(
        ",".join("ab" for _ in range(40)) + "->a", *[mx.ones((2, 2)) for _ in range(40)]
    )  # the search ends


def test_windows():
    for name in ("bartlett", "blackman", "hamming", "hanning"):
        for m in (0, 1, 2, 5, 12):
            w = getattr(mx, name)(m)
            assert w.dtype == mx.float32
            np.testing.assert_allclose(np.array(w), getattr(np, name)(m), atol=1e-7)
        assert getattr(mx, name)(-3).shape == (0,)


def test_views():
    x = mx.array([1.0, -2.0])
    assert x.view(mx.uint32).tolist() == [0x3F800000, 0xC0000000]
    assert mx.view(mx.array([1, 0, 0, 0, 2, 0, 0, 0], mx.uint8)[None], mx.int32).tolist() == [[1, 2]]
    assert mx.array([0, 2, 1, 255], mx.uint8).view(mx.bool_).tolist() == [False, True, True, True]
    odd = mx.arange(17, dtype=mx.uint8)[1:]  # not aligned for the wider dtype
    assert odd.view(mx.float64).view(mx.uint8).tolist() == list(range(1, 17))
    assert mx.zeros((3, 0), mx.uint8).view(mx.int32).shape == (3, 0)
    assert mx.array(1.0).view(mx.int32).item() == 0x3F800000


@pytest.mark.parametrize(("call", "error", "message"), [
    (lambda: mx.array(1.0).view(mx.int8), ValueError, "0-d array of float32"),
    (lambda: mx.zeros(3, mx.uint8).view(mx.int16), ValueError, "3 bytes of the last axis"),
    (lambda: mx.grad(lambda x: x.view(mx.int32).sum())(mx.ones(2)), ValueError, "view has no derivative"),
    (lambda: mx.einsum("ij,jk->ik", mx.ones((2, 3))), ValueError, "describes 2 operands, but 1"),
    (lambda: mx.einsum("ij->ik", mx.ones((2, 3))), ValueError, "names 'k', which no operand has"),
    (lambda: mx.einsum("ij->ii", mx.ones((2, 3))), ValueError, "names 'i' twice"),
    (lambda: mx.einsum("ijk", mx.ones((2, 3))), ValueError, "names 3 axes, but operand 0 has shape"),
    (lambda: mx.einsum("ij,jk", mx.ones((2, 3)), mx.ones((4, 5))), ValueError, "sizes 3 and 4 of 'j'"),
    (lambda: mx.einsum("i1->i", mx.ones((2, 3))), ValueError, "letters and at most one ellipsis"),
    (lambda: mx.einsum("->"), ValueError, "At least one operand"),
    (lambda: mx.einsum("i", 3), TypeError, "Argument 2 must be an array, not int"),
    (lambda: mx.vecdot(mx.ones(3), mx.ones((2, 3))), ValueError, "negative axis needs"),
    (lambda: mx.vecdot(mx.ones(3), mx.ones(4)), ValueError, "differ in size along axis"),
    (lambda: mx.vecdot(mx.ones(()), mx.ones(())), ValueError, "Scalars have no axis"),
    (lambda: mx.vecdot(mx.ones(3), mx.ones(3), axis=1), mx.AxisError, "vecdot"),
    (lambda: mx.hadamard_transform(mx.ones(36)), ValueError, "power of two, times 1, 12, 20 or 28"),
    (lambda: mx.hadamard_transform(mx.ones((2, 0))), ValueError, "power of two"),
    (lambda: mx.hadamard_transform(mx.ones(4, mx.complex64)), ValueError, "Complex"),
    (lambda: mx.convolve(mx.ones(3), mx.ones(2), "some"), ValueError, "'full', 'same' or 'valid'"),
    (lambda: mx.convolve(mx.ones((3, 1)), mx.ones(2)), ValueError, "must be vectors"),
    (lambda: mx.convolve(mx.ones(0), mx.ones(2)), ValueError, "cannot be empty"),
    (lambda: mx.conv_transpose1d(mx.ones((1, 3)), mx.ones((1, 3, 1))), ValueError, "must have 3 dimensions"),
    (lambda: mx.conv_transpose1d(mx.ones((1, 3, 1)), mx.ones((1, 3, 1)), dilation=2**30), OverflowError,
     "2147483648 does not fit"),
    (lambda: mx.conv_transpose1d(mx.ones((1, 3, 1)), mx.ones((1, 3, 1)), output_padding=-1), ValueError,
     "output padding cannot be negative"),
    (lambda: mx.meshgrid(mx.ones(2), indexing="yx"), ValueError, "'xy' or 'ij', but is 'yx'"),
    (lambda: mx.slice(mx.ones((3, 4)), mx.array([0.5]), (0,), (1, 4)), ValueError, "must be integers"),
    (lambda: mx.slice(mx.ones((3, 4)), mx.array([0, 1]), (0,), (1, 4)), ValueError, "each of the 1"),
    (lambda: mx.slice(mx.ones((3, 4)), mx.array([0]), (0,), (4, 4)), ValueError, "does not fit"),
    (lambda: mx.slice(mx.ones((3, 4)), mx.array([0]), (0,), (-1, 4)), ValueError, "does not fit"),
    (lambda: mx.slice(mx.ones((3, 4)), mx.array([0]), (0,), (1,)), ValueError, "does not fit"),
    (lambda: mx.slice(mx.ones((3, 4)), mx.array([0]), (2,), (1, 4)), mx.AxisError, "slice"),
    (lambda: mx.slice(mx.ones((3, 4)), [0], (0,), (1, 4)), TypeError, "an array"),
    (lambda: mx.slice_update(mx.ones((3, 4)), mx.ones((4, 4)), mx.array([0]), (0,)), ValueError, "not fit"),
    (lambda: mx.slice_update(mx.ones((3, 4)), mx.ones((1, 3)), mx.array([0]), (0,)), ValueError, "not fit"),
    (lambda: mx.matmul(mx.ones((2, 3), mx.int32), mx.ones((2, 3), mx.int32)), ValueError, "must match"),
    (lambda: mx.addmm(mx.array(1), mx.ones((2, 2), mx.int32), mx.ones((2, 2), mx.int32)), ValueError,
     "Only real and complex"),
])  # fmt: skip
def test_wrong_calls(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_integer_products_wrap():
    x = mx.full((2, 2), 2**30, mx.int32)
    assert (x @ x).tolist() == [[0, 0], [0, 0]]
    assert (
        mx.full((1, 70000), 255, mx.uint8) @ mx.full((70000, 1), 255, mx.uint8)
    ).item() == 255 * 255 * 70000 % 2**32
    assert (mx.ones((3, 4), mx.bool_) @ mx.ones((4, 2), mx.bool_)).tolist() == [[4, 4]] * 3
    empty = mx.zeros((2, 0), mx.int32) @ mx.zeros((0, 3), mx.int32)
    assert empty.tolist() == [[0, 0, 0], [0, 0, 0]]


def test_number_of_channels_may_be_zero():
    assert mx.conv2d(mx.ones((1, 3, 3, 0)), mx.ones((2, 2, 2, 0))).tolist() == mx.zeros((1, 2, 2, 2)).tolist()
