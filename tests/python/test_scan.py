"""Scans where the tables do not reach: special values, long rows, threads, derivatives at zeros and ties."""

import os
import subprocess
import sys

import numpy as np
import pytest

import mlx.core as mx

SCANS = ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp")


def test_nan_stays():
    x = mx.array([1.0, np.nan, 0.0, np.inf])
    for name in SCANS:
        y = np.array(getattr(mx, name)(x))
        assert y[0] == 1 and np.isnan(y[1:]).all(), name
        assert np.isnan(np.array(getattr(mx, name)(x, reverse=True))[:2]).all(), name
    z = mx.array([1 + 1j, complex(0, np.nan), 5 + 0j])
    assert np.isnan(np.array(mx.cummax(z)))[1:].all()


def test_infinities():
    inf = np.inf
    x = mx.array([-inf, -inf, 0.0, inf, 1.0])
    np.testing.assert_array_equal(np.array(mx.logcumsumexp(x)), [-inf, -inf, 0, inf, inf])
    np.testing.assert_array_equal(np.array(mx.logcumsumexp(x, inclusive=False)), [-inf, -inf, -inf, 0, inf])
    np.testing.assert_array_equal(np.array(mx.cumsum(x)), [-inf, -inf, -inf, np.nan, np.nan])
    # The product so far decides, not that of a part: 0 times what overflows later is 0.
    big = mx.concatenate([mx.zeros(1), mx.full((9000,), 1e30)])
    assert np.array(mx.cumprod(big)).max() == 0


def test_exclusive_begins_with_the_neutral_element():
    for dtype in (mx.float32, mx.float16, mx.bfloat16, mx.float64):
        x = mx.array([3.0], dtype=dtype)
        first = {name: getattr(mx, name)(x, inclusive=False).item() for name in SCANS}
        assert first == {
            "cumsum": 0,
            "cumprod": 1,
            "cummax": -np.inf,
            "cummin": np.inf,
            "logcumsumexp": -np.inf,
        }
    x = mx.array([3], dtype=mx.int8)
    assert mx.cummax(x, inclusive=False).item() == -128 and mx.cummin(x, inclusive=False).item() == 127
    b = mx.array([True])
    assert mx.cummax(b, inclusive=False).item() is False and mx.cummin(b, inclusive=False).item() is True


def test_dtypes():
    b = mx.array([True, False])
    assert mx.cumsum(b).dtype == mx.int32 and mx.cumprod(b).dtype == mx.bool_
    assert mx.cumsum(b, dtype=mx.bool_).dtype == mx.int32
    assert mx.logcumsumexp(mx.array([1, 2])).dtype == mx.float32
    assert mx.cumsum(mx.array([1, 2], dtype=mx.int8)).dtype == mx.int8
    assert mx.cumulative_sum is mx.cumsum and mx.cumulative_prod is mx.cumprod
    with pytest.raises(TypeError):
        b.cumsum(dtype=mx.int32)


