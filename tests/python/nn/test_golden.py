"""Layers, activations, losses, optimizers and schedules against tests/golden/nn, entry by entry."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as optimizers
from mlx.nn import losses
from mlx.utils import tree_flatten, tree_unflatten

GOLDEN = Path(__file__).parents[2] / "golden"
ENTRIES = json.loads((GOLDEN / "nn.json").read_text())
ARRAYS = np.load(GOLDEN / "nn.npz")

# How many masks follow the inputs.
MASKS = {"TransformerEncoderLayer": 1, "Transformer": 3}
STEP = 0.618033988749895


def ramp(*shape, lo=-1.0, hi=1.0, step=STEP):
    i = np.arange(int(np.prod(shape)), dtype=np.float64)
    return (lo + (hi - lo) * np.modf(i * step + 0.5)[0]).reshape(shape).astype(np.float32)


def name_of(entry):
    return re.match(r"(?:nn\.)?(\w+)", entry["call"]).group(1)


def select(prefix):
    chosen = [(i, e) for i, e in enumerate(ENTRIES) if e["call"].startswith(prefix)]
    return [pytest.param(e, id=f"{i}-{e['call'][:60]}") for i, e in chosen]


def array(entry, name):
    return mx.array(ARRAYS[entry["in"][name][1:]])


def check(entry, results):
    assert len(results) == len(entry["out"])
    for got, out in zip(results, entry["out"]):
        want = ARRAYS[out["array"]]
        assert str(got.dtype).rsplit(".", 1)[-1] == out["dtype"]
        np.testing.assert_allclose(np.array(got), want, rtol=1e-5, atol=1e-6)


LAYERS = [p for p in select("nn.") if name_of(p.values[0])[0].isupper()]
ACTIVATIONS = [p for p in select("nn.") if name_of(p.values[0])[0].islower()]
LOSSES = select("losses.")
TRAJECTORIES = [p for p in select("optimizers.") if "apply_gradients" in p.values[0]["call"]]
SCHEDULES = [p for p in select("optimizers.") if "at steps" in p.values[0]["call"]]


def test_every_entry_is_run():
    run = len(LAYERS) + len(ACTIVATIONS) + len(LOSSES) + len(TRAJECTORIES) + len(SCHEDULES)
    assert run + 1 == len(ENTRIES)  # 1: clip_grad_norm


@pytest.mark.parametrize("entry", LAYERS)
def test_layer(entry):
    layer = eval(re.sub(r"( in eval mode| on positions|\(scores .*\))$", "", entry["call"]))
    parameters = tree_flatten(layer.parameters())
    assert [name for name, _ in parameters] == entry["in"].get("parameters", [])
    # The statistics of BatchNorm are filled like the other parameters, a negative variance included.
    filled = [
        (name, mx.array(ramp(*value.shape, lo=-0.5, hi=0.5, step=STEP + 0.001 * i)))
        for i, (name, value) in enumerate(parameters)
    ]
    layer.update(tree_unflatten(filled) or {})
    layer.eval()
    inputs = [array(entry, key) for key in sorted(k for k in entry["in"] if re.fullmatch(r"x\d?", k))]
    results = layer(*inputs, *[None] * MASKS.get(name_of(entry), 0))
    check(entry, results if isinstance(results, tuple) else [results])


@pytest.mark.parametrize("entry", ACTIVATIONS)
def test_activation(entry):
    check(entry, [getattr(nn, name_of(entry))(array(entry, "x"))])


@pytest.mark.parametrize("entry", LOSSES)
def test_loss(entry):
    given = entry["in"]
    first = "logits" if "logits" in given else "p"
    arguments = [array(entry, key) for key in (first, "ids", "t", "v") if key in given]
    function = getattr(losses, re.match(r"losses\.(\w+)", entry["call"]).group(1))
    options = {"label_smoothing": 0.1} if "label_smoothing" in entry["call"] else {}
    check(entry, [function(*arguments, reduction=given["reduction"], **options)])


@pytest.mark.parametrize("entry", TRAJECTORIES)
def test_trajectory(entry):
    optimizer = eval(entry["call"].split(".apply_gradients")[0])
    parameters = {"w": mx.array(ramp(4, 6)), "b": mx.array(ramp(6, step=0.3))}
    results = []
    for i in range(4):
        gradients = {
            "w": mx.array(ramp(4, 6, step=0.7548776662466927 + 0.01 * i)),
            "b": mx.array(ramp(6, step=0.41 + 0.01 * i)),
        }
        parameters = optimizer.apply_gradients(gradients, parameters)
        results += [parameters["w"], parameters["b"]]
    check(entry, results)


@pytest.mark.parametrize("entry", SCHEDULES)
def test_schedule(entry):
    names = {name: getattr(optimizers, name) for name in optimizers.__all__}
    schedule = eval(entry["call"].split(" at steps")[0], {"optimizers": optimizers, **names})
    values = mx.array([float(schedule(mx.array(step, mx.uint64)).item()) for step in range(16)])
    check(entry, [values])
    eager = [float(mx.array(schedule(step)).item()) for step in range(16)]
    np.testing.assert_allclose(np.array(values), eager, rtol=1e-6)


def test_clip_grad_norm():
    entry = ENTRIES[-1]
    assert entry["call"].startswith("optimizers.clip_grad_norm")
    tree = {"a": mx.array(ramp(3, 3)), "b": [mx.array(ramp(4, step=0.3) * 5)]}
    clipped, norm = optimizers.clip_grad_norm(tree, 2.0)
    check(entry, [clipped["a"], clipped["b"][0], norm])
