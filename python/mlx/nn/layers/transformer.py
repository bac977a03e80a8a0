"""Attention and the encoder-decoder Transformer of arXiv 1706.03762.

Sequences are (N, L, dims). A mask broadcasts to (N, heads, queries, keys): bool, where True lets a query see
a key, or added to the scores; None lets all see all.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mlx.core as mx
from mlx.nn._checks import describe, require_sizes
from mlx.nn.layers.activations import relu
from mlx.nn.layers.base import Module
from mlx.nn.layers.dropout import Dropout
from mlx.nn.layers.linear import Linear
from mlx.nn.layers.normalization import LayerNorm
from mlx.nn.utils import checkpoint as recompute


class MultiHeadAttention(Module):
    """Attention of several heads, each on its own projection of queries, keys and values.

    Parameters ``query_proj.weight`` (dims, query_input_dims), ``key_proj.weight`` (dims, key_input_dims),
    ``value_proj.weight`` (value_dims, value_input_dims), ``out_proj.weight`` (value_output_dims, value_dims),
    and a ``bias`` of each projection if `bias`.

    Args:
        dims: features of queries and keys, all heads together.
        num_heads: divides `dims` and `value_dims`.
        query_input_dims: features of the queries given, `dims` by default.
        key_input_dims: features of the keys given, `query_input_dims` by default.
        value_input_dims: features of the values given, `key_input_dims` by default.
        value_dims: features of the projected values, `dims` by default.
        value_output_dims: features of the result, `dims` by default.
        bias: whether projections have a bias.

    Raises:
        TypeError, ValueError: a size that is no integer, or below 1.
        ValueError: features that `num_heads` does not divide.

    Example::

        attention = nn.MultiHeadAttention(64, 4)
        mask = nn.MultiHeadAttention.create_additive_causal_mask(x.shape[1])
        y = attention(x, x, x, mask)  # x (N, L, 64), y (N, L, 64)
    """

    def __init__(
        self,
        dims: int,
        num_heads: int,
        query_input_dims: int | None = None,
        key_input_dims: int | None = None,
        value_input_dims: int | None = None,
        value_dims: int | None = None,
        value_output_dims: int | None = None,
        bias: bool = False,
    ) -> None:
        super().__init__()
        dims, num_heads = require_sizes("MultiHeadAttention", dims=dims, num_heads=num_heads)
        query_input_dims = query_input_dims or dims
        key_input_dims = key_input_dims or query_input_dims
        value_input_dims = value_input_dims or key_input_dims
        (value_dims,) = require_sizes("MultiHeadAttention", value_dims=value_dims or dims)
        for name, size in (("dims", dims), ("value_dims", value_dims)):
            if size % num_heads:
                raise ValueError(
                    f"[MultiHeadAttention] {name} ({size}) must be divisible by the number of heads "
                    f"({num_heads})."
                )
        self.num_heads = num_heads
        self.query_proj = Linear(query_input_dims, dims, bias)
        self.key_proj = Linear(key_input_dims, dims, bias)
        self.value_proj = Linear(value_input_dims, value_dims, bias)
        self.out_proj = Linear(value_dims, value_output_dims or dims, bias)

    def _split(self, x: mx.array) -> mx.array:
        """(N, L, features) to (N, heads, L, features of a head)."""
        return mx.unflatten(x, -1, (self.num_heads, -1)).swapaxes(1, 2)

    def __call__(
        self, queries: mx.array, keys: mx.array, values: mx.array, mask: mx.array | str | None = None
    ) -> mx.array:
        """Attend: (N, L, query_input_dims), (N, S, key_input_dims), (N, S, value_input_dims) to (N, L, out).

        Args:
            mask: also the text ``"causal"``; see :func:`mlx.core.fast.scaled_dot_product_attention`.

        Raises:
            ValueError: an input without exactly 3 axes, or of other sizes.
        """
        for name, x in (("queries", queries), ("keys", keys), ("values", values)):
            if x.ndim != 3:
                raise ValueError(
                    f"[MultiHeadAttention] {name} must have axes (N, L, dims), not {describe(x)}."
                )
        q, k, v = self.query_proj(queries), self.key_proj(keys), self.value_proj(values)
        scale = math.sqrt(self.num_heads / q.shape[-1])
        q, k, v = self._split(q), self._split(k), self._split(v)
        y = mx.fast.scaled_dot_product_attention(q, k, v, scale=scale, mask=mask)
        return self.out_proj(mx.flatten(y.swapaxes(1, 2), -2, -1))

    @staticmethod
    def create_additive_causal_mask(N: int, dtype: mx.Dtype = mx.float32) -> mx.array:
        """The mask (N, N) that lets query i see keys 0 to i: zero there, the dtype's minimum elsewhere."""
        position = mx.arange(N)
        hidden = mx.expand_dims(position, 1) < position
        return hidden.astype(dtype) * mx.array(mx.finfo(dtype).min, dtype)


