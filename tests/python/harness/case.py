"""A case: a function of arrays, how to draw its arguments, and what NumPy says it should give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

FLOATS = ("float32", "float64", "float16", "bfloat16")
SIZES = ("base", "larger", "smaller")  # smaller: still valid for the function


@dataclass
class Case:
    """One row of a table.

    Args:
        name: unique within its file.
        fn: takes mlx arrays, returns an array or a tuple of arrays.
        shapes: size name -> shapes of the arguments; "base" is required, the others are for shapeless mode.
        oracle: as `fn`, on NumPy arrays of float64 (or of the given dtype for exact dtypes).
        dtypes: of the arguments.
        ulps: allowed error in units of the last place of the result's largest value, per dtype class.
        low, high: range of the arguments.
        draw: replaces the uniform draw: ``draw(rng, shape, dtype_name, index)``.
        wrt: arguments to differentiate by; () for none.
        skip: mode -> reason.
    """

    name: str
    fn: Callable
    shapes: dict[str, Sequence[tuple]] | Sequence[tuple]
    oracle: Callable
    dtypes: Sequence[str] = FLOATS
    ulps: float = 4
    low: float = -1.0
    high: float = 1.0
    draw: Callable | None = None
    wrt: Sequence[int] | None = None
    skip: dict[str, str] = field(default_factory=dict)

    def __post_init__(self):
        if not isinstance(self.shapes, dict):
            self.shapes = {"base": list(self.shapes)}
        if self.wrt is None:
            self.wrt = tuple(range(len(self.shapes["base"])))

    def arguments(self, dtype: str, size: str = "base") -> list[np.ndarray]:
        """NumPy arguments, rounded to what the dtype can hold; half types are given as float32."""
        # Not hash(): it differs from run to run.
        seed = sum(ord(c) * 31**i for i, c in enumerate(f"{self.name}{size}")) % 2**32
        rng = np.random.default_rng(seed)
        return [self._draw(rng, shape, dtype, i) for i, shape in enumerate(self.shapes[size])]

    def _draw(self, rng: Any, shape: tuple, dtype: str, index: int) -> np.ndarray:
        if self.draw is not None:
            drawn = self.draw(rng, shape, dtype, index)
            if drawn is not None:
                return drawn
        if dtype == "bool":
            return rng.random(shape) < 0.5
        if "int" in dtype:
            low = 0 if dtype.startswith("u") else -20
            return rng.integers(low, 20, shape).astype(dtype)
        x = self.low + (self.high - self.low) * rng.random(shape)
        if dtype == "complex64":
            return (x + 1j * (self.low + (self.high - self.low) * rng.random(shape))).astype(np.complex64)
        return round_to(x, dtype)


def round_to(x: np.ndarray, dtype: str) -> np.ndarray:
    """The values of a floating dtype nearest to x, in an array NumPy has: bfloat16 as float32."""
    if dtype == "bfloat16":
        bits = np.asarray(x, np.float32).view(np.uint32)
        return (((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16) << 16).astype(np.uint32).view(np.float32)
    return np.asarray(x).astype(dtype)
