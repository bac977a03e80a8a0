"""Rows of element-wise operations, reductions, scans, sorting and searching."""

from __future__ import annotations

import numpy as np

import mlx.core as mx

from ..oracles import DOMAINS, FUNCTIONS, oracle_of
from .draw import INEXACT, REALS
from .graph import DTYPES, INTEGERS, Row

ORDERED = tuple(d for d in DTYPES if d not in ("bool", "complex64"))
NOT_COMPLEX = DTYPES[:-1]
# Kinks or steps within reach of a difference, or results that are no floats.
ROUGH = {
    "floor",
    "ceil",
    "trunc",
    "sign",
    "floor_divide",
    "remainder",
    "maximum",
    "minimum",
    "abs",
    "conj",
    "imag",
}
UNTAMED = {
    "exp",
    "expm1",
    "sinh",
    "cosh",
    "square",
    "power",
    "reciprocal",
    "divide",
    "multiply",
    "rsqrt",
    "tan",
}
UNTAMED |= {"degrees", "left_shift", "add", "subtract", "negative", "bitwise_invert", "log", "log2", "log10"}
# What has no derivative along the real line alone is left to the tables.
ALIASES = {
    "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan",
    "atan2": "arctan2", "atanh": "arctanh", "pow": "power", "conjugate": "conj",
    "bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift",
}  # fmt: skip
OPERATORS = {
    "__add__": "add", "__sub__": "subtract", "__mul__": "multiply", "__truediv__": "divide",
        "__pow__": "power",
    "__floordiv__": "floor_divide", "__mod__": "remainder", "__and__": "bitwise_and", "__or__": "bitwise_or",
    "__xor__": "bitwise_xor", "__lshift__": "left_shift", "__rshift__": "right_shift", "__lt__": "less",
    "__le__": "less_equal", "__gt__": "greater", "__ge__": "greater_equal", "__eq__": "equal",
    "__ne__": "not_equal", "__neg__": "negative", "__invert__": "bitwise_invert", "__abs__": "abs",
}  # fmt: skip


def power(a, b):
    if a.dtype == bool:
        return np.power(a.astype(int), b.astype(int)) != 0
    if a.dtype.kind not in "iu":
        return np.power(a, b)
    negative = b < 0
    result = np.power(a, np.where(negative, 0, b).astype(a.dtype))
    inverse = np.where(a == 1, 1, np.where(a == -1, np.where(b % 2 == 0, 1, -1), 0)).astype(result.dtype)
    return np.where(negative, inverse, result)


def oracle(name):
    return power if name == "power" else oracle_of(name)


def element_wise(row, name):
    cls, _, arity, dtypes, _, domain = row
    base = ALIASES.get(name, name)
    low, high = DOMAINS[domain]
    promote = "float" if "int32" not in dtypes else "common"
    accepted = DTYPES if promote == "float" and "complex64" in dtypes else dtypes
    if promote == "float" and "complex64" not in dtypes:
        accepted = NOT_COMPLEX
    if domain == "unit":
        accepted = tuple(d for d in accepted if d != "bool")
    restricted = domain in ("positive", "nonzero", "unit", "ge1", "gtm1", "small", "count")

    def draw(g):
        first = g.array(accepted)
        if arity == 1:
            if restricted and g.dtype_of(first) != "bool":
                first = g.into(first, low, high)
            return [first], {}
        if base == "power":
            first = g.into(first, 0.2, 3)
        # Quotients of complex numbers and zero are NaN in one place and infinite in another.
        if domain == "nonzero" and g.dtype_of(first) == "complex64":
            return [first, g.into(g.matching(first, INEXACT), low, high)], {}
        # uint64 beside a signed one would be float32.
        second = g.matching(first, (g.dtype_of(first),) if "float32" not in accepted else accepted)
        if restricted and g.dtype_of(second) != "bool":
            second = g.into(second, low, high)
        return [first, second], {}

    return Row(name, draw, oracle(base), ulps=8 if domain in ("all", "count") else 12, promote=promote,
               smooth="float64" in dtypes and base not in ROUGH and row[4] == "Same",
               wild=base in UNTAMED, result={"Same": "same", "Bool": "bool"}.get(row[4]))  # fmt: skip


