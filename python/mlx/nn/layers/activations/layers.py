"""Activation functions as layers. None but PReLU has parameters; formulas are in functions.py."""

from __future__ import annotations

import mlx.core as mx
from mlx.nn.layers.activations import functions as fn
from mlx.nn.layers.base import Module


class _Fixed(Module):
    """A layer that applies one function with its default arguments."""

    def __call__(self, x: mx.array) -> mx.array:
        return self._function(x)


class Sigmoid(_Fixed):
    """Applies :func:`sigmoid`.

    Example::

        nn.Sigmoid()(mx.array([-1.0, 0.0, 1.0]))
    """

    _function = staticmethod(fn.sigmoid)


class Tanh(_Fixed):
    """Applies :func:`tanh`.

    Example::

        nn.Tanh()(mx.array([-1.0, 0.0, 1.0]))
    """

    _function = staticmethod(fn.tanh)


class ReLU(_Fixed):
    """Applies :func:`relu`.

    Example::

        nn.ReLU()(mx.array([-1.0, 0.0, 1.0]))
    """

    _function = staticmethod(fn.relu)


class ReLU2(_Fixed):
    """Applies :func:`relu2`.

    Example::

        nn.ReLU2()(mx.array([-1.0, 0.0, 1.0]))
    """

    _function = staticmethod(fn.relu2)


class ReLU6(_Fixed):
    """Applies :func:`relu6`.

    Example::

        nn.ReLU6()(mx.array([-1.0, 0.0, 1.0]))
    """

    _function = staticmethod(fn.relu6)


class SELU(_Fixed):
    """Applies :func:`selu`.

    Example::

        nn.SELU()(mx.array([-1.0, 0.0, 1.0]))
    """

    _function = staticmethod(fn.selu)


class Softplus(_Fixed):
    """Applies :func:`softplus`.

    Example::

        nn.Softplus()(mx.array([-1.0, 0.0, 1.0]))
    """

    _function = staticmethod(fn.softplus)


class Softsign(_Fixed):
    """Applies :func:`softsign`.

    Example::

        nn.Softsign()(mx.array([-1.0, 0.0, 1.0]))
    """

    _function = staticmethod(fn.softsign)


class SiLU(_Fixed):
    """Applies :func:`silu`.

    Example::

        nn.SiLU()(mx.array([-1.0, 0.0, 1.0]))
    """

    _function = staticmethod(fn.silu)


class LogSigmoid(_Fixed):
    """Applies :func:`log_sigmoid`.

    Example::

        nn.LogSigmoid()(mx.array([-1.0, 0.0, 1.0]))
    """

    _function = staticmethod(fn.log_sigmoid)


class Mish(_Fixed):
    """Applies :func:`mish`.

    Example::

        nn.Mish()(mx.array([-1.0, 0.0, 1.0]))
    """

    _function = staticmethod(fn.mish)


class Hardswish(_Fixed):
    """Applies :func:`hardswish`.

    Example::

        nn.Hardswish()(mx.array([-1.0, 0.0, 1.0]))
    """

    _function = staticmethod(fn.hardswish)


class HardTanh(_Fixed):
    """Applies :func:`hard_tanh` with bounds -1 and 1.

    Example::

        nn.HardTanh()(mx.array([-1.0, 0.0, 1.0]))
    """

    _function = staticmethod(fn.hard_tanh)


class Softmax(_Fixed):
    """Applies :func:`softmax` to the last axis.

    Example::

        nn.Softmax()(mx.array([-1.0, 0.0, 1.0]))
    """

    _function = staticmethod(fn.softmax)


class Softmin(_Fixed):
    """Applies :func:`softmin` to the last axis.

    Example::

        nn.Softmin()(mx.array([-1.0, 0.0, 1.0]))
    """

    _function = staticmethod(fn.softmin)


class LogSoftmax(_Fixed):
    """Applies :func:`log_softmax` to the last axis.

    Example::

        nn.LogSoftmax()(mx.array([-1.0, 0.0, 1.0]))
    """

    _function = staticmethod(fn.log_softmax)


