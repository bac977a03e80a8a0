"""Layers and utilities for several processes: the identity in a group of one, right parts in larger groups.

No second process is needed: a stand-in for the group tells its rank and size, and the collectives that would
wait for others are replaced.
"""

import copy
import pickle

import numpy as np
import pytest

import mlx.core as mx
import mlx.nn as nn
from mlx.nn.layers import sharding
from mlx.nn.layers.distributed import shard_inplace, shard_linear, sum_gradients
from mlx.nn.layers.fully_sharded import _gathering
from mlx.nn.utils import average_gradients, clip_grad_norm_sharded
from mlx.optimizers import clip_grad_norm
from mlx.utils import tree_flatten

ALONE = mx.distributed.init()
SHARDINGS = ["all-to-sharded", "sharded-to-all"]


class Rank:
    """A place in a group of `size` processes."""

    def __init__(self, rank, size):
        self.rank, self.size = (lambda: rank), (lambda: size)


def check(got, want, tolerance=1e-5):
    np.testing.assert_allclose(np.array(got), np.array(want), rtol=tolerance, atol=tolerance)


def names(tree):
    return [name for name, _ in tree_flatten(tree)]


# A group of one ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sharding", SHARDINGS)
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("quantized", [False, True])
def test_alone_the_layer_is_plain(sharding, bias, quantized):
    layer, x = nn.Linear(64, 8, bias=bias), mx.random.normal((3, 64))
    if quantized:
        layer = layer.to_quantized()
    shared = shard_linear(layer, sharding)
    kind = ("Quantized" if quantized else "") + ("AllToSharded" if sharding[0] == "a" else "ShardedToAll")
    assert type(shared).__name__ == f"{kind}Linear"
    assert names(shared.parameters()) == names(layer.parameters())
    assert repr(shared) == repr(layer).replace(type(layer).__name__, f"{kind}Linear")
    check(shared(x), layer(x))
    check(mx.compile(lambda x: shared(x))(x), layer(x))
    slope = mx.grad(lambda x: mx.sum(layer(x)))(x)
    check(mx.grad(lambda x: mx.sum(shared(x)))(x), slope)
    for copied in (copy.deepcopy(shared), pickle.loads(pickle.dumps(shared))):
        assert copied.group.size() == 1 and repr(copied) == repr(shared)
        check(copied(x), layer(x))
    assert copy.deepcopy(nn.Sequential(shared)).layers[0].group is shared.group
    assert (names(shared.trainable_parameters()) == []) == quantized
    before = layer.parameters()
    assert shard_inplace(layer, sharding) is None
    assert all(mx.array_equal(layer[name], before[name]) for name in before)


@pytest.mark.parametrize(
    "make, names_of",
    [
        (lambda: nn.AllToShardedLinear(64, 8), ["weight", "bias"]),
        (lambda: nn.ShardedToAllLinear(64, 8, bias=False), ["weight"]),
        (lambda: nn.QuantizedAllToShardedLinear(64, 8), ["weight", "scales", "biases", "bias"]),
        (lambda: nn.QuantizedShardedToAllLinear(64, 8, False, 32, 4, "mxfp4"), ["weight", "scales"]),
    ],
)
def test_constructors(make, names_of):
    layer = make()
    assert names(layer.parameters()) == names_of and layer.group is not None
    assert layer(mx.ones((2, 64))).shape == (2, 8)
    assert "input_dims=64, output_dims=8" in repr(layer)


def test_alone_nothing_is_exchanged():
    gradients = {"w": mx.ones((2, 3)) * 4, "b": [mx.ones(3, mx.float16)]}
    assert average_gradients(gradients) is gradients and nn.average_gradients(gradients, ALONE) is gradients
    got, norm = clip_grad_norm_sharded(gradients, 2.0)
    want, expected = clip_grad_norm(gradients, 2.0)
    check(norm, expected)
    assert names(got) == names(want) and got["b"][0].dtype == mx.float16
    check(got["w"], want["w"])
    x = mx.ones(3)
    assert sum_gradients(ALONE)(x) is x
    linear = nn.Linear(2, 2)
    assert nn.fully_shard(linear) is linear


def test_collectives_have_their_gradients():
    """The functions of larger groups, in the only group there is."""
    x = mx.random.normal((4, 2))
    for function in (sharding._summing(ALONE), _gathering(ALONE)):
        check(function(x), x)
        check(mx.grad(lambda x, f=function: mx.sum(mx.sin(f(x))))(x), mx.cos(x))


