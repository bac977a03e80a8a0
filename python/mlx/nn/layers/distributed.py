"""Linear layers whose weight is spread over the processes of a group (tensor parallelism, arXiv 1909.08053).

A layer that goes "all to sharded" takes a whole input and gives each process its part of the output features;
one that goes "sharded to all" takes such parts and gives every process the whole output. In a group of one
both are the plain layer. Copies share the group; a layer from a pickle joins the default group.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import mlx.core as mx
from mlx.nn._checks import require_sizes
from mlx.nn.layers.base import Module
from mlx.nn.layers.fully_sharded import FullyShardedModule, fully_shard
from mlx.nn.layers.linear import Linear
from mlx.nn.layers.quantized import QuantizedLinear, _Packed
from mlx.nn.layers.sharding import Group, Grouped, rule_of, shard_tree, sum_gradients

__all__ = [
    "AllToShardedLinear",
    "FullyShardedModule",
    "QuantizedAllToShardedLinear",
    "QuantizedShardedToAllLinear",
    "ShardedToAllLinear",
    "fully_shard",
    "shard_inplace",
    "shard_linear",
    "sum_gradients",
]


_Layer = TypeVar("_Layer", bound="_Sharded")


class _Sharded(Grouped):
    """How a whole layer becomes this one."""

    _sharding: str

    def _join(self, group: Group | None) -> None:
        self.group = mx.distributed.init() if group is None else group

    def _own_sizes(self, group: Group | None, input_dims: int, output_dims: int) -> tuple[int, int]:
        """Keep the group and return this process's output and input features."""
        owner = type(self).__name__
        sizes = {"output_dims": output_dims, "input_dims": input_dims}
        sizes = dict(zip(sizes, require_sizes(owner, **sizes)))
        self._join(group)
        shared = "output_dims" if self._sharding == "all-to-sharded" else "input_dims"
        count = self.group.size()
        if sizes[shared] % count:
            raise ValueError(f"[{owner}] {shared} ({sizes[shared]}) cannot be shared by {count} processes.")
        sizes[shared] //= count
        return sizes["output_dims"], sizes["input_dims"]

    @classmethod
    def _from(cls: type[_Layer], layer: Module, segments: int | list, group: Group | None) -> _Layer:
        shard = cls.__new__(cls)
        Module.__init__(shard)
        shard._join(group)
        for name in ("group_size", "bits", "mode"):
            if hasattr(layer, name):
                setattr(shard, name, getattr(layer, name))
        parts = shard_tree(layer, rule_of(cls._sharding), segments, shard.group)
        for name, part in parts.items():
            shard[name] = part
        if isinstance(shard, _Packed):
            shard.freeze()
        return shard.train(layer.training)

    def _describe(self, outputs: int, inputs: int) -> str:
        count = self.group.size()
        if self._sharding == "all-to-sharded":
            outputs *= count
        else:
            inputs *= count
        return f"input_dims={inputs}, output_dims={outputs}, bias={'bias' in self}"


class _ShardedLinear(_Sharded):
    def __init__(
        self, input_dims: int, output_dims: int, bias: bool = True, group: Group | None = None
    ) -> None:
        super().__init__()
        outputs, inputs = self._own_sizes(group, input_dims, output_dims)
        scale = math.sqrt(1 / input_dims)
        self.weight = mx.random.uniform(low=-scale, high=scale, shape=(outputs, inputs))
        if bias:
            self.bias = mx.random.uniform(low=-scale, high=scale, shape=(outputs,))

    def _extra_repr(self) -> str:
        return self._describe(*self.weight.shape)

    @classmethod
    def from_linear(
        cls: type[_Layer], linear_layer: Module, *, segments: int | list = 1, group: Group | None = None
    ) -> _Layer:
        """This process's part of a :class:`Linear`; `segments` as in :func:`shard_linear`."""
        return cls._from(linear_layer, segments, group)


class _QuantizedSharded(_Sharded, _Packed):
    def __init__(
        self,
        input_dims: int,
        output_dims: int,
        bias: bool = True,
        group_size: int = 64,
        bits: int = 4,
        mode: str = "affine",
        group: Group | None = None,
    ) -> None:
        super().__init__()
        outputs, inputs = self._own_sizes(group, input_dims, output_dims)
        scale = math.sqrt(1 / input_dims)
        table = mx.random.uniform(low=-scale, high=scale, shape=(outputs, inputs))
        self._pack(table, group_size, bits, mode)
        if bias:
            self.bias = mx.zeros((outputs,))
        self.freeze()

    def _extra_repr(self) -> str:
        return f"{self._describe(*self._shape)}, {self._format_repr()}"

    @classmethod
    def from_quantized_linear(
        cls: type[_Layer],
        quantized_linear_layer: Module,
        *,
        segments: int | list = 1,
        group: Group | None = None,
    ) -> _Layer:
        """This process's part of a :class:`QuantizedLinear`; `segments` as in :func:`shard_linear`."""
        return cls._from(quantized_linear_layer, segments, group)


