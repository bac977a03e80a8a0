"""Conversions between mlx and NumPy, and comparison in units of the last place."""

from __future__ import annotations

import numpy as np

import mlx.core as mx

EPS = {
    "float16": 2.0**-10,
    "bfloat16": 2.0**-7,
    "float32": 2.0**-23,
    "float64": 2.0**-52,
    "complex64": 2.0**-23,
}


def dtype_name(x: mx.array) -> str:
    return str(x.dtype).split(".")[-1]


def to_mx(x: np.ndarray, dtype: str) -> mx.array:
    """An mlx array of the dtype, with the values of x."""
    kind = getattr(mx, "bool_" if dtype == "bool" else dtype)
    # Not ascontiguousarray: that makes 0-d arrays 1-d.
    if dtype == "float64":
        return mx.array(np.asarray(x, np.float64, order="C"), dtype=mx.float64)
    return mx.array(np.asarray(x, order="C")).astype(kind)


def to_numpy(x: mx.array) -> np.ndarray:
    """The values in a NumPy dtype that holds them: bfloat16 as float32."""
    return np.array(x.astype(mx.float32) if x.dtype == mx.bfloat16 else x)


def as_tuple(x) -> tuple:
    return tuple(x) if isinstance(x, (tuple, list)) else (x,)


def widen(x: np.ndarray) -> np.ndarray:
    if np.issubdtype(x.dtype, np.complexfloating):
        return x.astype(np.complex128)
    return x.astype(np.float64) if np.issubdtype(x.dtype, np.floating) else x


def assert_close(
    got: mx.array, expected: np.ndarray, ulps: float, what: str = "", scale: float | None = None
):
    """Within `ulps` units of the last place of the largest expected value; NaN and infinities must agree."""
    expected = np.asarray(expected)
    values = to_numpy(got)
    assert values.shape == expected.shape, f"{what}: shape {values.shape}, expected {expected.shape}"
    name = dtype_name(got)
    if name not in EPS:
        np.testing.assert_array_equal(values, expected.astype(values.dtype), err_msg=what)
        return
    with np.errstate(over="ignore", invalid="ignore"):
        limit = float(mx.finfo(getattr(mx, "float32" if name == "complex64" else name)).max)
        reference = widen(expected)
        overflow = np.abs(reference) > limit * (1 + EPS[name] / 2)
        reference = np.where(overflow & np.isfinite(reference), np.sign(reference.real) * np.inf, reference)
    wide = widen(values)
    finite = np.isfinite(reference)
    same_special = np.where(finite, True, (wide == reference) | (np.isnan(wide) & np.isnan(reference)))
    assert same_special.all(), (
        f"{what}: infinities or NaN differ: {wide[~same_special]} {reference[~same_special]}"
    )
    if not finite.any():
        return
    error = np.abs(wide[finite] - reference[finite])
    magnitude = np.abs(reference[finite]).max() if scale is None else scale
    tiny = float(mx.finfo(getattr(mx, "float32" if name == "complex64" else name)).smallest_normal)
    unit = EPS[name] * max(magnitude, tiny)
    worst = error.max() / unit
    assert worst <= ulps, f"{what}: off by {worst:.3g} units in the last place, allowed {ulps} ({name})"


def assert_same_bits(got: mx.array, expected: mx.array, what: str = ""):
    assert got.dtype == expected.dtype and got.shape == expected.shape, f"{what}: {got.dtype} {got.shape}"
    a, b = to_numpy(got), to_numpy(expected)
    same = (a == b) | ((a != a) & (b != b)) if a.size else np.array(True)
    assert np.all(same), f"{what}: {a[~same][:3]} is not {b[~same][:3]}"