def element_wise_rows():
    rows = {}
    for row in mx._elementwise_rows():
        name = row[1] or FUNCTIONS.get(row[0])
        if name is None or name == "select":
            continue
        rows[name] = element_wise(row, name)
        for alias, target in ALIASES.items():
            if target == name:
                rows[alias] = element_wise(row, alias)
    return list(rows.values())


def unary(dtypes=DTYPES, **options):
    return lambda g: ([g.array(dtypes, **options)], {})


def pair(dtypes=DTYPES):
    def draw(g):
        a = g.array(dtypes)
        return [a, g.matching(a, dtypes)], {}

    return draw


def alike(g):
    """Equally many axes: otherwise the answer is no, and compile drops what made them with its checks."""
    a = g.array()
    b = g.matching(a)
    return [a, b if len(g.shape_of(a)) == len(g.shape_of(b)) else g.new(g.shape_of(a), g.dtype())], {}


def where_operands(g):
    a = g.array()
    b = g.matching(a)
    return [g.matching(a, ("bool",)) if g.chance(0.7) else g.matching(a), a, b], {}


def compatible(shapes):
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        return False
    return True


def where_draw(g):
    refs, kwargs = where_operands(g)
    shapes = [g.shape_of(r) for r in refs]
    if not compatible(shapes):
        refs[2] = g.new((), g.dtype())
    if not compatible([g.shape_of(r) for r in refs]):
        refs[0] = g.new((), "bool")
    return refs, kwargs


def clip_draw(g):
    a = g.array(ORDERED)
    low = g.matching(a, (g.dtype_of(a),))
    return [a, low], {"high": g.pick([None, 1.5, 2] if "float" in g.dtype_of(a) else [None, 2, 3])}


def clip(x, low, high):
    return mx.clip(x, low, high)


def clip_oracle(x, low, high):
    y = np.maximum(x, low)
    return y if high is None else np.minimum(y, high)


def nan_to_num_oracle(x, nan=0.0, posinf=None, neginf=None):
    return np.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf) if x.dtype.kind == "f" else x


def wide(x):
    return x.astype(np.int64) if x.dtype.kind in "b" else x.astype("u8" if x.dtype.kind == "u" else "i8") \
        if x.dtype.kind in "iu" else x  # fmt: skip


def reduced(fn):
    """Integers in 64 bits: the check casts to the dtype of the result, which wraps the same."""
    return lambda x, **kwargs: fn(wide(x), **kwargs)


def reduction(dtypes=DTYPES, empty=True, axes=True, **extra):
    def draw(g):
        x = g.array(dtypes, shortest=0 if empty else 1, ok=extra.get("ok"))
        axis = g.axes(x) if axes else (None if not g.shape_of(x) or g.chance(0.3) else g.axis(x))
        kwargs = {"axis": axis, "keepdims": g.chance(0.5)}
        if "ddof" in extra:
            kwargs["ddof"] = g.int(0, 1)
        return [x], kwargs

    return draw


def logsumexp(x, axis=None, keepdims=False):
    top = np.max(x, axis=axis, keepdims=True)
    shift = np.where(np.isfinite(top), top, 0)
    result = np.log(np.sum(np.exp(x - shift), axis=axis, keepdims=True)) + shift
    return result if keepdims else np.squeeze(result, axis if axis is not None else tuple(range(x.ndim)))


def softmax(x, axis=None, precise=False):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def argument(fn):
    return lambda x, **kwargs: np.asarray(fn(x, **kwargs), np.uint32)


def largest(x, **kwargs):
    return np.abs(x).max() if x.size else 1.0


def squared(x, **kwargs):
    return np.abs(x).max() ** 2 if x.size else 1.0


def few_factors(shape):
    """Products of more would overflow half way."""
    return np.prod(shape) <= 60