def test_fully_sharded_alone():
    linear, x = nn.Linear(4, 3), mx.random.normal((2, 4))
    want, slopes = nn.value_and_grad(linear, lambda: mx.sum(mx.sin(linear(x))))()
    wrapped = nn.FullyShardedModule(linear)
    assert names(wrapped.parameters()) == ["module.weight", "module.bias"]
    got, gradients = nn.value_and_grad(wrapped, lambda: mx.sum(mx.sin(wrapped(x))))()
    check(got, want)
    check(gradients["module"]["weight"], slopes["weight"])
    half = nn.FullyShardedModule(nn.Linear(4, 3), compute_dtype=mx.bfloat16)
    assert half(x.astype(mx.bfloat16)).dtype == mx.bfloat16 and half.module.weight.dtype == mx.float32
    table = nn.FullyShardedModule(nn.Embedding(5, 4))
    check(table.as_linear(x), x @ table.module.weight.T)
    for copied in (copy.deepcopy(wrapped), pickle.loads(pickle.dumps(wrapped))):
        check(copied(x), linear(x))
    norm = nn.FullyShardedModule(nn.BatchNorm(4))
    norm(x)
    assert mx.any(norm.module.running_mean != 0).item()  # what the module changed stays changed
    holder = nn.Module()
    holder.a = mx.array(1.0)
    with pytest.raises(ValueError, match=r"a cannot be split into 1 parts along axis 0"):
        nn.FullyShardedModule(holder)


