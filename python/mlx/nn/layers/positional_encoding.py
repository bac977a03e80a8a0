"""Positions for attention: RoPE, SinusoidalPositionalEncoding, ALiBi."""

from __future__ import annotations

import math

import mlx.core as mx
from mlx.nn._checks import require_sizes
from mlx.nn.layers.base import Module


class RoPE(Module):
    """Rotates pairs of the first `dims` features by angles that grow with the position, arXiv 2104.09864.

    No parameters. The input has shape (..., L, D) with D >= dims, position along L; shape and dtype stay. The
    rotation is :func:`mlx.core.fast.rope`.

    Args:
        dims: how many features are rotated, even.
        traditional: pair features 2i and 2i + 1, otherwise i and i + dims / 2.
        base: pair i turns by ``position * base ** (-2i / dims)``.
        scale: factor for the positions.

    Raises:
        TypeError, ValueError: `dims` that is no integer, or below 1; on the call, odd or above D.

    Example::

        rope = nn.RoPE(64)
        keys = rope(keys, offset=cache_length)  # the first key has position cache_length
    """

    def __init__(self, dims: int, traditional: bool = False, base: float = 10000, scale: float = 1.0) -> None:
        super().__init__()
        (self.dims,) = require_sizes("RoPE", dims=dims)
        self.traditional, self.base, self.scale = traditional, base, scale

    def _extra_repr(self) -> str:
        return f"{self.dims}, traditional={self.traditional}, base={self.base}, scale={self.scale}"

    def __call__(self, x: mx.array, offset: int | mx.array = 0) -> mx.array:
        return mx.fast.rope(
            x, self.dims, traditional=self.traditional, base=self.base, scale=self.scale, offset=offset
        )


class SinusoidalPositionalEncoding(Module):
    """Sines and cosines of positions at `dims` / 2 frequencies, arXiv 1706.03762.

    No parameters. Positions of any shape s give a result of shape (*s, dims): all sines, then all cosines,
    times `scale`. The frequencies fall evenly on a logarithmic scale from `max_freq` to `min_freq`.

    Args:
        dims: size of the encoding, even.
        min_freq, max_freq: in radians per position, or in turns with `full_turns`.
        scale: sqrt(2 / dims) by default, which gives vectors of length 1.
        cos_first: cosines before sines.
        full_turns: multiply frequencies by 2 pi.

    Raises:
        ValueError: `dims` odd or below 2.

    Example::

        encode = nn.SinusoidalPositionalEncoding(64)
        x = x + encode(mx.arange(x.shape[1]))
    """

    def __init__(
        self,
        dims: int,
        min_freq: float = 0.0001,
        max_freq: float = 1,
        scale: float | None = None,
        cos_first: bool = False,
        full_turns: bool = False,
    ) -> None:
        super().__init__()
        (dims,) = require_sizes("SinusoidalPositionalEncoding", dims=dims)
        if dims % 2:
            raise ValueError(f"[SinusoidalPositionalEncoding] dims must be even but is {dims}.")
        count = dims // 2
        step = (math.log(min_freq) - math.log(max_freq)) / max(count - 1, 1)
        turn = 2 * math.pi if full_turns else 1
        self._sigmas = mx.array([turn * math.exp(math.log(max_freq) + i * step) for i in range(count)])
        self.scale = math.sqrt(2 / dims) if scale is None else scale
        self.cos_first = cos_first

    def __call__(self, x: mx.array) -> mx.array:
        angles = mx.expand_dims(x, -1) * self._sigmas
        parts = [mx.sin(angles), mx.cos(angles)]
        if self.cos_first:
            parts.reverse()
        return mx.concatenate(parts, axis=-1) * self.scale


class ALiBi(Module):
    """Adds to attention scores a bias that falls with the distance of query and key, arXiv 2108.12409.

    No parameters. Scores (..., H, L, S) get ``-|i - j| * slope`` of their head, where query i counts from
    `offset`; dtype and shape stay.

    Example::

        scores = nn.ALiBi()(queries @ keys.swapaxes(-1, -2), mask=mask)
    """

    @staticmethod
    def create_alibi_matrix(
        q_sequence_length: int,
        k_sequence_length: int,
        num_heads: int,
        offset: int = 0,
        dtype: mx.Dtype = mx.float32,
    ) -> mx.array:
        """The biases (1, num_heads, q_sequence_length - offset, k_sequence_length).

        Rows are the positions `offset` to q_sequence_length - 1.
        """
        queries, keys = mx.arange(offset, q_sequence_length), mx.arange(k_sequence_length)
        distance = mx.abs(mx.expand_dims(queries, 1) - keys).astype(dtype)
        return mx.expand_dims(-distance * ALiBi.create_alibi_slope(num_heads, dtype), 0)

    @staticmethod
    def create_alibi_slope(num_heads: int, dtype: mx.Dtype = mx.float32) -> mx.array:
        """The slopes (num_heads, 1, 1): ``2 ** (-8 h / H)`` for h = 1 to H, a power of two.

        Another number of heads takes the slopes of the power below, then every second one of the power above.
        """
        (num_heads,) = require_sizes("ALiBi", num_heads=num_heads)
        power = 1 << (num_heads.bit_length() - 1)
        heads = [*range(2, 2 * power + 1, 2), *range(1, 2 * power, 2)][:num_heads]
        return mx.array([2.0 ** (-4 * h / power) for h in heads]).astype(dtype).reshape(-1, 1, 1)

    def __call__(self, attention_scores: mx.array, offset: int = 0, mask: mx.array | None = None) -> mx.array:
        """The scores with bias.

        Args:
            attention_scores: (..., H, L, S).
            offset: position of the first query.
            mask: added too; a bool mask gives the scores where it is False the smallest finite value.

        Raises:
            ValueError: scores with fewer than 3 axes.
        """
        scores = attention_scores
        if scores.ndim < 3:
            raise ValueError(f"[ALiBi] Expected scores of shape (..., H, L, S), not {tuple(scores.shape)}.")
        heads, queries, keys = scores.shape[-3:]
        bias = self.create_alibi_matrix(queries + offset, keys, heads, offset, scores.dtype)
        biased = scores + (bias if scores.ndim > 3 else mx.squeeze(bias, 0))
        if mask is None:
            return biased
        if mask.dtype == mx.bool_:
            return mx.where(mask, biased, mx.array(mx.finfo(scores.dtype).min, scores.dtype))
        return biased + mask.astype(scores.dtype)
