"""Views, grids, and slices that begin where an array says: exact in every dtype."""

import numpy as np
from harness.case import Case

import mlx.core as mx

SOME = ("bool", "int8", "uint16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64")
SIGNED = ("int32", "float16", "float32", "float64", "complex64")
NOT_BOOL = SOME[1:]  # the indices take the dtype too


def exact(name, fn, shapes, oracle, dtypes=SOME, **options):
    return Case(name, fn, shapes, oracle, dtypes, ulps=0, **options)


def start_draw(*starts):
    """The second argument holds these indices."""

    def draw(rng, shape, dtype, index):
        return np.array(starts, np.int32).reshape(shape) if index == 1 else None

    return draw


def updated(x, v, row, column):
    y = x.copy()
    y[row : row + 2, column : column + 3] = v
    return y


CASES = [
    exact("meshgrid", lambda a, b: mx.meshgrid(a, b), [(3,), (4,)], lambda a, b: tuple(np.meshgrid(a, b))),
    exact("meshgrid-three", lambda a, b, c: mx.meshgrid(a, b, c, indexing="ij"), [(3,), (), (2, 2)],
          lambda a, b, c: tuple(np.meshgrid(a, b, c, indexing="ij"))),
    exact("meshgrid-sparse", lambda a, b: mx.meshgrid(a, b, sparse=True), [(3,), (4,)],
          lambda a, b: tuple(np.meshgrid(a, b, sparse=True))),
    exact("view-wider", lambda x: mx.view(x, mx.int32), {"base": [(3, 8)], "smaller": [(2, 4)]},
          lambda x: x.view(np.int32), ("int8", "uint16", "uint8"), wrt=()),
    exact("view-narrower", lambda x: mx.view(x, mx.uint8), {"base": [(3, 8)], "smaller": [(2, 4)]},
          lambda x: np.ascontiguousarray(x).view(np.uint8), ("int8", "uint16", "int64"), wrt=()),
    exact("dynamic-slice", lambda x, i: mx.slice(x, i, (0, 2), (2, 3, 2)), [(4, 3, 5), (2,)],
          lambda x, i: x[1:3, :, 3:5], NOT_BOOL,
          draw=start_draw(1, 3), wrt=(0,)),
    exact("dynamic-slice-clamped", lambda x, i: mx.slice(x, i, (0, 1), (3, 2)), [(4, 5), (2,)],
          lambda x, i: x[1:4, 0:2], ("int8", *NOT_BOOL[2:]),
          draw=start_draw(99, -7), wrt=(0,)),
    exact("dynamic-slice-scalar", lambda x, i: mx.slice(x, i, (-1,), (4, 2)), [(4, 5), ()],
          lambda x, i: x[:, 2:4], NOT_BOOL,
          draw=start_draw(2), wrt=(0,)),
    exact("dynamic-update", lambda x, i, v: mx.slice_update(x, v, i, (0, 1)), [(4, 5), (2,), (2, 3)],
          lambda x, i, v: updated(x, v, 1, 2), SIGNED, draw=start_draw(1, 2), wrt=(0, 2)),
    exact("dynamic-update-clamped", lambda x, i, v: mx.slice_update(x, v, i, (0, 1)), [(4, 5), (2,), (2, 3)],
          lambda x, i, v: updated(x, v, 2, 0), SIGNED, draw=start_draw(50, -50), wrt=(0, 2)),
]  # fmt: skip
