"""What programs write every day. mypy --strict and pyright accept it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as optim
from mlx.utils import tree_flatten, tree_map, tree_unflatten

ArrayFunction = Callable[[mx.array], mx.array]


def creation() -> list[mx.array]:
    x = mx.array([[1.0, 2.0], [3.0, 4.0]], dtype=mx.float16)
    return [
        x,
        mx.array(3),
        mx.array(np.ones((2, 3), dtype=np.float32)),
        mx.zeros((2, 3)),
        mx.zeros(5, dtype=mx.int32),
        mx.full((2,), 1.5),
        mx.arange(10),
        mx.arange(0, 1, 0.1),
        mx.arange(2, 8, step=2, dtype=mx.int64),
        mx.linspace(0, 1, 5),
        mx.eye(3, dtype=mx.bfloat16),
        mx.random.uniform(shape=(3, 4)),
        mx.random.normal((2, 2), key=mx.random.key(0)),
        mx.random.randint(0, 10, [5]),
    ]


def arithmetic(x: mx.array, y: mx.array) -> mx.array:
    z = 2 * x + y / 3 - 1**x
    z += y
    z = z @ x.T
    z = -z % 5 // 2
    mask = (x > 0) & (y <= 1.0) | ~(x == y)
    z = mx.where(mask, z, 0.0)
    z[0] = 1
    z[..., 1:] = y
    z = z[:, None, ::2].squeeze(1).astype(mx.float32)
    return mx.maximum(z, 0).sum(axis=-1, keepdims=True) + mx.exp(-1.0)


def reductions(x: mx.array) -> tuple[float, int, mx.array]:
    low, high = mx.minmax(x)
    total: float = mx.sum(x).item()
    best = int(mx.argmax(x, axis=-1)[0].item())
    print(f"{x.mean().item():.3f}", float(x.max()), len(x), x.shape[0] * x.ndim, x.tolist()[0])
    return total, best, high - low


def shapes(x: mx.array) -> mx.array:
    batch, *rest = x.shape
    parts = mx.split(x, 3, axis=1)
    x = mx.concatenate([*parts, x], axis=-1).reshape(batch, -1)
    x = mx.stack([x, x]).transpose(1, 0, 2).flatten(1)
    x = mx.pad(mx.expand_dims(x, (0, 1)), [(0, 0), (1, 1), (0, 0), (0, 0)])
    rows, columns = mx.where(x > 0)[:2]
    a, b = mx.meshgrid(mx.arange(3), mx.arange(4), indexing="ij")
    return mx.take(mx.atleast_2d(x), rows) + columns + a + b + mx.unique(x)


def transformations(x: mx.array, weights: dict[str, mx.array]) -> mx.array:
    def loss(w: dict[str, mx.array], x: mx.array) -> mx.array:
        return (w["a"] * x).square().sum()

    gradient: mx.array = mx.grad(loss)(weights, x)["a"]
    value, gradients = mx.value_and_grad(loss, argnums=(0, 1))(weights, x)
    per_row: ArrayFunction = mx.vmap(lambda row: row.sum())
    fast: ArrayFunction = mx.compile(per_row)
    outputs, tangents = mx.jvp(per_row, [x], [mx.ones_like(x)])
    mx.eval(value, gradients, weights)
    return gradient + fast(x) + outputs[0] + tangents[0]


@mx.custom_function
def scaled(x: mx.array) -> mx.array:
    return x * 2


@partial(mx.compile, shapeless=True)
def gelu(x: mx.array) -> mx.array:
    return x * (1 + mx.erf(x / math.sqrt(2))) / 2


def libraries(x: mx.array) -> mx.array:
    q, r = mx.linalg.qr(x, stream=mx.cpu)
    values = mx.linalg.eigh(x).eigenvalues
    u, s, v = mx.linalg.svd(x)
    spectrum = mx.fft.rfft(x, n=16).abs()
    norm = mx.fast.rms_norm(x, None, 1e-5)
    attended = mx.fast.scaled_dot_product_attention(q[None], r[None], x[None], scale=0.5, mask="causal")
    packed, scales, biases = mx.quantize(x, group_size=64, bits=4)
    return (
        mx.einsum("ij,jk->ik", u, v) * s + values + spectrum + norm + attended[0] + packed + scales + biases
    )


def machine() -> None:
    with mx.stream(mx.cpu):
        mx.synchronize()
    stream: mx.Stream = mx.new_stream(mx.Device(mx.cpu))
    kind: mx.DeviceType = stream.device.type
    bits: int = mx.iinfo(mx.int8).max + mx.finfo(mx.float16).bits
    print(
        mx.default_device(), kind, bits, mx.get_peak_memory() / 2**20, mx.__version__, mx.metal.is_available()
    )
    if mx.issubdtype(mx.float16, mx.floating):
        mx.random.seed(0)


def files(folder: Path, x: mx.array) -> dict[str, mx.array]:
    mx.save(str(folder / "x.npy"), x)
    mx.savez(folder / "x.npz", x=x)
    mx.save_safetensors("x.safetensors", {"x": x}, metadata={"format": "mlx"})
    weights: dict[str, mx.array] = mx.load("x.safetensors")
    return weights


class Block(nn.Module):
    def __init__(self, dims: int, *, dropout: float = 0.1) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(dims)
        self.layers = [nn.Linear(dims, dims, bias=False) for _ in range(2)]
        self.dropout = nn.Dropout(dropout)
        self.scale = mx.ones((dims,))

    def __call__(self, x: mx.array) -> mx.array:
        x = self.norm(x)
        for layer in self.layers:
            x = nn.relu(layer(x))
        return self.scale * self.dropout(x)


def batches(x: mx.array, size: int) -> Iterator[mx.array]:
    order = mx.random.permutation(len(x))
    for start in range(0, len(x), size):
        yield x[order[start : start + size]]


def train(x: mx.array) -> float:
    model = nn.Sequential(nn.Embedding(100, 16), Block(16), nn.Tanh(), nn.Linear(16, 2))
    schedule = optim.cosine_decay(1e-3, 100)
    optimizer = optim.AdamW(learning_rate=schedule, weight_decay=0.01)

    def loss(model: nn.Module, x: mx.array) -> mx.array:
        return nn.losses.cross_entropy(model(x), x, reduction="mean")

    step = nn.value_and_grad(model, loss)
    value = mx.array(0.0)
    for batch in batches(x, 32):
        value, gradients = step(model, batch)
        optimizer.update(model, gradients)
        mx.eval(model.parameters(), optimizer.state)
    count = sum(p.size for _, p in tree_flatten(model.trainable_parameters()))
    half = tree_map(lambda p: p.astype(mx.float16), model.parameters())
    model.update(tree_unflatten(list(tree_flatten(half))))
    model.freeze()
    model.load_weights([("0.weight", mx.zeros((100, 16)))], strict=False)
    print(count, model.layers[0])
    result: float = value.item()
    return result


def numpy_and_back(x: mx.array) -> np.ndarray[Any, Any]:
    y = np.asarray(mx.exp(x))
    return np.concatenate([y, np.array(mx.asarray(y))])