def scan(dtypes, ok=None):
    def draw(g):
        x = g.array(dtypes, low=1, ok=ok)
        kwargs = {"axis": None if g.chance(0.2) else g.axis(x), "reverse": g.chance(0.5)}
        kwargs["inclusive"] = g.chance(0.7)
        return [x], kwargs

    return draw


def scanned(fn, start):
    def run(x, axis=None, reverse=False, inclusive=True):
        x = wide(x)
        if axis is None:
            x, axis = x.reshape(-1), 0
        x = np.flip(x, axis) if reverse else x
        y = fn(x, axis=axis)
        if not inclusive and x.shape[axis]:
            first = np.full_like(np.take(y, [0], axis), start)
            y = np.concatenate([first, np.take(y, range(x.shape[axis] - 1), axis)], axis)
        return np.flip(y, axis) if reverse else y

    return run


def inclusive(draw):
    def run(g):
        refs, kwargs = draw(g)
        return refs, {**kwargs, "inclusive": True}

    return run


def diff(x, n, axis):
    """NumPy's for bools is not equal."""
    return np.diff(x, n, axis)


def logcumsumexp(x, axis):
    return np.logaddexp.accumulate(x, axis=axis)


def sorting(extra=None, dtypes=DTYPES, shortest=0):
    def draw(g):
        x = g.array(dtypes, low=1, shortest=max(shortest, 1 if extra else 0))
        axis = None if g.chance(0.2) else g.axis(x)
        n = int(np.prod(g.shape_of(x))) if axis is None else g.shape_of(x)[axis]
        kwargs = {"axis": axis}
        if extra == "kth":
            kwargs["kth"] = g.int(-n, n - 1)
        if extra == "k":
            kwargs["k"] = g.int(1, n)
        return [x], kwargs

    return draw


def sort_oracle(x, axis=-1):
    return np.sort(x, axis, kind="stable")


def argsort_oracle(x, axis=-1):
    return np.argsort(x, axis, kind="stable").astype(np.uint32)


def partitioned(x, out, kth, axis=-1):
    """The kth element is in its place, and the elements are the same."""
    if axis is None:
        x, axis = x.reshape(-1), 0
    kth %= x.shape[axis]
    ordered = np.sort(x, axis)
    return [
        (np.sort(out, axis), ordered),
        (np.take(out, [kth], axis), np.take(ordered, [kth], axis)),
    ]


def argpartitioned(x, out, kth, axis=-1):
    flat, along = (x.reshape(-1), 0) if axis is None else (x, axis)
    return partitioned(x, np.take_along_axis(flat, out.astype(np.int64), along), kth, axis)


def top(x, out, k, axis=-1):
    if axis is None:
        x, axis = x.reshape(-1), 0
    n = x.shape[axis]
    return [(np.sort(out, axis), np.take(np.sort(x, axis), range(n - k, n), axis))]


def sized(g):
    return {"size": g.int(1, 9)} if g.chance(0.7) else {"size": g.int(0, 9), "fill_value": 1}


def padded(parts, size, fill_value=0):
    return tuple(np.r_[p[:size], np.full(max(size - len(p), 0), fill_value)].astype(np.uint32) for p in parts)


def searchsorted_draw(g):
    dtype = g.dtype(ORDERED)
    n, rows = g.length(1), g.shape(0, 2)
    return [g.new((n,), dtype, "increasing"), g.new(rows, dtype)], {"side": g.pick(["left", "right"])}


def bincount_draw(g):
    x = g.new((g.length(),), g.dtype(INTEGERS), "count", 0, 6)
    weights = [g.new(g.shape_of(x), g.dtype(REALS))] if g.chance(0.5) else []
    return [x, *weights], {"size": g.int(1, 8)}


def bincount_oracle(x, weights=None, size=None):
    y = np.bincount(x.astype(int), weights, size)[:size]
    return y if weights is not None else y.astype(np.int32)


