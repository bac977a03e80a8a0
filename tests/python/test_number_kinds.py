"""Numbers of every kind as arguments: bools, NumPy scalars, 0-d arrays, fractions and what has __index__."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import mlx.core as mx


class Index:
    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


class Real:
    def __float__(self):
        return 0.5


class Complex:
    def __complex__(self):
        return 1 + 2j


class Both(Real):
    def __complex__(self):
        return 9j


X = mx.arange(24.0).reshape(2, 3, 4)
KEY = mx.random.key(0)

# Calls with an int that is 1, and what they give for the Python int.
INT_CALLS = {
    "key": lambda i: mx.random.key(i),
    "sum": lambda i: mx.sum(X, axis=i),
    "sum of axes": lambda i: X.sum((i, 2)),
    "zeros": lambda i: mx.zeros((2, i)),
    "reshape": lambda i: X.reshape(i, -1),
    "transpose": lambda i: X.transpose(i, 0, 2),
    "pad": lambda i: mx.pad(X, [(0, 0), (0, i), (i, 0)]),
    "concatenate": lambda i: mx.concatenate([X, X], axis=i),
    "stack": lambda i: mx.stack([X, X], i),
    "split": lambda i: mx.split(X, i)[0],
    "repeat": lambda i: mx.repeat(X, i, axis=i),
    "roll": lambda i: mx.roll(X, i, i),
    "eye": lambda i: mx.eye(3, k=i),
    "tril": lambda i: mx.tril(X, i),
    "norm": lambda i: mx.linalg.norm(X, i, axis=i),
    "tensordot": lambda i: mx.tensordot(X, X.T, i),
    "topk": lambda i: mx.topk(X, i),
    "take": lambda i: mx.take(X, i, axis=i),
    "randint": lambda i: mx.random.randint(0, 5, (3, i), key=KEY),
    "softmax": lambda i: mx.softmax(X, i),
    "arange": lambda i: mx.arange(0, 3, i),
}


@pytest.mark.parametrize("kind", [bool, np.int64, np.int32, np.uint8, mx.array, Index])
@pytest.mark.parametrize("name", INT_CALLS)
def test_ints(name, kind):
    if name == "arange" and kind not in (bool,):
        pytest.skip("arange takes Python numbers only")
    assert mx.array_equal(INT_CALLS[name](kind(1)), INT_CALLS[name](1))


def test_seeds():
    for seed in (7, np.int64(7), np.uint32(7), mx.array(7), Index(7)):
        mx.random.seed(seed)
        assert mx.array_equal(mx.random.uniform(shape=(3,)), mx.random.uniform(shape=(3,), key=first_key(7)))
    assert mx.array_equal(mx.random.key(np.uint64(2**64 - 1)), mx.random.key(2**64 - 1))
    for bad in (1.5, "1", None, -1, 2**64, np.int64(-1), np.float32(1), mx.array(1.0)):
        with pytest.raises(TypeError, match="seed"):
            mx.random.key(bad)
    with pytest.raises(ValueError, match="compile"):  # not that the seed is no int
        mx.compile(lambda x: mx.random.key(x))(mx.array(3))


def first_key(seed):
    return mx.random.split(mx.random.key(seed))[1]


def test_orders_of_norms():
    for order in (np.float32(3), np.float64(3), np.int64(3), mx.array(3.0), Fraction(3)):
        assert mx.array_equal(mx.linalg.norm(X, order, axis=1), mx.linalg.norm(X, 3, axis=1))
    with pytest.raises(TypeError, match="ord"):
        mx.linalg.norm(X, [2], axis=1)


@pytest.mark.parametrize("half", [Fraction(1, 2), Decimal("0.5"), Real(), Both()])
def test_foreign_numbers_are_weak_floats(half):
    for dtype in (mx.float16, mx.bfloat16, mx.float32, mx.complex64):
        x = mx.array([1, 2], dtype)
        for y in (x * half, half * x, mx.multiply(x, half)):
            assert y.dtype == dtype and y.tolist() == [0.5, 1]
    assert (mx.array([1, 2]) + half).dtype == mx.float32
    x = mx.array([0.5, 2.0])
    assert (x == half).tolist() == [True, False] and (half != x).tolist() == [False, True]
    assert (x > half).tolist() == [False, True] and mx.where(x > 1, half, x).tolist() == [0.5, 0.5]
    assert mx.maximum(x, half).tolist() == [0.5, 2] and mx.clip(x, half, half).tolist() == [0.5, 0.5]
    assert mx.full((2,), half).tolist() == [0.5, 0.5] and mx.array(half).item() == 0.5
    x[1] = half
    x += half
    assert x.tolist() == [1, 1] and mx.add(half, half).item() == 1 and mx.sin(half).dtype == mx.float32


def test_foreign_ints_and_complex_numbers():
    assert (mx.array([1, 2], mx.int8) + Index(3)).dtype == mx.int8
    assert (mx.array([1.0]) * Index(3)).tolist() == [3]
    assert mx.array(Index(3)).dtype == mx.int32
    with pytest.raises(ValueError, match="overflow"):
        mx.array([1], mx.uint8) + Index(300)
    assert (mx.array([2.0]) * Complex()).tolist() == [2 + 4j]


def test_no_numbers():
    class Tensor(Real):  # an array of another library, whatever its one element
        def __array__(self, dtype=None, copy=None):
            raise AssertionError

    class Broken:
        def __float__(self):
            raise TypeError("no number")

    class Failing:
        def __float__(self):
            raise OSError("no disk")

    x = mx.array([1.0])
    for bad in (Tensor(), Broken(), object(), float, {}, {1}):
        with pytest.raises(ValueError, match="must be an array or a scalar"):
            x + bad
    with pytest.raises(OSError, match="no disk"):
        x + Failing()
    assert (x == object()) is False and (x != object()) is True


def test_widths_of_pad():
    wanted = mx.pad(X, [(0, 1), (0, 1), (1, 1)])
    for kind in (mx.array, np.array):
        assert mx.array_equal(mx.pad(X, kind([[0, 1], [0, 1], [1, 1]])), wanted)
        assert mx.pad(X, kind([1, 2])).shape == (5, 6, 7) and mx.pad(X, kind(1)).shape == (4, 5, 6)
    with pytest.raises(TypeError, match="pad_width"):
        mx.pad(X, mx.array(1.5))
