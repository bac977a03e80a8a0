"""Gather, scatter, transposes, concatenation: memory and little else."""

import numpy as np
from case import case, index, mx, normal

TABLE, FLAT = normal(4096, 1024), normal(4096 * 1024)
ROWS, PLACES = index(4096, 8192), index(4096 * 1024, 1_000_000)


def scatter(name, x, i, values):
    """x with values added, or put, at i. Where an index repeats, any of its values may be the one put."""

    def add_numpy(x, i, v):
        x = x.copy()
        np.add.at(x, i, v)
        return x

    def put(x, i, v):
        x[i] = v
        return x

    return [
        case(
            f"at[].add {name}",
            x, i, values,
            numpy=add_numpy,
            torch=lambda x, i, v: x.clone().index_put_((i,), v, accumulate=True),
            jax=lambda x, i, v: x.at[i].add(v),
            mlx=lambda x, i, v: x.at[i].add(v),
        ),
        case(
            f"x[i] = v {name}",
            x, i, values,
            numpy=lambda x, i, v: put(x.copy(), i, v),
            torch=lambda x, i, v: put(x.clone(), i, v),
            jax=lambda x, i, v: x.at[i].set(v),
            mlx=lambda x, i, v: put(mx.array(x), i, v),
        ),
    ]  # fmt: skip


def contiguous(name, x, view):
    """A copy of a view in the order of its axes."""
    return case(
        name,
        x,
        numpy=lambda x: np.ascontiguousarray(view(x)),
        torch=lambda x: view(x).contiguous(),
        jax=lambda x: view(x),
        mlx=lambda x: mx.contiguous(view(x)),
    )


def permuted(*axes):
    return lambda x: (x.permute if hasattr(x, "permute") else x.transpose)(axes)


GATHER = [
    case("take rows", TABLE, ROWS, every=lambda f, x, i: x[i]),
    case("take elements", FLAT, PLACES, every=lambda f, x, i: x[i], numpy=lambda x, i: x.take(i)),
    case("take 64-wide rows", normal(100_000, 64), index(100_000, 100_000), every=lambda f, x, i: x[i]),
    case(
        "take_along_axis",
        TABLE,
        index(1024, 4096, 1024),
        every=lambda f, x, i: f.take_along_axis(x, i, 1),
        torch=lambda x, i: x.gather(1, i),
    ),
]
SCATTER = [
    *scatter("rows", TABLE, ROWS, normal(8192, 1024)),
    *scatter("elements", FLAT, PLACES, normal(1_000_000)),
    *scatter("64-wide rows", normal(100_000, 64), index(100_000, 100_000), normal(100_000, 64)),
]
COPIES = [
    contiguous("transpose 2d", TABLE, lambda x: x.T),
    contiguous("nchw to nhwc", normal(8, 64, 56, 56), permuted(0, 2, 3, 1)),
    contiguous("nhwc to nchw", normal(8, 56, 56, 64), permuted(0, 3, 1, 2)),
    contiguous("swap 1 and 2", normal(8, 512, 32, 128), lambda x: x.swapaxes(1, 2)),
    case("concatenate", TABLE, TABLE, every=lambda f, x, y: f.concatenate((x, y), axis=1),
         mlx=lambda x, y: mx.concatenate([x, y], axis=1)),
]  # fmt: skip
FAMILIES = {"gather": GATHER, "scatter": SCATTER, "copy": COPIES}
