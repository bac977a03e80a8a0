"""Layers, losses and initialisers for neural networks. Arrays are channels last everywhere."""

from mlx.nn import init, losses
from mlx.nn.layers import *
from mlx.nn.layers import __all__ as _layer_names
from mlx.nn.layers import (  # noqa: F401 - programs reach the families as mlx.nn.activations, too
    activations,
    base,
    containers,
    convolution,
    convolution_transpose,
    distributed,
    dropout,
    embedding,
    linear,
    normalization,
    pooling,
    positional_encoding,
    quantized,
    recurrent,
    transformer,
    upsample,
)
from mlx.nn.utils import average_gradients, value_and_grad

__all__ = [*_layer_names, "average_gradients", "init", "losses", "value_and_grad"]
