"""x[...] and x[...] = v against NumPy; x.at; bad indices."""

import math
from array import array

import numpy as np
import pytest

import mlx.core as mx

X = np.arange(2 * 3 * 4).reshape(2, 3, 4)
I0, I1 = [1, 0], [[0, 1], [1, 0]]
MASKS = {
    "M0": [False, True],
    "M1": [True, False, True],
    "M1_": [True, False],
    "M2": [False, True, True, False],
    "M2_": [[False, True, True], [True, False, False]],
    "M02": [[True, False, True], [False, False, True]],
    "M12": (np.arange(12).reshape(3, 4) % 5 == 0).tolist(),
    "M3": (np.arange(24).reshape(2, 3, 4) % 3 == 0).tolist(),
}


READS = [
    "0", "-1", "...", "None", "()", "1, 2", "1, 2, 3", "0, ..., 1", "..., -2", ":, None",
    "None, ..., None", "1:, ::2", "::-1", "::-2, 1:3", ":, :, ::-3", "5:2", "-100:100", "1:0:-1",
    "..., 10:0:-2", "0, None, 1", "True_()", "I0", "I1", ":, I0", ":, :, I1", "I0, I0", "0, I0",
    "0, :, I0", "I0, :, I0", ":, I0, I0", "I0, None, I0", "..., I0", "I0, 1:, ::2", "I1, 0", "I1, I0, I0",
    "None, I0", "None, :, I0, I0", ":, I1, None, 1", "I0, ..., 0", "L0", ":, L0", "L0, L0", "S", ":, S",
    "S, I0", "0:1, I1, ::-1", ":, 1, I0, ..., None", ":, I0, ..., 0",
    "True", "False", "True, None", "..., True", ":, True", "0, True", "0, :, True", "False, I0[:1]",
    "True, False",
    "M0", "M0, ::-1", "M0, 0", "M0, I0", ":, M1", "..., M2", "0, :, M2", "0, M1", ":, M1, 0", "1:, None, M1",
    "M2_", "M02", "M02, I0[:1]", ":, M12", ":, M12, None", "M3", "M3, None", "M0, M1", "M1_, ..., M2",
    "[True, False]", "[[True, False, True], [False, False, True]]", "None, M0, :, 0", "N0", "N0, NM1",
    ":, NM1",
    "np.int64(1)", "0, np.uint8(2)", "np.True_", "range(2)", ":, range(2, 0, -1)", "(0, (1, 0))",
    "[[0, 1], [1, 0]]",
    "array('i', [1, 0])", "[]", "[[]]", "[], []", ":, []", "[np.int64(1), 0]", "[I0[0], 1]", "True:",
    "np.int8(1):",
    ":10**30", "10**30:", "-10**30:10**30:10**30", "::-10**30", "M0 & True", "np.zeros((0, 3), bool)",
    "Z, M1, M2",
]  # fmt: skip


def index_space(lib):
    to = mx.array if lib is mx else np.array
    ints = {"I0": to(I0), "I1": to(I1), "L0": I0, "S": to(1), "Z": to([[0], [1], [1]])}
    masks = {name: to(np.array(values)) for name, values in MASKS.items()}
    both = {"N0": np.array(I0), "NM1": np.array(MASKS["M1"])}
    return ints | masks | both | {"True_": lambda: slice(None), "x": None, "np": np, "array": array}


def evaluate(text, lib):
    return eval(f"x[{text}]", index_space(lib) | {"x": mx.array(X) if lib is mx else X})


@pytest.mark.parametrize("text", READS)
def test_read(text):
    got, expected = evaluate(text, mx), evaluate(text, np)
    assert got.shape == np.shape(expected)
    assert np.array_equal(np.array(got), expected)


@pytest.mark.parametrize("text", READS)
def test_write_scalar(text):
    a, n = mx.array(X), X.copy()
    exec(f"x[{text}] = 77", index_space(mx) | {"x": a})
    exec(f"x[{text}] = 77", index_space(np) | {"x": n})
    assert a.dtype == mx.int64 and np.array_equal(np.array(a), n)


@pytest.mark.parametrize("text", READS)
def test_write_array(text):
    a, n = mx.array(X), X.copy()
    shape = evaluate(text, np).shape
    value = -1 - np.arange(int(np.prod(shape))).reshape(shape)
    exec(f"x[{text}] = v", index_space(mx) | {"x": a, "v": mx.array(value)})
    exec(f"x[{text}] = v", index_space(np) | {"x": n, "v": value})
    if (
        "I1" in text or "[[0, 1], [1, 0]]" in text or text.startswith("Z")
    ):  # places are written twice, and any of the values may stay
        assert np.isin(np.array(a)[n < 0], value).all() and np.array_equal(np.array(a)[n >= 0], X[n >= 0])
    else:
        assert np.array_equal(np.array(a), n)


