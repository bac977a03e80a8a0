"""Embedding: a table of vectors."""

from __future__ import annotations

import math

import mlx.core as mx
from mlx.nn._checks import describe, require_sizes
from mlx.nn.layers.base import Module


class Embedding(Module):
    """Row ``weight[i]`` for every index i: indices of any shape s give a result of shape (*s, dims).

    Parameter ``weight`` (num_embeddings, dims), drawn from N(0, 1 / dims).

    Raises:
        ValueError: indices that are no integers.
    """

    def __init__(self, num_embeddings: int, dims: int) -> None:
        super().__init__()
        require_sizes("Embedding", num_embeddings=num_embeddings, dims=dims)
        self.weight = mx.random.normal(shape=(num_embeddings, dims), scale=math.sqrt(1.0 / dims))

    def _extra_repr(self) -> str:
        return f"{self.weight.shape[0]}, {self.weight.shape[1]}"

    def __call__(self, x: mx.array) -> mx.array:
        if isinstance(x, mx.array) and not mx.issubdtype(x.dtype, mx.integer):
            raise ValueError(f"[Embedding] Indices must be integers, not {describe(x)}.")
        return self["weight"][x]

    def as_linear(self, x: mx.array) -> mx.array:
        """``x @ weight.T``: the table as output projection, from (..., dims) to (..., num_embeddings)."""
        return x @ self["weight"].T
