"""Layers against torch in float64: values and gradients with the same weights. Run by `make test-torch`."""

import math

import numpy as np
import pytest
import torch
from torch import nn as tn

import mlx.core as mx
import mlx.nn as nn
from mlx.utils import tree_flatten, tree_unflatten

torch.set_num_threads(1)

# How parameters of ours become torch's: {torch's name: array}. What is not named is zero in torch.


def same(p):
    return p


def convolution(p):
    return p | {"weight": np.moveaxis(p["weight"], -1, 1)}


def transposed(p):
    return p | {"weight": np.moveaxis(p["weight"], -1, 0)}


def bilinear(p):
    return p | {"weight": np.swapaxes(p["weight"], 1, 2)}


def rnn(p):
    return {"weight_ih_l0": p["Wxh"], "weight_hh_l0": p["Whh"], "bias_ih_l0": p["bias"]}


def gru(p):
    hidden = np.concatenate([np.zeros(2 * len(p["bhn"])), p["bhn"]])
    return {"weight_ih_l0": p["Wx"], "weight_hh_l0": p["Wh"], "bias_ih_l0": p["b"], "bias_hh_l0": hidden}


def lstm(p):
    return {"weight_ih_l0": p["Wx"], "weight_hh_l0": p["Wh"], "bias_ih_l0": p["bias"]}


def attention(p, prefix=""):
    named = {}
    for kind in ("weight", "bias"):
        if f"query_proj.{kind}" in p:
            parts = [p[f"{name}_proj.{kind}"] for name in ("query", "key", "value")]
            named[f"{prefix}in_proj_{kind}"] = np.concatenate(parts)
            named[f"{prefix}out_proj.{kind}"] = p[f"out_proj.{kind}"]
    return named


def transformer(p):
    """Also of stacks and of a single layer."""
    names = {"self_attention": "self_attn", "attention": "self_attn", "cross_attention": "multihead_attn"}
    groups, named = {}, {}
    for name, value in p.items():
        *path, module, last = name.split(".")
        for own in names:
            if own in path:
                at = path.index(own)
                prefix = ".".join([*path[:at], names[own], ""])
                groups.setdefault(prefix, {})[f"{module}.{last}"] = value
                break
        else:
            module = "norm" + module[2:] if module.startswith("ln") else module
            named[".".join([*path, module, last])] = value
    for prefix, part in groups.items():
        named |= attention(part, prefix)
    return named


