"""Optimizers, learning-rate schedules and gradient clipping."""

from mlx.optimizers.optimizers import (
    SGD,
    AdaDelta,
    Adafactor,
    Adagrad,
    Adam,
    Adamax,
    AdamW,
    Lion,
    MultiOptimizer,
    Muon,
    Optimizer,
    RMSprop,
    clip_grad_norm,
)
from mlx.optimizers.schedulers import (
    cosine_decay,
    exponential_decay,
    join_schedules,
    linear_schedule,
    step_decay,
)

__all__ = [
    "SGD",
    "AdaDelta",
    "Adafactor",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Lion",
    "MultiOptimizer",
    "Muon",
    "Optimizer",
    "RMSprop",
    "clip_grad_norm",
    "cosine_decay",
    "exponential_decay",
    "join_schedules",
    "linear_schedule",
    "step_decay",
]
