"""Every row of layer_table.py: names, repr, values, gradients, half types, compile, vmap, copies."""

import copy
import pickle

import numpy as np
import pytest
from layer_table import ROWS

import mlx.core as mx
import mlx.nn as nn
from mlx.utils import tree_flatten, tree_map

each = pytest.mark.parametrize("row", ROWS, ids=[row.call for row in ROWS])
TOLERANCE = {mx.float64: 1e-6, mx.float32: 1e-4, mx.float16: 2e-2, mx.bfloat16: 1e-1}


def draw(row, rng, batch=()):
    """Inputs as NumPy arrays, with `batch` before their shapes."""
    if row.call.startswith("Embedding"):
        high, *shape = row.inputs[0]
        return [rng.integers(0, high, (*batch, *shape))]
    return [rng.normal(size=(*batch, *shape)) for shape in row.inputs]


def make(row, dtype=mx.float64):
    """The layer with random parameters, also where they begin as ones or zeros, and its inputs."""
    rng = np.random.default_rng(5)
    layer = eval("nn." + row.call, {"nn": nn})
    layer.apply(lambda p: mx.array(np.abs(rng.normal(size=p.shape)) * 0.5 + 0.1))
    layer.train(row.training)
    layer.set_dtype(dtype)
    return layer, cast(draw(row, rng), dtype)


def cast(inputs, dtype):
    with mx.stream(mx.cpu):
        return [mx.array(x, mx.int32 if x.dtype.kind == "i" else dtype) for x in inputs]


def arrays(result):
    return list(result) if isinstance(result, tuple) else [result]


def numpy(x):
    return np.array(x.astype(mx.float64)) if mx.issubdtype(x.dtype, mx.floating) else np.array(x)


def check(got, want, tolerance):
    assert len(arrays(got)) == len(arrays(want))
    for a, b in zip(arrays(got), arrays(want)):
        b = b if isinstance(b, np.ndarray) else numpy(b)
        np.testing.assert_allclose(numpy(a), b, rtol=tolerance, atol=tolerance)


@each
def test_parameters_and_repr(row):
    layer = eval("nn." + row.call, {"nn": nn})
    entries = [entry.split(":") for entry in row.parameters.split()]
    want = [(name, tuple(int(n) for n in shape.split(","))) for name, shape in entries]
    assert [(name, tuple(p.shape)) for name, p in tree_flatten(layer.parameters())] == want
    assert all(p.dtype == mx.float32 for _, p in tree_flatten(layer.parameters()))
    assert [name for name, _ in tree_flatten(layer.trainable_parameters())] == [
        name for name, _ in want if "running" not in name
    ]
    if row.repr or not tree_flatten(layer.children()):
        assert repr(layer) == row.text
    assert "Example::" in type(layer).__doc__


@each
@pytest.mark.parametrize("dtype", list(TOLERANCE), ids=lambda d: str(d).split(".")[-1])
def test_values(row, dtype):
    layer, inputs = make(row, dtype)
    got = arrays(layer(*inputs, *row.extra))
    parameters = {name: numpy(p) for name, p in tree_flatten(layer.parameters())}
    want = row.oracle(parameters, *[numpy(x) for x in inputs])
    # What cannot be rounded to the dtype first, the sigmas of the encoding, are float32.
    expected = mx.float32 if "Sinusoidal" in row.call and dtype != mx.float64 else dtype
    assert all(x.dtype == expected for x in got)
    check(tuple(got), want if isinstance(want, tuple) else (want,), TOLERANCE[dtype])


@each
def test_gradients(row):
    """Along one random direction through all parameters and inputs, against a central difference."""
    layer, inputs = make(row)
    rng = np.random.default_rng(6)
    weights = [mx.array(rng.normal(size=x.shape)) for x in arrays(layer(*inputs, *row.extra))]
    discrete = row.call.startswith("Embedding")

    def loss(parameters, inputs):
        layer.update(parameters)
        results = arrays(layer(*inputs, *row.extra))
        return sum(mx.sum(x * w) for x, w in zip(results, weights))

    start = layer.parameters()
    if discrete and not tree_flatten(start):
        return
    direction = tree_map(lambda p: mx.array(rng.normal(size=p.shape)), [start, [] if discrete else inputs])
    if not tree_flatten(direction):
        return
    grads = mx.grad(loss, argnums=(0,) if discrete else (0, 1))(start, inputs)
    grads = grads if isinstance(grads, (tuple, list)) else [grads]
    slope = sum(mx.sum(g * d) for (_, g), (_, d) in zip(tree_flatten(list(grads)), tree_flatten(direction)))
    h = 1e-6

    def moved(sign):
        parameters = tree_map(lambda p, d: p + sign * h * d, start, direction[0])
        return loss(
            parameters, inputs if discrete else tree_map(lambda x, d: x + sign * h * d, inputs, direction[1])
        )

    want = (moved(1) - moved(-1)).item() / (2 * h)
    layer.update(start)
    assert slope.item() == pytest.approx(want, rel=1e-5, abs=1e-6)


@each
def test_compiled(row):
    layer, inputs = make(row, mx.float32)
    want = layer(*inputs, *row.extra)
    compiled = mx.compile(lambda *x: layer(*x, *row.extra), inputs=layer.state)
    check(compiled(*inputs), want, 1e-5)
    layer.apply(lambda p: p + 1)  # the trace reads the parameters anew
    check(compiled(*inputs), layer(*inputs, *row.extra), 1e-4)


@each
def test_vmap(row):
    layer, _ = make(row)
    inputs = cast(draw(row, np.random.default_rng(7), (3,)), mx.float64)
    got = mx.vmap(lambda *x: layer(*x, *row.extra))(*inputs)
    each_ = [arrays(layer(*(x[i] for x in inputs), *row.extra)) for i in range(3)]
    check(got, tuple(np.stack([numpy(x) for x in parts]) for parts in zip(*each_)), 1e-9)


@each
def test_copies(row, tmp_path):
    layer, inputs = make(row, mx.float32)
    want = layer(*inputs, *row.extra)
    for copied in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert repr(copied) == repr(layer) and copied.training == layer.training
        check(copied(*inputs, *row.extra), want, 0)
    other = eval("nn." + row.call, {"nn": nn}).train(row.training)
    if tree_flatten(layer.parameters()):
        path = str(tmp_path / "weights.safetensors")
        layer.save_weights(path)
        other.load_weights(path)
    check(other(*inputs, *row.extra), want, 0)