def compress_draw(g, dynamic):
    x = g.array(low=1, shortest=1)
    axis = g.axis(x)
    condition = g.new((g.int(0, g.shape_of(x)[axis]),), "bool")
    return [condition, x], {"axis": axis, **({} if dynamic else {"size": g.int(1, 6)})}


def compress_sized(condition, x, axis, size):
    y = np.compress(condition, x, axis)
    y = np.take(y, range(min(size, y.shape[axis])), axis)
    width = [(0, 0)] * x.ndim
    width[axis] = (0, size - y.shape[axis])
    return np.pad(y, width)


def unique_draw(g):
    return [g.array(ORDERED, low=1, shortest=1)], {} if g.chance(0.5) else {"return_counts": True}


def unique_oracle(x, return_counts=False):
    y = np.unique(x, return_counts=return_counts, equal_nan=False)
    return (y[0], y[1].astype(np.int32)) if return_counts else y


def round_draw(g):
    return [g.array()], {"decimals": 0}


def divmod_draw(g):
    a = g.array(NOT_COMPLEX[1:])
    return [a, g.into(g.matching(a, (g.dtype_of(a),)), 0.5, 4)], {}


def divmod_oracle(a, b):
    return oracle_of("floor_divide")(a, b), oracle_of("remainder")(a, b)


def is_close(g):
    a = g.array(NOT_COMPLEX)
    return [a, g.matching(a, (g.dtype_of(a),))], {"equal_nan": g.chance(0.5)}


def only(fn):
    return lambda *args, **kwargs: np.asarray(fn(*args, **kwargs))