# Larger groups ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [2, 4])
@pytest.mark.parametrize("quantized", [False, True])
def test_parts_make_the_whole(monkeypatch, count, quantized):
    layer = nn.Linear(256, 8)
    if quantized:
        layer = layer.to_quantized()
    x, want = mx.random.normal((3, 256)), layer(mx.zeros((1, 256)))
    want = layer(x)
    ranks = [Rank(i, count) for i in range(count)]
    monkeypatch.setattr(mx.distributed, "all_sum", lambda x, group=None, stream=None: x)
    monkeypatch.setattr(sharding, "_summing", lambda group: lambda x: x)
    parts = [shard_linear(layer, "all-to-sharded", group=rank) for rank in ranks]
    assert all(part.weight.shape[0] == 8 // count and part.bias.shape == (8 // count,) for part in parts)
    assert "input_dims=256, output_dims=8" in repr(parts[0])
    check(mx.concatenate([part(x) for part in parts], axis=-1), want, 1e-4)

    parts = [shard_linear(layer, "sharded-to-all", group=rank) for rank in ranks]
    assert "input_dims=256, output_dims=8" in repr(parts[0])
    products = [part(share) - part.bias for part, share in zip(parts, mx.split(x, count, axis=-1))]
    check(sum(products) + layer.bias, want, 1e-4)


@pytest.mark.parametrize("segments", [3, [1 / 3, 2 / 3], [4, 8]])
def test_segments_are_shared_one_by_one(segments):
    layer = nn.Linear(64, 12)
    q, k, v = mx.split(layer.weight, 3)
    for rank in range(2):
        part = shard_linear(layer, "all-to-sharded", segments=segments, group=Rank(rank, 2))
        rows = slice(2 * rank, 2 * rank + 2)
        check(part.weight, mx.concatenate([q[rows], k[rows], v[rows]]))


@pytest.mark.parametrize("segments", [2, [0.5], [128]])
def test_segments_of_packed_columns_count_features(segments):
    layer = nn.Linear(256, 4).to_quantized()
    whole = mx.dequantize(layer.weight, layer.scales, layer.biases)
    for rank in range(2):
        part = shard_linear(layer, "sharded-to-all", segments=segments, group=Rank(rank, 2))
        columns = [whole[:, 64 * i : 64 * i + 64] for i in (rank, 2 + rank)]
        check(mx.dequantize(part.weight, part.scales, part.biases), mx.concatenate(columns, axis=1))


def test_shard_inplace():
    model = nn.Sequential(nn.Linear(8, 4), nn.LayerNorm(4))
    weight = model.layers[0].weight

    def choose(path, weight):
        return (0, 2) if path == "layers.0.weight" else 0 if path == "layers.0.bias" else None

    shard_inplace(model, choose, group=Rank(1, 2))
    check(model.layers[0].weight, weight[1::2])
    assert model.layers[0].bias.shape == (2,) and model.layers[1].weight.shape == (4,)
    for sharding_, shape in zip(SHARDINGS, [(3, 3, 3, 4), (6, 3, 3, 2)]):
        convolution = nn.Conv2d(4, 6, 3)
        if sharding_ == "all-to-sharded":  # the axis before the last, which is no output of a convolution
            shard_inplace(convolution, lambda path, weight: 0, group=Rank(0, 2))
        else:
            shard_inplace(convolution, sharding_, group=Rank(0, 2))
        assert convolution.weight.shape == shape


def test_errors():
    for call in (shard_linear, shard_inplace):
        with pytest.raises(ValueError, match="Expected 'all-to-sharded' or 'sharded-to-all', not str 'rows'"):
            call(nn.Linear(4, 4), "rows")
    with pytest.raises(ValueError, match="Expected a Linear or QuantizedLinear, not LayerNorm"):
        shard_linear(nn.LayerNorm(4), "all-to-sharded")
    with pytest.raises(ValueError, match="cannot be shared by 2 processes"):
        shard_linear(nn.Linear(4, 3), "all-to-sharded", group=Rank(0, 2))
    for kind, sizes in ((nn.AllToShardedLinear, (4, 3)), (nn.ShardedToAllLinear, (3, 4))):
        with pytest.raises(ValueError, match=r"_dims \(3\) cannot be shared by 2 processes"):
            kind(*sizes, group=Rank(0, 2))
    for kind, sizes in ((nn.QuantizedAllToShardedLinear, (64, 3)), (nn.QuantizedShardedToAllLinear, (63, 4))):
        with pytest.raises(ValueError, match=r"_dims \(\d+\) cannot be shared by 2 processes"):
            kind(*sizes, group=Rank(0, 2))
    with pytest.raises(ValueError, match="weight cannot be split into 2 parts along axis 0"):
        nn.FullyShardedModule(nn.Linear(4, 3), Rank(0, 2))


@pytest.mark.parametrize("size", [0, 1, 100, 32 * 1024**2])
def test_average_gradients(monkeypatch, size):
    """The other process has twice our gradients."""
    sent = []

    def all_sum(x, group=None, stream=None):
        sent.append(x.size)
        return 3 * x

    monkeypatch.setattr(mx.distributed, "all_sum", all_sum)
    tree = {"a": mx.random.normal((4, 3)), "b": [mx.random.normal((20,)), (mx.array(2.0),)], "c": {}}
    got = average_gradients(tree, Rank(0, 2), all_reduce_size=size)
    check(got["a"], 1.5 * tree["a"])
    check(got["b"][0], 1.5 * tree["b"][0])
    assert got["b"][1][0].item() == 3 and got["c"] == {}
    assert sent == {0: [12, 20, 1], 1: [12, 20, 1], 100: [32, 1]}.get(size, [33])
    sent.clear()
    mixed = {"a": mx.ones(2), "b": mx.ones(3, mx.float16)}
    assert average_gradients(mixed, Rank(0, 2), size)["b"].dtype == mx.float16 and sent == [2, 3]


def test_clip_grad_norm_sharded(monkeypatch):
    monkeypatch.setattr(mx.distributed, "all_sum", lambda x, group=None, stream=None: 4 * x)
    got, norm = clip_grad_norm_sharded({"a": mx.array([3.0, 4.0])}, 5.0, Rank(0, 4))
    assert norm.item() == 10
    check(got["a"], [1.5, 2.0])


def test_fully_sharded_parts(monkeypatch):
    linear = nn.Linear(4, 6)
    weight = linear.weight
    monkeypatch.setattr(nn.FullyShardedModule, "_gather", lambda self, x: mx.concatenate([x, x]))
    wrapped = nn.fully_shard(linear, group=Rank(1, 2))
    assert isinstance(wrapped, nn.FullyShardedModule) and nn.fully_shard(wrapped, group=Rank(1, 2)) is wrapped
    check(linear.weight, weight[3:])
    assert wrapped(mx.ones((2, 4))).shape == (2, 6) and linear.weight.shape == (3, 4)
    outer = nn.Sequential(wrapped)
    assert nn.fully_shard(outer, group=Rank(1, 2)) is outer  # no parameters of its own
    outer.scale = mx.ones(2)
    assert nn.fully_shard(outer, group=Rank(1, 2)).module.scale.shape == (1,) and linear.weight.shape == (
        3,
        4,
    )
