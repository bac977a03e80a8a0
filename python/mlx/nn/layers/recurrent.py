"""Recurrent layers: RNN, GRU, LSTM.

The projections of all inputs are one product; what depends on the state is computed step by step. Inputs are
(..., L, input_size), states (..., hidden_size), zeros where none is given. In the formulas x is one step of
the input and h the state before it.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import mlx.core as mx
from mlx.nn._checks import describe, require_sizes
from mlx.nn.layers.base import Module


class _Recurrent(Module):
    def __init__(self, input_size: int, hidden_size: int):
        super().__init__()
        owner = type(self).__name__
        _, self.hidden_size = require_sizes(owner, input_size=input_size, hidden_size=hidden_size)

    def _draw(self, *shape: int) -> mx.array:
        """Every weight and bias is drawn from U(-s, s) with s = sqrt(1 / hidden_size)."""
        scale = math.sqrt(1 / self.hidden_size)
        return mx.random.uniform(low=-scale, high=scale, shape=shape)

    def _project(self, x: mx.array, weight: mx.array, bias: mx.array | None) -> mx.array:
        if x.ndim < 2 or x.shape[-2] == 0:
            raise ValueError(
                f"[{type(self).__name__}] Expected an input (..., L, input_size) of at least one step, not "
                f"{describe(x)}."
            )
        return x @ weight.T if bias is None else mx.addmm(bias, x, weight.T)

    def _zeros(self, projected: mx.array) -> mx.array:
        return mx.zeros((*projected.shape[:-2], self.hidden_size), projected.dtype)

    def _describe(self, input_size: int, bias: str) -> str:
        return f"input_dims={input_size}, hidden_size={self.hidden_size}, bias={bias in self}"


def _steps(x: mx.array) -> list[mx.array]:
    """The parts (..., features) of (..., L, features)."""
    return [mx.squeeze(step, -2) for step in mx.split(x, x.shape[-2], axis=-2)]


class RNN(_Recurrent):
    """``h = nonlinearity(Wxh x + bias + Whh h)`` (Elman, Finding structure in time, 1990).

    Parameters ``Wxh`` (hidden_size, input_size), ``Whh`` (hidden_size, hidden_size) and ``bias``
    (hidden_size,), all from U(-s, s) with s = sqrt(1 / hidden_size).

    Args:
        bias: without it there is no ``bias`` parameter.
        nonlinearity: tanh by default.

    Raises:
        ValueError: a nonlinearity that cannot be called; an input with fewer than 2 axes or without steps.

    Example::

        states = nn.RNN(64, 16)(x)  # x (N, L, 64), states (N, L, 16)
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: Callable | None = None
    ) -> None:
        super().__init__(input_size, hidden_size)
        if nonlinearity is not None and not callable(nonlinearity):
            raise ValueError(f"[RNN] nonlinearity must be a function, not {describe(nonlinearity)}.")
        self.nonlinearity = nonlinearity or mx.tanh
        self.Wxh = self._draw(self.hidden_size, input_size)
        self.Whh = self._draw(self.hidden_size, self.hidden_size)
        self.bias = self._draw(self.hidden_size) if bias else None

    def _extra_repr(self) -> str:
        function = getattr(self.nonlinearity, "__name__", type(self.nonlinearity).__name__)
        return f"{self._describe(self.Wxh.shape[1], 'bias')}, nonlinearity={function}"

    def __call__(self, x: mx.array, hidden: mx.array | None = None) -> mx.array:
        """All states (..., L, hidden_size), beginning from `hidden` (..., hidden_size)."""
        x = self._project(x, self.Wxh, self.bias)
        h = self._zeros(x) if hidden is None else hidden
        states = []
        for step in _steps(x):
            h = self.nonlinearity(step + h @ self.Whh.T)
            states.append(h)
        return mx.stack(states, axis=-2)


