"""Programs and pickles name layers and optimizers by the module that holds them, not only by mlx.nn."""

import importlib

import pytest

import mlx.nn as nn
import mlx.optimizers as optim

HOLDS = """
mlx.nn.init: constant glorot_normal glorot_uniform he_normal he_uniform identity normal orthogonal sparse
mlx.nn.init: uniform
mlx.nn.layers: Linear gelu
mlx.nn.layers.activations: CELU ELU GELU GLU HardShrink HardTanh Hardswish LeakyReLU LogSigmoid LogSoftmax
mlx.nn.layers.activations: Mish PReLU ReLU ReLU2 ReLU6 SELU SiLU Sigmoid Softmax Softmin Softplus Softshrink
mlx.nn.layers.activations: Softsign Step Tanh celu elu gelu gelu_approx gelu_fast_approx glu hard_shrink
mlx.nn.layers.activations: hard_tanh hardswish leaky_relu log_sigmoid log_softmax mish prelu relu relu2 relu6
mlx.nn.layers.activations: selu sigmoid silu softmax softmin softplus softshrink softsign step tanh
mlx.nn.layers.base: Module
mlx.nn.layers.containers: Sequential
mlx.nn.layers.convolution: Conv1d Conv2d Conv3d
mlx.nn.layers.convolution_transpose: ConvTranspose1d ConvTranspose2d ConvTranspose3d
mlx.nn.layers.distributed: AllToShardedLinear FullyShardedModule QuantizedAllToShardedLinear fully_shard
mlx.nn.layers.distributed: QuantizedShardedToAllLinear ShardedToAllLinear shard_inplace shard_linear
mlx.nn.layers.dropout: Dropout Dropout2d Dropout3d
mlx.nn.layers.embedding: Embedding
mlx.nn.layers.linear: Bilinear Identity Linear
mlx.nn.layers.normalization: BatchNorm GroupNorm InstanceNorm LayerNorm RMSNorm
mlx.nn.layers.pooling: AvgPool1d AvgPool2d AvgPool3d MaxPool1d MaxPool2d MaxPool3d
mlx.nn.layers.positional_encoding: ALiBi RoPE SinusoidalPositionalEncoding
mlx.nn.layers.quantized: QQLinear QuantizedEmbedding QuantizedLinear quantize
mlx.nn.layers.recurrent: GRU LSTM RNN
mlx.nn.layers.transformer: MultiHeadAttention Transformer TransformerDecoder TransformerDecoderLayer
mlx.nn.layers.transformer: TransformerEncoder TransformerEncoderLayer
mlx.nn.layers.upsample: Upsample
mlx.nn.losses: cross_entropy mse_loss triplet_loss
mlx.nn.utils: average_gradients value_and_grad
mlx.optimizers.optimizers: AdaDelta Adafactor Adagrad Adam AdamW Adamax Lion MultiOptimizer Muon Optimizer
mlx.optimizers.optimizers: RMSprop SGD clip_grad_norm
mlx.optimizers.schedulers: cosine_decay exponential_decay join_schedules linear_schedule step_decay
"""


@pytest.mark.parametrize("line", HOLDS.strip().splitlines())
def test_module_holds(line):
    path, names = line.split(": ")
    module = importlib.import_module(path)
    public = optim if "optimizers" in path else nn
    for name in names.split():
        value = getattr(module, name)
        assert value is getattr(public, name, value)  # not all are public


FAMILIES = {line.split(": ")[0] for line in HOLDS.strip().splitlines() if line.startswith("mlx.nn.layers.")}


@pytest.mark.parametrize("path", sorted(FAMILIES))
def test_families_are_attributes_of_nn(path):
    assert getattr(nn, path.rpartition(".")[2]) is importlib.import_module(path)