T = dict(dropout=0.0, batch_first=True)
# Ours, torch's, shapes of the inputs, names of parameters; flags: c = channels last, mN = N masks follow.
ROWS = [
    ("nn.Identity()", lambda: tn.Identity(), [(2, 3)], same, ""),
    ("nn.Linear(4, 3)", lambda: tn.Linear(4, 3), [(2, 5, 4)], same, ""),
    ("nn.Bilinear(4, 5, 3)", lambda: tn.Bilinear(4, 5, 3), [(2, 4), (2, 5)], bilinear, ""),
    ("nn.Embedding(7, 4)", lambda: tn.Embedding(7, 4), [("ids", 7, 2, 3)], same, ""),
    (
        "nn.Sequential(nn.Linear(4, 3), nn.Tanh())",
        lambda: tn.Sequential(tn.Linear(4, 3), tn.Tanh()),
        [(2, 4)],
        lambda p: {name.removeprefix("layers."): value for name, value in p.items()},
        "",
    ),
    ("nn.Conv1d(4, 6, 3, 2, 1, 2, 2)", lambda: tn.Conv1d(4, 6, 3, 2, 1, 2, 2), [(2, 9, 4)], convolution, "c"),
    (
        "nn.Conv2d(4, 6, 3, 2, 1, 2, 2)",
        lambda: tn.Conv2d(4, 6, 3, 2, 1, 2, 2),
        [(2, 9, 8, 4)],
        convolution,
        "c",
    ),
    ("nn.Conv3d(2, 3, 2, 2, 1)", lambda: tn.Conv3d(2, 3, 2, 2, 1), [(2, 4, 5, 3, 2)], convolution, "c"),
    (
        "nn.ConvTranspose1d(4, 3, 3, 2, 1, 2, 1)",
        lambda: tn.ConvTranspose1d(4, 3, 3, 2, 1, 1, dilation=2),
        [(2, 5, 4)],
        transposed,
        "c",
    ),
    (
        "nn.ConvTranspose2d(4, 3, (3, 2), 2, (1, 0), 1, (1, 0))",
        lambda: tn.ConvTranspose2d(4, 3, (3, 2), 2, (1, 0), (1, 0)),
        [(2, 3, 4, 4)],
        transposed,
        "c",
    ),
    (
        "nn.ConvTranspose3d(2, 3, 2, 2)",
        lambda: tn.ConvTranspose3d(2, 3, 2, 2),
        [(1, 3, 2, 3, 2)],
        transposed,
        "c",
    ),
    *(
        (
            f"nn.{kind}Pool{n}d(3, 2, 1)",
            (lambda k=kind, n=n: getattr(tn, f"{k}Pool{n}d")(3, 2, 1)),
            [shape],
            same,
            "c",
        )
        for kind in ("Max", "Avg")
        for n, shape in ((1, (2, 7, 3)), (2, (2, 6, 5, 3)), (3, (1, 4, 5, 6, 2)))
    ),
    ("nn.LayerNorm(6)", lambda: tn.LayerNorm(6), [(2, 3, 6)], same, ""),
    ("nn.RMSNorm(6)", lambda: tn.RMSNorm(6, eps=1e-5), [(2, 3, 6)], same, ""),
    ("nn.GroupNorm(2, 6, pytorch_compatible=True)", lambda: tn.GroupNorm(2, 6), [(2, 3, 4, 6)], same, "c"),
    ("nn.InstanceNorm(6, affine=True)", lambda: tn.InstanceNorm2d(6, affine=True), [(2, 3, 4, 6)], same, "c"),
    ("nn.BatchNorm(6)", lambda: tn.BatchNorm1d(6), [(5, 6)], same, "c"),
    ("nn.BatchNorm(6)", lambda: tn.BatchNorm2d(6), [(2, 3, 4, 6)], same, "c"),
    ("nn.Dropout(0.3).eval()", lambda: tn.Dropout(0.3).eval(), [(2, 3)], same, ""),
    ("nn.Dropout2d(0.3).eval()", lambda: tn.Dropout2d(0.3).eval(), [(2, 3, 4, 5)], same, "c"),
    ("nn.Dropout3d(0.3).eval()", lambda: tn.Dropout3d(0.3).eval(), [(2, 3, 4, 5, 2)], same, "c"),
    ("nn.Upsample(2)", lambda: tn.Upsample(scale_factor=2), [(2, 3, 4, 2)], same, "c"),
    *(
        (
            f"nn.Upsample({scale}, {mode!r}, {aligned})",
            lambda s=scale, t=torchs, a=aligned: tn.Upsample(scale_factor=s, mode=t, align_corners=a),
            [shape],
            same,
            "c",
        )
        for mode, torchs, shape in (
            ("linear", "linear", (2, 6, 2)),
            ("linear", "bilinear", (2, 6, 4, 2)),
            ("linear", "trilinear", (1, 4, 2, 6, 2)),
            ("cubic", "bicubic", (2, 6, 4, 2)),
        )
        for scale in (2.0, 1.5, 0.5)
        for aligned in (False, True)
    ),
    ("nn.RNN(4, 3)", lambda: tn.RNN(4, 3, batch_first=True), [(2, 5, 4)], rnn, ""),
    ("nn.GRU(4, 3)", lambda: tn.GRU(4, 3, batch_first=True), [(2, 5, 4)], gru, ""),
    ("nn.LSTM(4, 3)", lambda: tn.LSTM(4, 3, batch_first=True), [(2, 5, 4)], lstm, ""),
    (
        "nn.MultiHeadAttention(8, 2, bias=True)",
        lambda: tn.MultiheadAttention(8, 2, batch_first=True),
        [(2, 5, 8), (2, 6, 8), (2, 6, 8)],
        attention,
        "",
    ),
    *(
        row
        for first in (True, False)
        for row in [
            (
                f"nn.TransformerEncoderLayer(8, 2, 16, norm_first={first})",
                lambda f=first: tn.TransformerEncoderLayer(8, 2, 16, norm_first=f, **T),
                [(2, 5, 8)],
                transformer,
                "m1",
            ),
            (
                f"nn.TransformerDecoderLayer(8, 2, 16, activation=nn.gelu, norm_first={first})",
                lambda f=first: tn.TransformerDecoderLayer(8, 2, 16, norm_first=f, activation="gelu", **T),
                [(2, 5, 8), (2, 6, 8)],
                transformer,
                "m2",
            ),
            (
                f"nn.Transformer(8, 2, 2, 1, 16, norm_first={first})",
                lambda f=first: tn.Transformer(8, 2, 2, 1, 16, norm_first=f, **T),
                [(2, 5, 8), (2, 6, 8)],
                transformer,
                "m3",
            ),
        ]
    ),
    ("nn.PReLU(3)", lambda: tn.PReLU(3), [(5, 3)], same, ""),
    ("nn.GLU()", lambda: tn.GLU(), [(5, 4)], same, ""),
]


