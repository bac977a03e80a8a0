"""One row per layer: how it is made, what goes in, its parameters, its repr, and the layer by definition."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import layer_oracles as o
import numpy as np


@dataclass(frozen=True)
class Row:
    call: str  # what follows "nn."
    inputs: tuple  # shapes; an int first is the bound of indices
    parameters: str  # "name:shape" in order
    repr: str  # "" for the call itself
    oracle: Callable  # (parameters by name, *inputs)
    extra: tuple = ()  # further arguments of the call
    training: bool = False
    vmap: bool = True

    @property
    def text(self) -> str:
        return self.repr or self.call


ATTENTION = "{0}query_proj.weight:8,8 {0}key_proj.weight:8,8 {0}value_proj.weight:8,8 {0}out_proj.weight:8,8 "
ENCODER = ATTENTION.format("attention.") + (
    "ln1.weight:8 ln1.bias:8 ln2.weight:8 ln2.bias:8 "
    "linear1.weight:16,8 linear1.bias:16 linear2.weight:8,16 linear2.bias:8"
)
DECODER = (ATTENTION.format("self_attention.") + ATTENTION.format("cross_attention.")) + (
    "ln1.weight:8 ln1.bias:8 ln2.weight:8 ln2.bias:8 ln3.weight:8 ln3.bias:8 "
    "linear1.weight:16,8 linear1.bias:16 linear2.weight:8,16 linear2.bias:8"
)
CAUSAL = np.triu(np.full((5, 5), -1e9), 1)


def prefixed(prefix: str, parameters: str) -> str:
    return " ".join(prefix + entry for entry in parameters.split())


def stacked(prefix: str, count: int, parameters: str) -> str:
    layers = [prefixed(f"{prefix}layers.{i}.", parameters) for i in range(count)]
    return " ".join([*layers, f"{prefix}ln.weight:8 {prefix}ln.bias:8"])


def plain(function: Callable) -> Callable:
    """An oracle without parameters."""
    return lambda p, *x: function(*x)


LINEAR = [
    Row("Identity(3, a=4)", ((2, 3),), "", "Identity()", plain(lambda x: x)),
    Row(
        "Linear(4, 3)",
        ((2, 5, 4),),
        "weight:3,4 bias:3",
        "Linear(input_dims=4, output_dims=3, bias=True)",
        o.linear,
    ),
    Row(
        "Linear(4, 3, False)",
        ((4,),),
        "weight:3,4",
        "Linear(input_dims=4, output_dims=3, bias=False)",
        o.linear,
    ),
    Row(
        "Bilinear(4, 5, 3)",
        ((2, 4), (2, 5)),
        "weight:3,5,4 bias:3",
        "Bilinear(input1_dims=4, input2_dims=5, output_dims=3, bias=True)",
        o.bilinear,
    ),
    Row("Embedding(7, 4)", ((7, 2, 3),), "weight:7,4", "Embedding(7, 4)", lambda p, i: p["weight"][i]),
    Row(
        "Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2, bias=False))",
        ((5, 4),),
        "layers.0.weight:3,4 layers.0.bias:3 layers.2.weight:2,3",
        "Sequential(\n  (layers.0): Linear(input_dims=4, output_dims=3, bias=True)\n  (layers.1): ReLU()\n"
        "  (layers.2): Linear(input_dims=3, output_dims=2, bias=False)\n)",
        lambda p, x: o.relu(x @ p["layers.0.weight"].T + p["layers.0.bias"]) @ p["layers.2.weight"].T,
    ),
]

CONVOLUTION = [
    Row(
        "Conv1d(4, 6, 3, stride=2, padding=1, dilation=2, groups=2)",
        ((2, 9, 4),),
        "weight:6,3,2 bias:6",
        "Conv1d(4, 6, kernel_size=3, stride=2, padding=1, dilation=2, groups=2, bias=True)",
        lambda p, x: o.convolve(p, x, 2, 1, 2, 2),
    ),
    Row(
        "Conv2d(4, 6, (3, 2), 2, (1, 0), 2, 2, bias=False)",
        ((2, 9, 8, 4),),
        "weight:6,3,2,2",
        "Conv2d(4, 6, kernel_size=(3, 2), stride=(2, 2), padding=(1, 0), dilation=2, groups=2, bias=False)",
        lambda p, x: o.convolve(p, x, [2, 2], [1, 0], [2, 2], 2),
    ),
    Row(
        "Conv3d(2, 3, 2, stride=(1, 2, 1), dilation=2)",
        ((1, 4, 5, 4, 2),),
        "weight:3,2,2,2,2 bias:3",
        "Conv3d(2, 3, kernel_size=(2, 2, 2), stride=(1, 2, 1), padding=(0, 0, 0), dilation=2, bias=True)",
        lambda p, x: o.convolve(p, x, [1, 2, 1], [0, 0, 0], [2, 2, 2]),
    ),
    Row(
        "ConvTranspose1d(4, 3, 3, stride=2, padding=1, dilation=2, output_padding=1)",
        ((2, 5, 4),),
        "weight:3,3,4 bias:3",
        "ConvTranspose1d(4, 3, kernel_size=3, stride=2, padding=1, dilation=2, output_padding=1, bias=True)",
        lambda p, x: o.convolve_transpose(p, x, 2, 1, 2, 1),
    ),
    Row(
        "ConvTranspose2d(4, 3, (3, 2), stride=2, padding=(1, 0), output_padding=(1, 0), bias=False)",
        ((2, 3, 4, 4),),
        "weight:3,3,2,4",
        "ConvTranspose2d(4, 3, kernel_size=(3, 2), stride=(2, 2), padding=(1, 0), dilation=1, "
        "output_padding=(1, 0), bias=False)",
        lambda p, x: o.convolve_transpose(p, x, [2, 2], [1, 0], [1, 1], [1, 0]),
    ),
    Row(
        "ConvTranspose3d(2, 3, 2, stride=(1, 2, 2), dilation=2)",
        ((1, 3, 2, 3, 2),),
        "weight:3,2,2,2,2 bias:3",
        "ConvTranspose3d(2, 3, kernel_size=(2, 2, 2), stride=(1, 2, 2), padding=(0, 0, 0), dilation=2, "
        "output_padding=(0, 0, 0), bias=True)",
        lambda p, x: o.convolve_transpose(p, x, [1, 2, 2], [0, 0, 0], [2, 2, 2], [0, 0, 0]),
    ),
]


def pools():
    for axes, shape in ((1, (2, 7, 3)), (2, (2, 5, 6, 3)), (3, (1, 4, 5, 4, 2))):
        for kind, reduce, fill in (("Max", np.max, -np.inf), ("Avg", np.mean, 0)):
            sizes = tuple(tuple([n] * axes) for n in (3, 2, 1))
            yield Row(
                f"{kind}Pool{axes}d(3, 2, 1)",
                (shape,),
                "",
                f"{kind}Pool{axes}d(kernel_size={sizes[0]}, stride={sizes[1]}, padding={sizes[2]})",
                lambda p, x, s=sizes, r=reduce, f=fill: o.pool(x, *s, r, f),
            )


NORMALIZATION = [
    Row(
        "LayerNorm(6)", ((2, 3, 6),), "weight:6 bias:6", "LayerNorm(6, eps=1e-05, affine=True)", o.layer_norm
    ),
    Row(
        "RMSNorm(6)",
        ((2, 3, 6),),
        "weight:6",
        "RMSNorm(6, eps=1e-05)",
        lambda p, x: p["weight"] * x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-5),
    ),
    Row(
        "GroupNorm(2, 6)",
        ((2, 3, 2, 6),),
        "bias:6 weight:6",
        "GroupNorm(2, 6, eps=1e-05, affine=True, pytorch_compatible=False)",
        lambda p, x: o.group_norm(p, x, 2),
    ),
    Row(
        "GroupNorm(2, 6, pytorch_compatible=True)",
        ((2, 4, 6),),
        "bias:6 weight:6",
        "GroupNorm(2, 6, eps=1e-05, affine=True, pytorch_compatible=True)",
        lambda p, x: o.group_norm(p, x, 2, True),
    ),
    Row(
        "InstanceNorm(6, affine=True)",
        ((2, 4, 3, 6),),
        "weight:6 bias:6",
        "InstanceNorm(6, eps=1e-05, affine=True)",
        lambda p, x: o.affine(p, o.normalize(x, (1, 2))),
    ),
    Row(
        "BatchNorm(6)",
        ((5, 4, 6),),
        "weight:6 bias:6 running_mean:6 running_var:6",
        "BatchNorm(6, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)",
        lambda p, x: o.affine(p, (x - p["running_mean"]) / np.sqrt(p["running_var"] + 1e-5)),
    ),
    Row(
        "BatchNorm(6, affine=False, track_running_stats=False)",
        ((5, 6),),
        "",
        "BatchNorm(6, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False)",
        plain(lambda x: o.normalize(x, 0)),
        training=True,
    ),
]

POSITION = [
    Row("Dropout(0.5)", ((3, 4),), "", "Dropout(p=0.5)", plain(lambda x: x)),
    Row("Dropout2d(0.5)", ((1, 3, 2, 4),), "", "Dropout2d(p=0.5)", plain(lambda x: x)),
    Row("Dropout3d(0.5)", ((1, 3, 2, 1, 4),), "", "Dropout3d(p=0.5)", plain(lambda x: x)),
    Row(
        "RoPE(6)",
        ((2, 3, 5, 8),),
        "",
        "RoPE(6, traditional=False, base=10000, scale=1.0)",
        plain(lambda x: o.rope(x, 6, offset=3)),
        extra=(3,),
    ),
    Row(
        "RoPE(8, traditional=True, base=100.0, scale=0.5)",
        ((2, 5, 8),),
        "",
        "",
        plain(lambda x: o.rope(x, 8, True, 100.0, 0.5)),
    ),
    Row(
        "SinusoidalPositionalEncoding(6)",
        ((2, 5),),
        "",
        "SinusoidalPositionalEncoding()",
        plain(lambda x: o.sinusoid(x, 6)),
    ),
    Row("ALiBi()", ((2, 6, 3, 5),), "", "ALiBi()", plain(lambda x: o.alibi(x, 2)), extra=(2,)),
    Row(
        "Upsample((1.5, 0.5))",
        ((2, 6, 7, 3),),
        "",
        "Upsample(scale_factor=(1.5, 0.5), mode='nearest', align_corners=False, antialias=False)",
        plain(lambda x: o.nearest(x, (1.5, 0.5))),
    ),
    Row(
        "Upsample(3)",
        ((2, 4, 3),),
        "",
        "Upsample(scale_factor=3, mode='nearest', align_corners=False, antialias=False)",
        plain(lambda x: o.nearest(x, (3,))),
    ),
    *(
        Row(
            f"Upsample({scales}, mode={mode!r}, align_corners={aligned}, antialias={antialias})",
            (shape,),
            "",
            f"Upsample(scale_factor={scales}, mode={mode!r}, align_corners={aligned}, antialias={antialias})",
            plain(lambda x, s=scales, k=kernel, a=aligned, b=antialias: o.upsample(x, s, k, a, b)),
        )
        for mode, kernel in (("linear", o.triangle), ("cubic", o.keys_cubic))
        for scales, shape in (((2.0, 1.7), (1, 3, 4, 2)), ((0.4,), (1, 9, 2)), ((1, 2, 1.5), (1, 2, 1, 3, 1)))
        for aligned, antialias in ((False, False), (True, False), (False, True))
    ),
]

RECURRENT = [
    Row(
        "RNN(4, 3)",
        ((2, 5, 4), (2, 3)),
        "Wxh:3,4 Whh:3,3 bias:3",
        "RNN(input_dims=4, hidden_size=3, bias=True, nonlinearity=tanh)",
        o.rnn,
    ),
    Row(
        "RNN(4, 3, bias=False, nonlinearity=nn.relu)",
        ((5, 4),),
        "Wxh:3,4 Whh:3,3",
        "RNN(input_dims=4, hidden_size=3, bias=False, nonlinearity=relu)",
        lambda p, x: o.rnn(p, x, function=o.relu),
    ),
    Row(
        "GRU(4, 3)",
        ((2, 5, 4), (2, 3)),
        "Wx:9,4 Wh:9,3 b:9 bhn:3",
        "GRU(input_dims=4, hidden_size=3, bias=True)",
        o.gru,
    ),
    Row(
        "GRU(4, 3, False)", ((5, 4),), "Wx:9,4 Wh:9,3", "GRU(input_dims=4, hidden_size=3, bias=False)", o.gru
    ),
    Row(
        "LSTM(4, 3)",
        ((2, 5, 4), (2, 3), (2, 3)),
        "Wx:12,4 Wh:12,3 bias:12",
        "LSTM(input_dims=4, hidden_size=3, bias=True)",
        o.lstm,
    ),
    Row(
        "LSTM(4, 3, False)",
        ((5, 4),),
        "Wx:12,4 Wh:12,3",
        "LSTM(input_dims=4, hidden_size=3, bias=False)",
        o.lstm,
    ),
]

TRANSFORMER = [
    Row(
        "MultiHeadAttention(8, 2)",
        ((2, 5, 8), (2, 6, 8), (2, 6, 8)),
        ATTENTION.format("").strip(),
        "",
        lambda p, q, k, v: o.attention(p, q, k, v, 2),
    ),
    Row(
        "MultiHeadAttention(8, 2, 3, 4, 5, 6, 7, bias=True)",
        ((2, 5, 3), (2, 6, 4), (2, 6, 5)),
        "query_proj.weight:8,3 query_proj.bias:8 key_proj.weight:8,4 key_proj.bias:8 "
        "value_proj.weight:6,5 value_proj.bias:6 out_proj.weight:7,6 out_proj.bias:7",
        "",
        lambda p, q, k, v: o.attention(p, q, k, v, 2),
    ),
    *(
        Row(
            f"TransformerEncoderLayer(8, 2, 16, norm_first={first})",
            ((2, 5, 8),),
            ENCODER,
            "",
            lambda p, x, f=first: o.transformer_layer(p, x, 2, mask=CAUSAL, first=f),
            extra=("causal",),
        )
        for first in (True, False)
    ),
    *(
        Row(
            f"TransformerDecoderLayer(8, 2, 16, norm_first={first})",
            ((2, 5, 8), (2, 6, 8)),
            DECODER,
            "",
            lambda p, x, m, f=first: o.transformer_layer(p, x, 2, memory=m, mask=CAUSAL, first=f),
            extra=("causal", None),
        )
        for first in (True, False)
    ),
    Row(
        "TransformerEncoder(2, 8, 2, 16, activation=nn.tanh, checkpoint=True)",
        ((2, 5, 8),),
        stacked("", 2, ENCODER),
        "",
        lambda p, x: o.stack(p, x, 2, 2, activation=np.tanh),
        extra=(None,),
    ),
    Row(
        "TransformerDecoder(1, 8, 2, 16, norm_first=False)",
        ((2, 5, 8), (2, 6, 8)),
        stacked("", 1, DECODER),
        "",
        lambda p, x, m: o.stack(p, x, 2, 1, memory=m, mask=CAUSAL, first=False),
        extra=("causal", None),
    ),
    Row(
        "Transformer(8, 2, 1, 2, 16)",
        ((2, 4, 8), (2, 5, 8)),
        stacked("encoder.", 1, ENCODER) + " " + stacked("decoder.", 2, DECODER),
        "",
        lambda p, s, t: o.transformer(p, s, t, 2, (1, 2), CAUSAL),
        extra=(None, "causal", None),
    ),
]

ROWS = [*LINEAR, *CONVOLUTION, *pools(), *NORMALIZATION, *POSITION, *RECURRENT, *TRANSFORMER]
