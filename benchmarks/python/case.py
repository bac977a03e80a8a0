"""What a case is: named inputs, and the same work spelled for each framework.

Every peer draws the same inputs from a seed, and no framework is imported before its call needs it, so that
one table serves processes that have only one of them.
"""

import importlib
import zlib
from dataclasses import dataclass, field, replace

import numpy as np

FRAMEWORKS = ("mlx", "numpy", "torch", "jax")
LACKS = {"numpy": {"bfloat16"}, "jax": {"int64", "float64"}}  # jax has the long types only on request


class Lazy:
    """A module that is imported at its first use; what was looked up once costs no second search."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, attribute):
        value = getattr(importlib.import_module(self._name), attribute)
        setattr(self, attribute, value)
        return value


mx, torch, jax, scipy_fft = (Lazy(name) for name in ("mlx.core", "torch", "jax", "scipy.fft"))


@dataclass(frozen=True)
class Input:
    shape: tuple
    dtype: str = "float32"
    high: int = 0  # integers below this; 0: normal values
    index: bool = False  # a framework's own type of index
    definite: bool = False  # symmetric matrices with positive eigenvalues

    def clipped(self, most):
        """The same with no size, and no index, above `most`."""
        shape = tuple(min(size, most) for size in self.shape)
        return replace(self, shape=shape, high=min(self.high, most) if self.index else self.high)

    def draw(self, rng):
        if self.high:
            return rng.integers(0, self.high, self.shape).astype(np.int32)
        x = rng.standard_normal(self.shape, np.float32)
        if self.definite:
            return x @ x.swapaxes(-1, -2) / np.float32(x.shape[-1]) + np.eye(x.shape[-1], dtype=np.float32)
        return (x * 1e8).astype(self.dtype) if "int" in self.dtype else x


def normal(*shape, dtype="float32"):
    return Input(shape, dtype)


def definite(size, batch=None):
    return Input((size, size) if batch is None else (batch, size, size), definite=True)


def integers(high, *shape):
    return Input(shape, "int32", high)


def index(high, *shape):
    """Positions in a dimension of size `high`."""
    return Input(shape, "int32", high, index=True)


@dataclass(frozen=True)
class Case:
    name: str
    inputs: tuple
    calls: dict  # framework: function of the inputs
    prepare: dict = field(default_factory=dict)  # framework: what is done to the inputs before, untimed
    compiled: bool = False  # the framework's compiler where it has one; who has none is left out
    eager: bool = False  # not even jax, which else runs under jit, may trace the call
    same: bool = True  # results agree: number of elements and mean of absolute values
    family: str = ""

    @property
    def key(self):
        return f"{self.family}/{self.name}"

    @property
    def dtype(self):
        return self.inputs[0].dtype if self.inputs else "float32"

    def draw(self, most=None):
        rng = np.random.default_rng(zlib.crc32(self.key.encode()))
        inputs = [i if most is None else i.clipped(most) for i in self.inputs]
        return inputs, [i.draw(rng) for i in inputs]

    def runs_on(self, framework):
        known = {i.dtype for i in self.inputs}.isdisjoint(LACKS.get(framework, ()))
        return known and self.calls.get(framework) is not None


def case(name, *inputs, every=None, prepare=None, compiled=False, eager=False, same=True, **calls):
    """`every(f, *inputs)` serves each framework that `calls` does not name, f being its module of functions;
    `numpy=None` leaves one out."""
    shared = {} if every is None else dict.fromkeys(FRAMEWORKS, every)
    bound = {name: bind(call, name) for name, call in shared.items() if name not in calls}
    bound |= {name: call for name, call in calls.items() if call is not None}
    return Case(name, inputs, bound, prepare or {}, compiled, eager, same)


def bind(call, framework):
    module = {"mlx": "mlx.core", "jax": "jax.numpy"}.get(framework, framework)
    functions = Lazy(module)
    return lambda *inputs: call(functions, *inputs)
