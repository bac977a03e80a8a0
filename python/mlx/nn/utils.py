"""Transformations that treat the trainable parameters of a module as their argument."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import mlx.core as mx
from mlx.nn._checks import describe
from mlx.nn.layers.base import Module
from mlx.utils import tree_flatten


@contextmanager
def _holding(model: Module, parameters: dict) -> Iterator[None]:
    """The model with other parameters for the time of one call, also if that raises."""
    own = model.trainable_parameters()
    model.update(parameters)
    try:
        yield
    finally:
        model.update(own)


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
    """
    if not isinstance(model, Module):
        raise TypeError(f"[nn.value_and_grad] The first argument must be a Module, not {describe(model)}.")

    def with_parameters(parameters: dict, *args: Any, **kwargs: Any) -> Any:
        with _holding(model, parameters):
            return fn(*args, **kwargs)

    differentiate = mx.value_and_grad(with_parameters)

    @wraps(fn)
    def value_and_gradients(*args: Any, **kwargs: Any) -> tuple[Any, dict]:
        parameters = model.trainable_parameters()
        if not tree_flatten(parameters):
            raise ValueError(
                f"[nn.value_and_grad] {type(model).__name__} has no trainable parameters: all are frozen."
            )
        return differentiate(parameters, *args, **kwargs)

    return value_and_gradients


def checkpoint(module: Module, fn: Callable | None = None) -> Callable:
    """A function like `fn` that drops its intermediate results and computes them again for the gradient.

    Args:
        module: the module whose trainable parameters receive gradients through the result.
        fn: what to call, ``module.__call__`` by default; takes any arguments.
    """
    if not isinstance(module, Module):
        raise TypeError(f"[nn.utils.checkpoint] The first argument must be a Module, not {describe(module)}.")
    fn = module.__call__ if fn is None else fn

    def with_parameters(parameters: dict, *args: Any, **kwargs: Any) -> Any:
        with _holding(module, parameters):
            return fn(*args, **kwargs)

    recomputing = mx.checkpoint(with_parameters)

    @wraps(fn)
    def checkpointed(*args: Any, **kwargs: Any) -> Any:
        return recomputing(module.trainable_parameters(), *args, **kwargs)

    return checkpointed


def average_gradients(
    gradients: Any,
    group: Any | None = None,
    all_reduce_size: int = 32 * 1024**2,
    communication_stream: Any | None = None,
) -> Any:
    """The mean of the gradients over the processes of a group; alone in its group, a process keeps its own.

    Raises:
        NotImplementedError: a group of several processes.
    """
    if group is not None and group.size() > 1:
        raise NotImplementedError(
            f"[nn.average_gradients] Groups of several processes ({group.size()} here) are not supported yet."
        )
    return gradients