@pytest.mark.parametrize("name", SCANS)
def test_empty_and_scalar(name):
    scan = getattr(mx, name)
    assert scan(mx.zeros((2, 0, 3)), 1).shape == (2, 0, 3)
    assert scan(mx.zeros((0, 3)), 1, inclusive=False).shape == (0, 3)
    assert scan(mx.array(2.0)).shape == (1,)
    with pytest.raises(mx.AxisError, match=rf"^\[{name}\]"):
        scan(mx.array(2.0), 0)
    with pytest.raises(mx.AxisError, match=rf"^\[{name}\] Axis 2 is out of bounds for array with 2 dim"):
        scan(mx.zeros((2, 2)), 2)
    assert mx.grad(lambda x: scan(x, 0).sum())(mx.zeros((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int32", "uint8"])
@pytest.mark.parametrize(
    "shape, axis", [((30_000,), 0), ((3, 10_001), 1), ((10_000, 3), 0), ((5_000, 20), 0)]
)
@pytest.mark.parametrize("reverse", [False, True])
def test_long_rows(dtype, shape, axis, reverse):
    rng = np.random.default_rng(5)
    x = (
        rng.integers(0, 3, shape).astype(dtype)
        if "int" in dtype
        else rng.standard_normal(shape).astype(dtype)
    )
    if dtype == "float16":
        x = (x / 64).astype(dtype)
    wide = np.float64 if x.dtype.kind == "f" else x.dtype
    turn = (lambda a: np.flip(a, axis)) if reverse else (lambda a: a)
    y = np.array(mx.cumsum(mx.array(x, dtype=getattr(mx, dtype)), axis, reverse=reverse))
    expected = turn(np.cumsum(turn(x.astype(wide)), axis, dtype=wide))
    if x.dtype.kind == "f":
        tolerance = {"float16": 1e-3, "float32": 1.2e-7, "float64": 1e-12}[dtype]
        np.testing.assert_allclose(y, expected, rtol=tolerance, atol=tolerance * np.abs(expected).max())
    else:
        np.testing.assert_array_equal(y, expected)
    z = np.array(mx.cummax(mx.array(x, dtype=getattr(mx, dtype)), axis, reverse=reverse))
    np.testing.assert_array_equal(z, turn(np.maximum.accumulate(turn(x), axis)))


def test_same_bits_at_every_number_of_threads():
    code = (
        "import mlx.core as mx, hashlib, numpy as np; mx.random.seed(1);"
        "x = mx.random.normal((100_003,)); y = mx.random.normal((300, 257));"
        "out = [mx.cumsum(x), mx.cumsum(x, reverse=True), mx.cumsum(y, 0), mx.cumsum(y, 1),"
        " mx.logcumsumexp(y, 1), mx.cumprod(y, 0), mx.sort(x),"
        " mx.argsort(x), mx.partition(x, 5000), mx.argpartition(x, 5000)];"
        "print(hashlib.sha256(b''.join(np.array(o).tobytes() for o in out)).hexdigest())"
    )
    digests = set()
    for threads in ("1", "2", "5"):
        env = {**os.environ, "MLX_NUM_THREADS": threads}
        run = subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
        )
        digests.add(run.stdout)
    assert len(digests) == 1


def test_ties_of_the_maximum_go_to_the_last():
    x = mx.array([1.0, 3.0, 3.0, 2.0, 3.0, 0.0])
    for name, sign in (("cummax", 1), ("cummin", -1)):
        gradient = mx.grad(lambda x, name=name: getattr(mx, name)(x).sum())(sign * x)
        assert gradient.tolist() == [1, 1, 2, 0, 2, 0]
        reverse = mx.grad(lambda x, name=name: getattr(mx, name)(x, reverse=True).sum())(sign * x)
        assert reverse.tolist() == [0, 2, 1, 0, 2, 1] or reverse.tolist() == [1, 1, 1, 0, 2, 1]
    exclusive = mx.grad(lambda x: mx.cummax(x, inclusive=False)[1:].sum())(x)
    assert exclusive.tolist() == [1, 1, 2, 0, 1, 0]


def test_product_with_zeros_is_exact_twice():
    x = np.array([2.0, 0.0, 3.0, 0.0, 4.0])

    def last(x):
        return mx.cumprod(x)[3]

    hessian = mx.vmap(lambda v: mx.jvp(mx.grad(last), [mx.array(x)], [v])[1][0])(mx.eye(5))
    expected = np.zeros((5, 5))
    expected[1, 3] = expected[3, 1] = x[0] * x[2]
    np.testing.assert_array_equal(np.array(hessian), expected)


def test_gradient_of_logcumsumexp_at_infinity():
    x = mx.array([-np.inf, -np.inf, 0.0, 1.0])
    gradient = np.array(mx.grad(lambda x: mx.logcumsumexp(x)[2:].sum())(x))
    share = np.exp([0.0, 1.0]) / np.exp([0.0, 1.0]).sum()
    np.testing.assert_allclose(gradient, [0, 0, 1 + share[0], share[1]], rtol=1e-6)
    exclusive = np.array(mx.grad(lambda x: mx.logcumsumexp(x, inclusive=False)[-1])(x))
    np.testing.assert_allclose(exclusive, [0, 0, 1, 0], rtol=1e-6)


def test_complex_product_gradient():
    z = np.array([1 + 2j, -0.5j, 2 - 1j], np.complex64)
    gradient = np.array(mx.grad(lambda z: mx.real(mx.cumprod(z)[2]))(mx.array(z)))
    others = [np.prod(np.delete(z, i)) for i in range(3)]
    np.testing.assert_allclose(gradient, np.conj(others), rtol=1e-5)


def test_diff_errors():
    with pytest.raises(
        ValueError, match=r"^\[diff\] The number of differences cannot be negative, but is -1\."
    ):
        mx.diff(mx.zeros(3), -1)
    with pytest.raises(mx.AxisError, match=r"^\[diff\]"):
        mx.diff(mx.array(1.0))
    assert mx.diff(mx.zeros(3), 10**9).shape == (0,)
    assert mx.diff(mx.array([True, True, False])).tolist() == [False, True]
    assert mx.diff(mx.array([3, 1], dtype=mx.uint8)).tolist() == [254]
