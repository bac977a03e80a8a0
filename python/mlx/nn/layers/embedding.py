"""Embedding: a table of vectors."""

from __future__ import annotations

import math

import mlx.core as mx
from mlx.nn._checks import require_indices, require_sizes
from mlx.nn.layers.base import Module
from mlx.nn.layers.quantized import QuantizedEmbedding


class Embedding(Module):
    """Row ``weight[i]`` for every index i: indices of any shape s give a result of shape (*s, dims).

    Parameter ``weight`` (num_embeddings, dims), drawn from N(0, 1 / dims).

    Raises:
        TypeError, ValueError: a size that is no integer, or below 1.
        ValueError: indices that are no integers.

    Example::

        table = nn.Embedding(1000, 64)
        vectors = table(mx.array([1, 5]))  # (2, 64)
    """

    def __init__(self, num_embeddings: int, dims: int) -> None:
        super().__init__()
        num_embeddings, dims = require_sizes("Embedding", num_embeddings=num_embeddings, dims=dims)
        self.weight = mx.random.normal(shape=(num_embeddings, dims), scale=math.sqrt(1.0 / dims))

    def _extra_repr(self) -> str:
        return f"{self.weight.shape[0]}, {self.weight.shape[1]}"

    def __call__(self, x: mx.array) -> mx.array:
        require_indices("Embedding", x)
        return self["weight"][x]

    def as_linear(self, x: mx.array) -> mx.array:
        """``x @ weight.T``: the table as output projection, from (..., dims) to (..., num_embeddings)."""
        return x @ self["weight"].T

    def to_quantized(
        self,
        group_size: int | None = None,
        bits: int | None = None,
        mode: str = "affine",
        quantize_input: bool = False,
    ) -> QuantizedEmbedding:
        """A :class:`QuantizedEmbedding` of this table.

        Raises:
            ValueError: `quantize_input`, since indices cannot be quantized; a format that
                :func:`mlx.core.quantize` refuses.
        """
        if quantize_input:
            raise ValueError("[Embedding.to_quantized] The input is indices and cannot be quantized.")
        return QuantizedEmbedding.from_embedding(self, group_size, bits, mode)