class TransformerEncoderLayer(Module):
    """Self-attention, then two linear layers with an activation between; both added to their input.

    Submodules ``attention`` (without bias), ``ln1``, ``ln2``, ``linear1`` (dims to mlp_dims), ``linear2``
    (back), ``dropout1`` (on the attention's result), ``dropout2`` (on the activations).

    Args:
        dims: features of the sequence.
        num_heads: divides `dims`.
        mlp_dims: features between the linear layers, 4 * dims by default.
        dropout: probability of both dropouts.
        activation: between the linear layers.
        norm_first: normalize what attention and linear layers read; otherwise the sums they are added to.

    Example::

        layer = nn.TransformerEncoderLayer(64, 4)
        y = layer(x, None)  # (N, L, 64)
    """

    def __init__(
        self,
        dims: int,
        num_heads: int,
        mlp_dims: int | None = None,
        dropout: float = 0.0,
        activation: Callable[[Any], Any] = relu,
        norm_first: bool = True,
    ) -> None:
        super().__init__()
        (dims,) = require_sizes(type(self).__name__, dims=dims)
        mlp_dims = mlp_dims or 4 * dims
        self.attention = MultiHeadAttention(dims, num_heads)
        self.ln1 = LayerNorm(dims)
        self.ln2 = LayerNorm(dims)
        self.linear1 = Linear(dims, mlp_dims)
        self.linear2 = Linear(mlp_dims, dims)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation = activation
        self.norm_first = norm_first

    def __call__(self, x: mx.array, mask: mx.array | None) -> mx.array:
        def attend(y: mx.array) -> mx.array:
            return self.dropout1(self.attention(y, y, y, mask))

        def feed(y: mx.array) -> mx.array:
            return self.linear2(self.dropout2(self.activation(self.linear1(y))))

        return _residual(x, ((self.ln1, attend), (self.ln2, feed)), self.norm_first)


class TransformerDecoderLayer(Module):
    """As :class:`TransformerEncoderLayer`, with attention to a memory between the two parts.

    Submodules ``self_attention``, ``cross_attention``, ``ln1`` to ``ln3``, ``linear1``, ``linear2``,
    ``dropout1`` and ``dropout2`` (on the results of the attentions), ``dropout3`` (on the activations).
    Arguments as in :class:`TransformerEncoderLayer`. The memory is not normalized.

    Example::

        layer = nn.TransformerDecoderLayer(64, 4)
        y = layer(x, memory, "causal", None)  # x (N, L, 64), memory (N, S, 64), y (N, L, 64)
    """

    def __init__(
        self,
        dims: int,
        num_heads: int,
        mlp_dims: int | None = None,
        dropout: float = 0.0,
        activation: Callable[[Any], Any] = relu,
        norm_first: bool = True,
    ) -> None:
        super().__init__()
        (dims,) = require_sizes(type(self).__name__, dims=dims)
        mlp_dims = mlp_dims or 4 * dims
        self.self_attention = MultiHeadAttention(dims, num_heads)
        self.cross_attention = MultiHeadAttention(dims, num_heads)
        self.ln1 = LayerNorm(dims)
        self.ln2 = LayerNorm(dims)
        self.ln3 = LayerNorm(dims)
        self.linear1 = Linear(dims, mlp_dims)
        self.linear2 = Linear(mlp_dims, dims)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation = activation
        self.norm_first = norm_first

    def __call__(
        self, x: mx.array, memory: mx.array, x_mask: mx.array | None, memory_mask: mx.array | None
    ) -> mx.array:
        def attend(y: mx.array) -> mx.array:
            return self.dropout1(self.self_attention(y, y, y, x_mask))

        def attend_memory(y: mx.array) -> mx.array:
            return self.dropout2(self.cross_attention(y, memory, memory, memory_mask))

        def feed(y: mx.array) -> mx.array:
            return self.linear2(self.dropout3(self.activation(self.linear1(y))))

        parts = ((self.ln1, attend), (self.ln2, attend_memory), (self.ln3, feed))
        return _residual(x, parts, self.norm_first)


