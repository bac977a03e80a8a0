"""Sorting and searching beside the tables: golden values, NaN, sizes that depend on values, errors."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import mlx.core as mx

GOLDEN = Path(__file__).parents[1] / "golden"
ARRAYS = np.load(GOLDEN / "later.npz")
CALLS = {
    "unique(x, size, True, True, True, fill_value)": lambda x, size, fill_value: mx.unique(
        x, size, True, True, True, fill_value
    ),
    "unique(x, size)": lambda x, size: mx.unique(x, size),
    "minmax(x, axis)": lambda x, axis: mx.minmax(x, axis),
}
ENTRIES = [entry for entry in json.loads((GOLDEN / "later.json").read_text()) if entry["call"] in CALLS]


@pytest.mark.parametrize("number", range(len(ENTRIES)))
def test_golden(number):
    entry = ENTRIES[number]
    given = {
        k: mx.array(ARRAYS[v[1:]]) if isinstance(v, str) and v.startswith("@") else v
        for k, v in entry["in"].items()
    }
    got = CALLS[entry["call"]](**given)
    for y, out in zip(got if isinstance(got, tuple) else [got], entry["out"], strict=True):
        assert str(y.dtype) == f"mlx.core.{out['dtype']}" and list(y.shape) == out["shape"]
        np.testing.assert_array_equal(np.array(y), ARRAYS[out["array"]])


def test_golden_values_are_there():
    assert {entry["call"] for entry in ENTRIES} >= set(CALLS)


SORTABLE = (mx.float16, mx.bfloat16, mx.float32, mx.float64)


@pytest.mark.parametrize("dtype", SORTABLE)
@pytest.mark.parametrize("n", [7, 1000])
def test_nan_comes_last(dtype, n):
    rng = np.random.default_rng(3)
    values = np.round(rng.standard_normal(n) * 4) / 4
    values[[1, 3]], values[[0, 2]] = np.nan, [np.inf, -np.inf]
    x = mx.array(values).astype(dtype)
    expected = np.sort(values)
    for y in (mx.sort(x), x[mx.argsort(x)]):
        np.testing.assert_array_equal(np.array(y.astype(mx.float32)), expected.astype(np.float32))
    for kth in (0, n // 2, n - 3, -1):
        y = np.array(mx.partition(x, kth).astype(mx.float32))
        np.testing.assert_array_equal(y[kth], expected[kth].astype(np.float32))
        np.testing.assert_array_equal(np.array(x[mx.argpartition(x, kth)].astype(mx.float32)), y)
    top = np.sort(np.array(mx.topk(x, 3).astype(mx.float32)))
    np.testing.assert_array_equal(top, expected[-3:].astype(np.float32))
    assert np.isnan(mx.median(x).item()) and all(np.isnan(v.item()) for v in mx.minmax(x))
    assert mx.searchsorted(mx.sort(x), mx.array([np.nan, np.inf]).astype(dtype)).tolist() == [n - 2, n - 3]


def rows_to_order(n, dtype):
    """Rows that may lead a quicksort astray: few values, the least and the greatest, descending, equal."""
    rng = np.random.default_rng(n)
    kind = np.finfo(dtype) if np.issubdtype(dtype, np.floating) else np.iinfo(dtype)
    anything = rng.standard_normal(n) * 1e6 if kind.min < 0 else rng.integers(0, kind.max, n, dtype)
    few = rng.integers(0, 3, n)
    edges = np.where(few > 1, np.array(kind.max, dtype), np.array(kind.min, dtype))
    pipe = np.minimum(np.arange(n), np.arange(n)[::-1])
    return np.stack(
        [x.astype(dtype) for x in (anything, few, edges, pipe, np.arange(n)[::-1], np.full(n, 7))]
    )


@pytest.mark.parametrize("n", [1, 15, 17, 33, 64, 65, 300, 3001, 150_001])
@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64", "float32", "float64"])
def test_order_of_any_length(dtype, n):
    rows = rows_to_order(n, np.dtype(dtype))
    x, expected = mx.array(rows, getattr(mx, dtype)), np.sort(rows, axis=1)
    np.testing.assert_array_equal(np.array(mx.sort(x)), expected)
    np.testing.assert_array_equal(np.array(mx.argsort(x)), np.argsort(rows, axis=1, kind="stable"))
    for place in {0, n // 3, n - 1}:
        parted = np.array(mx.partition(x, place))
        np.testing.assert_array_equal(parted[:, place], expected[:, place])
        np.testing.assert_array_equal(np.sort(parted[:, :place], axis=1), expected[:, :place])
        np.testing.assert_array_equal(np.sort(parted[:, place:], axis=1), expected[:, place:])


def test_complex_order():
    z = np.array([1 + 2j, 1 - 1j, complex(np.nan, 0), 0 + 5j, complex(0, np.nan), -1 + 0j], np.complex64)
    order = mx.argsort(mx.array(z)).tolist()
    assert order == [5, 3, 1, 0, 2, 4]
    assert mx.argpartition(mx.array(z), 1).tolist() == [5, 3, 0, 1, 2, 4]
    sorted_ = mx.array(z[[5, 3, 1, 0]])
    assert mx.searchsorted(sorted_, mx.array([1 + 0j, 0 + 9j], dtype=mx.complex64)).tolist() == [3, 2]
    low, high = mx.minmax(mx.array(z[[0, 1, 3, 5]]))
    assert low.item() == -1 and high.item() == 1 + 2j


def test_partition_is_stable():
    x = mx.array([2, 1, 2, 0, 2, 1, 3])
    assert mx.argpartition(x, 3).tolist() == [1, 3, 5, 0, 2, 4, 6]
    assert mx.argpartition(x, 4).tolist() == [0, 1, 3, 5, 2, 4, 6]
    assert mx.partition(x, -1).tolist() == [2, 1, 2, 0, 2, 1, 3]
    gradient = mx.grad(lambda x: (mx.topk(x, 2) * mx.array([1.0, 10.0])).sum())(x.astype(mx.float32))
    assert gradient.tolist() == [0, 0, 0, 0, 1, 0, 10]
    assert mx.grad(mx.median)(mx.array([1.0, 5.0, 2.0, 9.0])).tolist() == [0, 0.5, 0.5, 0]


@pytest.mark.parametrize(
    "dtype, pairs",
    [
        (
            mx.int32,
            [(16777217, 16777220), (-16777217, -16777218), (2**31 - 1, 2**31 - 2), (-(2**31), 2**31 - 1)],
        ),
        (mx.uint32, [(2**32 - 1, 2**32 - 3), (16777217, 16777218)]),
        (
            mx.int64,
            [
                (2**63 - 1, 2**63 - 1),
                (-(2**63), -(2**63)),
                (2**62 + 2**38, 2**62 + 2**38 + 1),
                (-(2**62) - 2**38, -(2**62) - 2**38 + 1),
                (16777217, 16777218),
                (8388609, 8388610),
                (2**61 + 2**37, 2**61 + 2**37 + 1),
                (-(2**63), 2**63 - 1),
            ],
        ),
        (mx.uint64, [(2**64 - 1, 2**64 - 2), (2**63 + 2**39, 2**63 + 2**39 + 1), (1, 2)]),
        (mx.int8, [(127, 127), (-128, 127)]),
        (mx.bool_, [(True, False)]),
    ],
)
def test_median_of_integers_is_rounded_once(dtype, pairs):
    """Halves of sums that are exact, against a rational number rounded to float32."""
    for a, b in pairs:
        exact = Fraction(int(a) + int(b), 2)
        near = np.float32(float(exact))
        around = (np.nextafter(near, np.float32(-np.inf)), near, np.nextafter(near, np.float32(np.inf)))
        distances = sorted(
            (abs(Fraction(float(v)) - exact), int(v.view(np.int32)) & 1, float(v)) for v in around
        )
        got = mx.median(mx.array([a, b], dtype))
        assert got.dtype == mx.float32 and got.item() == distances[0][2], (a, b)
        assert mx.median(mx.array([a, a, b], dtype)).item() == np.float32(int(a))


def test_median_values():
    assert mx.median(mx.array([1, 2])).item() == 1.5
    assert mx.median(mx.array([-np.inf, np.inf])).item() != mx.median(mx.array([-np.inf, np.inf])).item()
    assert mx.median(mx.zeros((0, 3)), 1).shape == (0,)
    assert mx.median(mx.array([[3.0, 1.0]]), ()).tolist() == [[3, 1]]
    z = mx.array([2 + 1j, 1 + 0j, 3 + 0j])
    assert mx.median(z).item() == 2 + 1j


def test_unique_tells_nan_apart_and_joins_zeros():
    values, index, inverse, counts = mx.unique(
        mx.array([np.nan, 0.0, -0.0, np.nan, 1.0]), None, True, True, True
    )
    np.testing.assert_array_equal(np.array(values), [0, 1, np.nan, np.nan])
    assert index.tolist() == [1, 4, 0, 3] and counts.tolist() == [2, 1, 1, 1]
    assert inverse.tolist() == [2, 0, 0, 3, 1]
    assert mx.unique(mx.zeros((0,))).shape == (0,)
    assert mx.unique(mx.zeros((0,)), 2, fill_value=7).tolist() == [7, 7]
    gradient = mx.grad(lambda x: (mx.unique(x) * mx.array([1.0, 2.0, 3.0])).sum())(
        mx.array([5.0, 4.0, 5.0, 9.0])
    )
    assert gradient.tolist() == [2, 1, 0, 3]


DEPENDENT = {
    "nonzero": lambda x, **k: mx.nonzero(x, **k)[0],
    "flatnonzero": mx.flatnonzero,
    "argwhere": mx.argwhere,
    "where": lambda x, **k: mx.where(x, **k)[0],
    "compress": lambda x, **k: mx.compress(x, x, **k),
    "unique": mx.unique,
    "bincount": lambda x, **k: mx.bincount(x.astype(mx.int32), **{n: v for n, v in k.items() if n == "size"}),
}


@pytest.mark.parametrize("name", DEPENDENT)
def test_sizes_inside_transformations(name):
    f = DEPENDENT[name]
    x = mx.array([0.0, 2.0, 0.0, 3.0])
    for transform in (mx.compile, mx.vmap, lambda g: mx.compile(g, shapeless=True)):
        argument = x[None] if transform is mx.vmap else x
        with pytest.raises(ValueError, match=r"inside vmap or compile.*size=") as info:
            transform(f)(argument)
        assert name == "bincount" or "fill_value=" in str(info.value)
        y = transform(lambda v: f(v, size=3, fill_value=1))(argument)
        expected = f(x, size=3, fill_value=1)
        np.testing.assert_array_equal(np.array(y).reshape(expected.shape), np.array(expected))
    # The values of what grad differentiates are known.
    gradient = mx.grad(lambda v: (v * f(v).sum()).sum())(x)
    assert gradient.shape == x.shape
    with pytest.raises(ValueError, match="inside vmap or compile"):
        mx.vmap(mx.grad(lambda v: (v * f(v).sum()).sum()))(x[None])


def test_gradient_passes_through_selected_values():
    x = mx.array([3.0, -1.0, 2.0, -5.0])
    loss = lambda v: (mx.compress(v > 0, v) ** 2).sum()  # noqa: E731
    assert mx.grad(loss)(x).tolist() == [6, 0, 4, 0]
    fixed = lambda v: (mx.compress(v > 0, v, size=3) ** 2).sum()  # noqa: E731
    assert mx.grad(fixed)(x).tolist() == [6, 0, 4, 0]
    rows = mx.stack([x, -x])
    assert mx.vmap(mx.grad(fixed))(rows).tolist() == [[6, 0, 4, 0], [0, 2, 0, 10]]
    assert mx.grad(lambda v: (v[mx.nonzero(v > 0)[0]] ** 3).sum())(x).tolist() == [27, 0, 12, 0]
    assert mx.grad(lambda w: mx.bincount(mx.array([1, 1, 0, 2]), w)[1])(x).tolist() == [1, 1, 0, 0]


def test_nonzero_of_many():
    rng = np.random.default_rng(2)
    for n in (32 * 1024, 100_001):
        mask = rng.random(n) < 0.3
        np.testing.assert_array_equal(np.array(mx.flatnonzero(mx.array(mask))), np.flatnonzero(mask))
        first = np.array(mx.flatnonzero(mx.array(mask), size=5000, fill_value=4))
        np.testing.assert_array_equal(first, np.flatnonzero(mask)[:5000])
    foreign = mx.array(np.array([0, 2, 255, 0, 1, 0, 0, 0, 8], np.uint8).view(bool))
    assert mx.flatnonzero(foreign).tolist() == [1, 2, 4, 8]
    assert mx.nonzero(mx.array([np.nan, 0.0, -0.0]))[0].tolist() == [0]
    assert mx.argwhere(mx.array(3)).shape == (1, 0) and mx.argwhere(mx.array(0)).shape == (0, 0)
    assert mx.compress(mx.array([False, True]), mx.array([[1, 2, 3]]), 1).tolist() == [[2]]
    assert mx.compress(mx.zeros((0,)), mx.zeros((0, 2)), 0, size=2, fill_value=5).tolist() == [[5, 5]] * 2


def test_categorical():
    logits = mx.array([[0.0, 1.0, 2.0], [5.0, -np.inf, 0.0]])
    key = mx.random.key(3)
    assert mx.random.categorical(logits, num_samples=4, key=key).shape == (2, 4)
    assert mx.random.categorical(logits, 0, shape=(5, 3), key=key).shape == (5, 3)
    one = mx.random.categorical(logits[0], num_samples=60_000, key=key)
    share = np.bincount(np.array(one)) / 60_000
    np.testing.assert_allclose(share, np.exp([0, 1, 2]) / np.exp([0, 1, 2]).sum(), atol=0.01)
    many = np.array(mx.random.categorical(logits, num_samples=60_000, key=key))
    np.testing.assert_allclose(np.bincount(many[0]) / 60_000, share, atol=0.01)
    assert set(many[1]) == {0, 2}
    assert set(mx.random.categorical(mx.array([0.0, np.inf]), num_samples=9, key=key).tolist()) == {1}
    keys = mx.random.split(key, 3)
    batch = mx.vmap(lambda k: mx.random.categorical(logits[0], num_samples=5, key=k))(keys)
    for i in range(3):
        assert batch[i].tolist() == mx.random.categorical(logits[0], num_samples=5, key=keys[i]).tolist()


X = mx.zeros((2, 3))
ERRORS = {
    "[nonzero] The array must have at least one dimension.": lambda: mx.nonzero(mx.array(1)),
    "[nonzero] The size cannot be negative, but is -1.": lambda: mx.nonzero(X, size=-1),
    "[unique] The size cannot be negative, but is -2.": lambda: mx.unique(X, -2),
    "[flatnonzero] The fill value must be a single element, but has shape (2,).": lambda: mx.flatnonzero(
        X, size=1, fill_value=mx.zeros(2, mx.uint32)
    ),
    "[unique] An array without elements has no value to fill a result of size 1: give a fill_value.": (
        lambda: mx.unique(mx.zeros(0), 1)
    ),
    "[compress] A condition of shape (4,) does not fit axis 1 with size 3.": lambda: mx.compress(
        mx.zeros(4), X, 1
    ),
    "[compress] A condition of shape (2,3) does not fit axis 0 with size 6.": lambda: mx.compress(X, X),
    "[bincount] The values must be integers, but are float32.": lambda: mx.bincount(mx.zeros(2)),
    "[bincount] The values must be a vector, but have shape (2,3).": lambda: mx.bincount(X),
    "[bincount] The values cannot be negative, but there is -4.": lambda: mx.bincount(mx.array([1, -4])),
    "[bincount] Weights of shape (1,) do not fit values of shape (2,).": lambda: mx.bincount(
        mx.array([1, 2]), mx.zeros(1)
    ),
    "[bincount] The least length cannot be negative, but is -1.": lambda: mx.bincount(
        mx.array([1]), None, -1
    ),
    "[searchsorted] Side must be left or right, but is middle.": lambda: mx.searchsorted(X[0], X, "middle"),
    "[searchsorted] The sorted sequence must be a vector, but has shape (2,3).": lambda: mx.searchsorted(
        X, X
    ),
    "[median] Cannot reduce the empty axes (0,) of an array of shape (0,3).": lambda: mx.median(
        mx.zeros((0, 3)), 0
    ),
    "[minmax] Cannot reduce the empty axes (0,) of an array of shape (0,3).": lambda: mx.minmax(
        mx.zeros((0, 3)), 0
    ),
    "[trace] The array must have at least two dimensions, but has 1.": lambda: mx.trace(mx.zeros(2)),
    "[trace] The two axes cannot be the same, but both are 1.": lambda: mx.trace(X, 0, 1, -1),
    "[partition] Element 3 is out of range for axis 1 with size 3.": lambda: mx.partition(X, 3),
    "[argpartition] Element -4 is out of range for axis 1 with size 3.": lambda: mx.argpartition(X, -4),
    "[topk] 4 elements cannot be taken from axis 1 with size 3.": lambda: mx.topk(X, 4),
    "[topk] -1 elements cannot be taken from axis 1 with size 3.": lambda: mx.topk(X, -1),
    "[categorical] There is nothing to draw from logits of shape (0,).": lambda: mx.random.categorical(
        mx.zeros(0)
    ),
    "[categorical] Give shape or num_samples, not both.": lambda: mx.random.categorical(
        X, shape=(2,), num_samples=1
    ),
    "[categorical] The number of samples cannot be negative, but is -1.": lambda: mx.random.categorical(
        X, num_samples=-1
    ),
    "[categorical] Draws of shape (1,) do not fit logits of shape (2,3) with classes along axis 1.": lambda: (
        mx.random.categorical(X, shape=(1,))
    ),
}


@pytest.mark.parametrize("text", ERRORS)
def test_errors(text):
    with pytest.raises(ValueError) as info:
        ERRORS[text]()
    assert str(info.value) == text


def test_other_errors():
    for call in (lambda: mx.where(X, X), lambda: mx.where(X, X, X, size=2), lambda: mx.nonzero([1])):
        with pytest.raises(TypeError):
            call()
    for call in (
        lambda: mx.sort(mx.array(1), 0),
        lambda: mx.topk(X, 1, 5),
        lambda: mx.random.categorical(X, 2),
    ):
        with pytest.raises(mx.AxisError):
            call()
    with pytest.raises(ValueError, match="Converting -1 to uint32 would result in overflow"):
        mx.nonzero(X, size=2, fill_value=-1)
    assert mx.partition(mx.zeros((2, 0, 3)), 1, 2).shape == (2, 0, 3)
    assert mx.sort(mx.zeros((0,))).shape == (0,) and mx.topk(mx.zeros((0,)), 0).shape == (0,)
    assert mx.searchsorted(mx.zeros(0), mx.array([1.0, np.nan])).tolist() == [0, 0]
    assert mx.trace(mx.ones((2, 2), dtype=mx.int8)).dtype == mx.int32
    assert mx.trace(mx.ones((2, 2), dtype=mx.int8), dtype=mx.int8).dtype == mx.int8
    assert mx.trace(mx.zeros((0, 0))).item() == 0


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin", "minmax", "median", "logsumexp", "norm"])
def test_no_elements_have_no_extreme(name):
    def norm(x, axis):
        return mx.linalg.norm(x, -np.inf, axis)

    call = norm if name == "norm" else getattr(mx, name)
    shapeless = mx.compile(lambda x: call(x, axis=-1), shapeless=True)
    shapeless(mx.ones((2, 3)))
    for shape in ((2, 0), (0, 0), (3, 0, 0)):
        for f in (lambda x: call(x, axis=-1), shapeless):
            with pytest.raises(ValueError, match=rf"\({','.join(map(str, shape))}\)"):
                mx.eval(f(mx.zeros(shape)))
    results = call(mx.zeros((0, 2)), axis=-1)
    assert all(y.shape == (0,) for y in (results if name == "minmax" else [results]))
