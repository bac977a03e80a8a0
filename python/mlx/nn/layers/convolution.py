"""Convolutions in one, two and three dimensions, channels last.

Spatial output size: ``(size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1``.
"""

from __future__ import annotations

import math

import mlx.core as mx
from mlx.nn._checks import per_axis, require_sizes
from mlx.nn.layers.base import Module


def _weight(out_channels: int, kernel: tuple[int, ...], in_channels: int) -> mx.array:
    """(out, *kernel, in) from U(-s, s), s = sqrt(1 / fan-in)."""
    scale = math.sqrt(1 / (in_channels * math.prod(kernel)))
    return mx.random.uniform(low=-scale, high=scale, shape=(out_channels, *kernel, in_channels))


def _require_groups(owner: str, in_channels: int, groups: int) -> None:
    require_sizes(owner, groups=groups)
    if in_channels % groups:
        raise ValueError(
            f"[{owner}] The number of input channels ({in_channels}) must be divisible by the number of "
            f"groups ({groups})."
        )


class Conv1d(Module):
    """Convolution of (N, L, in_channels) to (N, L', out_channels).

    Parameters ``weight`` (out_channels, kernel_size, in_channels / groups) from U(-s, s) with s the square
    root of groups / (in_channels * kernel_size), and ``bias`` (out_channels,), zeros.

    Raises:
        ValueError: input channels that `groups` does not divide; a size below 1.

    Example::

        layer = nn.Conv1d(4, 6, kernel_size=3, padding=1)
        y = layer(mx.ones((1, 10, 4)))  # (1, 10, 6)
    """

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
        super().__init__()
        require_sizes("Conv1d", in_channels=in_channels, out_channels=out_channels, kernel_size=kernel_size)
        _require_groups("Conv1d", in_channels, groups)
        self.stride, self.padding, self.dilation, self.groups = stride, padding, dilation, groups
        self.weight = _weight(out_channels, (kernel_size,), in_channels // groups)
        if bias:
            self.bias = mx.zeros((out_channels,))

    def _extra_repr(self) -> str:
        outputs, kernel, inputs = self.weight.shape
        return (
            f"{inputs * self.groups}, {outputs}, kernel_size={kernel}, stride={self.stride}, "
            f"padding={self.padding}, dilation={self.dilation}, groups={self.groups}, bias={'bias' in self}"
        )

    def __call__(self, x: mx.array) -> mx.array:
        y = mx.conv1d(x, self["weight"], self.stride, self.padding, self.dilation, self.groups)
        return y + self["bias"] if "bias" in self else y


class Conv2d(Module):
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
        super().__init__()
        require_sizes("Conv2d", in_channels=in_channels, out_channels=out_channels)
        _require_groups("Conv2d", in_channels, groups)
        kernel = per_axis("Conv2d", "kernel_size", kernel_size, 2, 1)
        self.stride = per_axis("Conv2d", "stride", stride, 2, 1)
        self.padding = per_axis("Conv2d", "padding", padding, 2, 0)
        self.dilation, self.groups = dilation, groups
        self.weight = _weight(out_channels, kernel, in_channels // groups)
        if bias:
            self.bias = mx.zeros((out_channels,))

    def _extra_repr(self) -> str:
        outputs, *kernel, inputs = self.weight.shape
        return (
            f"{inputs * self.groups}, {outputs}, kernel_size={tuple(kernel)}, stride={self.stride}, "
            f"padding={self.padding}, dilation={self.dilation}, groups={self.groups}, bias={'bias' in self}"
        )

    def __call__(self, x: mx.array) -> mx.array:
        y = mx.conv2d(x, self["weight"], self.stride, self.padding, self.dilation, self.groups)
        return y + self["bias"] if "bias" in self else y


class Conv3d(Module):
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
        super().__init__()
        require_sizes("Conv3d", in_channels=in_channels, out_channels=out_channels)
        kernel = per_axis("Conv3d", "kernel_size", kernel_size, 3, 1)
        self.stride = per_axis("Conv3d", "stride", stride, 3, 1)
        self.padding = per_axis("Conv3d", "padding", padding, 3, 0)
        self.dilation = dilation
        self.weight = _weight(out_channels, kernel, in_channels)
        if bias:
            self.bias = mx.zeros((out_channels,))

    def _extra_repr(self) -> str:
        outputs, *kernel, inputs = self.weight.shape
        return (
            f"{inputs}, {outputs}, kernel_size={tuple(kernel)}, stride={self.stride}, "
            f"padding={self.padding}, dilation={self.dilation}, bias={'bias' in self}"
        )

    def __call__(self, x: mx.array) -> mx.array:
        y = mx.conv3d(x, self["weight"], self.stride, self.padding, self.dilation)
        return y + self["bias"] if "bias" in self else y
