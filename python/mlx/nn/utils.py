"""Transformations that treat the trainable parameters of a module as their argument."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from itertools import accumulate
from typing import Any

import mlx.core as mx
from mlx.nn._checks import describe
from mlx.nn.layers.base import Module
from mlx.utils import tree_flatten, tree_map


def value_and_grad(model: Module, fn: Callable) -> Callable:
    """Turn ``fn(*args, **kwargs)`` into a function that also returns gradients of the model's parameters.

    Args:
        model: the module that `fn` uses.
        fn: returns a scalar, or a tuple that begins with one.

    Returns:
        ``f(*args, **kwargs) -> (what fn returned, gradients)``; the gradients are a tree like
        ``model.trainable_parameters()``.

    Raises:
        TypeError: `model` is no module.
        ValueError: on the call, when every parameter is frozen.

    Example::

        def loss(x, y):
            return nn.losses.mse_loss(model(x), y)

        value, gradients = nn.value_and_grad(model, loss)(mx.ones((3, 4)), mx.ones((3, 2)))
    """
    if not isinstance(model, Module):
        raise TypeError(f"[nn.value_and_grad] The first argument must be a Module, not {describe(model)}.")

    def with_parameters(parameters: dict, *args: Any, **kwargs: Any) -> Any:
        model.update(parameters)
        return fn(*args, **kwargs)

    differentiate = mx.value_and_grad(with_parameters)

    @wraps(fn)
    def value_and_gradients(*args: Any, **kwargs: Any) -> tuple[Any, dict]:
        parameters = model.trainable_parameters()
        if not tree_flatten(parameters):
            raise ValueError(
                f"[nn.value_and_grad] {type(model).__name__} has no trainable parameters: all are frozen."
            )
        try:
            return differentiate(parameters, *args, **kwargs)
        finally:
            model.update(parameters)

    return value_and_gradients


def checkpoint(module: Module, fn: Callable | None = None) -> Callable:
    """A function like `fn` that drops its intermediate results and computes them again for the gradient.

    The second computation leaves no trace in the module, so running statistics are those of one call. It
    draws the same random numbers, so dropout keeps its mask.

    Args:
        module: the module whose trainable parameters receive gradients through the result.
        fn: what to call, ``module.__call__`` by default; takes any arguments.

    Raises:
        TypeError: `module` is no module.

    Example::

        y = nn.utils.checkpoint(layer)(x)
    """
    if not isinstance(module, Module):
        raise TypeError(f"[nn.utils.checkpoint] The first argument must be a Module, not {describe(module)}.")
    fn = module.__call__ if fn is None else fn

    @wraps(fn)
    def checkpointed(*args: Any, **kwargs: Any) -> Any:
        again = False

        def with_parameters(parameters: dict, *args: Any, **kwargs: Any) -> Any:
            kept = module.parameters() if again else module.trainable_parameters()
            module.update(parameters)
            try:
                return fn(*args, **kwargs)
            finally:
                module.update(kept)

        result = mx.checkpoint(with_parameters)(module.trainable_parameters(), *args, **kwargs)
        again = True
        return result

    return checkpointed


# Several processes ------------------------------------------------------------------------------------------


def average_gradients(
    gradients: Any,
    group: Any | None = None,
    all_reduce_size: int = 32 * 1024**2,
    communication_stream: Any | None = None,
) -> Any:
    """The mean of the gradients over the processes of a group; alone in its group, a process keeps its own.

    Args:
        gradients: a tree of arrays, the same on all processes.
        group: the default group if None.
        all_reduce_size: arrays are joined to buffers of at least this many bytes, of which each is sent at
            once; 0 or less, or arrays of several dtypes: every array by itself.
        communication_stream: where the sums are computed.

    Example::

        loss, gradients = loss_and_gradients(batch)
        optimizer.update(model, nn.average_gradients(gradients))
    """
    group = mx.distributed.init() if group is None else group
    if group.size() == 1:
        return gradients

    def mean(x: mx.array) -> mx.array:
        return mx.distributed.all_sum(x, group=group, stream=communication_stream) / group.size()

    leaves = [leaf for _, leaf in tree_flatten(gradients)]
    if all_reduce_size <= 0 or len({leaf.dtype for leaf in leaves}) > 1:
        return tree_map(mean, gradients)
    means: list[mx.array] = []
    waiting: list[mx.array] = []
    size = 0
    for i, leaf in enumerate(leaves):
        waiting.append(leaf)
        size += leaf.nbytes
        if size >= all_reduce_size or i + 1 == len(leaves):
            flat = mean(mx.concatenate([x.reshape(-1) for x in waiting]))
            ends = list(accumulate(x.size for x in waiting))
            means += [part.reshape(x.shape) for x, part in zip(waiting, mx.split(flat, ends[:-1]))]
            waiting, size = [], 0
    following = iter(means)
    return tree_map(lambda leaf: next(following), gradients)


def _clip_norm(gradients: Any, max_norm: float, total: Callable | None = None) -> tuple[Any, mx.array]:
    """As :func:`mlx.optimizers.clip_grad_norm`; `total` is applied to the sum of squares."""
    # In float32, since squares of half-precision gradients overflow early.
    squares = (mx.sum(mx.square(leaf.astype(mx.float32))) for _, leaf in tree_flatten(gradients))
    square = sum(squares, mx.array(0.0))
    norm = mx.sqrt(square if total is None else total(square))
    # Not max_norm / ..., of which a NumPy scalar would make an array of NumPy.
    factor = mx.minimum(mx.divide(max_norm, norm + 1e-6), 1.0)
    return tree_map(lambda leaf: (leaf * factor).astype(leaf.dtype), gradients), norm


def clip_grad_norm_sharded(gradients: Any, max_norm: float, group: Any | None = None) -> tuple[Any, mx.array]:
    """:func:`mlx.optimizers.clip_grad_norm` of gradients of which every process holds a part.

    Returns:
        (the tree times ``min(max_norm / (norm + 1e-6), 1)`` with its dtypes, the norm before over all parts).

    Example::

        gradients, norm = nn.utils.clip_grad_norm_sharded(gradients, max_norm=1.0)
    """
    group = mx.distributed.init() if group is None else group
    return _clip_norm(gradients, max_norm, partial(mx.distributed.all_sum, group=group))
