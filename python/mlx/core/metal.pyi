"""Type stubs of mlx.core.metal. Written by tools/make_stubs.py."""

import pathlib
import types
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import Any, Literal, NamedTuple, ParamSpec, TypeVar, overload

import numpy.typing

from mlx.core import array, bfloat16, Device, DeviceType, Dtype, float32, int32, Stream, ThreadLocalStream

_Scalar = bool | int | float | complex
_List_or_scalar = Any
_DLPackCompatible = Any
_Capsule = Any
_File = Any
_Writable = Any
_StreamOrDevice = Stream | ThreadLocalStream | Device | DeviceType | None

from mlx.core import clear_cache as clear_cache
from mlx.core import get_active_memory as get_active_memory
from mlx.core import get_cache_memory as get_cache_memory
from mlx.core import get_peak_memory as get_peak_memory
from mlx.core import reset_peak_memory as reset_peak_memory
from mlx.core import set_cache_limit as set_cache_limit
from mlx.core import set_memory_limit as set_memory_limit
from mlx.core import set_wired_limit as set_wired_limit
def is_available() -> bool:
    """False.

    Raises: nothing.

    Example:

        >>> mx.metal.is_available()
        False
    """
def device_info() -> dict[str, str | int]:
    """Empty.

    Raises: nothing.

    Example:

        >>> mx.metal.device_info()
        {}
    """
def start_capture(path: str) -> None:
    """Without effect.

    Raises: nothing.

    Example:

        >>> mx.metal.start_capture("trace")
    """
def stop_capture() -> None:
    """Without effect.

    Raises: nothing.

    Example:

        >>> mx.metal.stop_capture()
    """
