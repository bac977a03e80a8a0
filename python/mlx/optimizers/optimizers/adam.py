"""Adam, AdamW, Adamax, arXiv 1412.6980 and 1711.05101. Letters as in gradient_descent.py."""

from __future__ import annotations

import mlx.core as mx
from mlx.optimizers.optimizers.base import Optimizer, Schedule, moving_mean, require_at_least, require_betas


class Adam(Optimizer):
    """``m = b1 * m + (1 - b1) * g; v = b2 * v + (1 - b2) * g^2; w -= lr * m / (sqrt(v) + eps)``.

    With `bias_correction`, m is divided by ``1 - b1^step`` and v by ``1 - b2^step``.

    Raises:
        ValueError: betas outside [0, 1); a negative `eps`.

    Example:
        >>> optimizer = optim.Adam(learning_rate=0.1, bias_correction=True)
        >>> optimizer.apply_gradients({"w": mx.array([1.0, -2.0])}, {"w": mx.array([0.0, 0.0])})
        {'w': array([-0.0999993, 0.0999993], dtype=float32)}
    """

    def __init__(
        self,
        learning_rate: float | Schedule,
        betas: list[float] = [0.9, 0.999],
        eps: float = 1e-8,
        bias_correction: bool = False,
    ):
        super().__init__()
        require_betas(type(self).__name__, betas)
        require_at_least(type(self).__name__, "eps", eps, 0)
        self._maybe_schedule("learning_rate", learning_rate)
        self.betas = list(betas)
        self.eps = eps
        self.bias_correction = bias_correction

    def init_single(self, parameter: mx.array, state: dict) -> None:
        state["m"] = mx.zeros_like(parameter)
        state["v"] = mx.zeros_like(parameter)

    def apply_single(self, gradient: mx.array, parameter: mx.array, state: dict) -> mx.array:
        b1, b2 = self.betas
        m = moving_mean(state, "m", gradient, b1)
        size = mx.sqrt(moving_mean(state, "v", mx.square(gradient), b2))
        rate = self._rate_like(gradient)
        if self.bias_correction:
            # Computed as float32 scalars: 1 - b2^step has no digits in half precision.
            rate = (self.learning_rate / (1 - b1**self.step)).astype(gradient.dtype)
            size = size * mx.rsqrt(1 - b2**self.step).astype(gradient.dtype)
        return parameter - rate * m / (size + self.eps)


class AdamW(Adam):
    """Adam applied to ``w * (1 - lr * weight_decay)``.

    Raises:
        ValueError: betas outside [0, 1); a negative `eps`.

    Example:
        >>> optimizer = optim.AdamW(learning_rate=0.1, weight_decay=0.1)
        >>> optimizer.apply_gradients({"w": mx.array([1.0, -2.0])}, {"w": mx.array([0.0, 0.0])})
        {'w': array([-0.316228, 0.316228], dtype=float32)}
    """

    def __init__(
        self,
        learning_rate: float | Schedule,
        betas: list[float] = [0.9, 0.999],
        eps: float = 1e-8,
        weight_decay: float = 0.01,
        bias_correction: bool = False,
    ):
        super().__init__(learning_rate, betas, eps, bias_correction)
        self.weight_decay = weight_decay

    def apply_single(self, gradient: mx.array, parameter: mx.array, state: dict) -> mx.array:
        kept = 1 - self._rate_like(gradient) * self.weight_decay
        return super().apply_single(gradient, parameter * kept, state)


class Adamax(Adam):
    """``m = b1 * m + (1 - b1) * g; v = max(b2 * v, |g|); w -= lr * m / (v + eps)``.

    Raises:
        ValueError: betas outside [0, 1); a negative `eps`.

    Example:
        >>> optimizer = optim.Adamax(learning_rate=0.1)
        >>> optimizer.apply_gradients({"w": mx.array([1.0, -2.0])}, {"w": mx.array([0.0, 0.0])})
        {'w': array([-0.01, 0.01], dtype=float32)}
    """

    def __init__(
        self,
        learning_rate: float | Schedule,
        betas: list[float] = [0.9, 0.999],
        eps: float = 1e-8,
    ):
        super().__init__(learning_rate, betas, eps)

    def apply_single(self, gradient: mx.array, parameter: mx.array, state: dict) -> mx.array:
        b1, b2 = self.betas
        m = moving_mean(state, "m", gradient, b1)
        state["v"] = mx.maximum(b2 * state["v"], mx.abs(gradient))
        return parameter - self._rate_like(gradient) * m / (state["v"] + self.eps)
