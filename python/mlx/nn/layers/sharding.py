"""What modules that are spread over a group of processes share: groups, parts of arrays, sums of
gradients."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import mlx.core as mx
from mlx.nn._checks import describe
from mlx.nn.layers.base import Module
from mlx.utils import tree_map_with_path

Group = Any


class Grouped(Module):
    """Holds a group in ``group``, which belongs to the running process and so cannot be copied or saved."""

    group: Group

    def __getstate__(self) -> dict:
        return {name: value for name, value in self.__dict__.items() if name != "group"}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state, group=mx.distributed.init())

    def __deepcopy__(self, memo: dict) -> Any:
        other = memo[id(self)] = type(self).__new__(type(self))
        memo[id(self.group)] = self.group
        other.__dict__.update(copy.deepcopy(self.__dict__, memo))
        dict.update(other, copy.deepcopy(dict(self), memo))
        return other


@lru_cache(maxsize=16)
def _summing(group: Group) -> Callable:
    @mx.custom_function
    def identity(x: mx.array) -> mx.array:
        return x

    @identity.vjp
    def identity_vjp(x: mx.array, cotangent: mx.array, output: mx.array) -> mx.array:
        return mx.distributed.all_sum(cotangent, group=group)

    return identity


def sum_gradients(group: Group) -> Callable:
    """The identity, whose gradient is the sum of the gradients of all processes of the group."""
    return (lambda x: x) if group.size() == 1 else _summing(group)


# Shards -----------------------------------------------------------------------------------------------------


def part(x: mx.array, axis: int, segments: int | list, group: Group, features: int) -> mx.array:
    """This process's share along `axis`: of every segment one of ``group.size()`` equal pieces, joined.

    Split points count `features`, of which a packed axis holds several in one element.
    """
    size, count = x.shape[axis], group.size()
    if isinstance(segments, int):
        blocks = mx.split(x, segments, axis=axis)
    else:
        points = [p if isinstance(p, float) else p / features for p in segments]
        blocks = mx.split(x, [round(p * size) for p in points], axis=axis)
    for block in blocks:
        if block.shape[axis] % count:
            raise ValueError(
                f"[nn.distributed] A segment of size {block.shape[axis]} along axis {axis} of {describe(x)} "
                f"cannot be shared by {count} processes."
            )
    pieces = [mx.split(block, count, axis=axis)[group.rank()] for block in blocks]
    # A copy, so that the whole array can be freed.
    return mx.contiguous(mx.concatenate(pieces, axis=axis))


def rule_of(sharding: str) -> Callable[[str, mx.array], int | None]:
    """Path and array to the axis that is shared, of a layer whose weight has the shape (out, ..., in)."""

    def is_bias(path: str) -> bool:
        return path == "bias" or path.endswith(".bias")

    rules = {
        "all-to-sharded": lambda path, weight: -1 if is_bias(path) else max(weight.ndim - 2, 0),
        "sharded-to-all": lambda path, weight: None if is_bias(path) else -1,
    }
    if sharding not in rules:
        raise ValueError(
            f"[nn.distributed] Expected 'all-to-sharded' or 'sharded-to-all', not {describe(sharding)}."
        )
    return rules[sharding]


def shard_tree(module: Module, rule: Callable, segments: int | list, group: Group) -> dict:
    parameters = module.parameters()
    bits = getattr(module, "bits", None)

    def shard(path: str, weight: mx.array) -> mx.array:
        place = rule(path, weight)
        if place is None:
            return weight
        axis, blocks = place if isinstance(place, tuple) else (place, segments)
        features = weight.shape[axis]
        if bits is not None and axis in (-1, weight.ndim - 1) and weight.ndim > 1:
            features = parameters["weight"].shape[-1] * 32 // bits
        return part(weight, axis, blocks, group, features)

    return tree_map_with_path(shard, parameters)
