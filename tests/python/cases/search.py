"""Sorting, selection and searching, and results of fixed size that depend on values."""

import numpy as np
from harness.case import FLOATS, Case

import mlx.core as mx

NUMBERS = ("bool", "int8", "uint8", "uint16", "int32", "uint32", "int64", "uint64", *FLOATS, "complex64")
REAL = NUMBERS[:-1]
ONE = {"base": [(4, 3, 5)], "larger": [(6, 3, 7)], "smaller": [(2, 3, 4)]}
ROWS = {"base": [(3, 70)], "larger": [(2, 300)], "smaller": [(1, 40)]}  # long enough to select by digits
VECTOR = {"base": [(12,)], "larger": [(40,)], "smaller": [(8,)]}
PIECEWISE = {"second": "the result is piecewise linear"}
SIZES = {
    "compiled": "the size is a value",
    "exported": "the size is a value",
    "shapeless": "the size is a value",
    "vmapped": "the size is a value",
}


def exact(name, fn, shapes, oracle, dtypes=NUMBERS, **options):
    return Case(name, fn, shapes, oracle, dtypes, ulps=0, **options)


def few_values(rng, shape, dtype, index):
    """Small whole numbers, so that there are ties."""
    x = rng.integers(0, 4, shape)
    return None if dtype == "bool" else x.astype("float32" if dtype == "bfloat16" else dtype)


def stable_partition(x, kth, axis):
    """The order of a partition: what is smaller, the element, what is larger, each in its own order."""
    x = np.moveaxis(x, axis, -1)
    order = np.argsort(x, -1, kind="stable")
    kth %= x.shape[-1]
    pieces = [np.sort(order[..., :kth], -1), order[..., kth : kth + 1], np.sort(order[..., kth + 1 :], -1)]
    return np.moveaxis(np.concatenate(pieces, -1), -1, axis)


def partition_cases(name, shapes, draw):
    for kth in (0, 1, -1, -2):
        for axis in (0, -1):
            if kth in (1, -2) and axis == 0:
                continue
            yield exact(
                f"partition-{name}-{kth}-{axis}",
                lambda x, k=kth, a=axis: mx.partition(x, k, a),
                shapes,
                lambda x, k=kth, a=axis: np.take_along_axis(x, stable_partition(x, k, a), a),
                draw=draw,
                skip=PIECEWISE,
                wrt=() if draw else None,
            )
            yield exact(f"argpartition-{name}-{kth}-{axis}",
                        lambda x, k=kth, a=axis: mx.argpartition(x, k, a), shapes,
                        lambda x, k=kth, a=axis: stable_partition(x, k, a).astype(np.uint32),
                        draw=draw, wrt=())  # fmt: skip


def increasing(rng, shape, dtype, index):
    if index == 1 or dtype == "bool":
        return None
    x = np.sort(rng.integers(-20 * (not dtype.startswith("u")), 20, shape))
    return x.astype("float32" if dtype == "bfloat16" else dtype)


def places(x, values, side):
    return np.searchsorted(x, values, side).astype(np.uint32)


def padded(indices, size, fill=0):
    indices = [np.asarray(i)[:size] for i in indices]
    return tuple(np.r_[i, np.full(size - len(i), fill)].astype(np.uint32) for i in indices)


def unique_of_size(x, size, fill):
    values, index, inverse, counts = np.unique(x, True, True, True)
    missing = max(size - len(values), 0)

    def sized(v, filler):
        return np.r_[v[:size], np.full(missing, filler, v.dtype)]

    return (
        sized(values, fill),
        sized(index, index[0]).astype(np.uint32),
        np.minimum(inverse.reshape(x.shape), size - 1).astype(np.uint32),
        sized(counts, 0).astype(np.int32),
    )


