"""Initialisers: each call returns a function that maps an array to a new one of the same shape.

The dtype is the one given to the initialiser; that of the argument is ignored. For an array (out, *middle,
in) fan-in is ``in * prod(middle)`` and fan-out ``out * prod(middle)``.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import mlx.core as mx


def constant(value: float, dtype: mx.Dtype = mx.float32) -> Callable[[mx.array], mx.array]:
    """Filled with `value`.

    Example::

        weight = nn.init.constant(0.5)(mx.zeros((64, 32)))
    """
    return lambda a: mx.full(a.shape, value, dtype=dtype)


def normal(
    mean: float = 0.0, std: float = 1.0, dtype: mx.Dtype = mx.float32
) -> Callable[[mx.array], mx.array]:
    """Drawn from N(mean, std^2).

    Example::

        weight = nn.init.normal(std=0.02)(mx.zeros((64, 32)))
    """
    return lambda a: mx.random.normal(shape=a.shape, scale=std, loc=mean, dtype=dtype)


def uniform(
    low: float = 0.0, high: float = 1.0, dtype: mx.Dtype = mx.float32
) -> Callable[[mx.array], mx.array]:
    """Drawn from U[low, high).

    Example::

        weight = nn.init.uniform(-0.1, 0.1)(mx.zeros((64, 32)))
    """
    return lambda a: mx.random.uniform(low, high, a.shape, dtype=dtype)


def identity(dtype: mx.Dtype = mx.float32) -> Callable[[mx.array], mx.array]:
    """The identity matrix.

    Raises:
        ValueError: an array that is no square matrix.

    Example::

        weight = nn.init.identity()(mx.zeros((64, 64)))
    """

    def initialise(a: mx.array) -> mx.array:
        if a.ndim != 2 or a.shape[0] != a.shape[1]:
            raise ValueError(f"[init.identity] Expected a square matrix, not shape {tuple(a.shape)}.")
        return mx.eye(a.shape[0], dtype=dtype)

    return initialise


def _fans(name: str, a: mx.array) -> tuple[int, int]:
    if a.ndim < 2:
        raise ValueError(f"[init.{name}] Expected an array of at least 2 axes, not shape {tuple(a.shape)}.")
    receptive = math.prod(a.shape[1:-1])
    return a.shape[-1] * receptive, a.shape[0] * receptive


def _fan(name: str, a: mx.array, mode: str) -> int:
    fans = dict(zip(("fan_in", "fan_out"), _fans(name, a)))
    if mode not in fans:
        raise ValueError(f"[init.{name}] mode must be 'fan_in' or 'fan_out', not {mode!r}.")
    return fans[mode]


def glorot_normal(dtype: mx.Dtype = mx.float32) -> Callable[..., mx.array]:
    """``f(a, gain=1.0)``: N(0, s^2) with s = gain * sqrt(2 / (fan-in + fan-out)); Glorot and Bengio 2010.

    Raises:
        ValueError: an array of fewer than 2 axes.

    Example::

        weight = nn.init.glorot_normal()(mx.zeros((64, 32)))
    """

    def initialise(a: mx.array, gain: float = 1.0) -> mx.array:
        std = gain * math.sqrt(2.0 / sum(_fans("glorot_normal", a)))
        return mx.random.normal(shape=a.shape, scale=std, dtype=dtype)

    return initialise


def glorot_uniform(dtype: mx.Dtype = mx.float32) -> Callable[..., mx.array]:
    """``f(a, gain=1.0)``: U[-s, s) with s = gain * sqrt(6 / (fan-in + fan-out)); Glorot and Bengio 2010.

    Raises:
        ValueError: an array of fewer than 2 axes.

    Example::

        weight = nn.init.glorot_uniform()(mx.zeros((64, 32)))
    """

    def initialise(a: mx.array, gain: float = 1.0) -> mx.array:
        limit = gain * math.sqrt(6.0 / sum(_fans("glorot_uniform", a)))
        return mx.random.uniform(-limit, limit, a.shape, dtype=dtype)

    return initialise


def he_normal(dtype: mx.Dtype = mx.float32) -> Callable[..., mx.array]:
    """``f(a, mode="fan_in", gain=1.0)``: N(0, s^2) with s = gain / sqrt(fan); arXiv 1502.01852.

    Raises:
        ValueError: a mode other than "fan_in" and "fan_out"; an array of fewer than 2 axes.

    Example::

        weight = nn.init.he_normal()(mx.zeros((64, 32)))
    """

    def initialise(a: mx.array, mode: str = "fan_in", gain: float = 1.0) -> mx.array:
        std = gain / math.sqrt(_fan("he_normal", a, mode))
        return mx.random.normal(shape=a.shape, scale=std, dtype=dtype)

    return initialise


def he_uniform(dtype: mx.Dtype = mx.float32) -> Callable[..., mx.array]:
    """``f(a, mode="fan_in", gain=1.0)``: U[-s, s) with s = gain * sqrt(3 / fan); arXiv 1502.01852.

    Raises:
        ValueError: a mode other than "fan_in" and "fan_out"; an array of fewer than 2 axes.

    Example::

        weight = nn.init.he_uniform()(mx.zeros((64, 32)))
    """

    def initialise(a: mx.array, mode: str = "fan_in", gain: float = 1.0) -> mx.array:
        limit = gain * math.sqrt(3.0 / _fan("he_uniform", a, mode))
        return mx.random.uniform(-limit, limit, a.shape, dtype=dtype)

    return initialise


def sparse(
    sparsity: float, mean: float = 0.0, std: float = 1.0, dtype: mx.Dtype = mx.float32
) -> Callable[[mx.array], mx.array]:
    """N(mean, std^2) with ``ceil(sparsity * columns)`` random entries of every row set to zero.

    Raises:
        ValueError: an array that is no matrix.

    Example::

        weight = nn.init.sparse(0.9)(mx.zeros((64, 32)))
    """

    def initialise(a: mx.array) -> mx.array:
        if a.ndim != 2:
            raise ValueError(f"[init.sparse] Expected a matrix, not shape {tuple(a.shape)}.")
        zeros = math.ceil(sparsity * a.shape[1])
        # The ranks of random numbers are a random permutation of every row.
        ranks = mx.argsort(mx.argsort(mx.random.uniform(shape=a.shape), axis=1), axis=1)
        values = mx.random.normal(shape=a.shape, scale=std, loc=mean, dtype=dtype)
        return mx.where(ranks < zeros, mx.zeros_like(values), values)

    return initialise


def orthogonal(gain: float = 1.0, dtype: mx.Dtype = mx.float32) -> Callable[[mx.array], mx.array]:
    """A matrix with orthonormal rows, or columns where there are fewer of them, times gain.

    The Q of a normal matrix, with the signs of R's diagonal so that it is uniformly distributed (Mezzadri,
    "How to generate random matrices from the classical compact groups", 2007).

    Raises:
        ValueError: an array that is no matrix.

    Example::

        weight = nn.init.orthogonal()(mx.zeros((64, 32)))
    """

    def initialise(a: mx.array) -> mx.array:
        if a.ndim != 2:
            raise ValueError(f"[init.orthogonal] Expected a matrix, not shape {tuple(a.shape)}.")
        rows, columns = a.shape
        normal = mx.random.normal((max(rows, columns), min(rows, columns)))
        q, r = mx.linalg.qr(normal)
        q = q * mx.sign(mx.diag(r))
        return ((q.T if rows < columns else q) * gain).astype(dtype)

    return initialise
