"""Optimizers and gradient clipping, one file per family."""

from mlx.optimizers.optimizers.adam import Adam, Adamax, AdamW
from mlx.optimizers.optimizers.base import MultiOptimizer, Optimizer, clip_grad_norm
from mlx.optimizers.optimizers.gradient_descent import SGD, AdaDelta, Adagrad, Lion, RMSprop
from mlx.optimizers.optimizers.matrix import Adafactor, Muon

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
]
