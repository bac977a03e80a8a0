"""Schedules: functions of the step, a uint64 scalar array or an int, that give a learning rate."""

from __future__ import annotations

import math
from collections.abc import Callable

import mlx.core as mx
from mlx.optimizers.optimizers.base import python_number


def exponential_decay(init: float, decay_rate: float) -> Callable:
    """``init * decay_rate ** step``.

    Example:
        >>> rate = optim.exponential_decay(0.1, decay_rate=0.5)
        >>> [round(float(rate(step)), 3) for step in (0, 1, 2)]
        [0.1, 0.05, 0.025]
    """
    init, decay_rate = python_number(init), python_number(decay_rate)
    return lambda step: init * decay_rate**step


def step_decay(init: float, decay_rate: float, step_size: int) -> Callable:
    """``init * decay_rate ** (step // step_size)``.

    Example:
        >>> rate = optim.step_decay(0.1, decay_rate=0.5, step_size=10)
        >>> [round(float(rate(step)), 3) for step in (0, 9, 10)]
        [0.1, 0.1, 0.05]
    """
    init, decay_rate = python_number(init), python_number(decay_rate)
    return lambda step: init * decay_rate ** (step // step_size)


def cosine_decay(init: float, decay_steps: int, end: float = 0.0) -> Callable:
    """``end + (init - end) * (1 + cos(pi * step / decay_steps)) / 2``, then `end`.

    Raises:
        ValueError: `decay_steps` below 1.

    Example:
        >>> rate = optim.cosine_decay(0.1, decay_steps=100)
        >>> [round(float(rate(step)), 3) for step in (0, 50, 100)]
        [0.1, 0.05, 0.0]
    """
    _require_steps("cosine_decay", "decay_steps", decay_steps)
    init, end = python_number(init), python_number(end)

    def schedule(step):
        phase = mx.minimum(step, decay_steps) * (math.pi / decay_steps)
        return end + (init - end) * (0.5 * (1.0 + mx.cos(phase)))

    return schedule


def linear_schedule(init: float, end: float, steps: int) -> Callable:
    """From `init` to `end` in `steps` equal steps, then `end`; for warm-up.

    Raises:
        ValueError: `steps` below 1.

    Example:
        >>> rate = optim.linear_schedule(0.0, 0.1, steps=10)
        >>> [round(float(rate(step)), 3) for step in (0, 5, 20)]
        [0.0, 0.05, 0.1]
    """
    _require_steps("linear_schedule", "steps", steps)
    init, end = python_number(init), python_number(end)
    return lambda step: init + mx.minimum(step, steps) * ((end - init) / steps)


def join_schedules(schedules: list[Callable], boundaries: list[int]) -> Callable:
    """One schedule after the other.

    Args:
        schedules: ``schedules[i + 1]`` takes over at step ``boundaries[i]`` and is given the step minus it.
        boundaries: increasing, one fewer than the schedules.

    Raises:
        ValueError: no schedules, or another number of boundaries.

    Example:
        >>> warmup = optim.linear_schedule(0.0, 0.1, steps=10)
        >>> rate = optim.join_schedules([warmup, optim.cosine_decay(0.1, 90)], [10])
        >>> [round(float(rate(mx.array(step))), 3) for step in (0, 10, 100)]
        [0.0, 0.1, 0.0]
    """
    if not schedules or len(boundaries) != len(schedules) - 1:
        raise ValueError(
            f"[join_schedules] {len(schedules)} schedules need {max(len(schedules) - 1, 0)} boundaries, not "
            f"{len(boundaries)}."
        )

    def schedule(step):
        value = schedules[0](step)
        for boundary, following in zip(boundaries, schedules[1:]):
            value = mx.where(step < boundary, value, following(step - boundary))
        return value

    return schedule


def _require_steps(owner: str, name: str, value: int) -> None:
    if value < 1:
        raise ValueError(f"[{owner}] {name} must be at least 1 but is {value}.")
