"""Sequential."""

from __future__ import annotations

from collections.abc import Callable

import mlx.core as mx
from mlx.nn.layers.base import Module


class Sequential(Module):
    """Calls modules or other callables in turn; they are kept in the list ``layers``.

    Example::

        model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 8))
        y = model(mx.ones((2, 64)))  # (2, 8)
    """

    def __init__(self, *modules: Callable[[mx.array], mx.array]) -> None:
        super().__init__()
        self.layers = list(modules)

    def __call__(self, x: mx.array) -> mx.array:
        for layer in self.layers:
            x = layer(x)
        return x
