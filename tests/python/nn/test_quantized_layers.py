"""QuantizedLinear, QuantizedEmbedding, QQLinear and nn.quantize in every format."""

import copy
import pickle

import numpy as np
import pytest

import mlx.core as mx
import mlx.nn as nn
from mlx.utils import tree_flatten

FORMATS = [("affine", group, bits) for group in (32, 64, 128) for bits in (1, 2, 3, 4, 5, 6, 8)]
FORMATS += [("mxfp4", 32, 4), ("mxfp8", 32, 8), ("nvfp4", 16, 4)]
DEFAULTS = [("affine", 64, 4), *FORMATS[-3:]]
rng = np.random.default_rng(3)


def normal(*shape):
    return rng.normal(size=shape).astype(np.float32)


def names(tree):
    return [name for name, _ in tree_flatten(tree)]


def table_of(layer, dtype=mx.float32):
    parts = [layer[name] for name in ("weight", "scales", "biases") if name in layer]
    values = mx.dequantize(*parts, group_size=layer.group_size, bits=layer.bits, mode=layer.mode, dtype=dtype)
    return np.array(values.astype(mx.float32)).astype(np.float64)


def check(got, want, tolerance=1e-4):
    np.testing.assert_allclose(np.array(got.astype(mx.float32)), want, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("mode, group, bits", FORMATS)
def test_linear(mode, group, bits):
    layer = nn.QuantizedLinear(128, 8, group_size=group, bits=bits, mode=mode)
    affine = mode == "affine"
    shapes = {"weight": (8, 4 * bits), "scales": (8, 128 // group), "biases": (8, 128 // group), "bias": (8,)}
    if not affine:
        del shapes["biases"]
    assert {name: p.shape for name, p in layer.parameters().items()} == shapes
    assert layer.weight.dtype == mx.uint32 and layer.scales.dtype == (mx.float32 if affine else mx.uint8)
    assert (layer.group_size, layer.bits, layer.mode) == (group, bits, mode)
    assert repr(layer) == (
        f"QuantizedLinear(input_dims=128, output_dims=8, bias=True, group_size={group}, bits={bits}, "
        f"mode={mode})"
    )
    assert layer.bias.tolist() == [0] * 8 and not names(layer.trainable_parameters())
    assert np.abs(table_of(layer)).max() <= np.sqrt(1 / 128) * 1.5
    layer.bias = mx.array(normal(8))
    for shape in ((128,), (3, 128), (2, 5, 128)):
        x = normal(*shape)
        check(layer(mx.array(x)), x @ table_of(layer).T + np.array(layer.bias))
    bare = nn.QuantizedLinear(128, 8, False, group, bits, mode)
    assert "bias" not in bare and "bias=False" in repr(bare)


@pytest.mark.parametrize("mode, group, bits", FORMATS)
def test_embedding(mode, group, bits):
    layer = nn.QuantizedEmbedding(10, 128, group, bits, mode)
    assert list(layer) == ["weight", "scales", "biases"][: 3 if mode == "affine" else 2]
    assert repr(layer) == f"QuantizedEmbedding(10, 128, group_size={group}, bits={bits}, mode={mode})"
    assert not names(layer.trainable_parameters())
    assert (layer.num_embeddings, layer.dims) == (10, 128)
    for ids in (3, [1, 9], [[0, 1, 2], [3, 4, 9]], np.zeros((0,), np.int32)):
        got = layer(mx.array(ids))
        assert got.dtype == (mx.float32 if mode == "affine" else mx.bfloat16)
        check(got, table_of(layer)[np.array(ids)], 1e-2 if mode != "affine" else 1e-6)
    x = normal(2, 3, 128)
    check(layer.as_linear(mx.array(x)), x @ table_of(layer).T)
    for bad in (mx.array([1.0]), mx.array([True])):
        with pytest.raises(ValueError, match="Indices must be integers"):
            layer(bad)


@pytest.mark.parametrize("mode, group, bits", DEFAULTS)
def test_defaults_of_the_mode(mode, group, bits):
    for layer in (nn.QuantizedLinear(128, 4, mode=mode), nn.QuantizedEmbedding(4, 128, mode=mode)):
        assert (layer.group_size, layer.bits) == (group, bits)
    layer = nn.Linear(128, 4).to_quantized(mode=mode)
    assert (layer.group_size, layer.bits) == (group, bits)


@pytest.mark.parametrize("mode, group, bits", FORMATS)
def test_gradients(mode, group, bits):
    layer, x, w = nn.QuantizedLinear(128, 4, True, group, bits, mode), normal(3, 128), normal(3, 4)
    check(mx.grad(lambda x: mx.sum(layer(x) * mx.array(w)))(mx.array(x)), w @ table_of(layer))
    # By name or as a whole, on the layer or above it: packed words and 8-bit scales stay frozen.
    model = nn.Sequential(layer)
    for thaw in (layer.unfreeze, lambda: model.unfreeze(keys=["weight", "scales", "biases", "bias"])):
        layer.freeze()
        thaw()
        assert list(layer.trainable_parameters()) == (["scales", "biases"] if mode == "affine" else []) + [
            "bias"
        ]
    value, slopes = nn.value_and_grad(model, lambda x: mx.sum(model(x) * mx.array(w)))(mx.array(x))
    got = slopes["layers"][0]
    check(got["bias"], w.sum(0))
    if mode == "affine":
        codes = (table_of(layer) - np.repeat(np.array(layer.biases), group, 1)) / np.repeat(
            np.array(layer.scales), group, 1
        )
        of_weight = (w.T @ x).reshape(4, -1, group)
        check(got["biases"], of_weight.sum(-1), 1e-3)
        check(got["scales"], (of_weight * codes.reshape(4, -1, group)).sum(-1), 1e-2)


@pytest.mark.parametrize("mode, group, bits", DEFAULTS)
@pytest.mark.parametrize("dtype", [mx.float32, mx.float16, mx.bfloat16])
def test_from_layers(mode, group, bits, dtype):
    linear, embedding = nn.Linear(128, 4), nn.Embedding(6, 128)
    linear.set_dtype(dtype)
    embedding.set_dtype(dtype)
    layer, rows = linear.to_quantized(mode=mode), embedding.to_quantized(mode=mode)
    parts = mx.quantize(linear.weight, mode=mode)
    assert all(mx.array_equal(got, want) for got, want in zip(layer.parameters().values(), parts))
    assert layer.bias is linear.bias and list(layer.trainable_parameters()) == ["bias"]
    assert not names(rows.trainable_parameters())
    assert layer(mx.ones((2, 128), dtype)).dtype == dtype
    assert rows(mx.array([1])).dtype == (dtype if mode == "affine" else mx.bfloat16)
    assert "bias" not in nn.Linear(128, 4, bias=False).to_quantized(mode=mode)
    half = nn.QuantizedLinear(128, 4, mode=mode)
    half.set_dtype(mx.float16)
    assert half.weight.dtype == mx.uint32 and half.bias.dtype == mx.float16
    assert half(mx.ones((1, 128), mx.float16)).dtype == mx.float16


@pytest.mark.parametrize("mode, group, bits", DEFAULTS)
def test_copies_and_transformations(mode, group, bits):
    layer, x = nn.QuantizedLinear(128, 4, mode=mode), mx.array(normal(3, 128))
    want = layer(x)
    for copied in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert repr(copied) == repr(layer) and mx.array_equal(copied(x), want)
        assert not names(copied.trainable_parameters())
    check(mx.compile(lambda x: layer(x))(x), np.array(want))
    check(mx.vmap(layer)(x), np.array(want))
    rows = nn.QuantizedEmbedding(5, 128, mode=mode)
    ids = mx.array([[1, 2], [4, 0]])
    assert mx.array_equal(mx.vmap(rows)(ids), rows(ids))
    assert mx.array_equal(mx.compile(rows)(ids), rows(ids))
    other = nn.QuantizedLinear(128, 4, mode=mode).load_weights(tree_flatten(layer.parameters()))
    assert mx.array_equal(other(x), want)


# QQLinear ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode, group, bits", [("nvfp4", 16, 4), ("mxfp8", 32, 8)])
@pytest.mark.parametrize("dtype", [mx.float32, mx.float16, mx.bfloat16])
def test_qqlinear(mode, group, bits, dtype):
    layer = nn.QQLinear(64, 8, mode=mode)
    layer.set_dtype(dtype)
    described = f"QQLinear(input_dims=64, output_dims=8, group_size={group}, bits={bits}, mode={mode})"
    assert repr(layer) == described and list(layer.trainable_parameters()) == ["weight"]
    x = mx.array(normal(5, 64)).astype(dtype)
    rounded = mx.dequantize(*mx.quantize(x, mode=mode), mode=mode).astype(mx.float32)
    weights = mx.dequantize(*mx.quantize(layer.weight, mode=mode), mode=mode).astype(mx.float32)
    want, tolerance = np.array(rounded) @ np.array(weights).T, 1e-4 if dtype == mx.float32 else 2e-2
    check(layer(x), want, tolerance)
    slopes = nn.value_and_grad(layer, lambda: mx.sum(layer(x)))()[1]["weight"]
    assert slopes.shape == (8, 64) and slopes.dtype == dtype and mx.any(slopes != 0).item()

    model = nn.Sequential(layer).eval()  # reacts below another module too
    assert layer.weight.dtype == mx.uint32 and layer.weight.shape == (8, 2 * bits)
    assert layer.scales.dtype == mx.uint8 and layer.scales.shape == (8, 64 // group)
    assert repr(layer) == described
    check(model(x), want, tolerance)
    assert model(x).dtype == dtype
    packed = layer.weight
    model.eval()
    assert layer.weight is packed
    slope = mx.grad(lambda x: mx.sum(layer(x)))(x)
    check(slope, np.tile(np.array(weights).sum(0), (5, 1)), 5e-2)

    model.train()
    assert list(layer) == ["weight"] and layer.weight.dtype == dtype and layer.training
    assert mx.array_equal(layer.weight.astype(mx.float32), weights)


def test_qqlinear_from_linear():
    linear = nn.Linear(64, 8, bias=False)
    layer = linear.to_quantized(mode="mxfp8", quantize_input=True)
    assert isinstance(layer, nn.QQLinear) and layer.weight is linear.weight
    packed = linear.eval().to_quantized(mode="nvfp4", quantize_input=True)
    assert packed.weight.dtype == mx.uint32 and not packed.training
    assert nn.QQLinear.from_linear(linear).mode == "nvfp4"
    for mode in ("affine", "mxfp4", "other"):
        with pytest.raises(ValueError, match="in mode nvfp4 or mxfp8 only"):
            linear.to_quantized(mode=mode, quantize_input=True)
    with pytest.raises(NotImplementedError, match="with a bias"):
        nn.Linear(64, 8).to_quantized(mode="nvfp4", quantize_input=True)
    with pytest.raises(ValueError):
        nn.QQLinear(24, 8)


# nn.quantize ------------------------------------------------------------------------------------------------


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 64)
        self.blocks = [{"up": nn.Linear(64, 128), "norm": nn.LayerNorm(128)}, nn.Linear(128, 64, bias=False)]
        self.head = nn.Linear(64, 10)

    def __call__(self, ids):
        block = self.blocks[0]
        return self.head(self.blocks[1](block["norm"](block["up"](self.table(ids)))))


def kinds(model):
    leaves = tree_flatten(model.leaf_modules(), is_leaf=nn.Module.is_module)
    return {name: type(leaf).__name__ for name, leaf in leaves}


def test_quantize():
    model, ids = Model(), mx.array([1, 2, 3])
    before, linear = model(ids), model.head
    assert nn.quantize(model, bits=8) is None
    assert kinds(model) == {
        "table": "QuantizedEmbedding",
        "blocks.0.up": "QuantizedLinear",
        "blocks.0.norm": "LayerNorm",
        "blocks.1": "QuantizedLinear",
        "head": "QuantizedLinear",
    }
    assert (model.head.group_size, model.head.bits) == (64, 8)
    assert np.abs(np.array(model(ids) - before)).max() < 0.1
    head = model.head
    nn.quantize(model)  # quantized layers have no to_quantized
    assert model.head is head
    nn.quantize(linear)  # the model itself stays
    assert type(linear) is nn.Linear


def test_quantize_predicate():
    model, seen = Model(), []

    def choose(path, module):
        seen.append(path)
        return {"bits": 2, "group_size": 32} if path == "head" else path == "blocks.1"

    nn.quantize(model, mode="mxfp8", class_predicate=choose)
    assert sorted(seen) == ["blocks.0.norm", "blocks.0.up", "blocks.1", "head", "table"]
    assert kinds(model)["table"] == "Embedding" and kinds(model)["blocks.0.up"] == "Linear"
    assert model.blocks[1].mode == "mxfp8" and model.blocks[1].bits == 8
    assert (model.head.bits, model.head.group_size, model.head.mode) == (2, 32, "affine")
    with pytest.raises(ValueError, match="must return a bool or a dict"):
        nn.quantize(Model(), class_predicate=lambda path, module: 1)
    with pytest.raises(ValueError, match=r"blocks\.0\.norm cannot be quantized: LayerNorm"):
        nn.quantize(Model(), class_predicate=lambda path, module: "norm" in path)
    with pytest.raises(ValueError, match=r"\[nn\.quantize\] mode must be one of affine, mxfp4, mxfp8, nvfp4"):
        nn.quantize(Model(), mode="int4")


def test_quantize_input():
    model = nn.Sequential(nn.Linear(64, 32, bias=False), nn.ReLU(), nn.Linear(32, 8, bias=False))
    nn.quantize(model, mode="mxfp8", quantize_input=True)
    assert [type(layer) for layer in model.layers] == [nn.QQLinear, nn.ReLU, nn.QQLinear]
    with pytest.raises(ValueError, match="indices"):
        nn.quantize(Model(), mode="mxfp8", quantize_input=True)


def test_bad_formats():
    linear = nn.Linear(64, 8)
    bad = [
        lambda: nn.QuantizedLinear(48, 8),
        lambda: nn.QuantizedLinear(64, 8, bits=7),
        lambda: nn.QuantizedLinear(64, 8, mode="mxfp4", bits=8),
        lambda: nn.QuantizedEmbedding(8, 48),
        lambda: linear.to_quantized(mode="q4"),
        lambda: nn.Linear(48, 8).to_quantized(),
        lambda: nn.Embedding(4, 64).to_quantized(quantize_input=True),
        lambda: linear.to_quantized()(mx.array(1.0)),
        lambda: linear.to_quantized()(mx.ones((2, 32))),
        lambda: linear.to_quantized(mode="mxfp4")(mx.ones((2, 64), mx.int32)),
        lambda: nn.QuantizedLinear(0, 8),
    ]
    for call in bad:
        with pytest.raises(ValueError):
            mx.eval(call())
