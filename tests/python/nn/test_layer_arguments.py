"""What the rows of the layer table do not show: errors, defaults, first values, masks, scalars."""

import math

import numpy as np
import pytest

import mlx.core as mx
import mlx.nn as nn
from mlx.nn.layers import upsample
from mlx.utils import tree_flatten

ERRORS = [
    (lambda: nn.MultiHeadAttention(8, 3), r"dims \(8\) must be divisible by the number of heads \(3\)"),
    (lambda: nn.MultiHeadAttention(8, 2, value_dims=5), r"value_dims \(5\) must be divisible"),
    (lambda: nn.MultiHeadAttention(8, 2)(*[mx.ones((5, 8))] * 3), r"queries must have axes \(N, L, dims\)"),
    (lambda: nn.MultiHeadAttention(8, 2)(*[mx.ones((1, 5, 8))] * 3, "upper"), "upper"),
    (lambda: nn.TransformerEncoderLayer(8, 3), "divisible"),
    (lambda: nn.SinusoidalPositionalEncoding(5), "dims must be even but is 5"),
    (lambda: nn.SinusoidalPositionalEncoding(0), "dims must be positive but is 0"),
    (lambda: nn.ALiBi()(mx.ones((3, 3))), r"scores of shape \(\.\.\., H, L, S\), not \(3, 3\)"),
    (lambda: nn.Upsample(2, "area"), "mode must be nearest, linear or cubic, not 'area'"),
    (
        lambda: nn.Upsample(2, "linear", True, True),
        "antialias needs mode linear or cubic without align_corners",
    ),
    (lambda: nn.Upsample(2, antialias=True), "antialias needs mode"),
    (lambda: nn.Upsample((2, 2))(mx.ones((1, 4, 1))), "2 scale factors need an input"),
    (lambda: nn.Upsample(2)(mx.ones((4, 1))), "1 scale factors need an input"),
    (lambda: nn.Upsample(0.2, "cubic")(mx.ones((1, 4, 1))), "Size 4 times scale factor 0.2 leaves nothing"),
    (
        lambda: nn.MultiHeadAttention(4, 2, value_dims=-2),
        r"\[MultiHeadAttention\] value_dims must be positive",
    ),
    (lambda: nn.TransformerEncoder(0, -4, 2), r"\[LayerNorm\] dims must be positive but is -4"),
    (lambda: nn.RNN(4, 3, nonlinearity=3), "nonlinearity must be a function, not int 3"),
    (lambda: nn.RNN(0, 3), r"\[RNN\] input_size must be positive but is 0"),
    (lambda: nn.GRU(4, -1), r"\[GRU\] hidden_size must be positive but is -1"),
    (lambda: nn.LSTM(4, 3)(mx.ones((2, 0, 4))), r"of at least one step, not array of shape \(2, 0, 4\)"),
    (lambda: nn.GRU(4, 3)(mx.ones(4)), r"\[GRU\] Expected an input"),
    (lambda: nn.RNN(4, 3)(mx.ones((2, 5))), "matmul|addmm"),
    (lambda: nn.ConvTranspose2d(4, 3, (1, 2, 3)), "kernel_size must be an integer or a tuple of 2 integers"),
    (lambda: nn.ConvTranspose1d(4, 3, 0), r"\[ConvTranspose1d\] kernel_size must be at least 1 but is 0"),
    (lambda: nn.ConvTranspose3d(4, 3, 2, output_padding=-1), "output_padding must be at least 0"),
    (lambda: nn.ConvTranspose1d(4, 3, 2)(mx.ones((1, 5, 3))), "conv"),
    (lambda: nn.ConvTranspose2d(0, 3, 2), "in_channels must be positive"),
]


@pytest.mark.parametrize("call, message", ERRORS)
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        mx.eval(call())


@pytest.mark.parametrize("make", [nn.RNN, nn.GRU, nn.LSTM])
def test_recurrent_start(make):
    mx.random.seed(0)
    layer = make(8, 16)
    for _, p in tree_flatten(layer.parameters()):
        largest = mx.max(mx.abs(p)).item()
        assert 0.5 * math.sqrt(1 / 16) < largest <= math.sqrt(1 / 16)
    x = mx.random.normal((2, 5, 8))
    whole = layer(x)
    states = whole if isinstance(whole, tuple) else (whole,)
    zeros = [mx.zeros((2, 16))] * len(states)
    again = layer(x, *zeros)
    assert mx.array_equal((again if isinstance(again, tuple) else (again,))[0], states[0])
    # In two parts, the second beginning where the first ended.
    first = layer(x[:, :3])
    first = first if isinstance(first, tuple) else (first,)
    second = layer(x[:, 3:], *[state[:, -1] for state in first])
    second = second if isinstance(second, tuple) else (second,)
    assert mx.allclose(mx.concatenate([first[0], second[0]], axis=1), states[0], atol=1e-6)


