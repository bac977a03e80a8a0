"""Optimizers, learning-rate schedules and gradient clipping."""

from mlx.optimizers.adam import Adam, Adamax, AdamW
from mlx.optimizers.base import MultiOptimizer, Optimizer, clip_grad_norm
from mlx.optimizers.gradient_descent import SGD, AdaDelta, Adagrad, Lion, RMSprop
from mlx.optimizers.matrix import Adafactor, Muon
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
