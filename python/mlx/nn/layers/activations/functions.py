"""Activation functions. The layers that call them are in layers.py.

Functions of several element-wise steps are compiled, so that each is one pass over memory; none uses a shape.
At kinks the gradient follows from ``mx.maximum`` and ``mx.minimum``: a tie belongs to the second argument.
"""

from __future__ import annotations

import math
from functools import partial

import mlx.core as mx

_compiled = partial(mx.compile, shapeless=True)


def sigmoid(x: mx.array) -> mx.array:
    """``1 / (1 + exp(-x))``.

    Example::

        nn.sigmoid(mx.array([-1.0, 0.0, 1.0]))
    """
    return mx.sigmoid(x)


def tanh(x: mx.array) -> mx.array:
    """Hyperbolic tangent.

    Example::

        nn.tanh(mx.array([-1.0, 0.0, 1.0]))
    """
    return mx.tanh(x)


def relu(x: mx.array) -> mx.array:
    """``max(x, 0)``; the gradient at 0 is 0.

    Example::

        nn.relu(mx.array([-1.0, 0.0, 1.0]))
    """
    return mx.maximum(x, 0)


@_compiled
def relu2(x: mx.array) -> mx.array:
    """``max(x, 0) ** 2``.

    Example::

        nn.relu2(mx.array([-1.0, 0.0, 1.0]))
    """
    return mx.square(mx.maximum(x, 0))


@_compiled
def relu6(x: mx.array) -> mx.array:
    """``min(max(x, 0), 6)``.

    Example::

        nn.relu6(mx.array([-1.0, 0.0, 1.0]))
    """
    return mx.minimum(mx.maximum(x, 0), 6.0)


@_compiled
def leaky_relu(x: mx.array, negative_slope: float = 0.01) -> mx.array:
    """``max(negative_slope * x, x)``; the gradient at 0 is 1.

    Example::

        nn.leaky_relu(mx.array([-1.0, 0.0, 1.0]))
    """
    return mx.maximum(x * negative_slope, x)


@_compiled
def prelu(x: mx.array, alpha: mx.array) -> mx.array:
    """``max(0, x) + alpha * min(0, x)`` with a learned `alpha` that broadcasts against `x`.

    Example::

        nn.prelu(mx.array([-1.0, 0.0, 1.0]), mx.array(0.25))
    """
    return mx.maximum(0, x) + alpha * mx.minimum(0, x)


@_compiled
def elu(x: mx.array, alpha: float = 1.0) -> mx.array:
    """``x`` where x > 0, else ``alpha * (exp(x) - 1)``.

    Example::

        nn.elu(mx.array([-1.0, 0.0, 1.0]))
    """
    # The clamp keeps exp finite in the branch that is not taken, whose gradient would be 0 * inf.
    return mx.where(x > 0, x, mx.expm1(mx.minimum(0.0, x)) * alpha)


@_compiled
def celu(x: mx.array, alpha: float = 1.0) -> mx.array:
    """``max(x, 0) + alpha * (exp(min(x, 0) / alpha) - 1)``; smooth at 0, with gradient 1.

    Example::

        nn.celu(mx.array([-1.0, 0.0, 1.0]))
    """
    return mx.maximum(x, 0.0) + mx.expm1(mx.minimum(0.0, x) / alpha) * alpha


@_compiled
def selu(x: mx.array) -> mx.array:
    """``1.0507 * elu(x, 1.67326)``: self-normalizing networks, arXiv 1706.02515.

    Example::

        nn.selu(mx.array([-1.0, 0.0, 1.0]))
    """
    return 1.0507 * elu(x, 1.67326)


@_compiled
def softplus(x: mx.array) -> mx.array:
    """``log(1 + exp(x))``, without overflow.

    Example::

        nn.softplus(mx.array([-1.0, 0.0, 1.0]))
    """
    return mx.logaddexp(x, 0)


@_compiled
def softsign(x: mx.array) -> mx.array:
    """``x / (1 + |x|)``.

    Example::

        nn.softsign(mx.array([-1.0, 0.0, 1.0]))
    """
    return x / (1 + mx.abs(x))


@_compiled
def softshrink(x: mx.array, lambd: float = 0.5) -> mx.array:
    """``x - sign(x) * lambd`` where |x| > lambd, else 0.

    Example::

        nn.softshrink(mx.array([-1.0, 0.0, 1.0]))
    """
    return mx.where(mx.abs(x) > lambd, x - mx.sign(x) * lambd, 0)