def test_causal_mask():
    for dtype, lowest in ((mx.float32, -3.4028234663852886e38), (mx.float16, -65504)):
        mask = nn.MultiHeadAttention.create_additive_causal_mask(3, dtype)
        assert mask.dtype == dtype
        values = np.array(mask.astype(mx.float32))
        assert np.array_equal(values, np.triu(np.full((3, 3), lowest, np.float32), 1))
        assert np.signbit(values).all()
    bfloat = nn.MultiHeadAttention.create_additive_causal_mask(2, mx.bfloat16)
    assert mx.isfinite(bfloat).all().item() and bfloat[0, 1].item() < -3e38


def test_attention_masks():
    layer, x = nn.MultiHeadAttention(8, 2), mx.random.normal((2, 4, 8))
    additive = nn.MultiHeadAttention.create_additive_causal_mask(4)
    visible = mx.tril(mx.ones((4, 4), mx.bool_))
    want = layer(x, x, x, "causal")
    for mask in (additive, visible, mx.broadcast_to(visible, (2, 1, 4, 4))):
        assert mx.allclose(layer(x, x, x, mask), want, atol=1e-6)
    # The first query sees the first value only.
    alone = layer(x[:, :1], x[:, :1], x[:, :1])
    assert mx.allclose(want[:, :1], alone, atol=1e-6)
    layer.set_dtype(mx.float16)
    half = layer(
        *[x.astype(mx.float16)] * 3, nn.MultiHeadAttention.create_additive_causal_mask(4, mx.float16)
    )
    assert half.dtype == mx.float16 and mx.allclose(half, want, atol=2e-2)


def test_alibi():
    slopes = nn.ALiBi.create_alibi_slope(6)
    assert slopes.shape == (6, 1, 1)
    assert slopes.flatten().tolist() == [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125]
    assert nn.ALiBi.create_alibi_slope(1, mx.float16).tolist() == [[[2**-8]]]
    matrix = nn.ALiBi.create_alibi_matrix(5, 4, 2, offset=3, dtype=mx.bfloat16)
    assert matrix.shape == (1, 2, 2, 4) and matrix.dtype == mx.bfloat16
    assert (matrix[0, 0] * -16).tolist() == [[3, 2, 1, 0], [4, 3, 2, 1]]
    scores, bias = mx.random.normal((2, 4, 3, 3)), nn.ALiBi()
    added = bias(scores, mask=mx.ones((3, 3)))
    assert mx.allclose(added, bias(scores) + 1, atol=1e-6)
    hidden = bias(scores, mask=mx.tril(mx.ones((3, 3), mx.bool_)))
    assert mx.array_equal(mx.tril(hidden), mx.tril(bias(scores)))
    assert hidden[0, 0, 0, 1].item() == mx.finfo(mx.float32).min
    assert bias(scores.astype(mx.float16), mask=mx.ones((3, 3))).dtype == mx.float16


def test_sinusoidal_options():
    x = mx.arange(4)
    plain = nn.SinusoidalPositionalEncoding(4)
    assert list(plain.parameters()) == [] and plain._sigmas.tolist() == pytest.approx([1, 1e-4])
    first = nn.SinusoidalPositionalEncoding(4, cos_first=True)
    sines, cosines = mx.split(plain(x), 2, axis=-1)
    assert mx.array_equal(first(x), mx.concatenate([cosines, sines], axis=-1))
    turns = nn.SinusoidalPositionalEncoding(2, max_freq=0.25, full_turns=True, scale=2.0)
    assert turns._sigmas.tolist() == pytest.approx([math.pi / 2])
    np.testing.assert_allclose(np.array(turns(x)), [[0, 2], [2, 0], [0, -2], [-2, 0]], atol=1e-5)


def test_upsample_values_and_dtypes():
    ramp = mx.array([0.0, 1.0, 2.0]).reshape(1, 3, 1)
    got = nn.Upsample(2, mode="linear")(ramp).flatten().tolist()
    assert got == [0, 0.25, 0.75, 1.25, 1.75, 2]
    for mode in ("nearest", "linear", "cubic"):
        for dtype in (mx.float16, mx.bfloat16, mx.float64):
            assert nn.Upsample(1.5, mode)(ramp.astype(dtype)).dtype == dtype
        integer = nn.Upsample(2, mode)(ramp.astype(mx.int32))
        assert integer.dtype == (mx.int32 if mode == "nearest" else mx.float32)
    assert mx.array_equal(upsample.upsample_linear(ramp, (2,)), nn.Upsample(2, "linear")(ramp))
    aligned = nn.Upsample(2, "linear", align_corners=True)(ramp)
    assert aligned[0, 0, 0].item() == 0 and aligned[0, -1, 0].item() == 2
    single = nn.Upsample(1, "linear", align_corners=True)(ramp[:, :1])
    assert single.shape == (1, 1, 1)


