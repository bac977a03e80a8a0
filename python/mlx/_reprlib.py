"""reprlib picks its method by the bare name of a class: before Python 3.13 it took ours for array.array."""

import reprlib
import sys


def show_as_instances(array):
    """Called once by mlx.core. Debuggers and pytest shorten by reprlib what they show."""
    if sys.version_info >= (3, 13):
        return
    of_array_module = reprlib.Repr.repr_array

    def repr_array(self, x, level):
        return self.repr_instance(x, level) if isinstance(x, array) else of_array_module(self, x, level)

    reprlib.Repr.repr_array = repr_array
