"""What a worker must know of a framework: how to make an array, wait for a result, compile, look at it."""

import importlib
import importlib.metadata

import numpy as np


def leaves(tree):
    if isinstance(tree, list | tuple):
        return [leaf for branch in tree for leaf in leaves(branch)]
    return [tree]


class NumPy:
    name = "numpy"
    module = "numpy"

    def __init__(self, torch_compile=False):
        self.core = importlib.import_module(self.module)
        self.torch_compile = torch_compile
        self.version = importlib.metadata.version(self.module.partition(".")[0])

    def array(self, x, spec):
        return x.astype(np.intp if spec.index else spec.dtype)

    def wait(self, result):
        return result

    def compiled(self, case):
        return case.calls[self.name]

    def digest(self, result):
        """Enough to see that two frameworks did the same work."""
        x = np.asarray(self.to_numpy(leaves(result)[0]))
        return [x.size, float(np.abs(x).mean(dtype=np.float64))]

    def to_numpy(self, x):
        return x


class Mlx(NumPy):
    name = "mlx"
    module = "mlx.core"

    def array(self, x, spec):
        return self.core.array(x).astype(getattr(self.core, spec.dtype))

    def wait(self, result):
        self.core.eval(result)
        return result

    def compiled(self, case):
        call = case.calls[self.name]
        return self.core.compile(call) if case.compiled else call

    def to_numpy(self, x):
        return np.array(x.astype(self.core.float32) if x.dtype == self.core.bfloat16 else x)


class Torch(NumPy):
    name = "torch"
    module = "torch"

    def __init__(self, torch_compile=False):
        super().__init__(torch_compile)
        self.core.set_grad_enabled(False)

    def array(self, x, spec):
        dtype = "int64" if spec.index else spec.dtype
        return self.core.from_numpy(np.asarray(x)).to(getattr(self.core, dtype))

    def compiled(self, case):
        call = case.calls[self.name]
        return self.core.compile(call) if case.compiled and self.torch_compile else call

    def to_numpy(self, x):
        return (x.float() if x.dtype == self.core.bfloat16 else x).numpy()


class Jax(NumPy):
    name = "jax"
    module = "jax"

    def array(self, x, spec):
        return self.core.numpy.asarray(x, dtype=spec.dtype)

    def wait(self, result):
        return self.core.block_until_ready(result)

    def compiled(self, case):
        call = case.calls[self.name]
        return call if case.eager else self.core.jit(call)

    def to_numpy(self, x):
        return np.asarray(x.astype(self.core.numpy.float32) if x.dtype == self.core.numpy.bfloat16 else x)


def open_framework(name, torch_compile):
    return {f.name: f for f in (NumPy, Mlx, Torch, Jax)}[name](torch_compile)