DYNAMIC = {"dynamic": True}
ROWS = [
    *element_wise_rows(),
    Row("where", where_draw, lambda c, x, y: np.where(c, x, y), promote="where"),
    Row("round", round_draw, np.round),
    Row("round:decimals", lambda g: ([g.array(INEXACT)], {"decimals": g.int(-2, 3)})),
    Row("positive", unary(), lambda x: x),
    Row("divmod", divmod_draw, divmod_oracle, promote="common", wild=True),
    Row("clip", clip_draw, clip_oracle, clip),
    Row("nan_to_num", lambda g: ([g.array(REALS)], {"nan": 0.5, "posinf": 7.0, "neginf": -8.0}),
        nan_to_num_oracle),
    Row("isclose", is_close, np.isclose, promote="common"),
    Row("allclose", is_close, only(np.allclose), promote="common"),
    Row("array_equal", alike, only(np.array_equal), promote="common"),
    Row("sum", reduction(), reduced(np.sum), scale="abs", smooth=True, wild=True),
    Row("prod", reduction(ok=few_factors), reduced(np.prod), ulps=40, wild=True, smooth=True),
    Row("mean", reduction(empty=False), np.mean, scale="abs", promote="float", smooth=True),
    Row("max", reduction(NOT_COMPLEX, False), np.max),
    Row("min", reduction(NOT_COMPLEX, False), np.min),
    Row("all", reduction(), np.all), Row("any", reduction(), np.any),
    Row("var", reduction(NOT_COMPLEX, False, ddof=1), np.var, scale=squared, promote="float", smooth=True,
        wild=True,
        ulps=8),
    Row("std", reduction(NOT_COMPLEX, False, ddof=1), np.std, scale=largest, promote="float", ulps=16,
        wild=True),
    # The logarithm of a sum near 1 has the sum's absolute error.
    Row("logsumexp", reduction(NOT_COMPLEX, False), logsumexp, promote="float", ulps=8, smooth=True,
        scale=lambda x, **kwargs: max(1.0, float(np.abs(x).max(initial=0)))),  # fmt: skip
    Row("softmax", lambda g: ([x := g.array(NOT_COMPLEX, low=1, shortest=1)],
                              {"axis": g.axes(x), "precise": g.chance(0.5)}),
        softmax, promote="float", ulps=8, smooth=True),
    Row("argmax", reduction(NOT_COMPLEX, False, axes=False), argument(np.argmax)),
    Row("argmin", reduction(NOT_COMPLEX, False, axes=False), argument(np.argmin)),
    Row("count_nonzero", reduction(), lambda x, **k: np.asarray(np.count_nonzero(x, **k), np.int32)),
    Row("median", reduction(ORDERED, False), np.median, promote="float"),
    Row("minmax", reduction(NOT_COMPLEX, False), lambda x, **k: (np.min(x, **k), np.max(x, **k))),
    Row("cumsum", scan(DTYPES), scanned(np.cumsum, 0), scale="abs", smooth=True, wild=True),
    Row("cumulative_sum", scan(DTYPES), scanned(np.cumsum, 0), scale="abs", smooth=True, wild=True),
    Row("cumprod", scan(DTYPES, few_factors), scanned(np.cumprod, 1), ulps=60, smooth=True, wild=True),
    Row("cumulative_prod", scan(DTYPES, few_factors), scanned(np.cumprod, 1), ulps=60, smooth=True,
        wild=True),
    Row("cummax", inclusive(scan(NOT_COMPLEX)), scanned(np.maximum.accumulate, 0)),
    Row("cummin", inclusive(scan(NOT_COMPLEX)), scanned(np.minimum.accumulate, 0)),
    Row("cummax:exclusive", scan(NOT_COMPLEX)), Row("cummin:exclusive", scan(NOT_COMPLEX)),
    Row("logcumsumexp", scan(REALS), scanned(logcumsumexp, -np.inf), ulps=16, wild=True),
    Row("diff", lambda g: ([x := g.array(low=1)], {"n": g.int(0, 2), "axis": g.axis(x)}), diff,
        scale=lambda x, **k: 9.0, wild=True, smooth=True),
    Row("sort", sorting(), sort_oracle), Row("argsort", sorting(), argsort_oracle),
    Row("partition", sorting("kth"), verify=partitioned),
    Row("argpartition", sorting("kth"), verify=argpartitioned),
    Row("topk", sorting("k"), verify=top),
    Row("searchsorted", searchsorted_draw, lambda x, v, side: np.searchsorted(x, v, side).astype(np.uint32)),
    Row("nonzero:size", lambda g: ([g.array(low=1)], sized(g)),
        lambda x, **k: padded(np.nonzero(x), **k)),
    Row("nonzero", unary(low=1), lambda x: tuple(i.astype(np.uint32) for i in np.nonzero(x)), **DYNAMIC),
    Row("where:one", unary(low=1), lambda x: tuple(i.astype(np.uint32) for i in np.nonzero(x)), **DYNAMIC),
    Row("flatnonzero:size", lambda g: ([g.array()], sized(g)), lambda x, **k: padded([np.flatnonzero(x)],
        **k)[0]),
    Row("flatnonzero", unary(), lambda x: np.flatnonzero(x).astype(np.uint32), **DYNAMIC),
    Row("argwhere:size", lambda g: ([g.array(low=1)], sized(g)),
        lambda x, **k: np.stack(padded(np.nonzero(x), **k), 1)),
    Row("argwhere", unary(low=1), lambda x: np.argwhere(x).astype(np.uint32), **DYNAMIC),
    Row("compress:size", lambda g: compress_draw(g, False), compress_sized),
    Row("compress", lambda g: compress_draw(g, True), np.compress, **DYNAMIC),
    Row("unique", unique_draw, unique_oracle, **DYNAMIC),
    Row("unique:size", lambda g: ([g.array(ORDERED, low=1, shortest=1)],
                                  {"size": g.int(1, 9), "return_index": True, "return_inverse": True})),
    Row("bincount:size", bincount_draw, bincount_oracle, scale=lambda x, w=None,
        **k: 1 if w is None else np.abs(w).sum()),
    Row("bincount", lambda g: ([g.new((g.length(),), g.dtype(INTEGERS), "count", 0, 6)],
        {"minlength": g.int(0, 9)}),
        lambda x, minlength: np.bincount(x.astype(int), minlength=minlength).astype(np.int32), **DYNAMIC),
]  # fmt: skip