class GRU(_Recurrent):
    """Gated recurrent unit, arXiv 1406.1078, in the form whose reset gate acts on the product of the state.

    ``r = sigmoid(Wx_r x + b_r + Wh_r h)``, ``z = sigmoid(Wx_z x + b_z + Wh_z h)``,
    ``n = tanh(Wx_n x + b_n + r * (Wh_n h + bhn))``, ``h = (1 - z) * n + z * h``.

    Parameters ``Wx`` (3 hidden_size, input_size), ``Wh`` (3 hidden_size, hidden_size), ``b`` (3
    hidden_size,), each with the rows of r, z and n in this order, and ``bhn`` (hidden_size,); all from U(-s,
    s) with s = sqrt(1 / hidden_size).

    Args:
        bias: without it there are no ``b`` and ``bhn``.

    Raises:
        ValueError: an input with fewer than 2 axes or without steps.

    Example::

        states = nn.GRU(64, 16)(x)  # x (N, L, 64), states (N, L, 16)
    """

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True) -> None:
        super().__init__(input_size, hidden_size)
        self.Wx = self._draw(3 * self.hidden_size, input_size)
        self.Wh = self._draw(3 * self.hidden_size, self.hidden_size)
        self.b = self._draw(3 * self.hidden_size) if bias else None
        self.bhn = self._draw(self.hidden_size) if bias else None

    def _extra_repr(self) -> str:
        return self._describe(self.Wx.shape[1], "b")

    def __call__(self, x: mx.array, hidden: mx.array | None = None) -> mx.array:
        """All states (..., L, hidden_size), beginning from `hidden` (..., hidden_size)."""
        x = self._project(x, self.Wx, self.b)
        h = self._zeros(x) if hidden is None else hidden
        gates = 2 * self.hidden_size
        states = []
        for step in _steps(x):
            of_state = h @ self.Wh.T
            r, z = mx.split(mx.sigmoid(step[..., :gates] + of_state[..., :gates]), 2, axis=-1)
            inner = of_state[..., gates:]
            n = mx.tanh(step[..., gates:] + r * (inner if self.bhn is None else inner + self.bhn))
            h = (1 - z) * n + z * h
            states.append(h)
        return mx.stack(states, axis=-2)


class LSTM(_Recurrent):
    """Long short-term memory (Hochreiter and Schmidhuber, 1997) with forget gates.

    ``i, f, g, o = split(Wx x + bias + Wh h)``, ``c = sigmoid(f) * c + sigmoid(i) * tanh(g)``,
    ``h = sigmoid(o) * tanh(c)``.

    Parameters ``Wx`` (4 hidden_size, input_size), ``Wh`` (4 hidden_size, hidden_size), ``bias``
    (4 hidden_size,), each with the rows of i, f, g and o in this order; all from U(-s, s) with
    s = sqrt(1 / hidden_size).

    Args:
        bias: without it there is no ``bias`` parameter.

    Raises:
        ValueError: an input with fewer than 2 axes or without steps.

    Example::

        hidden, cells = nn.LSTM(64, 16)(x)  # x (N, L, 64), both (N, L, 16)
    """

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True) -> None:
        super().__init__(input_size, hidden_size)
        self.Wx = self._draw(4 * self.hidden_size, input_size)
        self.Wh = self._draw(4 * self.hidden_size, self.hidden_size)
        self.bias = self._draw(4 * self.hidden_size) if bias else None

    def _extra_repr(self) -> str:
        return self._describe(self.Wx.shape[1], "bias")

    def __call__(
        self, x: mx.array, hidden: mx.array | None = None, cell: mx.array | None = None
    ) -> tuple[mx.array, mx.array]:
        """All hidden states and all cells, (..., L, hidden_size), beginning from `hidden` and `cell`."""
        x = self._project(x, self.Wx, self.bias)
        h = self._zeros(x) if hidden is None else hidden
        c = self._zeros(x) if cell is None else cell
        states, cells = [], []
        for step in _steps(x):
            i, f, g, o = mx.split(step + h @ self.Wh.T, 4, axis=-1)
            c = mx.sigmoid(f) * c + mx.sigmoid(i) * mx.tanh(g)
            h = mx.sigmoid(o) * mx.tanh(c)
            states.append(h)
            cells.append(c)
        return mx.stack(states, axis=-2), mx.stack(cells, axis=-2)
