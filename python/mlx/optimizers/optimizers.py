"""All optimizers under the name of the module that programs (and pickles) written for MLX know."""

from mlx.optimizers.adam import Adam, Adamax, AdamW
from mlx.optimizers.base import MultiOptimizer, Optimizer, clip_grad_norm
from mlx.optimizers.gradient_descent import SGD, AdaDelta, Adagrad, Lion, RMSprop
from mlx.optimizers.matrix import Adafactor, Muon

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