class GLU(Module):
    """Applies :func:`glu` along `axis`, which it halves.

    Example::

        nn.GLU()(mx.ones((2, 8)))  # (2, 4)
    """

    def __init__(self, axis: int = -1):
        super().__init__()
        self.axis = axis

    def __call__(self, x: mx.array) -> mx.array:
        return fn.glu(x, self.axis)


class LeakyReLU(Module):
    """Applies :func:`leaky_relu`.

    Example::

        nn.LeakyReLU()(mx.array([-1.0, 0.0, 1.0]))
    """

    def __init__(self, negative_slope: float = 0.01):
        super().__init__()
        self.negative_slope = negative_slope

    def __call__(self, x: mx.array) -> mx.array:
        return fn.leaky_relu(x, self.negative_slope)


class ELU(Module):
    """Applies :func:`elu`.

    Example::

        nn.ELU()(mx.array([-1.0, 0.0, 1.0]))
    """

    def __init__(self, alpha: float = 1.0):
        super().__init__()
        self.alpha = alpha

    def __call__(self, x: mx.array) -> mx.array:
        return fn.elu(x, self.alpha)


class CELU(Module):
    """Applies :func:`celu`.

    Example::

        nn.CELU()(mx.array([-1.0, 0.0, 1.0]))
    """

    def __init__(self, alpha: float = 1.0):
        super().__init__()
        self.alpha = alpha

    def __call__(self, x: mx.array) -> mx.array:
        return fn.celu(x, self.alpha)


class Softshrink(Module):
    """Applies :func:`softshrink`.

    Example::

        nn.Softshrink()(mx.array([-1.0, 0.0, 1.0]))
    """

    def __init__(self, lambd: float = 0.5):
        super().__init__()
        self.lambd = lambd

    def __call__(self, x: mx.array) -> mx.array:
        return fn.softshrink(x, self.lambd)


class HardShrink(Module):
    """Applies :func:`hard_shrink`.

    Example::

        nn.HardShrink()(mx.array([-1.0, 0.0, 1.0]))
    """

    def __init__(self, lambd: float = 0.5):
        super().__init__()
        self.lambd = lambd

    def __call__(self, x: mx.array) -> mx.array:
        return fn.hard_shrink(x, self.lambd)


class Step(Module):
    """Applies :func:`step`.

    Example::

        nn.Step()(mx.array([-1.0, 0.0, 1.0]))
    """

    def __init__(self, threshold: float = 0.0):
        super().__init__()
        self.threshold = threshold

    def __call__(self, x: mx.array) -> mx.array:
        return fn.step(x, self.threshold)


class PReLU(Module):
    """Applies :func:`prelu` with parameter ``weight`` (num_parameters,), filled with `init`.

    Example::

        nn.PReLU(8)(mx.ones((2, 8)))
    """

    def __init__(self, num_parameters: int = 1, init: float = 0.25):
        super().__init__()
        self.weight = mx.full((num_parameters,), init)

    def __call__(self, x: mx.array) -> mx.array:
        return fn.prelu(x, self["weight"])


_GELU = {
    "none": fn.gelu,
    "precise": fn.gelu_approx,
    "tanh": fn.gelu_approx,
    "fast": fn.gelu_fast_approx,
}


class GELU(Module):
    """Applies :func:`gelu` ("none"), :func:`gelu_approx` ("precise", "tanh") or :func:`gelu_fast_approx`
    ("fast").

    Raises:
        ValueError: another name for `approx`.

    Example::

        nn.GELU("tanh")(mx.ones(3))
    """

    def __init__(self, approx: str = "none"):
        super().__init__()
        if approx not in _GELU:
            raise ValueError(f"[GELU] approx must be one of {', '.join(map(repr, _GELU))}, not {approx!r}.")
        self.approx = approx

    def __call__(self, x: mx.array) -> mx.array:
        return _GELU[self.approx](x)
