"""Optimizer: the state tree and the walk that every algorithm shares; MultiOptimizer; gradient clipping."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mlx.core as mx
from mlx.nn import Module
from mlx.nn._checks import describe
from mlx.nn.utils import _clip_norm
from mlx.utils import tree_map, tree_map_with_path, tree_merge

Schedule = Callable[[mx.array], mx.array]


def require_betas(owner: str, betas: Any) -> None:
    if len(betas) != 2 or not all(0 <= beta < 1 for beta in betas):
        raise ValueError(f"[{owner}] betas must be two numbers in [0, 1) but are {betas}.")


def require_at_least(owner: str, name: str, value: float, bound: float, inclusive: bool = True) -> None:
    if not (value >= bound if inclusive else value > bound):
        sign = ">=" if inclusive else ">"
        raise ValueError(f"[{owner}] {name} must be {sign}{bound} but is {value}.")


def python_number(value: Any) -> Any:
    """A NumPy scalar as a Python number: on the left of an array, NumPy would make its own array of both."""
    foreign = getattr(value, "ndim", None) == 0 and not isinstance(value, mx.array)
    return value.item() if foreign else value


def moving_mean(state: dict, name: str, value: mx.array, keep: float | mx.array) -> mx.array:
    """Move ``state[name]`` towards `value`, keeping the share `keep` of what it was; returns it."""
    state[name] = keep * state[name] + (1 - keep) * value
    return state[name]


def _any_entry(path: str, gradient: mx.array) -> bool:
    """The filter of the last of several optimizers; a function of the module, so that it can be pickled."""
    return True


def _require_tree(name: str, tree: Any) -> None:
    if not isinstance(tree, dict):
        raise TypeError(
            f"[Optimizer] {name} must be a dict (a tree of arrays by name), not {describe(tree)}."
        )


class Optimizer:
    """Base class of all optimizers.

    The state is a dict: ``step`` (uint64), scheduled values such as ``learning_rate`` (float32), and beside
    them the tree of the parameters with one dict of arrays for each. It is changed in place, so that
    ``optimizer.state`` may be named in ``mx.compile(inputs=..., outputs=...)``. Subclasses define
    :meth:`init_single` and :meth:`apply_single`. NumPy scalars set as attributes become Python numbers.

    Args:
        schedulers: values that follow the step, name to ``callable(step)``.

    Example:
        >>> optimizer = optim.SGD(learning_rate=0.5)
        >>> isinstance(optimizer, optim.Optimizer), optimizer.learning_rate.item()
        (True, 0.5)
    """

    def __init__(self, schedulers: dict[str, Schedule] | None = None):
        self._state = {"step": mx.array(0, mx.uint64)}
        self._schedulers = dict(schedulers or {})

    def __setattr__(self, name: str, value: Any) -> None:
        if type(value) in (list, tuple):  # such as betas; one that holds no such scalar stays the same object
            numbers = [python_number(x) for x in value]
            if any(number is not x for number, x in zip(numbers, value)):
                value = type(value)(numbers)
        elif name not in ("learning_rate", "state"):  # which hold arrays
            value = python_number(value)
        object.__setattr__(self, name, value)

    def _maybe_schedule(self, name: str, value: float | mx.array | Schedule) -> None:
        """Keep `value` in the state under `name`; a callable is asked for it now and before each step."""
        if isinstance(value, dict):  # a module is one, and callable
            raise TypeError(
                f"[{type(self).__name__}] {name} must be a number or a function of the step, not "
                f"{type(value).__name__}. The parameters are given to update, with the gradients."
            )
        if callable(value):
            self._schedulers[name] = value
            value = value(self.step)
        self._state[name] = mx.array(value)

    @property
    def state(self) -> dict:
        """The state tree; may be assigned, for instance from a checkpoint."""
        return self._state

    @state.setter
    def state(self, state: dict) -> None:
        _require_tree("state", state)
        self._state = state

    @property
    def step(self) -> mx.array:
        """How many updates were made, a uint64 scalar."""
        return self._state["step"]

    @property
    def learning_rate(self) -> mx.array:
        """The learning rate of the next step, a float32 scalar; may be assigned."""
        return self._state["learning_rate"]

    @learning_rate.setter
    def learning_rate(self, learning_rate: float | mx.array) -> None:
        self._state["learning_rate"] = mx.array(learning_rate)

    def _rate_like(self, gradient: mx.array) -> mx.array:
        """The learning rate in the dtype of a gradient, so that half precision stays."""
        return self.learning_rate.astype(gradient.dtype)

    def init(self, parameters: dict) -> None:
        """Create the state of every parameter that has none yet.

        Raises:
            ValueError: a parameter at the top of the tree bears the name of an entry such as ``step``.
        """
        _require_tree("parameters", parameters)
        for name in parameters:
            if isinstance(self._state.get(name), mx.array):
                raise ValueError(
                    f"[Optimizer.init] The name {name!r} is the optimizer's own; rename the parameter."
                )
        self._init_tree(parameters, self._state)

    def _init_tree(self, parameters: Any, state: Any) -> Any:
        """The state for a subtree, reusing `state`, where it exists, in place."""
        if isinstance(parameters, dict):
            state = state if isinstance(state, dict) else {}
            for name, child in parameters.items():
                state[name] = self._init_tree(child, state.get(name))
            return state
        if isinstance(parameters, (list, tuple)):
            known = list(state) if isinstance(state, (list, tuple)) else []
            known += [None] * (len(parameters) - len(known))
            children = [self._init_tree(child, old) for child, old in zip(parameters, known)]
            children += known[len(parameters) :]
            if isinstance(state, list):
                state[:] = children
                return state
            return children
        if not isinstance(state, dict) or not state:
            state = {}
            self.init_single(parameters, state)
        return state

    def init_single(self, parameter: mx.array, state: dict) -> None:
        """Fill the empty dict `state` of one parameter."""
        raise NotImplementedError(f"{type(self).__name__} does not define init_single.")

    def apply_single(self, gradient: mx.array, parameter: mx.array, state: dict) -> mx.array:
        """The new value of one parameter; `state` is its dict, to be changed in place."""
        raise NotImplementedError(f"{type(self).__name__} does not define apply_single.")

    def update(self, model: Module, gradients: dict) -> None:
        """Move the parameters of `model` one step; `gradients` may hold only some of them."""
        model.update(self.apply_gradients(gradients, model))

    def apply_gradients(self, gradients: dict, parameters: dict) -> dict:
        """One step on a tree of arrays.

        Scheduled values are computed from the step before it is increased.

        Args:
            gradients: a tree of arrays, which may lack some of the parameters.
            parameters: the tree of parameters.

        Returns:
            the new parameters, for the places that have a gradient.

        Raises:
            TypeError: a tree that is no dict.
            KeyError: a gradient without a parameter.
        """
        _require_tree("gradients", gradients)
        _require_tree("parameters", parameters)
        self.init(gradients)
        for name, schedule in self._schedulers.items():
            self._state[name] = mx.array(schedule(self.step))
        self._state["step"] = self.step + 1
        return tree_map(self.apply_single, gradients, parameters, self._state)


class MultiOptimizer(Optimizer):
    """Several optimizers, each for the parameters that its filter selects.

    Args:
        optimizers: the optimizers; the last one takes what no filter selects.
        filters: ``filters[i](path, gradient) -> bool`` for all optimizers but the last; the first match wins.

    Raises:
        ValueError: another number of filters.

    Example:
        >>> norms = lambda name, gradient: gradient.ndim == 1
        >>> optimizer = optim.MultiOptimizer([optim.SGD(0.1), optim.Muon(0.02)], [norms])
        >>> optimizer.apply_gradients({"w": mx.array([1.0, -2.0])}, {"w": mx.array([0.0, 0.0])})
        {'w': array([-0.1, 0.2], dtype=float32)}
    """

    def __init__(self, optimizers: list[Optimizer], filters: list[Callable[[str, mx.array], bool]] = []):
        super().__init__()
        if not optimizers or len(filters) != len(optimizers) - 1:
            raise ValueError(
                f"[MultiOptimizer] {len(optimizers)} optimizers need {max(len(optimizers) - 1, 0)} filters, "
                f"not {len(filters)}."
            )
        self.optimizers = list(optimizers)
        self._filters = [*filters, _any_entry]
        self._state = {}

    def _split(self, tree: dict) -> list[dict]:
        """One tree for each optimizer, with {} in the places of the others."""

        def chosen(path: str, leaf: mx.array) -> int:
            return next(i for i, chooses in enumerate(self._filters) if chooses(path, leaf))

        owners = tree_map_with_path(chosen, tree)
        return [
            tree_map(lambda leaf, owner, i=i: leaf if owner == i else {}, tree, owners)
            for i in range(len(self.optimizers))
        ]

    def init(self, parameters: dict) -> None:
        _require_tree("parameters", parameters)
        for optimizer, part in zip(self.optimizers, self._split(parameters)):
            optimizer.init(part)

    def apply_gradients(self, gradients: dict, parameters: dict) -> dict:
        _require_tree("gradients", gradients)
        updated: dict = {}
        for optimizer, part in zip(self.optimizers, self._split(gradients)):
            updated = tree_merge(updated, optimizer.apply_gradients(part, parameters))
        return updated

    @property
    def state(self) -> dict:
        """``{"states": [state of each optimizer]}``."""
        self._state["states"] = [optimizer.state for optimizer in self.optimizers]
        return self._state

    @state.setter
    def state(self, state: dict) -> None:
        states = state.get("states") if isinstance(state, dict) else None
        if not isinstance(states, list) or len(states) != len(self.optimizers):
            raise ValueError(
                f"[MultiOptimizer] The state must be {{'states': a list of {len(self.optimizers)} dicts}}."
            )
        for optimizer, one in zip(self.optimizers, states):
            optimizer.state = one

    @property
    def learning_rate(self) -> mx.array:
        """That of the first optimizer; assignment sets all."""
        return self.optimizers[0].learning_rate

    @learning_rate.setter
    def learning_rate(self, learning_rate: float | mx.array) -> None:
        for optimizer in self.optimizers:
            optimizer.learning_rate = learning_rate


def clip_grad_norm(grads: Any, max_norm: float) -> tuple[Any, mx.array]:
    """Scale a tree of gradients so that its norm over all entries is at most `max_norm`.

    Returns:
        (the tree times ``min(max_norm / (norm + 1e-6), 1)`` with its dtypes, the norm before as float32).

    Example:
        >>> optim.clip_grad_norm({"w": mx.array([3.0, 4.0])}, max_norm=1.0)
        ({'w': array([0.6, 0.8], dtype=float32)}, array(5, dtype=float32))
    """
    return _clip_norm(grads, max_norm)
