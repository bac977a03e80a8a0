"""Upsample: interpolation along the spatial axes of a channels-last array.

The axes are independent, so each is resized in turn as a sum of few shifted reads ("taps"). Output i of m
reads around the coordinate ``i * (n - 1) / (m - 1)`` with aligned corners, else ``(i - (m - 1) / 2) / scale +
(n - 1) / 2``, which maps the centre to the centre. Places and weights are computed in Python's float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Literal

import mlx.core as mx
from mlx.nn._checks import describe
from mlx.nn.layers.base import Module


def _triangle(t: float) -> float:
    return max(0.0, 1 - abs(t))


def _cubic(t: float) -> float:
    """Keys' kernel with a = -0.75 (Keys, Cubic convolution interpolation, 1981)."""
    a, t = -0.75, abs(t)
    if t < 1:
        return ((a + 2) * t - (a + 3)) * t * t + 1
    return a * (((t - 5) * t + 8) * t - 4) if t < 2 else 0.0


_KERNELS: dict[Callable, int] = {_triangle: 1, _cubic: 2}  # with the radius outside of which they vanish


@lru_cache(maxsize=64)
def _taps(kernel: Callable, n: int, m: int, scale: float, aligned: bool, antialias: bool) -> tuple:
    """For each tap the m places that are read and their weights."""
    widened = max(1.0, 1 / scale) if antialias else 1.0
    radius = _KERNELS[kernel] * widened
    reach = math.ceil(radius)
    places, weights = [], []
    for i in range(m):
        if aligned:
            centre = i * (n - 1) / (m - 1) if m > 1 else 0.0
        else:
            centre = (i - (m - 1) / 2) / scale + (n - 1) / 2
        reads = range(math.floor(centre) - reach + 1, math.floor(centre) + reach + 1)
        row = [kernel((j - centre) / widened) for j in reads]
        if antialias:  # what lies outside does not count
            row = [w if 0 <= j < n else 0.0 for j, w in zip(reads, row)]
            total = sum(row)
            row = [w / total for w in row]
        places.append([min(max(j, 0), n - 1) for j in reads])
        weights.append(row)
    return tuple(zip(*places)), tuple(zip(*weights))


def _sizes(owner: str, x: mx.array, scale_factor: tuple) -> list[tuple[int, int, int, float]]:
    """(axis, its size, the new size, scale) of each spatial axis."""
    if x.ndim < 3 or len(scale_factor) != x.ndim - 2:
        raise ValueError(
            f"[{owner}] {len(scale_factor)} scale factors need an input of shape (N, ..., C) with as many "
            f"axes between, at least one, not {describe(x)}."
        )
    sizes = []
    for axis, scale in enumerate(scale_factor, 1):
        n = x.shape[axis]
        m = int(scale * n)
        if m < 1:
            raise ValueError(f"[{owner}] Size {n} times scale factor {scale} leaves nothing.")
        sizes.append((axis, n, m, float(scale)))
    return sizes


def _interpolate(
    owner: str, kernel: Callable, x: mx.array, scale_factor: tuple, aligned: bool, antialias: bool
) -> mx.array:
    dtype = x.dtype if mx.issubdtype(x.dtype, mx.inexact) else mx.float32
    wide = mx.float64 if dtype == mx.float64 else mx.float32
    sizes = _sizes(owner, x, scale_factor)
    y = x.astype(wide) if dtype in (mx.float16, mx.bfloat16) else x
    for axis, n, m, scale in sizes:
        places, weights = _taps(kernel, n, m, scale, aligned, antialias)
        column = (-1,) + (1,) * (y.ndim - axis - 1)
        y = sum(
            mx.take(y, mx.array(place), axis=axis) * mx.array(weight, wide).reshape(column)
            for place, weight in zip(places, weights)
        )
    return y.astype(dtype)