def _residual(x: mx.array, parts: tuple, norm_first: bool) -> mx.array:
    """Add to x the result of each part in turn, with the norm of that part before it or after the sum."""
    for norm, part in parts:
        x = x + part(norm(x)) if norm_first else norm(x + part(x))
    return x


class _Stack(Module):
    """`num_layers` layers, the list ``layers``, and a norm at the end, ``ln``."""

    _layer: type[Module]

    def __init__(
        self,
        num_layers: int,
        dims: int,
        num_heads: int,
        mlp_dims: int | None = None,
        dropout: float = 0.0,
        activation: Callable[[Any], Any] = relu,
        norm_first: bool = True,
        checkpoint: bool = False,
    ) -> None:
        super().__init__()
        self.layers = [
            self._layer(dims, num_heads, mlp_dims, dropout, activation, norm_first) for _ in range(num_layers)
        ]
        self.ln = LayerNorm(dims)
        self.checkpoint = checkpoint

    def _run(self, x: mx.array, *others: Any) -> mx.array:
        for layer in self.layers:
            x = (recompute(layer) if self.checkpoint else layer)(x, *others)
        return self.ln(x)


class TransformerEncoder(_Stack):
    """A stack of :class:`TransformerEncoderLayer`, the list ``layers``, and a norm ``ln`` after the last.

    Args:
        num_layers: number of layers; the arguments after it are those of each layer.
        checkpoint: keep only the layers' inputs and compute the rest again for the gradient.

    Example::

        encoder = nn.TransformerEncoder(6, 64, 4)
        y = encoder(x, None)  # (N, L, 64)
    """

    _layer = TransformerEncoderLayer

    def __call__(self, x: mx.array, mask: mx.array | None) -> mx.array:
        return self._run(x, mask)


class TransformerDecoder(_Stack):
    """A stack of :class:`TransformerDecoderLayer`, the list ``layers``, and a norm ``ln`` after the last.

    Arguments as in :class:`TransformerEncoder`.

    Example::

        decoder = nn.TransformerDecoder(6, 64, 4)
        y = decoder(x, memory, "causal", None)  # (N, L, 64)
    """

    _layer = TransformerDecoderLayer

    def __call__(
        self, x: mx.array, memory: mx.array, x_mask: mx.array | None, memory_mask: mx.array | None
    ) -> mx.array:
        return self._run(x, memory, x_mask, memory_mask)


class Transformer(Module):
    """Encoder of a source sequence and decoder of a target sequence that attends to it.

    Submodules ``encoder`` and ``decoder``. There are no embeddings and no positions: both sequences are
    (N, length, dims), and so is the result, with the length of the target.

    Args:
        dims, num_heads, mlp_dims, dropout, activation, norm_first: as in :class:`TransformerEncoderLayer`.
        num_encoder_layers, num_decoder_layers: sizes of the stacks.
        custom_encoder: called as ``encoder(src, src_mask)`` in place of a :class:`TransformerEncoder`.
        custom_decoder: called as ``decoder(tgt, memory, tgt_mask, memory_mask)``.
        checkpoint: as in :class:`TransformerEncoder`.

    Example::

        model = nn.Transformer(64, 4, num_encoder_layers=2, num_decoder_layers=2)
        y = model(src, tgt, None, "causal", None)
    """

    def __init__(
        self,
        dims: int = 512,
        num_heads: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        mlp_dims: int | None = None,
        dropout: float = 0.0,
        activation: Callable[[Any], Any] = relu,
        custom_encoder: Any | None = None,
        custom_decoder: Any | None = None,
        norm_first: bool = True,
        checkpoint: bool = False,
    ) -> None:
        super().__init__()
        common = (dims, num_heads, mlp_dims, dropout, activation, norm_first, checkpoint)
        # A module without parameters is an empty dict and false.
        self.encoder = custom_encoder
        if custom_encoder is None:
            self.encoder = TransformerEncoder(num_encoder_layers, *common)
        self.decoder = custom_decoder
        if custom_decoder is None:
            self.decoder = TransformerDecoder(num_decoder_layers, *common)

    def __call__(
        self,
        src: mx.array,
        tgt: mx.array,
        src_mask: mx.array | None,
        tgt_mask: mx.array | None,
        memory_mask: mx.array | None,
    ) -> mx.array:
        memory = self.encoder(src, src_mask)
        return self.decoder(tgt, memory, tgt_mask, memory_mask)
