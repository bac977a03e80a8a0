"""Rows of views, joins, creation, indexing and updates."""

from __future__ import annotations

import builtins
from dataclasses import replace

import numpy as np

import mlx.core as mx

from .draw import INEXACT, REALS
from .graph import DTYPES, INTEGERS, Row

INDICES = tuple(d for d in INTEGERS if "64" not in d) + ("int64",)
WIDTHS = {1: ("bool", "uint8", "int8"), 2: ("uint16", "int16", "float16", "bfloat16"),
          4: ("uint32", "int32", "float32"), 8: ("uint64", "int64", "float64", "complex64")}  # fmt: skip


def shaped(make, low=0, **options):
    """An array, and keyword arguments made from the generator, the reference and its shape."""

    def draw(g):
        x = g.array(low=low, **options)
        return [x], make(g, x, g.shape_of(x))

    return draw


def plain(low=0, **options):
    return shaped(lambda g, x, s: {}, low, **options)


def factors(g, size):
    """A shape of that size."""
    shape = []
    while size > 1:
        divisor = g.pick([d for d in range(2, size + 1) if size % d == 0][:4])
        shape.append(divisor)
        size //= divisor
    shape += [1] * g.int(0, 1)
    return tuple(int(n) for n in g.rng.permutation(shape or [1]))


def reshape_kwargs(g, x, shape):
    size = int(np.prod(shape))
    if size == 0:
        return {"shape": (0, 3)}
    new = list(factors(g, size))
    if g.chance(0.3):
        new[g.int(0, len(new) - 1)] = -1
    return {"shape": tuple(new)}


def flatten_kwargs(g, x, s):
    a, b = sorted(g.int(0, len(s) - 1) for _ in range(2)) if s else (0, -1)
    return {"start_axis": a, "end_axis": b}


def flatten_oracle(x, start_axis, end_axis):
    end = end_axis % max(x.ndim, 1)
    return x.reshape(*x.shape[:start_axis], int(np.prod(x.shape[start_axis : end + 1])), *x.shape[end + 1 :])


def unflatten_kwargs(g, x, s):
    axis = g.axis(x)
    return {"axis": axis, "shape": factors(g, s[axis]) if s[axis] else (0, 2)}


def unflatten_oracle(x, axis, shape):
    axis %= x.ndim
    return x.reshape(*x.shape[:axis], *shape, *x.shape[axis + 1 :])


def squeeze_kwargs(g, x, s):
    ones = [i for i, n in enumerate(s) if n == 1]
    return {"axis": tuple(ones) if g.chance(0.5) and ones else None}


def expand_kwargs(g, x, s):
    if g.chance(0.5):
        return {"axis": g.int(-len(s) - 1, len(s))}
    return {"axis": tuple(int(a) for a in g.rng.permutation(len(s) + 2)[:2])}


def axes_kwargs(g, x, s):
    return {"axes": None if g.chance(0.3) else tuple(int(a) for a in g.rng.permutation(len(s)))}


def reps_kwargs(g, x, s):
    return {"reps": tuple(g.int(0 if g.chance(0.1) else 1, 3) for _ in range(g.int(1, 3)))}


def pad_kwargs(g, x, s):
    mode = g.pick(["constant", "edge", "reflect", "symmetric"])
    most = 3 if mode == "constant" else 1
    return {"pad_width": [(g.int(0, most), g.int(0, most)) for _ in s], "mode": mode}


def pad_oracle(x, pad_width, mode):
    return np.pad(x, pad_width, mode) if x.ndim else x