@_compiled
def hard_shrink(x: mx.array, lambd: float = 0.5) -> mx.array:
    """``x`` where |x| > lambd, else 0; integers stay integers.

    Example::

        nn.hard_shrink(mx.array([-1.0, 0.0, 1.0]))
    """
    return mx.where(mx.abs(x) > lambd, x, 0)


@_compiled
def hard_tanh(x: mx.array, min_val: float = -1.0, max_val: float = 1.0) -> mx.array:
    """``min(max(x, min_val), max_val)``; the gradient at both bounds is 0.

    Example::

        nn.hard_tanh(mx.array([-1.0, 0.0, 1.0]))
    """
    return mx.minimum(mx.maximum(x, min_val), max_val)


@_compiled
def silu(x: mx.array) -> mx.array:
    """``x * sigmoid(x)``, also called swish.

    Example::

        nn.silu(mx.array([-1.0, 0.0, 1.0]))
    """
    return x * mx.sigmoid(x)


@_compiled
def log_sigmoid(x: mx.array) -> mx.array:
    """``log(sigmoid(x)) = -softplus(-x)``.

    Example::

        nn.log_sigmoid(mx.array([-1.0, 0.0, 1.0]))
    """
    return -softplus(-x)


@_compiled
def gelu(x: mx.array) -> mx.array:
    """``x * P(Z <= x)`` for a standard normal Z: ``x * (1 + erf(x / sqrt(2))) / 2``, arXiv 1606.08415.

    Example::

        nn.gelu(mx.array([-1.0, 0.0, 1.0]))
    """
    return x * (1 + mx.erf(x / math.sqrt(2))) / 2


@_compiled
def gelu_approx(x: mx.array) -> mx.array:
    """GELU by ``0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))``; off by less than 5e-4.

    Example::

        nn.gelu_approx(mx.array([-1.0, 0.0, 1.0]))
    """
    return 0.5 * x * (1 + mx.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)))


@_compiled
def gelu_fast_approx(x: mx.array) -> mx.array:
    """GELU by ``x * sigmoid(1.702 x)``; off by less than 0.021.

    Example::

        nn.gelu_fast_approx(mx.array([-1.0, 0.0, 1.0]))
    """
    return x * mx.sigmoid(1.702 * x)


@_compiled
def mish(x: mx.array) -> mx.array:
    """``x * tanh(softplus(x))``, arXiv 1908.08681.

    Example::

        nn.mish(mx.array([-1.0, 0.0, 1.0]))
    """
    return x * mx.tanh(softplus(x))


@_compiled
def hardswish(x: mx.array) -> mx.array:
    """``x * min(max(x + 3, 0), 6) / 6``, arXiv 1905.02244.

    Example::

        nn.hardswish(mx.array([-1.0, 0.0, 1.0]))
    """
    return x * mx.minimum(mx.maximum(x + 3, 0), 6) / 6


@_compiled
def step(x: mx.array, threshold: float = 0.0) -> mx.array:
    """1 where x >= threshold, else 0, as int32; the gradient is 0.

    Example::

        nn.step(mx.array([-1.0, 0.0, 1.0]))
    """
    return mx.where(x >= threshold, 1, 0)


def glu(x: mx.array, axis: int = -1) -> mx.array:
    """``a * sigmoid(b)`` for the halves a, b of `x` along `axis`, arXiv 1612.08083.

    Raises:
        ValueError: the axis has an odd size.

    Example::

        nn.glu(mx.ones((2, 8)))  # (2, 4)
    """
    a, b = mx.split(x, 2, axis=axis)
    return a * mx.sigmoid(b)


def softmax(x: mx.array, axis: int = -1) -> mx.array:
    """``exp(x) / sum(exp(x))`` along `axis`.

    Example::

        nn.softmax(mx.array([-1.0, 0.0, 1.0]))
    """
    return mx.softmax(x, axis=axis)


def softmin(x: mx.array, axis: int = -1) -> mx.array:
    """``softmax(-x)`` along `axis`.

    Example::

        nn.softmin(mx.array([-1.0, 0.0, 1.0]))
    """
    return mx.softmax(-x, axis=axis)


def log_softmax(x: mx.array, axis: int = -1) -> mx.array:
    """``x - logsumexp(x)`` along `axis`.

    Example::

        nn.log_softmax(mx.array([-1.0, 0.0, 1.0]))
    """
    return x - mx.logsumexp(x, axis=axis, keepdims=True)
