"""x[...] and x[...] = v against NumPy; x.at; bad indices."""

import numpy as np
import pytest

import mlx.core as mx

X = np.arange(2 * 3 * 4).reshape(2, 3, 4)
I0, I1 = [1, 0], [[0, 1], [1, 0]]


READS = [
    "0", "-1", "...", "None", "()", "1, 2", "1, 2, 3", "0, ..., 1", "..., -2", ":, None",
    "None, ..., None", "1:, ::2", "::-1", "::-2, 1:3", ":, :, ::-3", "5:2", "-100:100", "1:0:-1",
    "..., 10:0:-2", "0, None, 1", "True_()", "I0", "I1", ":, I0", ":, :, I1", "I0, I0", "0, I0",
    "0, :, I0", "I0, :, I0", ":, I0, I0", "I0, None, I0", "..., I0", "I0, 1:, ::2", "I1, 0", "I1, I0, I0",
    "None, I0", "None, :, I0, I0", ":, I1, None, 1", "I0, ..., 0", "L0", ":, L0", "L0, L0", "S", ":, S",
    "S, I0", "0:1, I1, ::-1",
]  # fmt: skip


def index_space(lib):
    to = mx.array if lib is mx else np.array
    return {"I0": to(I0), "I1": to(I1), "L0": I0, "S": to(1), "True_": lambda: slice(None), "x": None}


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


# Integers beside index arrays count as slices in assignments, so those rows are left out.
@pytest.mark.parametrize(
    "text", [t for t in READS if t not in ("0, :, I0", "I1, 0", "I0, ..., 0", ":, I1, None, 1")]
)
def test_write_array(text):
    a, n = mx.array(X), X.copy()
    shape = evaluate(text, np).shape
    value = -1 - np.arange(int(np.prod(shape))).reshape(shape)
    exec(f"x[{text}] = v", index_space(mx) | {"x": a, "v": mx.array(value)})
    exec(f"x[{text}] = v", index_space(np) | {"x": n, "v": value})
    if "I1" in text:  # places are written twice, and any of the values may stay
        assert np.isin(np.array(a)[n < 0], value).all() and np.array_equal(np.array(a)[n >= 0], X[n >= 0])
    else:
        assert np.array_equal(np.array(a), n)


@pytest.mark.parametrize("text", READS)
def test_at_add(text):
    a, n = mx.array(X), X.copy()
    got = eval(f"x.at[{text}].add(2)", index_space(mx) | {"x": a})
    np.add.at(n, eval(f"np.s_[{text}]", index_space(np) | {"np": np}), 2)
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
    with pytest.raises(ValueError, match=r"x.at\[index\]"):
        x.at.add(1)
    with pytest.raises(ValueError, match="mask"):
        x.at[mx.array([True, False, True])].add(1)


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


@pytest.mark.parametrize(
    "mask",
    [np.array([True, False]), np.arange(6).reshape(2, 3) % 2 == 0, np.arange(24).reshape(2, 3, 4) % 3 == 0],
    ids=["1d", "2d", "3d"],
)
def test_masks(mask):
    for m in (mx.array(mask), mask, mask.tolist()):
        a, n = mx.array(X), X.copy()
        a[m] = 5
        n[mask] = 5
        assert np.array_equal(np.array(a), n)
        rows = -np.arange(mask.sum() * int(np.prod(X.shape[mask.ndim :])) or 1).reshape(
            -1, *X.shape[mask.ndim :]
        )
        a[m] = mx.array(rows)
        n[mask] = rows
        assert np.array_equal(np.array(a), n)
        with pytest.raises(RuntimeError, match="rows"):
            a[m] = mx.array(rows[:-1])


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
    ("True", ValueError), ("mx.array([True, False])", ValueError), ("[True, False]", ValueError),
    ("1.0", ValueError), ("'a'", ValueError), ("{1}", ValueError), ("range(2)", ValueError),
    ("np.array([0])", ValueError), ("mx.array([0.5])", ValueError), ("[0.5]", ValueError),
    ("..., ...", ValueError), ("0, 0, 0, 0", ValueError), ("(0, (1, 2))", ValueError), ("::0", ValueError),
    ("1.5:", ValueError), ("mx.array(1):", ValueError), ("2", IndexError), ("-3", IndexError),
    ("0, 3", IndexError), ("I0, 7", IndexError), ("[slice(None)]", ValueError),
]  # fmt: skip


@pytest.mark.parametrize("text, error", BAD)
def test_bad_index(text, error):
    space = index_space(mx) | {"mx": mx, "np": np, "x": mx.array(X)}
    with pytest.raises(error) as read:
        eval(f"x[{text}]", space)
    if error is IndexError:
        assert isinstance(read.value, mx.AxisError) and isinstance(read.value, ValueError)
    if text in ("True", "mx.array([True, False])", "[True, False]"):
        return  # masks, which assignments take
    with pytest.raises(error):
        exec(f"x[{text}] = 1", space)


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