def test_transformer_parts():
    class Plain(nn.Module):
        """Has no parameters, so it is an empty dict."""

        def __call__(self, x, *others):
            return x

    model = nn.Transformer(8, 2, custom_encoder=Plain(), custom_decoder=Plain())
    assert isinstance(model.encoder, Plain) and isinstance(model.decoder, Plain)
    default = nn.Transformer(16, 2, 1, 1)
    assert default.encoder.layers[0].linear1.weight.shape == (64, 16)
    assert len(nn.Transformer().encoder.layers) == 6 and nn.Transformer().decoder.layers[
        0
    ].ln3.weight.shape == (512,)
    layer = nn.TransformerEncoderLayer(8, 2, dropout=0.5)
    x = mx.random.normal((1, 4, 8))
    mx.random.seed(0)
    assert not mx.array_equal(layer(x, None), layer(x, None))
    layer.eval()
    assert mx.array_equal(layer(x, None), layer(x, None))
    with pytest.raises(TypeError):
        layer(x)  # the mask is required


SIZED = {
    "Embedding": lambda f: nn.Embedding(f(6), f(100)),
    "Linear": lambda f: nn.Linear(f(4), f(2)),
    "Bilinear": lambda f: nn.Bilinear(f(4), f(2), f(3)),
    "LayerNorm": lambda f: nn.LayerNorm(f(4)),
    "RMSNorm": lambda f: nn.RMSNorm(f(4)),
    "GroupNorm": lambda f: nn.GroupNorm(f(2), f(4)),
    "InstanceNorm": lambda f: nn.InstanceNorm(f(4)),
    "BatchNorm": lambda f: nn.BatchNorm(f(4)),
    "RNN": lambda f: nn.RNN(f(4), f(100)),
    "GRU": lambda f: nn.GRU(f(4), f(100)),
    "LSTM": lambda f: nn.LSTM(f(4), f(100)),
    "MultiHeadAttention": lambda f: nn.MultiHeadAttention(f(4), f(2)),
    "TransformerEncoderLayer": lambda f: nn.TransformerEncoderLayer(f(100), f(2)),
    "TransformerDecoderLayer": lambda f: nn.TransformerDecoderLayer(f(100), f(2)),
    "Conv1d": lambda f: nn.Conv1d(f(4), f(6), f(3), f(1), f(1), f(1), f(2)),
    "Conv2d": lambda f: nn.Conv2d(f(4), f(6), f(3), f(1), f(1), f(1), f(2)),
    "ConvTranspose1d": lambda f: nn.ConvTranspose1d(f(4), f(6), f(3), f(2), f(1), f(1), f(1)),
    "MaxPool2d": lambda f: nn.MaxPool2d(f(3), f(2), f(1)),
    "QuantizedLinear": lambda f: nn.QuantizedLinear(f(64), f(2)),
    "QuantizedEmbedding": lambda f: nn.QuantizedEmbedding(f(6), f(64)),
    "QQLinear": lambda f: nn.QQLinear(f(64), f(2)),
    "AllToShardedLinear": lambda f: nn.AllToShardedLinear(f(4), f(2)),
    "RoPE": lambda f: nn.RoPE(f(4)),
    "SinusoidalPositionalEncoding": lambda f: nn.SinusoidalPositionalEncoding(f(4)),
}


@pytest.mark.parametrize("name", SIZED)
def test_sizes_of_every_kind(name):
    wanted = SIZED[name](int)
    for kind in (np.int64, np.uint8, mx.array):
        found = SIZED[name](kind)
        assert repr(found) == repr(wanted)
        assert list(map(type, vars(found).values())) == list(map(type, vars(wanted).values()))
        shapes = [[(key, a.shape) for key, a in tree_flatten(m.parameters())] for m in (found, wanted)]
        assert shapes[0] == shapes[1]


def test_sizes_of_arrays():
    tokens = mx.array([1, 5, 2])
    assert nn.ALiBi.create_alibi_slope(np.int64(4)).shape == (4, 1, 1)
    assert nn.Embedding(mx.max(tokens) + 1, 4).weight.shape == (6, 4)
    for bad in (mx.array([6]), mx.array(6.0), np.array([6, 7]), True, 6.0, "6"):
        with pytest.raises(TypeError, match="num_embeddings must be an integer"):
            nn.Embedding(bad, 4)
