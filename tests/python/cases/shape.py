"""Shapes, slices, joining, indexing and sorting: exact in every dtype."""

import numpy as np
from harness.case import Case

import mlx.core as mx

SOME = ("bool", "int8", "uint16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64")
REAL = tuple(d for d in SOME if d != "complex64")
ONE = {"base": [(4, 3, 5)], "larger": [(6, 3, 7)], "smaller": [(2, 3, 4)]}
TWO = {"base": [(4, 3), (4, 3)], "larger": [(6, 2), (6, 2)], "smaller": [(1, 3), (1, 3)]}
INDEX = np.array([[0, -1], [2, 1]], np.int32)


def exact(name, fn, shapes, oracle, dtypes=SOME, **options):
    return Case(name, fn, shapes, oracle, dtypes, ulps=0, **options)


def assigned(x, v):
    y = x.copy()
    y[1:, ::2] = v
    return y


def assign(x, v):
    y = x + 0 if x.dtype != mx.bool_ else mx.logical_or(x, x)
    y[1:, ::2] = v
    return y


def add_at(x, v):
    y = x.copy()
    np.add.at(y, INDEX, v)
    return y


CASES = [
    exact("reshape", lambda x: mx.reshape(x, (-1, 3)), ONE, lambda x: x.reshape(-1, 3)),
    exact("flatten", lambda x: mx.flatten(x, 1, 2), ONE, lambda x: x.reshape(x.shape[0], -1)),
    exact("unflatten", lambda x: mx.unflatten(x, 0, (2, -1)), ONE, lambda x: x.reshape(2, -1, *x.shape[1:])),
    exact("transpose", lambda x: mx.transpose(x, (2, 0, 1)), ONE, lambda x: x.transpose(2, 0, 1)),
    exact("swapaxes", lambda x: mx.swapaxes(x, 0, -1), ONE, lambda x: x.swapaxes(0, -1)),
    exact("moveaxis", lambda x: mx.moveaxis(x, 0, 2), ONE, lambda x: np.moveaxis(x, 0, 2)),
    exact("expand_dims", lambda x: mx.expand_dims(x, (0, 2)), ONE, lambda x: np.expand_dims(x, (0, 2))),
    exact("squeeze", lambda x: mx.squeeze(x[:1], 0), ONE, lambda x: x[0]),
    exact("broadcast_to", lambda x: mx.broadcast_to(x, (2, 4, 3, 5)), [(4, 1, 5)],
          lambda x: np.broadcast_to(x, (2, 4, 3, 5))),
    exact("slice", lambda x: x[1:, :, ::2], ONE, lambda x: x[1:, :, ::2]),
    exact("slice-reversed", lambda x: x[::-1, 2:0:-1], ONE, lambda x: x[::-1, 2:0:-1]),
    exact("int-index", lambda x: x[1, ..., -1], ONE, lambda x: x[1, ..., -1]),
    exact("new-axis", lambda x: x[:, None, 0], ONE, lambda x: x[:, None, 0]),
    exact("flip", lambda x: mx.flip(x, (0, 2)), ONE, lambda x: np.flip(x, (0, 2))),
    exact("roll", lambda x: mx.roll(x, 2, 1), ONE, lambda x: np.roll(x, 2, 1)),
    exact("concatenate", lambda a, b: mx.concatenate([a, b, a], 1), TWO,
          lambda a, b: np.concatenate([a, b, a], 1)),
    exact("stack", lambda a, b: mx.stack([a, b], -1), TWO, lambda a, b: np.stack([a, b], -1)),
    exact("split", lambda x: mx.split(x, [1, 2], axis=1), ONE, lambda x: tuple(np.split(x, [1, 2], 1))),
    exact("pad", lambda x: mx.pad(x, ((1, 2), (0, 0), (3, 0))), ONE,
          lambda x: np.pad(x, ((1, 2), (0, 0), (3, 0)))),
    exact("pad-edge", lambda x: mx.pad(x, 2, mode="edge"), ONE, lambda x: np.pad(x, 2, mode="edge")),
    exact("repeat", lambda x: mx.repeat(x, 3, 1), ONE, lambda x: np.repeat(x, 3, 1)),
    exact("tile", lambda x: mx.tile(x, (2, 1, 2)), ONE, lambda x: np.tile(x, (2, 1, 2))),
    exact("take", lambda x: mx.take(x, mx.array(INDEX), axis=1), ONE, lambda x: np.take(x, INDEX, axis=1)),
    exact("index-array", lambda x: x[mx.array([2, 0, -1]), 1], {"base": [(4, 3, 5)], "larger": [(5, 3, 2)]},
          lambda x: x[[2, 0, -1], 1]),
    exact("index-apart", lambda x: x[mx.array([0, 1]), :, mx.array([1, 0])], ONE,
          lambda x: x[[0, 1], :, [1, 0]]),
    exact("take_along_axis", lambda x: mx.take_along_axis(x, mx.array([[[0], [2]]]), 1), ONE,
          lambda x: np.take_along_axis(x, np.array([[[0], [2]]]), 1)),
    exact("assign", assign, [(4, 6), (3, 3)], assigned),
    Case("add-at", lambda x, v: x.at[mx.array(INDEX)].add(v), [(4, 3), (2, 2, 3)], add_at, REAL[1:], ulps=1),
    exact("tril", lambda x: mx.tril(x, 1), ONE, lambda x: np.tril(x, 1)),
    exact("sort", lambda x: mx.sort(x, 1), ONE, lambda x: np.sort(x, 1, kind="stable"), REAL,
          skip={"second": "the result is piecewise linear"}),
    exact("argsort", lambda x: mx.argsort(x, -1), ONE,
          lambda x: np.argsort(x, -1, kind="stable").astype(np.uint32), REAL, wrt=()),
    exact("where", lambda x, y: mx.where(x > y, x, y), TWO, lambda x, y: np.where(x > y, x, y), REAL,
          skip={"second": "the result is piecewise linear"}),
    exact("maximum", mx.maximum, TWO, np.maximum, REAL, skip={"second": "the result is piecewise linear"}),
    exact("contiguous", lambda x: mx.contiguous(x.T), ONE, lambda x: x.T),
    exact("zeros_like", mx.zeros_like, ONE, np.zeros_like, wrt=()),
]  # fmt: skip
