"""Max and average pooling in one, two and three dimensions, channels last.

Windows are views: a reshape where they tile the input (the gradient of a reshape is a reshape), overlapping
strides otherwise. The reduction over the window axes is the only pass over memory.
"""

from __future__ import annotations

import math
from typing import ClassVar

import mlx.core as mx
from mlx.nn._checks import per_axis
from mlx.nn.layers.base import Module


def _tiles(x: mx.array, counts: list[int], kernel: tuple[int, ...]) -> mx.array:
    """(N, count, k, count, k, ..., C) for windows that lie side by side; a rest at the end is cut off."""
    used = [count * k for count, k in zip(counts, kernel)]
    if used != list(x.shape[1:-1]):
        x = x[(slice(None), *(slice(0, n) for n in used))]
    split = [n for pair in zip(counts, kernel) for n in pair]
    return x.reshape(x.shape[0], *split, x.shape[-1])


def _windows(x: mx.array, counts: list[int], kernel: tuple[int, ...], stride: tuple[int, ...]) -> mx.array:
    """(N, count, k, count, k, ..., C) for any windows, as an overlapping view of the row-major input."""
    strides = [math.prod(x.shape[axis + 1 :]) for axis in range(x.ndim)]
    shape, steps = [x.shape[0]], [strides[0]]
    for count, k, hop, step in zip(counts, kernel, stride, strides[1:-1]):
        shape += [count, k]
        steps += [hop * step, step]
    return mx.as_strided(x, shape=(*shape, x.shape[-1]), strides=(*steps, 1))


class _Pool(Module):
    """Shared by all pooling layers: subclasses say how many axes there are and how a window is reduced."""

    _spatial: ClassVar[int]

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        owner, axes = type(self).__name__, self._spatial
        kernel = per_axis(owner, "kernel_size", kernel_size, axes, 1)
        self._kernel = kernel
        self._stride = kernel if stride is None else per_axis(owner, "stride", stride, axes, 1)
        self._padding = per_axis(owner, "padding", padding, axes, 0)

    def _extra_repr(self) -> str:
        return f"kernel_size={self._kernel}, stride={self._stride}, padding={self._padding}"

    def _pad_value(self, dtype: mx.Dtype) -> float | int | bool:
        raise NotImplementedError

    def _reduce(self, windows: mx.array, axes: list[int]) -> mx.array:
        raise NotImplementedError

    def __call__(self, x: mx.array) -> mx.array:
        axes = self._spatial
        if x.ndim != axes + 2:
            raise ValueError(
                f"[{type(self).__name__}] Expected an input with {axes + 2} axes (N, {axes} spatial, C), not "
                f"one of shape {tuple(x.shape)}."
            )
        if any(self._padding):
            widths = [(0, 0), *((p, p) for p in self._padding), (0, 0)]
            x = mx.pad(x, widths, constant_values=mx.array(self._pad_value(x.dtype), x.dtype))
        sizes = zip(x.shape[1:-1], self._kernel, self._stride)
        counts = [max(0, (n - k) // hop + 1) for n, k, hop in sizes]
        if 0 in counts:
            # No window fits: the result is empty, with the dtype that the reduction gives.
            dtype = self._reduce(mx.zeros((1, 1), x.dtype), [0]).dtype
            return mx.zeros((x.shape[0], *counts, x.shape[-1]), dtype)
        if self._kernel == self._stride:
            windows = _tiles(x, counts, self._kernel)
        else:
            windows = _windows(x, counts, self._kernel, self._stride)
        return self._reduce(windows, [2 + 2 * axis for axis in range(axes)])


class _MaxPool(_Pool):
    def _pad_value(self, dtype: mx.Dtype) -> float | int | bool:
        if dtype == mx.bool_:
            return False
        return mx.iinfo(dtype).min if mx.issubdtype(dtype, mx.integer) else -math.inf

    def _reduce(self, windows: mx.array, axes: list[int]) -> mx.array:
        return mx.max(windows, axis=axes)


class _AvgPool(_Pool):
    def _pad_value(self, dtype: mx.Dtype) -> float | int | bool:
        return 0

    def _reduce(self, windows: mx.array, axes: list[int]) -> mx.array:
        return mx.mean(windows, axis=axes)


_DOC = """{what} over windows of an input ({shape}).

    Args:
        kernel_size: size of a window; an int stands for every axis.
        stride: step from window to window, `kernel_size` by default.
        padding: cells {pad} added at both ends of every axis.

    The result has ``(size + 2 * padding - kernel) // stride + 1`` windows per axis, none where the input is
    smaller than the kernel. {dtype}

    Raises:
        ValueError: an argument that is no int or tuple of the right length, or out of range; an input with
            another number of axes.

    Example::

        y = nn.{name}(2)(mx.ones(({ones})))  # every axis but the first and last is halved
    """
_SHAPES = {1: "N, L, C", 2: "N, H, W, C", 3: "N, D, H, W, C"}
_MAX = {
    "what": "Maximum",
    "pad": "of the lowest value",
    "dtype": "The dtype is kept; equal maxima share the gradient.",
}
_AVG = {"what": "Mean", "pad": "of value 0, which count in the mean,", "dtype": "Integers give float32."}


def _doc(name: str, axes: int, words: dict[str, str]) -> str:
    ones = ", ".join(["1", *["8"] * axes, "4"])
    return _DOC.format(name=name, shape=_SHAPES[axes], ones=ones, **words)


class MaxPool1d(_MaxPool):
    __doc__ = _doc("MaxPool1d", 1, _MAX)
    _spatial = 1


class MaxPool2d(_MaxPool):
    __doc__ = _doc("MaxPool2d", 2, _MAX)
    _spatial = 2


class MaxPool3d(_MaxPool):
    __doc__ = _doc("MaxPool3d", 3, _MAX)
    _spatial = 3


class AvgPool1d(_AvgPool):
    __doc__ = _doc("AvgPool1d", 1, _AVG)
    _spatial = 1


class AvgPool2d(_AvgPool):
    __doc__ = _doc("AvgPool2d", 2, _AVG)
    _spatial = 2


class AvgPool3d(_AvgPool):
    __doc__ = _doc("AvgPool3d", 3, _AVG)
    _spatial = 3
