"""What inputs hold and how they lie in memory."""

from __future__ import annotations

import numpy as np

import mlx.core as mx

from ..case import round_to

LIMITS = {"uint8": 8, "int8": 8, "uint16": 16, "int16": 16}


def cast(x: np.ndarray, dtype: str) -> np.ndarray:
    if dtype == "complex64":
        return x.astype(np.complex64)
    return round_to(x, dtype) if "float" in dtype else x.astype(dtype)


def between(rng, shape, dtype, low, high):
    """Uniform; integers include both ends, complex numbers fill the square."""
    if dtype == "bool":
        return rng.random(shape) < 0.5
    if "int" in dtype:
        low = max(low, 0) if dtype.startswith("u") else low
        return rng.integers(int(np.ceil(low)), int(np.floor(high)) + 1, shape).astype(dtype)
    x = low + (high - low) * rng.random(shape)
    return cast(x + 1j * (low + (high - low) * rng.random(shape)) if dtype == "complex64" else x, dtype)


def values(rng, shape, dtype):
    x = between(rng, shape, dtype, -3, 9 if "int" in dtype else 3)
    return x


def few(rng, shape, dtype):
    """Small integers, so that many are equal."""
    return cast(rng.integers(0 if dtype.startswith("u") else -2, 3, shape), dtype)


def special(rng, shape, dtype):
    """Zeros of both signs, infinities and NaN, or the largest and smallest integers, among others."""
    x = np.asarray(between(rng, shape, dtype, -3, 3))
    if dtype == "complex64":
        return x
    if dtype == "bool":
        return x
    kind = mx.iinfo if "int" in dtype else mx.finfo
    info = kind(getattr(mx, dtype))
    extremes = [info.min, info.max, 0, 1] if "int" in dtype else [np.inf, -np.inf, np.nan, -0.0, 0.0]
    pick = rng.random(shape) < 0.3
    return np.where(pick, rng.choice(np.array(extremes, x.dtype), shape), x).astype(x.dtype)


def index(rng, shape, dtype, size):
    """Valid indices of an axis, negative ones where the dtype has them."""
    low = 0 if dtype.startswith("u") else -size
    return rng.integers(low, max(size, low + 1), shape).astype(dtype)


def count(rng, shape, dtype, low, high):
    return rng.integers(low, high + 1, shape).astype(dtype)


def square(rng, shape, dtype):
    """Well-conditioned matrices, no two eigenvalues or singular values near each other."""
    n = shape[-1]

    def real():
        return rng.uniform(-1, 1, shape) / (2 * max(n, 1))

    x = real() + (1j * real() if dtype == "complex64" else 0)
    return cast(x + np.diag(1.0 + np.arange(n)), dtype)


def definite(rng, shape, dtype):
    x = np.asarray(square(rng, shape, "complex64" if dtype == "complex64" else "float64"))
    hermitian = (x + np.conj(np.swapaxes(x, -1, -2))) / 2
    return cast(hermitian, dtype)


def lower(rng, shape, dtype):
    return np.tril(square(rng, shape, dtype))


def upper(rng, shape, dtype):
    return np.triu(square(rng, shape, dtype))


def key(rng, shape, dtype):
    return rng.integers(0, 2**32, shape, dtype=np.uint32)


def increasing(rng, shape, dtype):
    return np.sort(values(rng, shape, dtype), axis=-1)


def segments(rng, shape, dtype, size):
    ends = np.sort(rng.integers(0, size + 1, shape), axis=-1)
    return ends.astype(dtype)


KINDS = {
    f.__name__: f
    for f in (values, between, few, special, index, count, square, definite, lower, upper, key, increasing)
} | {"segments": segments}


def transposed(x):
    return mx.contiguous(mx.transpose(x)).T if x.ndim > 1 else x


def strided(x):
    return mx.repeat(x, 2, axis=-1)[..., ::2] if x.ndim else x


def reversed_(x):
    return mx.contiguous(x[::-1])[::-1] if x.ndim else x


def offset(x):
    return mx.concatenate([x, x], axis=0)[x.shape[0] :] if x.ndim else x


def broadcast(x):
    """Equal rows that lie in one place. Changes the values."""
    return mx.broadcast_to(x[:1], x.shape) if x.ndim and x.shape[0] > 1 else x


LAYOUTS = {
    "plain": lambda x: x,
    "transposed": transposed,
    "strided": strided,
    "reversed": reversed_,
    "offset": offset,
    "broadcast": broadcast,
}