def draw(shape, rng):
    return rng.integers(0, shape[1], shape[2:]) if shape[0] == "ids" else rng.normal(size=shape)


def channels_first(x):
    return np.moveaxis(x, -1, 1)


def close(got, want, tolerance=1e-7):
    np.testing.assert_allclose(np.array(got), want.detach().numpy(), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("ours, theirs, shapes, naming, flags", ROWS, ids=[row[0] for row in ROWS])
def test_layer(ours, theirs, shapes, naming, flags):
    rng = np.random.default_rng(0)
    layer, other = eval(ours), theirs().double()
    layer.set_dtype(mx.float64)
    flat = {name: rng.normal(size=p.shape) * 0.5 for name, p in tree_flatten(layer.parameters())}
    flat |= {name: np.abs(value) for name, value in flat.items() if "running_var" in name}
    layer.update(tree_unflatten([(name, mx.array(value, mx.float64)) for name, value in flat.items()]) or {})
    named, state = naming(flat), other.state_dict()
    assert named.keys() <= state.keys()
    other.load_state_dict(
        {n: torch.tensor(named[n]) if n in named else torch.zeros_like(t) for n, t in state.items()}
    )

    inputs = [draw(shape, rng) for shape in shapes]
    last = "c" in flags
    tensors = [torch.tensor(np.ascontiguousarray(channels_first(x) if last else x)) for x in inputs]
    discrete = inputs[0].dtype.kind == "i"
    for tensor in tensors if not discrete else []:
        tensor.requires_grad_()
    want = other(*tensors)
    want = want[0] if isinstance(want, tuple) else want
    want = torch.movedim(want, 1, -1) if last else want
    weights = rng.normal(size=tuple(want.shape))
    (want * torch.tensor(weights)).sum().backward()

    masks = {"m1": 1, "m2": 2, "m3": 3}.get(flags, 0)
    arrays = [mx.array(x, mx.int32 if discrete else mx.float64) for x in inputs]

    def loss(parameters, arrays):
        layer.update(parameters)
        y = layer(*arrays, *[None] * masks)
        y = y[0] if isinstance(y, tuple) else y
        return mx.sum(y * mx.array(weights, mx.float64)), y

    trainable = layer.trainable_parameters()
    (_, got), slopes = mx.value_and_grad(loss, argnums=0 if discrete else (0, 1))(trainable, arrays)
    close(got, want)
    slopes = (slopes,) if discrete else slopes
    if not discrete:
        for slope, tensor in zip(slopes[1], tensors):
            close(channels_first(np.array(slope)) if last else slope, tensor.grad)
    of_ours = {name: np.array(value) for name, value in tree_flatten(slopes[0])}
    theirs_now = dict(other.named_parameters())
    for name, slope in naming(of_ours).items() if of_ours else ():
        gradient = theirs_now[name].grad
        if name == "bias_hh_l0":  # only the rows of bhn are parameters of ours
            gradient, slope = gradient[-3:], slope[-3:]
        close(slope, gradient)
    if "BatchNorm" in ours:  # both moved their statistics
        close(layer.running_mean, other.running_mean)
        close(layer.running_var, other.running_var)


def test_antialiased_upsample():
    x = np.random.default_rng(0).normal(size=(2, 9, 6, 3))
    tensor = torch.tensor(channels_first(x))
    want = tn.functional.interpolate(tensor, scale_factor=1 / 3, mode="bilinear", antialias=True)
    got = nn.Upsample(1 / 3, mode="linear", antialias=True)(mx.array(x, mx.float64))
    close(got, torch.movedim(want, 1, -1))


def test_causal_attention():
    rng = np.random.default_rng(0)
    layer, x = nn.MultiHeadAttention(8, 2), rng.normal(size=(2, 5, 8))
    layer.set_dtype(mx.float64)
    other = tn.MultiheadAttention(8, 2, bias=False, batch_first=True).double()
    flat = {name: np.array(p) for name, p in tree_flatten(layer.parameters())}
    other.load_state_dict({name: torch.tensor(value) for name, value in attention(flat).items()})
    mask = tn.Transformer.generate_square_subsequent_mask(5).double()
    want, _ = other(*[torch.tensor(x)] * 3, attn_mask=mask)
    for own in ("causal", nn.MultiHeadAttention.create_additive_causal_mask(5, mx.float64)):
        close(layer(*[mx.array(x, mx.float64)] * 3, own), want)


def test_positions():
    """What torch has no layer for, from its complex numbers and its tables."""
    x = np.random.default_rng(0).normal(size=(2, 5, 8))
    angles = torch.outer(torch.arange(5).double(), 10000 ** (-torch.arange(0, 8, 2).double() / 8))
    turned = torch.view_as_complex(torch.tensor(x).reshape(2, 5, 4, 2)) * torch.polar(
        torch.ones(5, 4).double(), angles
    )
    close(
        nn.RoPE(8, traditional=True)(mx.array(x, mx.float64)),
        torch.view_as_real(turned).reshape(2, 5, 8),
        1e-5,
    )
    encoded = nn.SinusoidalPositionalEncoding(8, min_freq=1e-3)(mx.arange(5))
    angles = torch.outer(torch.arange(5).double(), torch.logspace(0, -3, 4).double())
    close(encoded, torch.cat([angles.sin(), angles.cos()], -1) * 0.5, 1e-5)
    distance = (torch.arange(3)[:, None] - torch.arange(5)).abs()
    want = -distance * torch.tensor([2.0**-2, 2.0**-4, 2.0**-6, 2.0**-8])[:, None, None]
    close(nn.ALiBi()(mx.zeros((1, 4, 3, 5))), want[None])


@pytest.mark.parametrize("mode", ["affine", "mxfp4", "mxfp8", "nvfp4"])
def test_quantized(mode):
    """The product with the dequantized weight."""
    layer, x = nn.QuantizedLinear(64, 8, mode=mode), mx.random.normal((3, 64))
    parts = [layer[name] for name in ("weight", "scales", "biases") if name in layer]
    weight = np.array(mx.dequantize(*parts, mode=mode).astype(mx.float32))
    want = tn.functional.linear(torch.tensor(np.array(x)), torch.tensor(weight))
    close(layer(x), want, 1e-5)
    rows = nn.QuantizedEmbedding(8, 64, mode=mode)
    parts = [rows[name] for name in ("weight", "scales", "biases") if name in rows]
    table = torch.tensor(np.array(mx.dequantize(*parts, mode=mode).astype(mx.float32)))
    close(rows(mx.array([1, 5])).astype(mx.float32), tn.functional.embedding(torch.tensor([1, 5]), table))
    if mode in ("mxfp8", "nvfp4"):
        layer = nn.QQLinear(64, 8, mode=mode)
        pair = [mx.dequantize(*mx.quantize(a, mode=mode), mode=mode) for a in (x, layer.weight)]
        pair = [torch.tensor(np.array(a.astype(mx.float32))) for a in pair]
        close(layer(x), tn.functional.linear(*pair), 1e-5)


@pytest.mark.parametrize("name", ["Dropout", "Dropout2d", "Dropout3d"])
def test_dropout_moments(name):
    shape = {"Dropout": (400, 300), "Dropout2d": (400, 2, 3, 300), "Dropout3d": (400, 2, 1, 2, 300)}[name]
    got = np.array(getattr(nn, name)(0.3)(mx.ones(shape)))
    want = getattr(tn, name)(0.3)(torch.ones(*[shape[0], shape[-1], *shape[1:-1]])).numpy()
    assert np.mean(got) == pytest.approx(np.mean(want), abs=0.01)
    assert np.std(got) == pytest.approx(np.std(want), abs=0.01)
    assert sorted({round(float(v), 4) for v in np.unique(got)}) == [0, round(1 / 0.7, 4)]
    assert math.prod(shape) == want.size
