"""FullyShardedModule: a module that keeps only this process's part of every parameter (arXiv 2304.11277)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import mlx.core as mx
from mlx.nn._checks import describe
from mlx.nn.layers.base import Module
from mlx.nn.layers.sharding import Group, Grouped
from mlx.utils import tree_flatten, tree_map, tree_map_with_path


@lru_cache(maxsize=16)
def _gathering(group: Group) -> Any:
    """Shards to whole arrays; backward, this process's part of the mean of all gradients."""

    @mx.custom_function
    def gather(shard: mx.array) -> mx.array:
        return mx.distributed.all_gather(shard, group=group)

    @gather.vjp
    def gather_vjp(shard: mx.array, cotangent: mx.array, output: mx.array) -> mx.array:
        return mx.distributed.sum_scatter(cotangent, group=group) / group.size()

    return gather


def _own_parameters(module: Module) -> dict:
    """The parameters of a module, without those of fully sharded modules below it."""

    def chosen(owner: Module, key: str, value: Any) -> bool:
        return not isinstance(value, FullyShardedModule) and Module.valid_parameter_filter(owner, key, value)

    return module.filter_and_map(chosen)


class FullyShardedModule(Grouped):
    """Wraps a module so that between calls this process holds one of ``group.size()`` parts of each
    parameter.

    Submodule ``module``, whose parameters are split along axis 0. A call gathers them, runs the module and
    puts the parts back; their gradients are the parts of the mean over the processes. Parameters of fully
    sharded modules below are left to those.

    Args:
        module: the module to wrap; it is changed.
        group: the default group if None.
        compute_dtype: what floating-point parameters are cast to before they are gathered; None keeps theirs.

    Raises:
        ValueError: a parameter without axes, or whose first axis the number of processes does not divide.

    Example::

        layer = nn.fully_shard(nn.Linear(64, 128), compute_dtype=mx.bfloat16)
    """

    def __init__(
        self, module: Module, group: Group | None = None, compute_dtype: mx.Dtype | None = None
    ) -> None:
        super().__init__()
        self.group = mx.distributed.init() if group is None else group
        self.compute_dtype = compute_dtype
        module.update(tree_map_with_path(self._part, _own_parameters(module)))
        self.module = module

    def _part(self, path: str, whole: mx.array) -> mx.array:
        count = self.group.size()
        if whole.ndim == 0 or whole.shape[0] % count:
            raise ValueError(
                f"[FullyShardedModule] {path} cannot be split into {count} parts along axis 0: "
                f"{describe(whole)}."
            )
        # A copy, so that the whole array can be freed.
        return whole if count == 1 else mx.contiguous(mx.split(whole, count)[self.group.rank()])

    def _gather(self, shard: mx.array) -> mx.array:
        if self.compute_dtype is not None and mx.issubdtype(shard.dtype, mx.floating):
            shard = shard.astype(self.compute_dtype)
        return shard if self.group.size() == 1 else _gathering(self.group)(shard)

    def _whole(self, call: Any, *args: Any, **kwargs: Any) -> Any:
        parts = _own_parameters(self.module)
        wholes = tree_map(self._gather, parts)

        def restored(path: str, part: mx.array, whole: mx.array, now: mx.array) -> mx.array:
            # The module may have moved an array itself, such as a running mean.
            return part if now is whole else self._part(path, now).astype(part.dtype)

        self.module.update(wholes)
        try:
            return call(*args, **kwargs)
        finally:
            self.module.update(tree_map_with_path(restored, parts, wholes, _own_parameters(self.module)))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._whole(self.module, *args, **kwargs)

    def as_linear(self, *args: Any, **kwargs: Any) -> Any:
        """The module's ``as_linear``, as of an :class:`Embedding`."""
        return self._whole(self.module.as_linear, *args, **kwargs)


def fully_shard(
    module: Module, *, group: Group | None = None, compute_dtype: mx.Dtype | None = None
) -> Module:
    """A :class:`FullyShardedModule` around a module, where there is something to share.

    Returns:
        the module itself in a group of one, if it is wrapped already, or if it has no parameters of its own.

    Example::

        model = nn.fully_shard(nn.Linear(64, 128))
    """
    group = mx.distributed.init() if group is None else group
    if (
        group.size() == 1
        or isinstance(module, FullyShardedModule)
        or not tree_flatten(_own_parameters(module))
    ):
        return module
    return FullyShardedModule(module, group, compute_dtype)
