"""Random numbers, Fourier transforms, linear algebra."""

import os

import numpy as np
from case import Input, case, definite, jax, mx, normal, scipy_fft, torch

THREADS = int(os.environ.get("MLX_NUM_THREADS", 1))  # set by the worker
GENERATOR = np.random.Generator(np.random.SFC64(0))
SHAPE = (1_000_000,)
SEED = Input((), "int32", high=1000)  # an input, or jax's compiler would draw once and for all


def draws(name, numpy, torch, of_jax, mlx, *inputs):
    return case(
        name,
        SEED,
        *inputs,
        same=False,
        numpy=lambda seed, *x: numpy(*x),
        torch=lambda seed, *x: torch(*x),
        jax=lambda seed, *x: of_jax(jax.random.key(seed), *x),
        mlx=lambda seed, *x: mlx(*x),
    )


RANDOM = [
    draws(
        "uniform",
        lambda: GENERATOR.random(SHAPE, np.float32),
        lambda: torch.rand(SHAPE),
        lambda key: jax.random.uniform(key, SHAPE),
        lambda: mx.random.uniform(shape=SHAPE),
    ),
    draws(
        "normal",
        lambda: GENERATOR.standard_normal(SHAPE, np.float32),
        lambda: torch.randn(SHAPE),
        lambda key: jax.random.normal(key, SHAPE),
        lambda: mx.random.normal(SHAPE),
    ),
    draws(
        "randint",
        lambda: GENERATOR.integers(0, 1000, SHAPE, np.int32),
        lambda: torch.randint(0, 1000, SHAPE, dtype=torch.int32),
        lambda key: jax.random.randint(key, SHAPE, 0, 1000),
        lambda: mx.random.randint(0, 1000, SHAPE),
    ),
    draws(
        "bernoulli",
        lambda: GENERATOR.random(SHAPE, np.float32) < 0.3,
        lambda: torch.rand(SHAPE) < 0.3,
        lambda key: jax.random.bernoulli(key, 0.3, SHAPE),
        lambda: mx.random.bernoulli(0.3, SHAPE),
    ),
    draws(
        "categorical",
        lambda logits: (logits + GENERATOR.gumbel(size=logits.shape)).argmax(-1),
        lambda logits: torch.softmax(logits, -1).multinomial(1),
        lambda key, logits: jax.random.categorical(key, logits),
        lambda logits: mx.random.categorical(logits),
        normal(64, 32000),
    ),
]


def transform(op, shape):
    return case(
        f"{op} {shape}",
        normal(*shape, dtype="float32" if op == "rfft" else "complex64"),
        numpy=lambda x: getattr(scipy_fft, op)(x, workers=THREADS),
        torch=lambda x: getattr(torch.fft, op)(x),
        jax=lambda x: getattr(jax.numpy.fft, op)(x),
        mlx=lambda x: getattr(mx.fft, op)(x),
    )


def linear(op, *inputs, name=None, **calls):
    return case(name or op, *inputs, every=lambda f, *x: getattr(f.linalg, op)(*x), **calls)


SIZES = ((1000, 1024), (1000, 1009), (1000, 1000), (1_048_576,))
FFT = [transform(op, shape) for shape in SIZES for op in ("rfft", "fft")]
FFT += [transform("fft2", (16, 256, 256))]
A, S = normal(512, 512), definite(512)
LINALG = [
    linear("inv", S),
    linear("solve", S, A),
    linear("cholesky", S),
    linear("qr", A),
    linear("svd", A),
    linear("eigh", S),
    linear("eigh", definite(100, batch=100), name="eigh 100x100x100"),
    linear("cholesky", definite(16, batch=4096), name="cholesky 4096x16x16"),
]
FAMILIES = {"random": RANDOM, "fft": FFT, "linalg": LINALG}