@pytest.mark.parametrize("text", READS)
def test_at_add(text):
    a, n = mx.array(X), X.copy()
    got = eval(f"x.at[{text}].add(2)", index_space(mx) | {"x": a})
    np.add.at(n, eval(f"np.s_[{text}]", index_space(np)), 2)
    assert np.array_equal(np.array(got), n)
    assert np.array_equal(np.array(a), X)


def test_at_others():
    x = mx.array([1.0, 2.0, 3.0])
    twice = mx.array([0, 0, 2])
    assert x.at[twice].subtract(1).tolist() == [-1, 2, 2]
    assert x.at[twice].multiply(2).tolist() == [4, 2, 6]
    assert x.at[twice].divide(2).tolist() == [0.25, 2, 1.5]
    assert x.at[twice].maximum(2).tolist() == [2, 2, 3]
    assert x.at[1:].minimum(2.5).tolist() == [1, 2, 2.5]
    assert x.at[...].add(1).tolist() == [2, 3, 4]
    assert x.at[1:].divide(3).tolist() == [1, np.float32(2) / np.float32(3), 1]
    assert x.at[0][1:].add(1).tolist() == [1, 3, 4]  # the last index alone counts
    with pytest.raises(ValueError, match=r"x.at\[index\]"):
        x.at.add(1)


AT_INDICES = [
    ...,
    None,
    1,
    slice(None, None, -2),
    [0, 2],
    [True, False, True],
    mx.array([True, True, False]),
    False,
]
UPDATES = ["add", "subtract", "multiply", "divide", "maximum", "minimum"]


@pytest.mark.parametrize("name", UPDATES)
@pytest.mark.parametrize(
    "dtype", [mx.int8, mx.uint16, mx.int64, mx.float16, mx.bfloat16, mx.float64, mx.complex64]
)
def test_at_keeps_the_dtype(name, dtype):
    operation = {"divide": np.true_divide}.get(name, getattr(np, name))
    values = np.array([7, 0, 12]), 2
    for index in AT_INDICES:
        got = getattr(mx.array(values[0]).astype(dtype).at[index], name)(2.25 if dtype == mx.int8 else 2)
        wide = values[0].astype(np.float64)
        key = np.array(index) if isinstance(index, mx.array) else index
        wide[key] = operation(wide[key], 2)
        if mx.issubdtype(dtype, mx.integer):
            wide = np.trunc(wide) if dtype != mx.uint16 else wide.astype(np.int64).astype(np.uint16)
        assert got.dtype == dtype and np.array_equal(np.array(got.astype(mx.complex64)).real, wide), index


