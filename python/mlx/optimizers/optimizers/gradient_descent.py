"""SGD, RMSprop, Adagrad, AdaDelta, Lion: update rules of at most two moments and no bias correction.

In the formulas g is the gradient, w the parameter, lr the learning rate; other letters are entries of the
state, arrays like the parameter that start at zero. The learning rate is cast to the dtype of the gradient.
"""

from __future__ import annotations

import mlx.core as mx
from mlx.optimizers.optimizers.base import Optimizer, Schedule, moving_mean, require_at_least, require_betas


class SGD(Optimizer):
    """Stochastic gradient descent: ``g += weight_decay * w``, then ``w -= lr * g``, or with momentum

    ``v = momentum * v + (1 - dampening) * g; w -= lr * v``; Nesterov's variant steps along ``g + momentum *
    v``.

    Raises:
        ValueError: `nesterov` without momentum, or with dampening.

    Example:
        >>> optimizer = optim.SGD(learning_rate=0.1, momentum=0.9)
        >>> optimizer.apply_gradients({"w": mx.array([1.0, -2.0])}, {"w": mx.array([0.0, 0.0])})
        {'w': array([-0.1, 0.2], dtype=float32)}
    """

    def __init__(
        self,
        learning_rate: float | Schedule,
        momentum: float = 0.0,
        weight_decay: float = 0.0,
        dampening: float = 0.0,
        nesterov: bool = False,
    ):
        super().__init__()
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError(
                "[SGD] Nesterov momentum needs a momentum >0 and a dampening of 0, not "
                f"momentum={momentum}, dampening={dampening}."
            )
        self._maybe_schedule("learning_rate", learning_rate)
        self.momentum = momentum
        self.weight_decay = weight_decay
        self.dampening = dampening
        self.nesterov = nesterov

    def init_single(self, parameter: mx.array, state: dict) -> None:
        state["v"] = mx.zeros_like(parameter)

    def apply_single(self, gradient: mx.array, parameter: mx.array, state: dict) -> mx.array:
        if self.weight_decay != 0:
            gradient = gradient + self.weight_decay * parameter
        if self.momentum > 0:
            push = (1 - self.dampening) * gradient if self.dampening != 0 else gradient
            state["v"] = self.momentum * state["v"] + push
            gradient = gradient + self.momentum * state["v"] if self.nesterov else state["v"]
        return parameter - self._rate_like(gradient) * gradient


class RMSprop(Optimizer):
    """``v = alpha * v + (1 - alpha) * g^2; w -= lr * g / (sqrt(v) + eps)``; Hinton's lectures, 2012.

    Raises:
        ValueError: a negative `alpha`; `eps` not positive.

    Example:
        >>> optimizer = optim.RMSprop(learning_rate=0.1)
        >>> optimizer.apply_gradients({"w": mx.array([1.0, -2.0])}, {"w": mx.array([0.0, 0.0])})
        {'w': array([-1, 1], dtype=float32)}
    """

    def __init__(self, learning_rate: float | Schedule, alpha: float = 0.99, eps: float = 1e-8):
        super().__init__()
        require_at_least("RMSprop", "alpha", alpha, 0)
        require_at_least("RMSprop", "eps", eps, 0, inclusive=False)
        self._maybe_schedule("learning_rate", learning_rate)
        self.alpha = alpha
        self.eps = eps

    def init_single(self, parameter: mx.array, state: dict) -> None:
        state["v"] = mx.zeros_like(parameter)

    def apply_single(self, gradient: mx.array, parameter: mx.array, state: dict) -> mx.array:
        v = moving_mean(state, "v", mx.square(gradient), self.alpha)
        return parameter - self._rate_like(gradient) * gradient / (mx.sqrt(v) + self.eps)


