"""Fourier transforms."""

import numpy as np
from harness.case import Case

import mlx.core as mx

REAL = ("float32", "float16", "int32")
ALL = ("complex64", "float32", "bfloat16", "bool")


def case(name, shape, *args, real=False, dtypes=None, **kwargs):
    """mx.fft.NAME against np.fft.NAME. Derivatives are tested apart, since results are complex64."""
    label = f"{name}-{shape}-{args}-{kwargs}".replace(" ", "")
    shapes = {"base": [shape], "larger": [tuple(n + 1 for n in shape)]}
    return Case(label, lambda x: getattr(mx.fft, name)(x, *args, **kwargs), shapes,
                lambda x: getattr(np.fft, name)(x, *args, **kwargs), dtypes or (REAL if real else ALL),
                ulps=12, wrt=())  # fmt: skip


LENGTHS = (1, 2, 3, 4, 5, 7, 8, 11, 13, 16, 17, 30, 64, 77, 97, 128, 210, 1001, 1009, 1024, 2310, 4099, 8192)
COMPLEX = {"dtypes": ("complex64",)}
CASES = [
    *[case("fft", (2, n)) for n in LENGTHS],
    *[case("ifft", (2, n), **COMPLEX) for n in LENGTHS],
    *[case("rfft", (2, n), real=True) for n in LENGTHS],
    *[case("irfft", (2, n), **COMPLEX) for n in (2, 3, 5, 9, 18, 33, 65, 513)],
    *[case("irfft", (2, n // 2 + 1), n, **COMPLEX) for n in LENGTHS],
    case("fft", (9, 3, 4), axis=0), case("fft", (3, 9, 4), axis=1), case("fft", (20, 9, 35), axis=1),
    case("ifft", (40, 6, 5), axis=-2, **COMPLEX),
    case("rfft", (9, 3, 4), axis=0, real=True), case("rfft", (3, 8, 20), axis=1, real=True),
    case("irfft", (5, 3, 4), axis=0, **COMPLEX), case("irfft", (3, 5, 20), axis=1, **COMPLEX),
    case("fft", (3, 10), 7), case("fft", (3, 10), 16), case("rfft", (3, 10), 7, real=True),
    case("rfft", (3, 10), 16, real=True), case("irfft", (3, 10), 7, **COMPLEX),
    case("irfft", (3, 10), 40, **COMPLEX),
    *[case(name, (4, 6), norm=norm, **COMPLEX) for name in ("fft", "ifft", "irfft", "fft2", "irfft2")
      for norm in ("ortho", "forward", "backward")],
    case("rfft", (4, 6), norm="ortho", real=True), case("rfft2", (4, 6), norm="forward", real=True),
    case("fft2", (3, 5, 6)), case("fft2", (5, 6), (8, 3)), case("fft2", (5, 6, 7), axes=(0, 2)),
    case("ifft2", (3, 5, 6), **COMPLEX), case("rfft2", (3, 5, 6), real=True),
    case("rfft2", (5, 6, 8), axes=(1, 0), real=True), case("irfft2", (3, 5, 6), **COMPLEX),
    case("irfft2", (5, 6, 4), (6, 9), axes=(2, 0), **COMPLEX),
    case("fftn", (3, 5, 6)), case("fftn", (3, 5, 6), axes=(1,)), case("ifftn", (3, 5, 6), **COMPLEX),
    case("rfftn", (3, 5, 6), real=True), case("irfftn", (3, 5, 6), **COMPLEX),
    case("irfftn", (3, 5, 6), (4, 5), (2, 1), **COMPLEX), case("fftn", (3, 5, 6), (2, 8, 4), (0, 2, 1)),
    case("fftshift", (3, 5, 6), dtypes=("float32", "complex64", "int32")),
    case("ifftshift", (3, 5, 6), dtypes=("float32", "complex64", "int32")),
    case("fftshift", (3, 5, 6), axes=1, dtypes=("float32",)),
    case("ifftshift", (3, 5, 6), axes=(0, 2), dtypes=("float32",)),
]  # fmt: skip