@pytest.mark.parametrize("dtype", [mx.int64, mx.uint64, mx.int32, mx.uint8])
def test_at_divides_by_products_beyond_64_bits(dtype):
    info = mx.iinfo(dtype)
    top = info.max // 2 + 1  # a power of two
    values = sorted({info.max, info.min, info.max // 3, 0, 100 if info.min == 0 else -100})
    for divisors in (
        [top, top],
        [top, 2],
        [top, 4],
        [3] * 50,
        [2] * 64,
        [2] * 63,
        [7, 0, top],
        [info.max, info.max],
    ):
        if info.min < 0:
            divisors = [-divisors[0], *divisors[1:]]
        product = math.prod(divisors)
        want = [
            0 if product == 0 else abs(v) // abs(product) * (1 if (v < 0) == (product < 0) else -1)
            for v in values
        ]
        x = mx.array(values, dtype)
        places = mx.array([i for i in range(len(values)) for _ in divisors])
        got = x.at[places].divide(mx.array(divisors * len(values), dtype))
        assert got.dtype == dtype and got.tolist() == want, divisors


@pytest.mark.parametrize("beside", [mx.zeros((0,), mx.int32), mx.zeros((2, 0), mx.int32)])
def test_indices_beside_empty_ones_are_checked(beside):
    x = mx.zeros((3, 4))
    for index in ((mx.array(100), beside), (beside, mx.array(4)), (100, beside)):
        with pytest.raises(mx.AxisError, match="out of bounds"):
            mx.eval(x[index])
        with pytest.raises(mx.AxisError, match="out of bounds"):
            mx.eval(x.at[index].add(1))
    assert x[mx.array(2), beside].shape == beside.shape
    assert x[beside, mx.array([[-5]])].size == 0  # as in NumPy: nothing is read


def test_at_divides_integers():
    x, index = mx.array([-7, 7, -8, 5]), mx.array([0, 0, 1, 2, 3])
    divisors = mx.array([2, -2, -3, 3, 0])
    assert x.at[index].divide(divisors).tolist() == [1, -2, -2, 0]  # cut off, and x / 0 is 0
    assert x.at[:3].divide(2).tolist() == [-3, 3, -4, 5]
    assert x.at[[True, True, False, False]].divide(mx.array([-2, 2])).tolist() == [3, 3, -8, 5]
    small = mx.array([-128, 100], mx.int8)
    assert small.at[[0, 0, 0, 1, 1]].divide(mx.array([16, 2, 2, 64, 64])).tolist() == [-2, 0]
    assert small.at[0].divide(-1).dtype == mx.int8
    big = mx.array([2**63 + 4], mx.uint64)
    assert big.at[[0, 0]].divide(2).tolist() == [2**61 + 1]
    flags = mx.array([True, False])
    assert (
        flags.at[1].add(True).tolist() == [True, True] and flags.at[:].multiply(False).tolist() == [False] * 2
    )
    for name in ("divide", "subtract"):
        for where in (0, [0], [True, False]):
            with pytest.raises(ValueError, match=r"^\["):
                getattr(flags.at[where], name)(True)


@pytest.mark.parametrize("index", [0, [0, 1], [True, True], slice(2), ..., mx.array([True, False])])
def test_at_propagates_nan(index):
    nan = float("nan")
    for name in ("maximum", "minimum"):
        assert np.isnan(getattr(mx.array([nan, nan]).at[index], name)(1.0)[0].item())
        assert np.isnan(getattr(mx.array([1.0, 1.0]).at[index], name)(nan)[0].item())


def test_write_casts_to_the_dtype_of_the_array():
    a = mx.array([1, 2, 3])
    a[0] = 1.7
    a[...] = a * 1.0
    assert a.dtype == mx.int32 and a.tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match="Converting 300 to uint8"):
        mx.zeros(2, mx.uint8)[0] = 300
    b = mx.zeros((2, 3))
    b[0] = mx.ones((1, 1, 3))
    b[:, 0] = mx.full((1, 2), 5.0)
    assert b.tolist() == [[5, 1, 1], [5, 0, 0]]
    b[1] = np.array([1, 2, 3])
    assert b[1].tolist() == [1, 2, 3]
    alias = b
    b[0, 0] = 9
    assert alias[0, 0].item() == 9
    with pytest.raises(ValueError, match="does not broadcast"):
        b[0] = mx.ones((2,))
    for bad in ("a", [1, 2, 3]):
        with pytest.raises(ValueError):
            b[0] = bad
    with pytest.raises(TypeError):
        b[0] = None
    with pytest.raises(AttributeError):
        del b[0]


@pytest.mark.parametrize("name", ["M0", "M02", "M3"])
def test_values_of_masks(name):
    """One value for each place, or one for all; what is left over is ignored."""
    mask = np.array(MASKS[name])
    rows = -1 - np.arange(mask.sum() * int(np.prod(X.shape[mask.ndim :]))).reshape(-1, *X.shape[mask.ndim :])
    for m in (mx.array(mask), mask, mask.tolist()):
        for v in (rows, rows[:1], rows[None], rows[0], np.concatenate([rows, rows])):
            a, n = mx.array(X), X.copy()
            a[m] = mx.array(v)
            n[mask] = rows if v.ndim and len(v) == 2 * len(rows) else v.reshape(v.shape[v.ndim > rows.ndim :])
            assert np.array_equal(np.array(a), n)
    for bad in (rows[:-1], rows[:0]) if len(rows) > 2 else (rows[:0],):
        a = mx.array(X)
        a[mx.array(mask)] = mx.array(bad)
        with pytest.raises(RuntimeError, match=r"The mask selects \d+ places"):
            mx.eval(a)
    a = mx.array(X)
    with pytest.raises(ValueError, match="does not broadcast"):
        a[mx.array(mask)] = mx.zeros((2, 2, *rows.shape))


def test_many_places():
    """Chunks of the mask know where their values begin."""
    rng = np.random.default_rng(3)
    for dtype, row in ((np.int8, ()), (np.float64, ()), (np.int16, (3,))):
        mask = rng.random(100_003) < 0.4
        n = np.zeros((100_003, *row), dtype)
        a, v = (
            mx.array(n, mx.float64 if dtype == np.float64 else None),
            np.arange(mask.sum() * int(np.prod(row))),
        )
        v = (v % 127).astype(dtype).reshape(-1, *row)
        n[mask] = v
        a[mx.array(mask)] = mx.array(v)
        assert np.array_equal(np.array(a), n)
        assert np.array_equal(np.array(a[mx.array(mask)]), v)


def test_bool_masks():
    a = mx.array([1, 2])
    a[False] = 5
    assert a.tolist() == [1, 2]
    a[True] = 5
    assert a.tolist() == [5, 5]
    z = mx.array(3)
    z[True] = 4
    assert z.item() == 4
    with pytest.raises(ValueError, match="mask"):
        a[mx.array([True, False, True])] = 1


BAD = [
    ("1.0", ValueError), ("'a'", ValueError), ("{1}", ValueError), ("b'a'", ValueError),
    ("{1: 2}", ValueError),
    ("np.array([0.5])", ValueError), ("np.array(['a'])", ValueError), ("np.array([None])", ValueError),
    ("mx.array([0.5])", ValueError), ("[0.5]", ValueError), ("np.float32(1)", ValueError),
    ("np.zeros(0)", ValueError),
    ("..., ...", ValueError), ("0, 0, 0, 0", ValueError), ("::0", ValueError), ("M1", ValueError),
    ("0, M0", ValueError), ("M3, 0", ValueError), ("M1, M2", ValueError), ("I0, Z, I0, 0", ValueError),
    ("M3, M0", ValueError), ("[True]", ValueError), ("np.ones((2, 2), bool)", ValueError),
    ("object()", ValueError),
    ("10**30", IndexError), ("0, -10**30", IndexError), ("np.int64(5)", IndexError), ("M02, 4", IndexError),
    ("1.5:", ValueError), ("mx.array(1):", ValueError), ("2", IndexError), ("-3", IndexError),
    ("0, 3", IndexError), ("I0, 7", IndexError), ("[slice(None)]", ValueError), ("np.True_:", ValueError),
]  # fmt: skip


@pytest.mark.parametrize("text, error", BAD)
def test_bad_index(text, error):
    space = index_space(mx) | {"mx": mx, "x": mx.array(X)}
    with pytest.raises(error) as read:
        eval(f"x[{text}]", space)
    if error is IndexError:
        assert isinstance(read.value, mx.AxisError) and isinstance(read.value, ValueError)
    with pytest.raises(error):
        exec(f"x[{text}] = 1", space)


def test_numpy_bool_is_no_int():
    """Before 2.4 NumPy's own bool has an __index__, which warns."""
    with pytest.raises(TypeError, match="not numpy.bool"):
        mx.array(X).sum(axis=np.True_)


def test_values_of_index_arrays():
    x = mx.array([1, 2, 3])
    assert x[mx.array([-1, 0])].tolist() == [3, 1]
    assert x[[]].shape == (0,)
    with pytest.raises(IndexError):
        mx.eval(x[mx.array([3])])
    with pytest.raises(ValueError, match="Too many indices"):
        mx.array(1)[0]
    assert mx.array(1)[None].shape == (1,) and mx.array(1)[...].item() == 1 and mx.array(1)[()].item() == 1
    assert x[np.int64(1)].item() == 2 and x[mx.array(1)].item() == 2


USES = [
    lambda x, index: x[index],
    lambda x, index: x.at[index].add(1),
    lambda x, index: x.at[index].divide(1),
    lambda x, index: mx.take(x, mx.array(index), axis=0),
]
OUTSIDE = [((3,), [0, 3]), ((3, 0), [-4]), ((3, 4), [[1], [7]])]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("shape, index", OUTSIDE)
@pytest.mark.parametrize("make", [mx.array, list, np.array], ids=["mx", "list", "numpy"])
def test_index_values_out_of_range(make, shape, index, use):
    """Raised at once or by the evaluation, with operation, index and size, also where nothing is selected."""
    message = r"^\[\w+\] Index .*(3|-4|7) is out of bounds for axis 0 with size 3"
    with pytest.raises(mx.AxisError, match=message):
        mx.eval(use(mx.zeros(shape), make(index)))
    with pytest.raises(mx.AxisError):
        mx.eval(use(mx.zeros((0, 2)), make([0])))


UNKNOWN = [lambda x: x[x > 1], lambda x: x.at[x[0] > 1, mx.array(0)].add(1), lambda x: x[..., x[0] > 1]]


@pytest.mark.parametrize("use", UNKNOWN)
@pytest.mark.parametrize("transform", [mx.vmap, mx.compile])
def test_masks_of_unknown_values(use, transform):
    with pytest.raises(ValueError, match=r"vmap and compile.*mx.nonzero.*size=.*fill_value="):
        transform(use)(mx.ones((2, 2, 2) if transform is mx.vmap else (2, 2)))


WRITES = {
    "scalar": lambda x: x.at[x > 2].multiply(3),
    "row": lambda x: x.at[x[:, 0] > 2].add(mx.array([1.0, 2.0, 3.0])),
    "rows": lambda x: x.at[x > 2].add(x.reshape(-1)),
    "behind": lambda x: x.at[1:, x[0] > 1].divide(2),
    "beside int": lambda x: x.at[0, x[0] > 1].maximum(5),
}


@pytest.mark.parametrize("name", WRITES)
def test_masks_are_traced_in_writes(name):
    def assigned(x):
        y = x + 0
        y[x > 2] = x.reshape(-1) * 2
        y[..., 1] = 0
        return y

    x = mx.arange(12).astype(mx.float32).reshape(4, 3)
    for f in (WRITES[name], assigned):
        eager = f(x)
        for g in (mx.compile(f), mx.compile(f, shapeless=True)):
            assert np.array_equal(np.array(g(x)), np.array(eager))
            assert np.array_equal(np.array(g(x[:3])), np.array(f(x[:3])))
        both = mx.stack([x, x[::-1]], axis=1)
        batched = mx.vmap(f, in_axes=1)(both)
        for k in range(2):
            assert np.array_equal(np.array(batched[k]), np.array(f(both[:, k])))


def test_gradients_through_masks():
    x, w = mx.array([[1.0, -2.0, 3.0], [-4.0, 5.0, -6.0]]), mx.array([10.0, 20.0, 30.0])
    assert mx.grad(lambda x: (x[x > 0] * w).sum())(x).tolist() == [[10, 0, 20], [0, 30, 0]]
    assert mx.grad(lambda x: (x[x > 0] ** 2 * w).sum())(x).tolist() == [[20, 0, 120], [0, 300, 0]]
    _, (gx,) = mx.vjp(lambda x: [x[:, x[0] > 0]], [x], [mx.array([[1.0, 2.0], [3.0, 4.0]])])
    assert gx.tolist() == [[1, 0, 2], [3, 0, 4]]

    def written(x, v):
        y = x * 1
        y[x > 0] = v
        return (y * mx.arange(6).reshape(2, 3)).sum()

    gx, gv = mx.grad(written, argnums=(0, 1))(x, mx.ones(5))
    assert gx.tolist() == [[0, 1, 0], [3, 0, 5]] and gv.tolist() == [0, 2, 4, 0, 0]
    # Nothing comes from places that the mask leaves alone, also where there would be no derivative.
    divisors = mx.array([[2.0, 4.0, 8.0], [1.0, 2.0, 0.0]])
    gx, gv = mx.grad(lambda x, v: x.at[divisors > 1].divide(v).sum(), argnums=(0, 1))(
        x, mx.array([2.0, 4, 8, 2, 0])
    )
    assert gx.tolist() == [[0.5, 0.25, 0.125], [1, 0.5, 1]] and gv[4].item() == 0
    v = mx.array([2.0, 3.0, 4.0, 5.0])
    gx, gv = mx.grad(lambda x, v: x.at[x > 0].multiply(v).sum(), argnums=(0, 1))(x, v)
    assert gx.tolist() == [[2, 1, 3], [1, 4, 1]] and gv.tolist() == [1, 3, 5, 0]


def test_gradients_of_updates():
    x, index, v = mx.array([2.0, 3.0, 4.0]), mx.array([0, 0, 2]), mx.array([5.0, 7.0, 0.0])
    gx, gv = mx.grad(lambda x, v: x.at[index].multiply(v).sum(), argnums=(0, 1))(x, v)
    assert gx.tolist() == [35, 1, 0] and gv.tolist() == [14, 10, 4]
    v = mx.array([4.0, 2.0, 8.0])
    gx, gv = mx.grad(lambda x, v: x.at[index].divide(v).sum(), argnums=(0, 1))(x, v)
    assert gx.tolist() == [1 / 8, 1, 1 / 8] and gv.tolist() == [-2 / 32, -2 / 16, -4 / 64]
    gx, gv = mx.grad(lambda x, v: x.at[index].maximum(v).sum(), argnums=(0, 1))(x, v)
    assert gx.tolist() == [0, 1, 0] and gv.tolist() == [1, 0, 1]
    gx, gv = mx.grad(lambda x, v: x.at[index].subtract(v).sum(), argnums=(0, 1))(x, v)
    assert gx.tolist() == [1, 1, 1] and gv.tolist() == [-1, -1, -1]


UPDATES = {
    "slice_update": lambda x: mx.slice_update(x, mx.zeros((2, 2)), mx.array([1, 1]), axes=(0, 1)),
    "all": lambda x: mx.slice_update(x, mx.zeros((3, 4)), mx.array([0, 0]), axes=(0, 1)),
    "add": lambda x: x.at[1:].add(1),
    "scatter": lambda x: x.at[mx.array([0, 2])].add(1),
    "put_along_axis": lambda x: mx.put_along_axis(x, mx.array([[0]]), mx.array(7.0), axis=1),
}


@pytest.mark.parametrize("name", UPDATES)
def test_updates_lie_the_same_in_memory_that_was_taken_over_and_in_a_copy(name):
    def strides(keep):
        x = [mx.contiguous(mx.arange(12.0).reshape(3, 4).T).T]
        mx.eval(x)
        y = UPDATES[name](x[0])
        if not keep:
            x.clear()
        mx.eval(y)
        return memoryview(y).strides

    assert strides(keep=True) == strides(keep=False) == (4, 12)


def test_gradients():
    x = mx.arange(12).astype(mx.float32).reshape(3, 4)
    idx = mx.array([0, 0, 2])

    def written(x, v):
        y = x * 1
        y[idx[1:]] = v
        return (y * y).sum()

    gx, gv = mx.grad(written, argnums=(0, 1))(x, mx.ones((2, 4)))
    assert (
        gx[0].tolist() == [0] * 4 and gx[1].tolist() == (2 * x[1]).tolist() and gv.tolist() == [[2] * 4] * 2
    )
    g = mx.grad(lambda x: (x[idx] * 3).sum())(x)
    assert g.tolist() == [[6] * 4, [0] * 4, [3] * 4]
    g = mx.grad(lambda x: x[1:, ::-2].sum())(x)
    assert g.tolist() == [[0] * 4, [0, 1, 0, 1], [0, 1, 0, 1]]


def test_functions():
    x = mx.array(X)
    assert mx.take(x, mx.array([2, 0]), axis=1).tolist() == np.take(X, [2, 0], axis=1).tolist()
    assert mx.take(x, 5).item() == 5 and mx.take(x, mx.array([5, 6])).tolist() == [5, 6]
    order = mx.argsort(-x, axis=-1)
    assert mx.take_along_axis(x, order, axis=-1).tolist() == X[:, :, ::-1].tolist()
    put = mx.put_along_axis(mx.zeros(3, mx.int32), mx.array([2, 0]), mx.array([7, 8]))
    assert put.tolist() == [8, 0, 7]
    assert [a.shape for a in mx.split(x, 2, axis=2)] == [(2, 3, 2)] * 2
    assert [a.shape for a in x.split([1], axis=1)] == [(2, 1, 4), (2, 2, 4)]
    assert isinstance(mx.unstack(x), tuple) and isinstance(mx.split(x, 2), list)
    assert mx.concatenate([x, x], axis=1).shape == (2, 6, 4) and mx.concatenate([x, x], axis=None).shape == (
        48,
    )
    assert mx.stack([x, x], axis=-1).shape == (2, 3, 4, 2)
    assert np.array_equal(np.array(mx.pad(x, [(0, 1), (2, 0), (1, 1)])), np.pad(X, [(0, 1), (2, 0), (1, 1)]))
    assert mx.pad(x, 1).shape == (4, 5, 6) and mx.pad(x, (1, 2)).shape == (5, 6, 7)
    assert np.array_equal(np.array(mx.roll(x, (1, 2), axis=(0, 2))), np.roll(X, (1, 2), axis=(0, 2)))
    assert mx.repeat(mx.array([1, 2]), 2).tolist() == [1, 1, 2, 2] and mx.tile(
        mx.array([1, 2]), 2
    ).tolist() == [1, 2, 1, 2]
