"""Type stubs of mlx.core.cuda. Written by tools/make_stubs.py."""

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

def is_available() -> bool:
    """Whether this build and machine have an NVIDIA GPU.

    Raises: nothing.

    Example:

        >>> mx.cuda.is_available() in (True, False)
        True
    """
