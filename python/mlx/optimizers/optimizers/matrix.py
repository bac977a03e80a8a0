"""Adafactor and Muon: update rules that use the matrix structure of a parameter."""

from __future__ import annotations

import mlx.core as mx
from mlx.optimizers.optimizers.base import Optimizer, Schedule, moving_mean


def _rms(x: mx.array) -> mx.array:
    return mx.sqrt(mx.mean(mx.square(x)))


class Adafactor(Optimizer):
    """Adam with a second moment kept as row and column means, arXiv 1804.04235.

    Entries ``exp_avg_sq_row`` and ``exp_avg_sq_col`` for parameters of at least 2 axes, else ``exp_avg_sq``;
    with `beta_1` also ``exp_avg``.

    Args:
        learning_rate: used as it is if not `relative_step`.
        eps: (added to squared gradients, least scale of a parameter).
        clip_threshold: bound of the root mean square of an update.
        decay_rate: the second moment forgets with ``1 - step ** decay_rate``.
        beta_1: decay of the first moment; None: none is kept.
        weight_decay: the parameter shrinks by ``lr * weight_decay``.
        scale_parameter: multiply the rate by ``max(eps[1], rms(w))``.
        relative_step: the rate is ``min(1e-2, 1 / sqrt(step))``, or ``min(1e-6 * step, ...)`` for
            `warmup_init`.

    Raises:
        ValueError: neither a learning rate nor `relative_step`.

    Example:
        >>> optimizer = optim.Adafactor(learning_rate=0.1, relative_step=False)
        >>> optimizer.apply_gradients({"w": mx.array([1.0, -2.0])}, {"w": mx.array([0.0, 0.0])})
        {'w': array([-0.0001, 0.0001], dtype=float32)}
    """

    def __init__(
        self,
        learning_rate: float | Schedule | None = None,
        eps: tuple[float, float] = (1e-30, 1e-3),
        clip_threshold: float = 1.0,
        decay_rate: float = -0.8,
        beta_1: float | None = None,
        weight_decay: float = 0.0,
        scale_parameter: bool = True,
        relative_step: bool = True,
        warmup_init: bool = False,
    ):
        super().__init__()
        if learning_rate is None and not relative_step:
            raise ValueError("[Adafactor] relative_step=False needs a learning_rate.")
        if learning_rate is not None:
            self._maybe_schedule("learning_rate", learning_rate)
        self.eps = eps
        self.clip_threshold = clip_threshold
        self.decay_rate = decay_rate
        self.beta_1 = beta_1
        self.weight_decay = weight_decay
        self.scale_parameter = scale_parameter
        self.relative_step = relative_step
        self.warmup_init = warmup_init

    def init_single(self, parameter: mx.array, state: dict) -> None:
        if parameter.ndim >= 2:
            *lead, rows, columns = parameter.shape
            state["exp_avg_sq_row"] = mx.zeros((*lead, rows), dtype=parameter.dtype)
            state["exp_avg_sq_col"] = mx.zeros((*lead, columns), dtype=parameter.dtype)
        else:
            state["exp_avg_sq"] = mx.zeros_like(parameter)
        if self.beta_1 is not None:
            state["exp_avg"] = mx.zeros_like(parameter)

    def _rate(self, parameter: mx.array) -> mx.array:
        if self.relative_step:
            ceiling = 1e-6 * self.step if self.warmup_init else 1e-2
            rate = mx.minimum(ceiling, mx.rsqrt(self.step.astype(mx.float32)))
        else:
            rate = self.learning_rate
        return rate * mx.maximum(self.eps[1], _rms(parameter)) if self.scale_parameter else rate

    def _direction(self, gradient: mx.array, state: dict) -> mx.array:
        """The gradient over the root of its second moment."""
        keep = (1.0 - self.step.astype(mx.float32) ** self.decay_rate).astype(gradient.dtype)
        square = mx.square(gradient) + self.eps[0]
        if gradient.ndim < 2:
            return gradient * mx.rsqrt(moving_mean(state, "exp_avg_sq", square, keep))
        r = moving_mean(state, "exp_avg_sq_row", mx.mean(square, axis=-1), keep)
        c = moving_mean(state, "exp_avg_sq_col", mx.mean(square, axis=-2), keep)
        rows = mx.rsqrt(r / mx.mean(r, axis=-1, keepdims=True))
        return gradient * mx.expand_dims(rows, -1) * mx.expand_dims(mx.rsqrt(c), -2)

    def apply_single(self, gradient: mx.array, parameter: mx.array, state: dict) -> mx.array:
        rate = self._rate(parameter).astype(gradient.dtype)
        update = self._direction(gradient, state)
        update = rate * (update / mx.maximum(1.0, _rms(update) / self.clip_threshold))
        if self.beta_1 is not None:
            update = moving_mean(state, "exp_avg", update, self.beta_1)
        if self.weight_decay != 0:
            parameter = parameter * (1 - self.weight_decay * rate)
        return parameter - update


class Muon(Optimizer):
    """Momentum orthogonalized by Newton-Schulz iterations; K. Jordan, kellerjordan.github.io/posts/muon,
    2024.

    ``g += weight_decay * w; v = momentum * v + (1 - momentum) * g``; the update is v, or with `nesterov`
    ``(1 - momentum) * g + momentum * v``. Where the parameter has at least 2 axes it is brought near to the
    closest orthogonal matrix (of all axes but the first taken as columns) and the rate multiplied by
    ``sqrt(max(1, rows / columns))`` of the last two axes.

    Args:
        ns_steps: number of iterations.

    Example:
        >>> optimizer = optim.Muon(learning_rate=0.1)
        >>> optimizer.apply_gradients({"w": mx.eye(2)}, {"w": mx.zeros((2, 2))})["w"].shape
        (2, 2)
    """

    def __init__(
        self,
        learning_rate: float | Schedule,
        momentum: float = 0.95,
        weight_decay: float = 0.01,
        nesterov: bool = True,
        ns_steps: int = 5,
    ):
        super().__init__()
        self._maybe_schedule("learning_rate", learning_rate)
        self.momentum = momentum
        self.weight_decay = weight_decay
        self.nesterov = nesterov
        self.ns_steps = ns_steps

    def init_single(self, parameter: mx.array, state: dict) -> None:
        state["v"] = mx.zeros_like(parameter)

    def _orthogonalized(self, matrix: mx.array) -> mx.array:
        tall = matrix.shape[0] > matrix.shape[1]
        x = matrix.T if tall else matrix
        x = x / (mx.sqrt(mx.sum(mx.square(x))) + 1e-7)
        for _ in range(self.ns_steps):
            gram = x @ x.T
            # Coefficients of the odd quintic that pushes all singular values towards 1.
            x = 3.4445 * x + (-4.775 * gram + 2.0315 * (gram @ gram)) @ x
        return x.T if tall else x

    def apply_single(self, gradient: mx.array, parameter: mx.array, state: dict) -> mx.array:
        if self.weight_decay != 0:
            gradient = gradient + self.weight_decay * parameter
        update = moving_mean(state, "v", gradient, self.momentum)
        if self.nesterov:
            update = (1 - self.momentum) * gradient + self.momentum * update
        lr = self._rate_like(gradient)
        if update.ndim >= 2:
            shape = update.shape
            update = self._orthogonalized(update.reshape(shape[0], -1)).reshape(shape)
            lr = lr * max(1.0, shape[-2] / shape[-1]) ** 0.5
        return parameter - lr * update
