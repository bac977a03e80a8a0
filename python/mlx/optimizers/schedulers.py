"""Schedules: functions of the step, a uint64 scalar array or an int, that give a learning rate."""

from __future__ import annotations

import math
from collections.abc import Callable

import mlx.core as mx


def exponential_decay(init: float, decay_rate: float) -> Callable:
    """``init * decay_rate ** step``.

    Example::

        optimizer = optim.SGD(optim.exponential_decay(0.1, 0.99))
    """
    return lambda step: init * decay_rate**step


def step_decay(init: float, decay_rate: float, step_size: int) -> Callable:
    """``init * decay_rate ** (step // step_size)``.

    Example::

        optimizer = optim.SGD(optim.step_decay(0.1, 0.5, 1000))
    """
    return lambda step: init * decay_rate ** (step // step_size)


def cosine_decay(init: float, decay_steps: int, end: float = 0.0) -> Callable:
    """``end + (init - end) * (1 + cos(pi * step / decay_steps)) / 2``, then `end`.

    Raises:
        ValueError: `decay_steps` below 1.

    Example::

        optimizer = optim.SGD(optim.cosine_decay(0.1, 10_000, end=1e-3))
    """
    _require_steps("cosine_decay", "decay_steps", decay_steps)

    def schedule(step):
        phase = mx.minimum(step, decay_steps) * (math.pi / decay_steps)
        return end + (init - end) * (0.5 * (1.0 + mx.cos(phase)))

    return schedule


def linear_schedule(init: float, end: float, steps: int) -> Callable:
    """From `init` to `end` in `steps` equal steps, then `end`; for warm-up.

    Raises:
        ValueError: `steps` below 1.

    Example::

        warm_up = optim.linear_schedule(0, 0.1, 100)
    """
    _require_steps("linear_schedule", "steps", steps)
    return lambda step: init + mx.minimum(step, steps) * ((end - init) / steps)


def join_schedules(schedules: list[Callable], boundaries: list[int]) -> Callable:
    """One schedule after the other.

    Args:
        schedules: ``schedules[i + 1]`` takes over at step ``boundaries[i]`` and is given the step minus it.
        boundaries: increasing, one fewer than the schedules.

    Raises:
        ValueError: no schedules, or another number of boundaries.

    Example::

        warm_up, decay = optim.linear_schedule(0, 0.1, 100), optim.cosine_decay(0.1, 10_000)
        optimizer = optim.SGD(optim.join_schedules([warm_up, decay], [100]))
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