def strided_kwargs(g, x, s):
    size, shape, strides = int(np.prod(s)), [], []
    room = size - 1
    for _ in range(g.int(1, 3)):
        stride = g.int(-2, 3)
        n = g.int(1, 1 + room // max(abs(stride), 1)) if stride else g.int(1, 4)
        room -= (n - 1) * abs(stride)
        shape.append(n)
        strides.append(stride)
    first = sum((n - 1) * -st for n, st in zip(shape, strides) if st < 0)
    return {"shape": tuple(shape), "strides": tuple(strides), "offset": first}


def strided_oracle(x, shape, strides, offset):
    index = builtins_sum(np.arange(n).reshape((-1,) + (1,) * (len(shape) - 1 - i)) * st
                         for i, (n, st) in enumerate(zip(shape, strides)))  # fmt: skip
    return x.reshape(-1)[index + offset]


builtins_sum = builtins.sum


def view_draw(g):
    x = g.array(DTYPES[1:])
    width = g.of(x).dtype.size
    return [x], {"dtype": getattr(mx, g.pick(WIDTHS[width][1 if width == 1 else 0 :]))}


def cast_draw(g):
    return [g.array()], {"dtype": getattr(mx, "bool_" if (d := g.pick(DTYPES)) == "bool" else d)}


def cast_safe(g):
    """Casts whose result NumPy agrees on: not outside of the range."""
    x = g.array()
    targets = DTYPES if "int" in g.dtype_of(x) or g.dtype_of(x) == "bool" else INEXACT
    return [x], {"dtype": getattr(mx, "bool_" if (d := g.pick(targets)) == "bool" else d)}


def cast_oracle(x, dtype):
    name = str(dtype)[9:]
    if name == "bool":
        return x != 0
    if "int" in name:
        return x.astype(name)
    return x.astype(np.complex128) if name == "complex64" else x.real.astype(np.float64)


def several(count=(1, 3), **options):
    """Arrays of one shape but for nothing."""

    def draw(g):
        x = g.array(**options)
        return [x] + [g.new(g.shape_of(x), g.dtype()) for _ in range(g.int(*count) - 1)]

    return draw


def join_draw(g):
    refs = several(low=1)(g)
    return refs, {"axis": g.axis(refs[0])}


def stack_draw(g):
    refs = several()(g)
    n = len(g.shape_of(refs[0]))
    return refs, {"axis": g.int(-n - 1, n)}


def listed(fn):
    return lambda *arrays, **kwargs: fn(list(arrays), **kwargs)


def split_draw(g):
    x = g.array(low=1)
    axis = g.axis(x)
    n = g.shape_of(x)[axis]
    if g.chance(0.5):
        return [x], {"parts": g.pick([d for d in range(1, n + 1) if n % d == 0] or [1]), "axis": axis}
    return [x], {"parts": sorted(g.int(0, n) for _ in range(g.int(1, 3))), "axis": axis}


def broadcast_draw(g):
    x = g.array()
    shape = tuple(g.length() if n == 1 and g.chance(0.5) else n for n in g.shape_of(x))
    return [x], {"shape": (*((g.length(1),) if g.chance(0.5) else ()), *shape)}


def broadcast_arrays_draw(g):
    x = g.array()
    return [x, g.matching(x)], {}


def two_axes(g, x, s):
    a, b = (int(v) for v in g.rng.permutation(len(s))[:2])
    return {"offset": g.int(-2, 2), "axis1": a, "axis2": b - (len(s) if g.chance(0.3) else 0)}


def wide_trace(x, **kwargs):
    return np.trace(x.astype(np.int64) if x.dtype.kind in "biu" else x, **kwargs)


def window(g, x, s):
    """Axes and sizes of a window inside of x, and a reference to its start."""
    axes = tuple(int(a) for a in sorted(g.rng.permutation(len(s))[: g.int(1, len(s))]))
    sizes = list(s)
    for a in axes:
        sizes[a] = g.int(1, s[a])
    start = g.new((len(axes),), "int32", "index", 9, layout="plain")
    return start, axes, tuple(sizes)


def slice_draw(g):
    x = g.array(low=1, shortest=1)
    start, axes, sizes = window(g, x, g.shape_of(x))
    return [x, start], {"axes": axes, "slice_size": sizes}


def clamped(x, start, axes, sizes):
    index = [slice(0, n) for n in sizes]
    for a, s in zip(axes, start):
        s = min(max(int(s), 0), x.shape[a] - sizes[a])
        index[a] = slice(s, s + sizes[a])
    return tuple(index)


def slice_update_draw(g):
    x = g.array(low=1, shortest=1)
    start, axes, sizes = window(g, x, g.shape_of(x))
    return [x, g.new(sizes, g.dtype_of(x)), start], {"axes": axes}


def slice_update_oracle(x, update, start, axes):
    y = np.array(x)
    y[clamped(x, start, axes, update.shape)] = update
    return y


# Indexing. In an index "#0" stands for the first array among the operands.


def index_expression(g, shape, masks=False):
    """An index of an array of that shape, and references to the arrays in it."""
    index, refs, axis = [], [], 0
    common = g.shape(0, 2, 1)
    ellipsis = masked = False
    while axis < len(shape):
        n = shape[axis]
        kind = g.pick(
            ["slice", "slice", "int", "array", "array", "none", "ellipsis", "stop", *(["mask"] * masks)]
        )
        if kind == "none" and len(index) < 6:
            index.append(None)
            continue
        if kind == "ellipsis" and not ellipsis:
            index.append(Ellipsis)
            ellipsis, axis = True, g.int(axis, len(shape))
            continue
        if kind == "stop" and not ellipsis:
            break
        if kind == "int" and n:
            index.append(g.int(-n, n - 1))
        elif kind == "array" and n and not masked:
            part = tuple(1 if g.chance(0.2) else m for m in common[g.int(0, len(common)) :])
            refs.append(g.new(part, g.dtype(INDICES), "index", n))
            index.append(f"#{len(refs) - 1}")
        elif kind == "mask" and not refs:  # as many places as an array has would be chance
            refs.append(g.new((n,), "bool"))
            index.append(f"#{len(refs) - 1}")
            masks, masked = False, True
        else:
            bounds = [None if g.chance(0.3) else g.int(-n - 2, n + 2) for _ in range(2)]
            index.append(slice(*bounds, g.pick([None, 1, 2, 3, -1, -2])))
        axis += 1
    return tuple(index), refs


def place(index, arrays):
    return tuple(arrays[int(i[1:])] if isinstance(i, str) else i for i in index)


def getitem(x, *arrays, index):
    return x[place(index, arrays)]


def getitem_draw(masks=False):
    def draw(g):
        x = g.array()
        index, refs = index_expression(g, g.shape_of(x), masks)
        return [x, *refs], {"index": index}

    return draw


def updating_draw(g, unique=False, dtypes=DTYPES, masks=False):
    x = g.array(dtypes)
    index, refs = index_expression(g, g.shape_of(x), masks)
    target = g.of(x)[place(index, [g.of(r) for r in refs])] if not masks else None
    if target is None or target.size > 4 * g.limit or g.chance(0.3):
        value = g.new((), g.dtype_of(x))
    else:
        shape = target.shape[g.int(0, target.ndim) :]
        value = g.new(tuple(1 if g.chance(0.2) else n for n in shape), g.dtype_of(x))
    return [x, value, *refs], {"index": index}


def setitem(x, value, *arrays, index):
    y = mx.array(x)
    y[place(index, arrays)] = value
    return y


def setitem_oracle(x, value, *arrays, index):
    y = np.array(x)
    y[place(index, arrays)] = value
    return y


def at(name):
    return lambda x, value, *arrays, index: getattr(x.at[place(index, arrays)], name)(value)


def at_oracle(ufunc):
    def run(x, value, *arrays, index):
        places = np.arange(x.size).reshape(x.shape)[place(index, arrays)]
        y = np.array(x).reshape(-1)
        ufunc.at(y, places, np.broadcast_to(value, places.shape))
        return y.reshape(x.shape)

    return run


def summed(x, value, *arrays, index):
    """Every step of a subtraction repeated in one place rounds at the size of what has come together."""
    y = at_oracle(np.add)(np.abs(x), np.abs(value), *arrays, index=index)
    return np.max(y, initial=0)


def take_draw(g):
    x = g.array(shortest=1)
    axis = None if not g.shape_of(x) or g.chance(0.3) else g.axis(x)
    n = int(np.prod(g.shape_of(x))) if axis is None else g.shape_of(x)[axis]
    return [x, g.new(g.shape(0, 2), g.dtype(INDICES), "index", n)], {"axis": axis}


def along_draw(values):
    def draw(g):
        x = g.array(low=1, shortest=1)
        axis = g.axis(x)
        shape = list(g.shape_of(x))
        n = shape[axis]
        shape[axis] = 1 if values else g.length()
        index = g.new(shape, g.dtype(INDICES), "index", n)
        return [x, index, *([g.new(shape, g.dtype_of(x))] if values else [])], {"axis": axis}

    return draw


def put_oracle(x, index, values, axis):
    y = np.array(x)
    np.put_along_axis(y, index.astype(np.int64), values, axis)
    return y


def nothing(make):
    return lambda g: ([], make(g))


def kind(g, dtypes=DTYPES):
    return getattr(mx, "bool_" if (d := g.pick(dtypes)) == "bool" else d)


def numeric(fn):
    return lambda *args, dtype=None, **kwargs: fn(*args, **kwargs)


def full_draw(g):
    shape = g.shape()
    return [g.new(shape[g.int(0, len(shape)) :], g.dtype())], {"shape": shape}


def arange_kwargs(g):
    return {"start": g.int(-5, 5), "stop": g.int(-5, 20), "step": g.pick([1, 2, 3, -1])}


def full(x, shape):
    return mx.full(shape, x)


def asarray_draw(g):
    return [g.array()], {"copy": g.pick([True, None])}


ROWS = [
    Row("astype:any", cast_draw), Row("astype", cast_safe, cast_oracle, smooth=False, wild=True),
    Row("reshape", shaped(reshape_kwargs), lambda x, shape: x.reshape(shape), smooth=True),
    Row("flatten", shaped(flatten_kwargs), flatten_oracle, smooth=True),
    Row("unflatten", shaped(unflatten_kwargs, 1), unflatten_oracle, smooth=True),
    Row("squeeze", shaped(squeeze_kwargs), np.squeeze, smooth=True),
    Row("expand_dims", shaped(expand_kwargs), np.expand_dims, smooth=True),
    *[Row(f"atleast_{n}d", plain(), getattr(np, f"atleast_{n}d")) for n in (1, 2, 3)],
    Row("transpose", shaped(axes_kwargs), np.transpose, smooth=True),
    Row("permute_dims", shaped(axes_kwargs), np.transpose, smooth=True),
    Row("matrix_transpose", plain(2), lambda x: np.swapaxes(x, -1, -2), smooth=True),
    Row("swapaxes", shaped(lambda g, x, s: {"axis1": g.axis(x), "axis2": g.axis(x)}, 1), np.swapaxes,
        smooth=True),
    Row("moveaxis", shaped(lambda g, x, s: {"source": g.axis(x), "destination": g.axis(x)}, 1), np.moveaxis,
        smooth=True),
    Row("broadcast_to", broadcast_draw, np.broadcast_to, smooth=True),
    Row("broadcast_arrays", broadcast_arrays_draw, lambda *a: tuple(np.broadcast_arrays(*a)), smooth=True),
    Row("meshgrid", lambda g: ([g.array(low=1, high=1), g.array(low=1, high=1)],
                               {"sparse": g.chance(0.5), "indexing": g.pick(["xy", "ij"])}), np.meshgrid),
    Row("stop_gradient", plain(), lambda x: x), Row("contiguous", plain(), lambda x: x, smooth=True),
    Row("view", view_draw, wild=True, skip={"derivative": "reads bits"}),
    Row("slice", slice_draw, lambda x, s, axes, slice_size: x[clamped(x, s, axes, slice_size)], smooth=True),
    Row("slice_update", slice_update_draw, slice_update_oracle, smooth=True),
    Row("tril", shaped(lambda g, x, s: {"k": g.int(-2, 2)}, 2), np.tril, smooth=True),
    Row("triu", shaped(lambda g, x, s: {"k": g.int(-2, 2)}, 2), np.triu, smooth=True),
    Row("trace", shaped(two_axes, 2), wide_trace, scale="abs", smooth=True, wild=True),
    Row("diag", lambda g: ([g.array(low=1, high=2)], {"k": g.int(-2, 2)}), np.diag, smooth=True),
    Row("diagonal", shaped(two_axes, 2), np.diagonal, smooth=True),
    *[Row(name, join_draw, listed(np.concatenate), listed(getattr(mx, name)), promote="common", smooth=True)
      for name in ("concatenate", "concat")],
    Row("stack", stack_draw, listed(np.stack), listed(mx.stack), promote="common", smooth=True),
    Row("split", split_draw, lambda x, parts, axis: tuple(np.split(x, parts, axis)),
        lambda x, parts, axis: mx.split(x, parts, axis), smooth=True),
    Row("unstack", shaped(lambda g, x, s: {"axis": g.axis(x)}, 1, shortest=1),
        lambda x, axis: tuple(np.moveaxis(x, axis, 0)), smooth=True),
    Row("repeat", shaped(lambda g, x, s: {"repeats": g.int(0, 3),
        "axis": g.axis(x) if s and g.chance(0.7) else None}),
        np.repeat, smooth=True),
    Row("tile", shaped(reps_kwargs), np.tile, lambda x, reps: mx.tile(x, reps), smooth=True),
    Row("roll", shaped(lambda g, x, s: {"shift": g.int(-9, 9),
        "axis": g.axis(x) if s and g.chance(0.7) else None}),
        np.roll, smooth=True),
    Row("flip", shaped(lambda g, x, s: {"axis": g.axes(x)}), np.flip, smooth=True),
    Row("pad", shaped(pad_kwargs, 1, shortest=2), pad_oracle, smooth=True),
    Row("as_strided", shaped(strided_kwargs, shortest=1), strided_oracle, smooth=True),
    Row("depends", broadcast_arrays_draw, lambda x, y: x),
    Row("getitem", getitem_draw(), getitem, getitem, smooth=True),
    Row("getitem:mask", getitem_draw(True), getitem, getitem, dynamic=True),
    Row("setitem", updating_draw, setitem_oracle, setitem, smooth=True),
    Row("setitem:mask", lambda g: updating_draw(g, masks=True), setitem_oracle, setitem, dynamic=True),
    *[Row(f"at.{name}", lambda g, d=DTYPES[1:] if name in ("subtract", "divide") else DTYPES: updating_draw(g,
        dtypes=d), at_oracle(ufunc) if ufunc else None, at(name), ulps=16, scale=scale,
          wild=True, smooth=smooth)
      for name, ufunc, scale, smooth in (
          ("add", np.add, "abs", True), ("subtract", np.subtract, summed, True),
          ("multiply", np.multiply, None, True), ("divide", None, None, False),
          ("maximum", np.maximum, None, False), ("minimum", np.minimum, None, False))],
    Row("take", take_draw, lambda x, i, axis: np.take(x, i.astype(np.int64), axis), smooth=True),
    Row("take_along_axis", along_draw(False), lambda x, i, axis: np.take_along_axis(x, i.astype(np.int64),
        axis),
        smooth=True),
    Row("put_along_axis", along_draw(True), put_oracle, smooth=True),
    Row("zeros", nothing(lambda g: {"shape": g.shape(), "dtype": kind(g)}), numeric(np.zeros)),
    Row("ones", nothing(lambda g: {"shape": g.shape(), "dtype": kind(g)}), numeric(np.ones)),
    Row("empty", nothing(lambda g: {"shape": g.shape(), "dtype": kind(g)}), wild=True),
    Row("zeros_like", plain(), np.zeros_like), Row("ones_like", plain(), np.ones_like),
    Row("empty_like", plain(), wild=True),
    Row("full", full_draw, lambda x, shape: np.full(shape, x), full, smooth=True),
    Row("full_like", shaped(lambda g, x, s: {"vals": 1}), lambda x, vals: np.full_like(x, vals), lambda x,
        vals: mx.full_like(x, vals)),
    Row("bartlett", nothing(lambda g: {"M": g.int(0, 9)}), np.bartlett),
    Row("blackman", nothing(lambda g: {"M": g.int(0, 9)}), np.blackman),
    Row("hamming", nothing(lambda g: {"M": g.int(0, 9)}), np.hamming),
    Row("hanning", nothing(lambda g: {"M": g.int(0, 9)}), np.hanning),
    Row("arange", nothing(arange_kwargs), lambda start, stop, step: np.arange(start, stop, step)),
    Row("linspace", nothing(lambda g: {"start": g.int(-5, 0), "stop": 2.5, "num": g.int(0, 9),
                                       "endpoint": g.chance(0.5)}), np.linspace),
    Row("eye", nothing(lambda g: {"n": g.int(0, 5), "m": g.int(0, 5), "k": g.int(-2, 2)}),
        lambda n, m, k: np.eye(n, m, k)),
    Row("identity", nothing(lambda g: {"n": g.int(0, 5)}), np.identity),
    Row("tri", nothing(lambda g: {"n": g.int(0, 5), "m": g.int(0, 5), "k": g.int(-2, 2)}),
        lambda n, m, k: np.tri(n, m, k)),
    Row("asarray", asarray_draw, lambda x, copy: x),
    Row("to_fp8", plain(dtypes=REALS), skip={"derivative": "has none"}),
    Row("from_fp8", plain(dtypes=("uint8",)), wild=True, skip={"derivative": "has none"}),
]  # fmt: skip
# What only moves or replaces elements keeps the dtype.
ROWS = [replace(row, result="same") if row.smooth and row.name != "trace" else row for row in ROWS]
