"""Dropout of single elements and of whole channels."""

from __future__ import annotations

from typing import ClassVar

import mlx.core as mx
from mlx.nn.layers.base import Module


class Dropout(Module):
    """In training, zeroes each element with probability `p` and scales the others by 1 / (1 - p).

    The mask is ``mx.random.bernoulli(1 - p, x.shape)`` from the global key; a compiled step names
    ``mx.random.state`` among its inputs and outputs. In evaluation mode, and for p = 0, the input is
    returned.

    Raises:
        ValueError: `p` outside [0, 1).

    Example::

        y = nn.Dropout(0.1)(mx.ones((2, 64)))
    """

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError(f"[{type(self).__name__}] The dropout probability must be in [0, 1) but is {p}.")
        self.p = p

    def _extra_repr(self) -> str:
        return f"p={self.p}"

    def _mask_shape(self, x: mx.array) -> tuple[int, ...]:
        return tuple(x.shape)

    def __call__(self, x: mx.array) -> mx.array:
        shape = self._mask_shape(x)
        if self.p == 0 or not self.training:
            return x
        return x * (1 / (1 - self.p)) * mx.random.bernoulli(1 - self.p, shape)


class _ChannelDropout(Dropout):
    """One draw per channel (last axis) and sample, shared by all `_spatial` axes between them."""

    _spatial: ClassVar[int]
    _axes: ClassVar[str]

    def _mask_shape(self, x: mx.array) -> tuple[int, ...]:
        if x.ndim not in (self._spatial + 1, self._spatial + 2):
            raise ValueError(
                f"[{type(self).__name__}] Expected an input of shape (N, {self._axes}) or ({self._axes}), "
                f"not {tuple(x.shape)}."
            )
        shape = list(x.shape)
        shape[-1 - self._spatial : -1] = [1] * self._spatial
        return tuple(shape)


class Dropout2d(_ChannelDropout):
    """As :class:`Dropout`, dropping whole channels of an input (N, H, W, C) or (H, W, C).

    Raises:
        ValueError: an input with another number of axes, in evaluation mode too.

    Example::

        y = nn.Dropout2d(0.1)(mx.ones((1, 8, 8, 64)))
    """

    _spatial = 2
    _axes = "H, W, C"


class Dropout3d(_ChannelDropout):
    """As :class:`Dropout`, dropping whole channels of an input (N, D, H, W, C) or (D, H, W, C).

    Raises:
        ValueError: an input with another number of axes, in evaluation mode too.

    Example::

        y = nn.Dropout3d(0.1)(mx.ones((1, 4, 8, 8, 64)))
    """

    _spatial = 3
    _axes = "D, H, W, C"
