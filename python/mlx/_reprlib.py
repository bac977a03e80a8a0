"""Teaches reprlib that not every class called ``array`` is ``array.array``.

reprlib (and with it pytest, debuggers and IPython) picks its method by the name of the class, and the one for
``array.array`` fails on the arrays of mlx.core.
"""

import reprlib
from typing import Any

# Of the standard library, also where this file is run again.
_of_array_module = getattr(reprlib.Repr.repr_array, "__wrapped__", reprlib.Repr.repr_array)


def _repr_array(self: reprlib.Repr, x: Any, level: int) -> str:
    if type(x).__module__ == "mlx.core":
        return self.repr_instance(x, level)
    return _of_array_module(self, x, level)


_repr_array.__wrapped__ = _of_array_module  # type: ignore


def install() -> None:
    reprlib.Repr.repr_array = _repr_array
