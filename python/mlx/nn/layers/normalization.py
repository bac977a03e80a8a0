"""Layer, RMS, group, instance and batch normalization, channels last.

All but RMSNorm compute ``(x - mean) / sqrt(var + eps) * weight + bias`` with the biased variance; they differ
in the axes that share one mean. Parameters are float32, so half-precision input gives float32 unless
``set_dtype``.
"""

from __future__ import annotations

import math

import mlx.core as mx
from mlx.nn._checks import require_positive, require_sizes
from mlx.nn.layers.base import Module


def _scale_and_shift(module: Module, x: mx.array) -> mx.array:
    if "weight" in module:
        x = x * module["weight"]
    return x + module["bias"] if "bias" in module else x


class LayerNorm(Module):
    """Normalizes over the last axis, arXiv 1607.06450.

    Parameters ``weight`` (dims,), ones, and ``bias`` (dims,), zeros; `affine` False drops both, `bias` False
    the bias.

    Raises:
        ValueError: `eps` not positive; an input whose last axis is not `dims`.

    Example::

        y = nn.LayerNorm(64)(mx.random.normal((2, 10, 64)))
    """

    def __init__(self, dims: int, eps: float = 1e-5, affine: bool = True, bias: bool = True):
        super().__init__()
        (dims,) = require_sizes("LayerNorm", dims=dims)
        require_positive("LayerNorm", "eps", eps)
        if affine:
            self.weight = mx.ones((dims,))
            if bias:
                self.bias = mx.zeros((dims,))
        self.eps = eps
        self.dims = dims

    def _extra_repr(self) -> str:
        return f"{self.dims}, eps={self.eps}, affine={'weight' in self}"

    def __call__(self, x: mx.array) -> mx.array:
        return mx.fast.layer_norm(x, self.get("weight"), self.get("bias"), self.eps)


class RMSNorm(Module):
    """``x / sqrt(mean(x ** 2) + eps) * weight`` over the last axis, arXiv 1910.07467.

    Parameter ``weight`` (dims,), ones.

    Raises:
        ValueError: `eps` not positive; an input whose last axis is not `dims`.

    Example::

        y = nn.RMSNorm(64)(mx.random.normal((2, 10, 64)))
    """

    def __init__(self, dims: int, eps: float = 1e-5):
        super().__init__()
        (dims,) = require_sizes("RMSNorm", dims=dims)
        require_positive("RMSNorm", "eps", eps)
        self.weight = mx.ones((dims,))
        self.eps = eps

    def _extra_repr(self) -> str:
        return f"{self.weight.shape[0]}, eps={self.eps}"

    def __call__(self, x: mx.array) -> mx.array:
        return mx.fast.rms_norm(x, self["weight"], self.eps)


class GroupNorm(Module):
    """Normalizes over all positions and the channels of one group, arXiv 1803.08494.

    Parameters ``bias`` (dims,), zeros, and ``weight`` (dims,), ones, if `affine`. The input is (N, ...,
    dims).

    Args:
        num_groups: number of groups; divides `dims`.
        pytorch_compatible: a group is a run of consecutive channels; by default channel c belongs to group
            c mod num_groups.

    Raises:
        ValueError: `num_groups` that does not divide `dims`; a size or `eps` that is not positive; an input
            whose last axis is not `dims`.

    Example::

        y = nn.GroupNorm(8, 64)(mx.random.normal((2, 10, 10, 64)))
    """

    def __init__(
        self,
        num_groups: int,
        dims: int,
        eps: float = 1e-5,
        affine: bool = True,
        pytorch_compatible: bool = False,
    ):
        super().__init__()
        num_groups, dims = require_sizes("GroupNorm", num_groups=num_groups, dims=dims)
        require_positive("GroupNorm", "eps", eps)
        if dims % num_groups:
            raise ValueError(f"[GroupNorm] dims ({dims}) must be divisible by num_groups ({num_groups}).")
        if affine:
            self.bias = mx.zeros((dims,))
            self.weight = mx.ones((dims,))
        self.num_groups = num_groups
        self.dims = dims
        self.eps = eps
        self.pytorch_compatible = pytorch_compatible

    def _extra_repr(self) -> str:
        return (
            f"{self.num_groups}, {self.dims}, eps={self.eps}, affine={'weight' in self}, "
            f"pytorch_compatible={self.pytorch_compatible}"
        )

    def __call__(self, x: mx.array) -> mx.array:
        if x.ndim < 2 or x.shape[-1] != self.dims:
            raise ValueError(f"[GroupNorm] Expected (N, ..., {self.dims}), not {tuple(x.shape)}.")
        batch, members, groups = x.shape[0], self.dims // self.num_groups, self.num_groups
        # One row per sample and group, normalized by the row kernel, then back.
        split = (groups, members) if self.pytorch_compatible else (members, groups)
        order = (0, 2, 1, 3) if self.pytorch_compatible else (0, 3, 1, 2)
        back = (0, 2, 1, 3) if self.pytorch_compatible else (0, 2, 3, 1)
        positions = math.prod(x.shape[1:-1])
        rows = x.reshape(batch, positions, *split).transpose(*order)
        rows = mx.fast.layer_norm(rows.reshape(batch, groups, positions * members), None, None, self.eps)
        rows = rows.reshape(batch, groups, positions, members).transpose(*back)
        return _scale_and_shift(self, rows.reshape(x.shape))


