"""Indexing against NumPy: any index that NumPy takes gives NumPy's answer, and what NumPy refuses raises."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mlx.core as mx


def bounded(count):
    return settings(max_examples=count, derandomize=True, deadline=None, database=None)


class Array:
    """An index array, which NumPy and mlx get in forms of their own."""

    def __init__(self, values, form):
        self.values, self.form = values, form

    def of(self, lib):
        if self.form == "list" and self.values.ndim:
            return self.values.tolist()
        if self.form == "own":
            return mx.array(self.values) if lib is mx else self.values
        return self.values

    def __repr__(self):
        return f"{self.form}:{self.values.tolist()}"


def index_for(lib, index):
    items = tuple(item.of(lib) if isinstance(item, Array) else item for item in index)
    return items[0] if len(items) == 1 else items


FORMS = st.sampled_from(["list", "own", "numpy"])
BOUNDS = st.none() | st.integers(-6, 6)
SLICES = st.builds(slice, BOUNDS, BOUNDS, st.none() | st.sampled_from([1, 2, 3, -1, -2, -3]))


@st.composite
def int_arrays(draw, size, common):
    """An index array of a shape that broadcasts to the common one."""
    shape = tuple(draw(st.sampled_from([n, 1])) for n in common[draw(st.integers(0, len(common))) :])
    shape = shape or (() if size else (1,))  # NumPy checks an array without axes as it does an int: at once
    count = int(np.prod(shape))
    low, high = (-size, size - 1) if size else (0, 0)
    values = draw(st.lists(st.integers(low, high), min_size=count, max_size=count))
    dtype = draw(st.sampled_from([np.int32, np.int64, np.int8]))
    return Array(np.array(values, dtype).reshape(shape), draw(FORMS))


@st.composite
def masks(draw, shape):
    count = int(np.prod(shape))
    values = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    return Array(np.array(values, bool).reshape(shape), draw(FORMS))


@st.composite
def indices(draw, shape):
    """Items for some of the axes, new axes, an ellipsis and single bools among them."""
    items, axis = [], 0
    common = draw(st.lists(st.integers(0, 3), max_size=2))
    kinds = ["slice", "slice", "int", "ids", "mask", "wide mask", "none", "bool"]
    for kind in draw(st.lists(st.sampled_from(kinds), max_size=len(shape) + 1)):
        wide = kind == "wide mask"
        if kind == "none":
            items.append(None)
        elif kind == "bool":
            items.append(draw(st.booleans() | st.booleans().map(np.bool_)))
        elif axis + wide >= len(shape):
            continue
        elif kind == "slice":
            items.append(draw(SLICES))
        elif kind == "int":
            items.append(draw(st.integers(-shape[axis], max(shape[axis] - 1, 0))))
        elif kind == "ids":
            items.append(draw(int_arrays(shape[axis], common)))
        else:
            items.append(draw(masks(shape[axis : axis + 1 + wide])))
        axis += kind not in ("none", "bool") and 1 + wide
    if draw(st.booleans()):
        items.insert(draw(st.integers(0, len(items))), ...)
        for _ in range(draw(st.integers(0, len(shape) - axis))):  # from behind
            items.append(draw(SLICES))
    return tuple(items)


@st.composite
def cases(draw):
    shape = tuple(draw(st.lists(st.integers(0, 4), max_size=4)))
    x = np.arange(int(np.prod(shape)), dtype=np.int32).reshape(shape)
    return x, draw(indices(shape))


def numpy_read(x, index):
    try:
        with warnings.catch_warnings():
            # Before 2.3 NumPy only warns of an index out of range where the result has no elements.
            warnings.simplefilter("error", DeprecationWarning)
            return x[index_for(np, index)]
    except (IndexError, DeprecationWarning):
        return None


@bounded(600)
@given(cases())
def test_read(case):
    x, index = case
    expected = numpy_read(x, index)
    if expected is None:
        with pytest.raises((IndexError, ValueError)):
            mx.eval(mx.array(x)[index_for(mx, index)])
        return
    got = mx.array(x)[index_for(mx, index)]
    assert got.dtype == mx.int32 and got.shape == expected.shape
    assert np.array_equal(np.array(got), expected)


@st.composite
def written(draw):
    """A case, what it selects, and a value that broadcasts to it."""
    x, index = draw(cases())
    part = numpy_read(x, index)
    shape = () if part is None else part.shape
    shape = tuple(draw(st.sampled_from([n, n, 1])) for n in shape[draw(st.integers(0, len(shape))) :])
    extra = (1,) * draw(st.integers(0, 1)) if part is not None and part.ndim else ()
    value = 100 + np.arange(int(np.prod(shape)), dtype=np.int32).reshape(extra + shape)
    return x, index, part, value


@bounded(600)
@given(written())
def test_write(case):
    x, index, part, value = case
    a, n = mx.array(x), x.copy()
    if part is None:
        with pytest.raises((IndexError, ValueError)):
            a[index_for(mx, index)] = mx.array(value)
            mx.eval(a)
        return
    n[index_for(np, index)] = value[0] if value.ndim > part.ndim else value
    a[index_for(mx, index)] = mx.array(value)
    assert a.dtype == mx.int32 and a.shape == x.shape
    hits = np.zeros(x.shape, int)
    np.add.at(hits, index_for(np, index), 1)
    if hits.max(initial=0) <= 1:
        assert np.array_equal(np.array(a), n)
    else:  # which of several values stays is nobody's promise
        assert np.array_equal(np.array(a)[hits <= 1], n[hits <= 1])
        assert np.isin(np.array(a)[hits > 1], value).all()


UPDATES = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "maximum": np.maximum,
    "minimum": np.minimum,
}


@bounded(400)
@given(written(), st.sampled_from(list(UPDATES)))
def test_at(case, name):
    x, index, part, value = case
    if part is None or value.ndim > part.ndim:  # ufunc.at takes no axes of size 1 in front
        return
    n = x.copy()
    UPDATES[name].at(n, index_for(np, index), value)
    got = getattr(mx.array(x).at[index_for(mx, index)], name)(mx.array(value))
    assert got.dtype == mx.int32 and np.array_equal(np.array(got), n)


@bounded(150)
@given(written())
def test_transformed(case):
    """Gradients flow to what was read or written, and traces with known indices give the same elements."""
    x, index, part, value = case
    if part is None:
        return
    own, weight = index_for(mx, index), 1 + np.arange(part.size, dtype=np.float32).reshape(part.shape)
    a = mx.array(x.astype(np.float32))
    g = mx.grad(lambda a: (a[own] * mx.array(weight)).sum())(a)
    expected = np.zeros(x.shape, np.float32)
    np.add.at(expected, index_for(np, index), weight)
    assert np.array_equal(np.array(g), expected)
    both = mx.stack([a, a + 100])
    for got in (
        mx.vmap(lambda a: a[own])(both),
        mx.compile(lambda b: mx.stack([b[0][own], b[1][own]]))(both),
    ):
        assert np.array_equal(np.array(got), np.stack([part, part + 100]))

    def assigned(a, v):
        b = a + 0
        b[own] = v
        return b

    v = mx.array(value.astype(np.float32))
    eager = np.array(assigned(a, v))
    assert np.array_equal(np.array(mx.compile(assigned)(a, v)), eager)
    assert np.array_equal(np.array(mx.vmap(assigned, in_axes=(0, None))(both, v))[0], eager)
    ga, gv = mx.grad(lambda a, v: assigned(a, v).sum(), argnums=(0, 1))(a, v)
    hits = np.zeros(x.shape, int)
    np.add.at(hits, index_for(np, index), 1)
    assert np.array_equal(np.array(ga), hits == 0)
    assert np.array(gv).sum() == np.count_nonzero(hits)
