"""Affine layers: Identity, Linear, Bilinear."""

from __future__ import annotations

import math
from typing import Any

import mlx.core as mx
from mlx.nn._checks import require_sizes
from mlx.nn.layers.base import Module
from mlx.nn.layers.quantized import QQLinear, QuantizedLinear


class Identity(Module):
    """Returns its input. Accepts and ignores any constructor arguments, to stand in for another layer.

    Example::

        nn.Identity()(mx.ones(3))  # the same array
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def __call__(self, x: mx.array) -> mx.array:
        return x


class Linear(Module):
    """``y = x @ weight.T + bias`` for x of shape (..., input_dims); y has shape (..., output_dims).

    Parameters ``weight`` (output_dims, input_dims) and ``bias`` (output_dims,), both drawn from
    U(-s, s) with s = sqrt(1 / input_dims).

    Args:
        input_dims: size of the last axis of the input.
        output_dims: size of the last axis of the result.
        bias: without it there is no ``bias`` parameter.

    Raises:
        TypeError, ValueError: a size that is no integer, or below 1.

    Example::

        layer = nn.Linear(64, 8)
        y = layer(mx.ones((2, 64)))  # (2, 8)
    """

    def __init__(self, input_dims: int, output_dims: int, bias: bool = True) -> None:
        super().__init__()
        input_dims, output_dims = require_sizes("Linear", input_dims=input_dims, output_dims=output_dims)
        scale = math.sqrt(1.0 / input_dims)
        self.weight = mx.random.uniform(low=-scale, high=scale, shape=(output_dims, input_dims))
        if bias:
            self.bias = mx.random.uniform(low=-scale, high=scale, shape=(output_dims,))

    def _extra_repr(self) -> str:
        outputs, inputs = self.weight.shape
        return f"input_dims={inputs}, output_dims={outputs}, bias={'bias' in self}"

    def __call__(self, x: mx.array) -> mx.array:
        if "bias" in self:
            return mx.addmm(self["bias"], x, self["weight"].T)
        return x @ self["weight"].T

    def to_quantized(
        self,
        group_size: int | None = None,
        bits: int | None = None,
        mode: str = "affine",
        quantize_input: bool = False,
    ) -> QuantizedLinear | QQLinear:
        """A :class:`QuantizedLinear` of this layer, or a :class:`QQLinear` if inputs are quantized too.

        Raises:
            ValueError: a format that :func:`mlx.core.quantize` refuses; `quantize_input` in a mode other than
                nvfp4 and mxfp8.
            NotImplementedError: `quantize_input` for a layer with a bias.
        """
        kind = QQLinear if quantize_input else QuantizedLinear
        return kind.from_linear(self, group_size, bits, mode)


class Bilinear(Module):
    """``y_o = sum_ij x2_i weight_oij x1_j + bias_o`` over the last axes of two inputs.

    Parameters ``weight`` (output_dims, input2_dims, input1_dims) and ``bias`` (output_dims,), both drawn from
    U(-s, s) with s = sqrt(1 / input1_dims).

    Args:
        input1_dims, input2_dims: sizes of the last axes of the inputs, whose other axes broadcast.
        output_dims: size of the last axis of the result.
        bias: without it there is no ``bias`` parameter.

    Example::

        layer = nn.Bilinear(4, 5, 3)
        y = layer(mx.ones((2, 4)), mx.ones((2, 5)))  # (2, 3)
    """

    def __init__(self, input1_dims: int, input2_dims: int, output_dims: int, bias: bool = True) -> None:
        super().__init__()
        input1_dims, input2_dims, output_dims = require_sizes(
            "Bilinear", input1_dims=input1_dims, input2_dims=input2_dims, output_dims=output_dims
        )
        scale = math.sqrt(1.0 / input1_dims)
        self.weight = mx.random.uniform(low=-scale, high=scale, shape=(output_dims, input2_dims, input1_dims))
        if bias:
            self.bias = mx.random.uniform(low=-scale, high=scale, shape=(output_dims,))

    def _extra_repr(self) -> str:
        outputs, inputs2, inputs1 = self.weight.shape
        return f"input1_dims={inputs1}, input2_dims={inputs2}, output_dims={outputs}, bias={'bias' in self}"

    def __call__(self, x1: mx.array, x2: mx.array) -> mx.array:
        outputs, inputs2, inputs1 = self["weight"].shape
        # One product with all rows of the weight, then one small product per position.
        rows = x1 @ self["weight"].reshape(outputs * inputs2, inputs1).T
        rows = rows.reshape(*x1.shape[:-1], outputs, inputs2)
        y = mx.squeeze(rows @ mx.expand_dims(x2, -1), -1)
        return y + self["bias"] if "bias" in self else y
