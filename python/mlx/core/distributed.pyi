"""Type stubs of mlx.core.distributed. Written by tools/make_stubs.py."""

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

class Group:
    """Processes that compute together."""
    def rank(self) -> int:
        """The number of this process in the group."""
    def size(self) -> int:
        """How many processes the group has."""
    def split(self, color: int, key: int=-1) -> Group:
        """The group of the processes that give the same color, in the order of their keys. RuntimeError for a group of one process."""

def is_available(backend: str='any') -> bool:
    """Whether a backend exists: any, jaccl, mpi, nccl or ring."""
def init(strict: bool=False, backend: str='any', *, all_gather_factory: Callable[[int, int], Callable[[bytes, int], bytes]] | None=None) -> Group:
    """The group of all processes. Where none is configured it holds this process alone; with strict that is a RuntimeError."""
def all_sum(x: array, *, group: Group | None=None, stream: _StreamOrDevice=None) -> array:
    """The sum over all processes."""
def all_max(x: array, *, group: Group | None=None, stream: _StreamOrDevice=None) -> array:
    """The largest values over all processes."""
def all_min(x: array, *, group: Group | None=None, stream: _StreamOrDevice=None) -> array:
    """The smallest values over all processes."""
def all_gather(x: array, *, group: Group | None=None, stream: _StreamOrDevice=None) -> array:
    """The arrays of all processes, one after the other along the first axis."""
def sum_scatter(x: array, *, group: Group | None=None, stream: _StreamOrDevice=None) -> array:
    """This process's part, along the first axis, of the sum over all processes."""
def send(x: array, dst: int, *, group: Group | None=None, stream: _StreamOrDevice=None) -> array:
    """Send an array to a process. Returns it; the message goes out when that is evaluated."""
def recv(shape: Sequence[int], dtype: Dtype, src: int, *, group: Group | None=None, stream: _StreamOrDevice=None) -> array:
    """Receive an array of a shape and dtype from a process."""
def recv_like(x: array, src: int, *, group: Group | None=None, stream: _StreamOrDevice=None) -> array:
    """Receive an array of x's shape and dtype from a process."""
