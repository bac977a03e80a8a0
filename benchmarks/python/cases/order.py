"""Sorting, scans, selection, search."""

import numpy as np
from case import case, integers, mx, normal

X = normal(1000, 1000)


def ordered(dtype, shape):
    x, tag = normal(*shape, dtype=dtype), f"{dtype} {len(shape)}d"
    half = lambda x: x.shape[-1] // 2  # noqa: E731
    sorts = [
        case(f"sort {tag}", x, every=lambda f, x: f.sort(x)),
        case(f"argsort {tag}", x, every=lambda f, x: f.argsort(x)),
        case(
            f"partition {tag}",
            x,
            every=lambda f, x: f.partition(x, half(x)),
            torch=lambda x: x.kthvalue(half(x) + 1),
            same=False,
        ),
    ]
    return sorts, [case(f"cumsum {tag}", x, every=lambda f, x: f.cumsum(x, -1))]


PAIRS = [
    ordered(dtype, shape) for dtype in ("float32", "int32", "int64") for shape in ((1_000_000,), (1000, 1000))
]
SCANS = [
    *(c for _, scans in PAIRS for c in scans),
    case("cumsum axis 0", X, every=lambda f, x: f.cumsum(x, 0)),
    case("cumsum 32768x128", normal(32768, 128), every=lambda f, x: f.cumsum(x, 1)),
    case("cumprod", X, every=lambda f, x: f.cumprod(x, -1)),
    case(
        "cummax",
        X,
        numpy=lambda x: np.maximum.accumulate(x, 1),
        torch=lambda x: x.cummax(1),
        mlx=lambda x: mx.cummax(x, 1),
    ),
    case(
        "logcumsumexp",
        X,
        numpy=lambda x: np.logaddexp.accumulate(x, 1),
        torch=lambda x: x.logcumsumexp(1),
        mlx=lambda x: mx.logcumsumexp(x, 1),
    ),
]
SORTS = [
    *(c for sorts, _ in PAIRS for c in sorts),
    case("sort axis 0", X, every=lambda f, x: f.sort(x, 0)),
    case("sort 32768x128", normal(32768, 128), every=lambda f, x: f.sort(x)),
    case("topk 10", X, torch=lambda x: x.topk(10), mlx=lambda x: mx.topk(x, 10)),
    case(
        "median",
        normal(1000, 999),  # of an even number torch takes the lower one
        numpy=lambda x: np.median(x, 1),
        torch=lambda x: x.median(1),
        mlx=lambda x: mx.median(x, 1),
    ),
]
SEARCH = [
    case(
        "searchsorted",
        normal(1_000_000),
        X,
        every=lambda f, s, x: f.searchsorted(s, x),
        prepare={
            "numpy": lambda s, x: (np.sort(s), x),
            "torch": lambda s, x: (s.sort().values, x),
            "mlx": lambda s, x: (mx.sort(s), x),
            "jax": lambda s, x: (s.sort(), x),
        },
    ),
    case(
        "nonzero",
        X,
        numpy=lambda x: np.flatnonzero(x > 0),
        torch=lambda x: (x.flatten() > 0).nonzero(),
        mlx=lambda x: mx.flatnonzero(x > 0),
    ),
    case("unique", integers(400, 1000, 1000), every=lambda f, x: f.unique(x), jax=None),
    case("bincount", integers(400, 1_000_000), every=lambda f, x: f.bincount(x), jax=None),
]
FAMILIES = {"sort": SORTS, "scan": SCANS, "search": SEARCH}