class AllToShardedLinear(_ShardedLinear):
    """:class:`Linear` of which every process computes its part of the output features.

    Parameters ``weight`` (output_dims / processes, input_dims) and ``bias`` (output_dims / processes,), both
    from U(-s, s) with s = sqrt(1 / input_dims). All processes get the same input (..., input_dims); its
    gradient is summed over them.

    Raises:
        ValueError: `output_dims` that the number of processes does not divide.

    Example::

        layer = nn.layers.distributed.shard_linear(nn.Linear(64, 128), "all-to-sharded")
    """

    _sharding = "all-to-sharded"

    def __call__(self, x: mx.array) -> mx.array:
        x = sum_gradients(self.group)(x)
        if "bias" in self:
            return mx.addmm(self["bias"], x, self["weight"].T)
        return x @ self["weight"].T


class ShardedToAllLinear(_ShardedLinear):
    """:class:`Linear` of which every process multiplies its part of the input features.

    Parameters ``weight`` (output_dims, input_dims / processes) and ``bias`` (output_dims,), both from U(-s,
    s) with s = sqrt(1 / input_dims). The input (..., input_dims / processes) is the output of a layer such as
    :class:`AllToShardedLinear`; the products are summed over the processes, then the bias is added.

    Raises:
        ValueError: `input_dims` that the number of processes does not divide.

    Example::

        layer = nn.layers.distributed.shard_linear(nn.Linear(128, 64), "sharded-to-all")
    """

    _sharding = "sharded-to-all"

    def __call__(self, x: mx.array) -> mx.array:
        y = mx.distributed.all_sum(x @ self["weight"].T, group=self.group)
        return y + self["bias"] if "bias" in self else y


class QuantizedAllToShardedLinear(_QuantizedSharded):
    """:class:`AllToShardedLinear` with a packed weight.

    Parameters, all frozen, as in :class:`QuantizedLinear` with the rows of this process: ``weight``,
    ``scales``, ``biases`` (affine mode) and ``bias``.

    Raises:
        ValueError: `output_dims` that the number of processes does not divide; a format that
            :func:`mlx.core.quantize` refuses.

    Example::

        layer = nn.layers.distributed.shard_linear(nn.QuantizedLinear(64, 128), "all-to-sharded")
    """

    _sharding = "all-to-sharded"

    def __call__(self, x: mx.array) -> mx.array:
        y = self._product(sum_gradients(self.group)(x))
        return y + self["bias"] if "bias" in self else y


class QuantizedShardedToAllLinear(_QuantizedSharded):
    """:class:`ShardedToAllLinear` with a packed weight.

    Parameters, all frozen, as in :class:`QuantizedLinear` with the columns of this process: ``weight``,
    ``scales``, ``biases`` (affine mode), and the whole ``bias``.

    Raises:
        ValueError: `input_dims` that the number of processes does not divide; a format that
            :func:`mlx.core.quantize` refuses.

    Example::

        layer = nn.layers.distributed.shard_linear(nn.QuantizedLinear(128, 64), "sharded-to-all")
    """

    _sharding = "sharded-to-all"

    def __call__(self, x: mx.array) -> mx.array:
        y = mx.distributed.all_sum(self._product(x), group=self.group)
        return y + self["bias"] if "bias" in self else y


_KINDS = {
    (Linear, "all-to-sharded"): AllToShardedLinear.from_linear,
    (Linear, "sharded-to-all"): ShardedToAllLinear.from_linear,
    (QuantizedLinear, "all-to-sharded"): QuantizedAllToShardedLinear.from_quantized_linear,
    (QuantizedLinear, "sharded-to-all"): QuantizedShardedToAllLinear.from_quantized_linear,
}


def shard_linear(
    module: Module, sharding: str, *, segments: int | list = 1, group: Group | None = None
) -> Module:
    """A new layer that holds this process's part of a linear layer.

    Args:
        module: a :class:`Linear` or :class:`QuantizedLinear`.
        sharding: ``"all-to-sharded"`` or ``"sharded-to-all"``.
        segments: how the shared axis was joined from blocks that are to be shared one by one, as in a layer
            that projects to queries, keys and values at once: the number of equal blocks, or the points
            between them as feature numbers or as fractions.
        group: the default group if None.

    Raises:
        ValueError: another module or sharding; a block that the number of processes does not divide.

    Example::

        layer = nn.layers.distributed.shard_linear(nn.Linear(64, 128), "all-to-sharded")
    """
    rule_of(sharding)
    for kind in (Linear, QuantizedLinear):
        if isinstance(module, kind):
            return _KINDS[kind, sharding](module, segments=segments, group=group)
    raise ValueError(f"[nn.shard_linear] Expected a Linear or QuantizedLinear, not {type(module).__name__}.")


def shard_inplace(
    module: Module,
    sharding: str | Callable[[str, mx.array], Any],
    *,
    segments: int | list = 1,
    group: Group | None = None,
) -> None:
    """Replace the parameters of a module by this process's parts of them; its computation does not change.

    Args:
        module: any module.
        sharding: as in :func:`shard_linear`, or a function of the path and the array of a parameter, which
            returns None to leave it whole, the axis to share, or a pair of axis and segments.
        segments, group: as in :func:`shard_linear`.

    Raises:
        ValueError: another sharding; a block that the number of processes does not divide.

    Example::

        nn.layers.distributed.shard_inplace(layer, "sharded-to-all")
    """
    rule = sharding if callable(sharding) else rule_of(sharding)
    group = mx.distributed.init() if group is None else group
    module.update(shard_tree(module, rule, segments, group))
