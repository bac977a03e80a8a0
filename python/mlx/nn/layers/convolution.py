"""Convolutions in one, two and three dimensions, channels last.

Spatial output size: ``(size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1``.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import mlx.core as mx
from mlx.nn._checks import per_axis, require_sizes
from mlx.nn.layers.base import Module


class _Convolution(Module):
    """What the number of axes does not change; in one dimension sizes are kept as plain ints."""

    _axes: ClassVar[int]
    _function: ClassVar[Any]
    # What the function takes after stride, padding and dilation.
    _further: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        dilation: Any,
        bias: bool,
        groups: int = 1,
    ):
        super().__init__()
        owner = type(self).__name__
        in_channels, out_channels, groups = require_sizes(
            owner, in_channels=in_channels, out_channels=out_channels, groups=groups
        )
        if in_channels % groups:
            raise ValueError(
                f"[{owner}] The number of input channels ({in_channels}) must be divisible by the number of "
                f"groups ({groups})."
            )
        self.stride = self._sizes("stride", stride, 1)
        self.padding = self._sizes("padding", padding, 0)
        dilations = per_axis(owner, "dilation", dilation, self._axes, 1)
        self.dilation = dilations if isinstance(dilation, (tuple, list)) else dilations[0]
        self.groups = groups
        kernel = per_axis(owner, "kernel_size", kernel_size, self._axes, 1)
        inputs = in_channels // groups
        scale = math.sqrt(1 / (inputs * math.prod(kernel)))
        self.weight = mx.random.uniform(low=-scale, high=scale, shape=(out_channels, *kernel, inputs))
        if bias:
            self.bias = mx.zeros((out_channels,))

    def _sizes(self, name: str, value: Any, lowest: int) -> int | tuple[int, ...]:
        sizes = per_axis(type(self).__name__, name, value, self._axes, lowest)
        return sizes[0] if self._axes == 1 else sizes

    def _extra_repr(self) -> str:
        outputs, *kernel, inputs = self.weight.shape
        shown = {"kernel_size": kernel[0] if self._axes == 1 else tuple(kernel)}
        shown |= {name: getattr(self, name) for name in ("stride", "padding", "dilation", *self._further)}
        arguments = ", ".join(f"{name}={value}" for name, value in shown.items())
        return f"{inputs * self.groups}, {outputs}, {arguments}, bias={'bias' in self}"

    def __call__(self, x: mx.array) -> mx.array:
        further = [getattr(self, name) for name in self._further]
        convolve = type(self)._function
        y = convolve(x, self["weight"], self.stride, self.padding, self.dilation, *further)
        return y + self["bias"] if "bias" in self else y


class Conv1d(_Convolution):
    """Convolution of (N, L, in_channels) to (N, L', out_channels).

    Parameters ``weight`` (out_channels, kernel_size, in_channels / groups) from U(-s, s) with s the square
    root of groups / (in_channels * kernel_size), and ``bias`` (out_channels,), zeros.

    Raises:
        ValueError: input channels that `groups` does not divide; a size below 1.

    Example::

        layer = nn.Conv1d(4, 6, kernel_size=3, padding=1)
        y = layer(mx.ones((1, 10, 4)))  # (1, 10, 6)
    """

    _axes = 1
    _function = mx.conv1d
    _further = ("groups",)

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        padding: int = 0,
        dilation: int = 1,
        groups: int = 1,
        bias: bool = True,
    ):
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, bias, groups)


class Conv2d(_Convolution):
    """Convolution of (N, H, W, in_channels) to (N, H', W', out_channels).

    Parameters ``weight`` (out_channels, kernel height, kernel width, in_channels / groups) from U(-s, s) with
    s the square root of 1 / fan-in of one group, and ``bias`` (out_channels,), zeros. An int for
    `kernel_size`, `stride`, `padding` or `dilation` stands for both axes.

    Raises:
        ValueError: input channels that `groups` does not divide; a tuple of another length; a size below 1.

    Example::

        layer = nn.Conv2d(3, 16, kernel_size=3, stride=2, padding=1)
        y = layer(mx.ones((1, 32, 32, 3)))  # (1, 16, 16, 16)
    """

    _axes = 2
    _function = mx.conv2d
    _further = ("groups",)

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, int],
        stride: int | tuple[int, int] = 1,
        padding: int | tuple[int, int] = 0,
        dilation: int | tuple[int, int] = 1,
        groups: int = 1,
        bias: bool = True,
    ):
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, bias, groups)


class Conv3d(_Convolution):
    """Convolution of (N, D, H, W, in_channels) to (N, D', H', W', out_channels).

    Parameters ``weight`` (out_channels, kernel depth, height, width, in_channels) from U(-s, s) with s the
    square root of 1 / fan-in, and ``bias`` (out_channels,), zeros. An int for `kernel_size`, `stride`,
    `padding` or `dilation` stands for all three axes.

    Raises:
        ValueError: a tuple of another length; a size below 1.

    Example::

        layer = nn.Conv3d(3, 8, kernel_size=2, stride=2)
        y = layer(mx.ones((1, 4, 8, 8, 3)))  # (1, 2, 4, 4, 8)
    """

    _axes = 3
    _function = mx.conv3d

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, int, int],
        stride: int | tuple[int, int, int] = 1,
        padding: int | tuple[int, int, int] = 0,
        dilation: int | tuple[int, int, int] = 1,
        bias: bool = True,
    ):
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, bias)
