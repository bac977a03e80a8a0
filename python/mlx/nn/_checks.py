"""Checks of constructor arguments, so that every layer refuses bad ones with the same words."""

from __future__ import annotations

import operator
from typing import Any

import mlx.core as mx


def describe(value: Any) -> str:
    """A short account of a value for an error message: its type, with shape and dtype for an array."""
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return f"{type(value).__name__} of shape {tuple(value.shape)} and dtype {value.dtype}"
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 40 else text[:37] + '...'}"


def is_integer(value: Any) -> bool:
    """Whether the value can stand for a size: an integer of any kind (also an array of one), not a bool."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return False
    try:
        operator.index(value)
    except TypeError:
        return False
    return True


def require_sizes(owner: str, **sizes: Any) -> tuple[int, ...]:
    """The sizes as ints, whatever kind of integers they are.

    Layers go on with what this returns: an array would become a parameter, a NumPy integer overflow.

    Raises:
        TypeError: a size that is no integer.
        ValueError: one below 1.
    """
    for name, value in sizes.items():
        if not is_integer(value):
            raise TypeError(f"[{owner}] {name} must be an integer, not {describe(value)}.")
        if operator.index(value) < 1:
            raise ValueError(f"[{owner}] {name} must be positive but is {value}.")
    return tuple(operator.index(value) for value in sizes.values())


def require_positive(owner: str, name: str, value: float) -> None:
    if not value > 0:
        raise ValueError(f"[{owner}] {name} must be positive but is {value}.")


def per_axis(owner: str, name: str, value: Any, axes: int, lowest: int) -> tuple[int, ...]:
    """An int repeated per axis, or a sequence of one int per axis; each at least `lowest`."""
    values = tuple(value) if isinstance(value, (tuple, list)) else (value,) * axes
    if len(values) != axes or not all(is_integer(v) for v in values):
        many = "an integer" if axes == 1 else f"{axes} integers"
        raise ValueError(f"[{owner}] {name} must be an integer or a tuple of {many}, not {describe(value)}.")
    if min(values) < lowest:
        raise ValueError(f"[{owner}] {name} must be at least {lowest} but is {value}.")
    return tuple(operator.index(v) for v in values)


def require_indices(owner: str, x: Any) -> None:
    """Raise ValueError for an array that cannot index the rows of a table."""
    if isinstance(x, mx.array) and not mx.issubdtype(x.dtype, mx.integer):
        raise ValueError(f"[{owner}] Indices must be integers, not {describe(x)}.")
