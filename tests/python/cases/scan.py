"""Scans along an axis, diff."""

import numpy as np
from harness.case import FLOATS, Case

import mlx.core as mx

INTEGERS = ("bool", "int8", "uint8", "int32", "int64", "uint64")
NUMBERS = (*INTEGERS, *FLOATS)
ONE = {"base": [(3, 4, 5)], "larger": [(2, 9, 6)], "smaller": [(1, 4, 2)]}
WIDE = {"base": [(5, 40)], "larger": [(9, 33)], "smaller": [(1, 17)]}  # many columns side by side
PIECEWISE = {"second": "the result is piecewise linear"}


def lowest(dtype):
    return False if dtype.kind == "b" else -np.inf if dtype.kind in "fc" else np.iinfo(dtype).min


def highest(dtype):
    return True if dtype.kind == "b" else np.inf if dtype.kind in "fc" else np.iinfo(dtype).max


def log_add(x, axis):
    if x.dtype.kind == "c":
        return np.log(np.cumsum(np.exp(x), axis))
    return np.logaddexp.accumulate(x.astype(np.float64), axis)


# name: inclusive forward scan, what an exclusive one begins with, dtypes, range, ulps, options
SCANS = {
    "cumsum": (np.cumsum, lambda t: 0, (*NUMBERS, "complex64"), (-1, 1), 2, {}),
    "cumprod": (
        lambda x, axis: np.cumprod(x, axis, dtype=bool if x.dtype == bool else None),
        lambda t: 1,
        (*NUMBERS, "complex64"),
        (0.5, 1.5),
        8,
        {},
    ),
    "cummax": (np.maximum.accumulate, lowest, NUMBERS, (-1, 1), 0, {"skip": PIECEWISE}),
    "cummin": (np.minimum.accumulate, highest, NUMBERS, (-1, 1), 0, {"skip": PIECEWISE}),
    "logcumsumexp": (log_add, lambda t: -np.inf, (*NUMBERS, "complex64"), (-2, 2), 4, {}),
}


def reference(name, x, axis, reverse, inclusive):
    forward, start = SCANS[name][:2]
    if axis is None:
        x, axis = x.reshape(-1), 0
    if reverse:
        x = np.flip(x, axis)
    y = forward(x, axis)
    if not inclusive:
        first = np.full_like(np.take(y, [0], axis), start(y.dtype if name == "logcumsumexp" else x.dtype))
        y = np.concatenate([first, np.delete(y, -1, axis)], axis)
    return np.flip(y, axis) if reverse else y


def scan_case(name, axis, reverse, inclusive, shapes, tag):
    _, _, dtypes, (low, high), ulps, options = SCANS[name]
    if not inclusive and name == "logcumsumexp":
        options = {**options, "wrt": ()}  # infinite values have no differences; see test_scan.py
    if not inclusive and name in ("cummax", "cummin"):
        options = {**options, "wrt": ()}
    return Case(
        f"{name}-{tag}-{axis}{'-reverse' * reverse}{'-exclusive' * (not inclusive)}",
        lambda x: getattr(mx, name)(x, axis, reverse=reverse, inclusive=inclusive),
        shapes,
        lambda x: reference(name, x, axis, reverse, inclusive),
        dtypes,
        ulps=ulps,
        low=low,
        high=high,
        **options,
    )


def with_zeros(rng, shape, dtype, index):
    x = 0.5 + rng.random(shape)
    x[..., 1] = 0
    x[0] = np.where(rng.random(shape[1:]) < 0.5, 0, x[0])
    return x.astype("float64" if dtype == "float64" else "float32")


CASES = [
    *[
        scan_case(name, axis, reverse, inclusive, ONE, "3d")
        for name in SCANS
        for axis, reverse, inclusive in (
            (None, False, True), (0, False, True), (1, True, True), (-1, False, False), (1, True, False),
        )
    ],
    *[scan_case(name, 0, reverse, inclusive, WIDE, "wide")
      for name in SCANS for reverse, inclusive in ((False, True), (True, False))],
    Case("cumprod-zeros", lambda x: mx.cumprod(x, -1), ONE, lambda x: np.cumprod(x, -1),
         ("float32", "float64"), ulps=8, draw=with_zeros),
    Case("cumprod-zeros-exclusive", lambda x: mx.cumprod(x, 1, reverse=True, inclusive=False), ONE,
         lambda x: reference("cumprod", x, 1, True, False), ("float32", "float64"), ulps=8, draw=with_zeros),
    Case("cumsum-dtype", lambda x: mx.cumsum(x, 1, dtype=mx.float32), ONE,
         lambda x: np.cumsum(x, 1).astype(np.float32), ("bool", "int8", "uint8", "int32"), wrt=()),
    *[Case(f"diff-{n}-{axis}", lambda x, n=n, axis=axis: mx.diff(x, n, axis), ONE,
           lambda x, n=n, axis=axis: np.diff(x, n, axis), (*NUMBERS, "complex64"), ulps=2)
      for n, axis in ((0, 0), (1, -1), (2, 1), (9, 1))],
]  # fmt: skip