class InstanceNorm(Module):
    """Normalizes every channel of every sample over its positions, arXiv 1607.08022.

    Parameters ``weight`` (dims,), ones, and ``bias`` (dims,), zeros, only if `affine`. The input is (N, ...,
    dims).

    Raises:
        ValueError: `eps` not positive; an input with fewer than 3 axes.

    Example::

        y = nn.InstanceNorm(64)(mx.random.normal((2, 10, 10, 64)))
    """

    def __init__(self, dims: int, eps: float = 1e-5, affine: bool = False):
        super().__init__()
        (dims,) = require_sizes("InstanceNorm", dims=dims)
        require_positive("InstanceNorm", "eps", eps)
        if affine:
            self.weight = mx.ones((dims,))
            self.bias = mx.zeros((dims,))
        self.dims = dims
        self.eps = eps

    def _extra_repr(self) -> str:
        return f"{self.dims}, eps={self.eps}, affine={'weight' in self}"

    def __call__(self, x: mx.array) -> mx.array:
        if x.ndim < 3:
            raise ValueError(
                f"[InstanceNorm] Expected at least 3 axes (N, ..., C), not shape {tuple(x.shape)}."
            )
        axes = list(range(1, x.ndim - 1))
        centred = x - mx.mean(x, axis=axes, keepdims=True)
        return _scale_and_shift(self, centred * mx.rsqrt(mx.var(x, axis=axes, keepdims=True) + self.eps))


class BatchNorm(Module):
    """Normalizes every channel over the batch and its positions, arXiv 1502.03167.

    Parameters ``weight`` (num_features,), ones, and ``bias`` (num_features,), zeros, if `affine`; statistics
    ``running_mean`` (zeros) and ``running_var`` (ones) if `track_running_stats`: always frozen, saved with
    the weights. The input is (N, C), (N, L, C) or (N, H, W, C).

    In training mode the statistics of the batch are used and ``running = (1 - momentum) * running + momentum
    * batch``, with the unbiased variance. In evaluation mode the running statistics are used, or those of the
    batch where none are tracked.

    Raises:
        ValueError: `eps` not positive; another number of axes; one value per channel in training mode.

    Example::

        layer = nn.BatchNorm(64)
        y = layer(mx.random.normal((16, 64)))  # moves the running statistics
        y = layer.eval()(mx.random.normal((1, 64)))  # uses them
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
    ):
        super().__init__()
        (num_features,) = require_sizes("BatchNorm", num_features=num_features)
        require_positive("BatchNorm", "eps", eps)
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.track_running_stats = track_running_stats
        if affine:
            self.weight = mx.ones((num_features,))
            self.bias = mx.zeros((num_features,))
        if track_running_stats:
            self.running_mean = mx.zeros((num_features,))
            self.running_var = mx.ones((num_features,))
            self._no_grad.update(self._always_frozen)

    _always_frozen = ("running_mean", "running_var")

    def _extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={'weight' in self}, "
            f"track_running_stats={self.track_running_stats}"
        )

    def __call__(self, x: mx.array) -> mx.array:
        if not 2 <= x.ndim <= 4:
            raise ValueError(
                f"[BatchNorm] Expected an input with 2, 3 or 4 axes, not shape {tuple(x.shape)}."
            )
        if self.training or not self.track_running_stats:
            mean, var = self._batch_statistics(x)
        else:
            mean, var = self.running_mean, self.running_var
        return _scale_and_shift(self, (x - mean) * mx.rsqrt(var + self.eps))

    def _batch_statistics(self, x: mx.array) -> tuple[mx.array, mx.array]:
        axes = list(range(x.ndim - 1))
        mean, var = mx.mean(x, axis=axes), mx.var(x, axis=axes)
        if not self.training:
            return mean, var
        count = math.prod(x.shape[:-1])
        if count <= 1:
            raise ValueError(
                "[BatchNorm] Training needs more than one value per channel, but the input has shape "
                f"{tuple(x.shape)}."
            )
        if self.track_running_stats:
            keep, add = 1 - self.momentum, self.momentum
            self.running_mean = self.running_mean * keep + mean * add
            self.running_var = self.running_var * keep + var * add * (count / (count - 1))
        return mean, var
