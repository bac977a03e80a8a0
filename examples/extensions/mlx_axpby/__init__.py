"""alpha * x + beta * y as an operation of its own."""

import mlx.core as mx  # noqa: F401  (its types are what the extension takes and gives)

from ._ext import axpby

__all__ = ["axpby"]