CASES = [
    exact("sort-sort", lambda x: mx.sort(x, 1), ONE, lambda x: np.sort(x, 1, kind="stable"), skip=PIECEWISE),
    exact("sort-ties", lambda x: mx.sort(x), ONE, lambda x: np.sort(x), draw=few_values, wrt=()),
    exact("argsort-ties", lambda x: mx.argsort(x, 0), ONE,
          lambda x: np.argsort(x, 0, kind="stable").astype(np.uint32), draw=few_values, wrt=()),
    exact("argsort-flat", lambda x: mx.argsort(x, None), ONE,
          lambda x: np.argsort(x, None, kind="stable").astype(np.uint32), wrt=()),
    *partition_cases("small", ONE, None),
    *partition_cases("ties", ROWS, few_values),
    *partition_cases("rows", ROWS, None),
    exact("topk", lambda x: mx.sort(mx.topk(x, 2, 1), 1), ONE,
          lambda x: np.sort(x, 1)[:, -2:], skip=PIECEWISE),
    exact("topk-flat", lambda x: mx.sort(mx.topk(x, 7, None)), ONE, lambda x: np.sort(x, None)[-7:],
          skip=PIECEWISE),
    *[Case(f"median-{axis}-{keep}", lambda x, axis=axis, keep=keep: mx.median(x, axis, keep), shapes,
           lambda x, axis=axis, keep=keep: np.median(x, axis, keepdims=keep), REAL[1:], ulps=2,
           skip=PIECEWISE)
      for shapes in (ONE,) for axis in (None, 0, -1, (0, 2)) for keep in (False, True)],
    *[exact(f"minmax-{axis}", lambda x, axis=axis: mx.minmax(x, axis), ONE,
            lambda x, axis=axis: (np.min(x, axis), np.max(x, axis)), skip=PIECEWISE)
      for axis in (None, 0, -1, (0, 2))],
    *[exact(f"count_nonzero-{axis}-{keep}",
            lambda x, axis=axis, keep=keep: mx.count_nonzero(x, axis, keepdims=keep), ONE,
            lambda x, axis=axis, keep=keep: np.asarray(np.count_nonzero(x, axis, keepdims=keep), np.int32),
            draw=few_values, wrt=())
      for axis in (None, 1, (0, 2)) for keep in (False, True)],
    *[Case(f"trace-{args}", lambda x, args=args: mx.trace(x, *args), ONE,
           lambda x, args=args: np.trace(x, *args),
           NUMBERS, ulps=4)
      for args in ((), (1, 1, 2), (-1, 2, 0), (50, 0, 1))],
    *[exact(f"searchsorted-{side}", lambda x, v, side=side: mx.searchsorted(x, v, side),
            {"base": [(9,), (4, 3)], "larger": [(40,), (3, 5)], "smaller": [(1,), (2, 2)]},
            lambda x, v, side=side: places(x, v, side), [d for d in NUMBERS if d != "bool"],
            draw=increasing, wrt=())
      for side in ("left", "right")],
    exact("nonzero", lambda x: mx.nonzero(x), ONE,
          lambda x: tuple(i.astype(np.uint32) for i in np.nonzero(x)),
          draw=few_values, wrt=(), skip=SIZES),
    exact("nonzero-size", lambda x: mx.nonzero(x, size=50, fill_value=9), ONE,
          lambda x: padded(np.nonzero(x), 50, 9), draw=few_values, wrt=()),
    exact("nonzero-too-few", lambda x: mx.where(x, size=2), ONE, lambda x: padded(np.nonzero(x), 2),
          draw=few_values, wrt=()),
    exact("flatnonzero-size", lambda x: mx.flatnonzero(x, size=30), ONE,
          lambda x: padded([np.flatnonzero(x)], 30)[0], draw=few_values, wrt=()),
    exact("argwhere", lambda x: mx.argwhere(x), ONE, lambda x: np.argwhere(x).astype(np.uint32),
          draw=few_values, wrt=(), skip=SIZES),
    exact("argwhere-size", lambda x: mx.argwhere(x, size=40, fill_value=3), ONE,
          lambda x: np.stack(padded(np.nonzero(x), 40, 3), 1), draw=few_values, wrt=()),
    exact("compress", lambda x: mx.compress(mx.array([True, False, True]), x, 1), ONE,
          lambda x: np.compress([1, 0, 1], x, 1)),
    exact("compress-values", lambda x: mx.compress(x > 1, x), VECTOR, lambda x: x[x > 1], REAL[1:],
          draw=few_values, wrt=(), skip=SIZES),
    Case("compress-size", lambda x: mx.compress(x > 0.2, x, size=6, fill_value=0.5), VECTOR,
         lambda x: np.r_[x[x > 0.2], np.full(6, 0.5)][:6], ulps=0),
    exact("bincount", lambda x: mx.bincount(x, minlength=3), VECTOR,
          lambda x: np.bincount(x.astype(int), minlength=3).astype(np.int32),
          ("uint8", "int32", "int64", "uint64"), draw=few_values, wrt=(), skip=SIZES),
    exact("bincount-size", lambda x: mx.bincount(x, size=3), VECTOR,
          lambda x: np.bincount(x.astype(int), minlength=3)[:3].astype(np.int32),
          ("bool", "uint8", "int32", "uint64"), draw=few_values, wrt=()),
    Case("bincount-weights", lambda w: mx.bincount(mx.array([2, 0, 2, 5, 1]), w, size=4), [(5,)],
         lambda w: np.bincount([2, 0, 2, 5, 1], w)[:4], ulps=2),
    exact("unique", lambda x: mx.unique(x, None, True, True, True), ONE,
          lambda x: unique_of_size(x, len(np.unique(x)), 0), draw=few_values, wrt=(), skip=SIZES),
    exact("unique-size", lambda x: mx.unique(x, 6, True, True, True, 1), ONE,
          lambda x: unique_of_size(x, 6, 1), draw=few_values, wrt=()),
    exact("unique-truncated", lambda x: mx.unique(x, 2, True, True, True), ONE,
          lambda x: unique_of_size(x, 2, 0), draw=few_values, wrt=()),
    Case("unique-values", lambda x: mx.unique(x, 20), VECTOR,
         lambda x: np.r_[np.unique(x), np.full(20, x.min())][:20], ulps=0, skip=PIECEWISE),
]  # fmt: skip