def upsample_nearest(x: mx.array, scale_factor: tuple) -> mx.array:
    """Every output takes the value of the input nearest to it; the dtype stays.

    Args:
        x: (N, ..., C).
        scale_factor: a factor for each axis between.
    """
    for axis, n, m, _ in _sizes("upsample_nearest", x, scale_factor):
        if m % n == 0:  # also the cheap gradient, a sum instead of a scatter
            x = mx.repeat(x, m // n, axis=axis)
            continue
        # round() takes a tie to the even neighbour; the quotient is exact where there is one.
        places = [
            min(max(round((i + 0.5) * n / m - 0.5), 0), n - 1) if m > n else i * n // m for i in range(m)
        ]
        x = mx.take(x, mx.array(places), axis=axis)
    return x


def upsample_linear(
    x: mx.array, scale_factor: tuple, align_corners: bool = False, antialias: bool = False
) -> mx.array:
    """Interpolate between the two nearest inputs along every axis; arguments as in :class:`Upsample`."""
    return _interpolate("upsample_linear", _triangle, x, scale_factor, align_corners, antialias)


def upsample_cubic(
    x: mx.array, scale_factor: tuple, align_corners: bool = False, antialias: bool = False
) -> mx.array:
    """Interpolate with cubics through the four nearest inputs; arguments as in :class:`Upsample`."""
    return _interpolate("upsample_cubic", _cubic, x, scale_factor, align_corners, antialias)


class Upsample(Module):
    """Resizes all axes of (N, ..., C) but the first and the last; size n becomes ``int(scale * n)``.

    No parameters. The dtype of floating-point inputs stays; integers become float32 unless `mode` is
    ``"nearest"``. Inputs beyond the edge are those at the edge.

    Args:
        scale_factor: one factor for all spatial axes, or a tuple with one for each.
        mode: ``"nearest"``, ``"linear"`` (bilinear on two axes, trilinear on three) or ``"cubic"``.
        align_corners: whether the first and last outputs are the first and last inputs; of no effect on
            ``"nearest"``.
        antialias: widen the kernel when the size shrinks, so that all inputs count; weights beyond the edge
            are left out.

    Raises:
        ValueError: another mode; `antialias` with `align_corners` or ``"nearest"``; an input with less than 3
            axes, or with another number of spatial axes than there are factors; a size that would become 0.

    Example::

        up = nn.Upsample(2, mode="linear")
        up(mx.array([0.0, 1.0, 2.0]).reshape(1, 3, 1)).squeeze()  # 0, 0.25, 0.75, 1.25, 1.75, 2
    """

    def __init__(
        self,
        scale_factor: float | tuple,
        mode: Literal["nearest", "linear", "cubic"] = "nearest",
        align_corners: bool = False,
        antialias: bool = False,
    ) -> None:
        super().__init__()
        if mode not in ("nearest", "linear", "cubic"):
            raise ValueError(f"[Upsample] mode must be nearest, linear or cubic, not {mode!r}.")
        if antialias and (align_corners or mode == "nearest"):
            raise ValueError(
                "[Upsample] antialias needs mode linear or cubic without align_corners, not "
                f"mode={mode!r}, align_corners={align_corners}."
            )
        self.scale_factor = tuple(scale_factor) if isinstance(scale_factor, (tuple, list)) else scale_factor
        self.mode, self.align_corners, self.antialias = mode, align_corners, antialias

    def _extra_repr(self) -> str:
        return (
            f"scale_factor={self.scale_factor}, mode={self.mode!r}, align_corners={self.align_corners}, "
            f"antialias={self.antialias}"
        )

    def __call__(self, x: mx.array) -> mx.array:
        factors = self.scale_factor
        if not isinstance(factors, tuple):
            factors = (factors,) * max(x.ndim - 2, 1)
        if self.mode == "nearest":
            return upsample_nearest(x, factors)
        function = upsample_linear if self.mode == "linear" else upsample_cubic
        return function(x, factors, self.align_corners, self.antialias)
