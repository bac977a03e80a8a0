"""Transposed convolutions in one, two and three dimensions, channels last.

Spatial output size: ``(size - 1) * stride - 2 * padding + dilation * (kernel - 1) + 1 + output_padding``.
"""

from __future__ import annotations

from typing import Any

import mlx.core as mx
from mlx.nn.layers.convolution import _Convolution


class _ConvTranspose(_Convolution):
    _further = ("output_padding",)

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        output_padding: Any = 0,
        bias: bool = True,
    ):
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, bias)
        self.output_padding = self._sizes("output_padding", output_padding, 0)


class ConvTranspose1d(_ConvTranspose):
    """Transposed convolution of (N, L, in_channels) to (N, L', out_channels).

    Parameters ``weight`` (out_channels, kernel_size, in_channels) from U(-s, s) with s the square root of
    1 / (in_channels * kernel_size), and ``bias`` (out_channels,), zeros.

    Args:
        stride: distance in the result of what neighbours in the input add.
        padding: what is cut off at both ends of the result.
        dilation: distance between the elements of the kernel.
        output_padding: what is added at the end of the result.

    Raises:
        TypeError, ValueError: a size that is no integer, or too small.

    Example::

        layer = nn.ConvTranspose1d(4, 3, 2, stride=2)
        y = layer(mx.ones((1, 5, 4)))  # (1, 10, 3)
    """

    _axes = 1
    _function = mx.conv_transpose1d

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        padding: int = 0,
        dilation: int = 1,
        output_padding: int = 0,
        bias: bool = True,
    ):
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, output_padding, bias
        )


class ConvTranspose2d(_ConvTranspose):
    """Transposed convolution of (N, H, W, in_channels) to (N, H', W', out_channels).

    As :class:`ConvTranspose1d`, with ``weight`` (out_channels, kernel height, kernel width, in_channels); an
    int for a size stands for both axes.

    Example::

        layer = nn.ConvTranspose2d(4, 3, kernel_size=3, stride=2, padding=1, output_padding=1)
        y = layer(mx.ones((1, 8, 8, 4)))  # (1, 16, 16, 3)
    """

    _axes = 2
    _function = mx.conv_transpose2d

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, int],
        stride: int | tuple[int, int] = 1,
        padding: int | tuple[int, int] = 0,
        dilation: int | tuple[int, int] = 1,
        output_padding: int | tuple[int, int] = 0,
        bias: bool = True,
    ):
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, output_padding, bias
        )


class ConvTranspose3d(_ConvTranspose):
    """Transposed convolution of (N, D, H, W, in_channels) to (N, D', H', W', out_channels).

    As :class:`ConvTranspose1d`, with ``weight`` (out_channels, kernel depth, height, width, in_channels); an
    int for a size stands for all three axes.

    Example::

        layer = nn.ConvTranspose3d(4, 3, kernel_size=2, stride=2)
        y = layer(mx.ones((1, 4, 4, 4, 4)))  # (1, 8, 8, 8, 3)
    """

    _axes = 3
    _function = mx.conv_transpose3d

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, int, int],
        stride: int | tuple[int, int, int] = 1,
        padding: int | tuple[int, int, int] = 0,
        dilation: int | tuple[int, int, int] = 1,
        output_padding: int | tuple[int, int, int] = 0,
        bias: bool = True,
    ):
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, output_padding, bias
        )