class Adagrad(Optimizer):
    """``v += g^2; w -= lr * g / (sqrt(v) + eps)``; Duchi and others, 2011.

    Raises:
        ValueError: `eps` not positive.

    Example:
        >>> optimizer = optim.Adagrad(learning_rate=0.1)
        >>> optimizer.apply_gradients({"w": mx.array([1.0, -2.0])}, {"w": mx.array([0.0, 0.0])})
        {'w': array([-0.1, 0.1], dtype=float32)}
    """

    def __init__(self, learning_rate: float | Schedule, eps: float = 1e-8):
        super().__init__()
        require_at_least("Adagrad", "eps", eps, 0, inclusive=False)
        self._maybe_schedule("learning_rate", learning_rate)
        self.eps = eps

    def init_single(self, parameter: mx.array, state: dict) -> None:
        state["v"] = mx.zeros_like(parameter)

    def apply_single(self, gradient: mx.array, parameter: mx.array, state: dict) -> mx.array:
        v = state["v"] = state["v"] + mx.square(gradient)
        return parameter - self._rate_like(gradient) * gradient / (mx.sqrt(v) + self.eps)


class AdaDelta(Optimizer):
    """Steps scaled by the running size of earlier steps u, arXiv 1212.5701.

    ``v = rho * v + (1 - rho) * g^2; d = sqrt(u + eps) / sqrt(v + eps) * g; u = rho * u + (1 - rho) * d^2;
    w -= lr * d``

    Raises:
        ValueError: a negative `rho`; `eps` not positive.

    Example:
        >>> optimizer = optim.AdaDelta(learning_rate=1.0)
        >>> optimizer.apply_gradients({"w": mx.array([1.0, -2.0])}, {"w": mx.array([0.0, 0.0])})
        {'w': array([-0.00316226, 0.00316227], dtype=float32)}
    """

    def __init__(self, learning_rate: float | Schedule, rho: float = 0.9, eps: float = 1e-6):
        super().__init__()
        require_at_least("AdaDelta", "rho", rho, 0)
        require_at_least("AdaDelta", "eps", eps, 0, inclusive=False)
        self._maybe_schedule("learning_rate", learning_rate)
        self.rho = rho
        self.eps = eps

    def init_single(self, parameter: mx.array, state: dict) -> None:
        state["v"] = mx.zeros_like(parameter)
        state["u"] = mx.zeros_like(parameter)

    def apply_single(self, gradient: mx.array, parameter: mx.array, state: dict) -> mx.array:
        v = moving_mean(state, "v", mx.square(gradient), self.rho)
        d = mx.sqrt(state["u"] + self.eps) / mx.sqrt(v + self.eps) * gradient
        moving_mean(state, "u", mx.square(d), self.rho)
        return parameter - self._rate_like(gradient) * d


class Lion(Optimizer):
    """Steps along the sign of a moving average, arXiv 2302.06675.

    ``c = b1 * m + (1 - b1) * g; m = b2 * m + (1 - b2) * g; w = w * (1 - lr * weight_decay) - lr * sign(c)``

    Raises:
        ValueError: betas outside [0, 1).

    Example:
        >>> optimizer = optim.Lion(learning_rate=0.1)
        >>> optimizer.apply_gradients({"w": mx.array([1.0, -2.0])}, {"w": mx.array([0.0, 0.0])})
        {'w': array([-0.1, 0.1], dtype=float32)}
    """

    def __init__(
        self,
        learning_rate: float | Schedule,
        betas: list[float] = [0.9, 0.99],
        weight_decay: float = 0.0,
    ):
        super().__init__()
        require_betas("Lion", betas)
        self._maybe_schedule("learning_rate", learning_rate)
        self.betas = list(betas)
        self.weight_decay = weight_decay

    def init_single(self, parameter: mx.array, state: dict) -> None:
        state["m"] = mx.zeros_like(parameter)

    def apply_single(self, gradient: mx.array, parameter: mx.array, state: dict) -> mx.array:
        lr = self._rate_like(gradient)
        b1, b2 = self.betas
        c = b1 * state["m"] + (1 - b1) * gradient
        moving_mean(state, "m", gradient, b2)
        if self.weight_decay > 0:
            parameter = parameter * (1 - lr * self.weight_decay)
        return parameter - lr * mx.sign(c)
