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
    """Processes that compute together.

    Shape: that of x.

    Dtype: any; the result has x's.

    Raises: nothing; distributed.init makes it.

    Example:

        >>> mx.distributed.init().size()
        1
    """
    def rank(self) -> int:
        """The number of this process in the group.

        Shape: that of x.

        Dtype: any; the result has x's.

        Raises: nothing.

        Example:

            >>> mx.distributed.init().rank()
            0
        """
    def size(self) -> int:
        """How many processes the group has.

        Shape: that of x.

        Dtype: any; the result has x's.

        Raises: nothing.

        Example:

            >>> mx.distributed.init().size()
            1
        """
    def split(self, color: int, key: int=-1) -> Group:
        """The group of the processes that give the same color, in the order of their keys. RuntimeError for a group of one process.

        Shape: that of x.

        Dtype: any; the result has x's.

        Raises: RuntimeError for a group of one process.

        Example:

            >>> mx.distributed.init().split(0)
            Traceback (most recent call last):
            RuntimeError: [split] A group of one process cannot be split.
        """

def is_available(backend: str='any') -> bool:
    """Whether a backend exists: any, jaccl, mpi, nccl or ring.

    Shape: that of x.

    Dtype: any; the result has x's.

    Raises: nothing; an unknown backend is not available.

    Example:

        >>> mx.distributed.is_available() in (True, False)
        True
    """
def init(strict: bool=False, backend: str='any', *, all_gather_factory: Callable[[int, int], Callable[[bytes, int], bytes]] | None=None) -> Group:
    """The group of all processes. Where none is configured it holds this process alone; with strict that is a RuntimeError.

    Shape: that of x.

    Dtype: any; the result has x's.

    Raises: RuntimeError with strict where no group is configured, ValueError for an unknown backend.

    Example:

        >>> group = mx.distributed.init()
        >>> group.rank(), group.size()
        (0, 1)
    """
def all_sum(x: array, *, group: Group | None=None, stream: _StreamOrDevice=None) -> array:
    """The sum over all processes.

    Options: group is the processes that take part, by default all.

    Shape: that of x.

    Dtype: any; the result has x's.

    Raises: TypeError for what is no array.

    Example:

        >>> mx.distributed.all_sum(mx.array([1, 2]))
        array([1, 2], dtype=int32)
    """
def all_max(x: array, *, group: Group | None=None, stream: _StreamOrDevice=None) -> array:
    """The largest values over all processes.

    Options: group is the processes that take part, by default all.

    Shape: that of x.

    Dtype: any; the result has x's.

    Raises: TypeError for what is no array.

    Example:

        >>> mx.distributed.all_max(mx.array([1, 2]))
        array([1, 2], dtype=int32)
    """
def all_min(x: array, *, group: Group | None=None, stream: _StreamOrDevice=None) -> array:
    """The smallest values over all processes.

    Options: group is the processes that take part, by default all.

    Shape: that of x.

    Dtype: any; the result has x's.

    Raises: TypeError for what is no array.

    Example:

        >>> mx.distributed.all_min(mx.array([1, 2]))
        array([1, 2], dtype=int32)
    """
def all_gather(x: array, *, group: Group | None=None, stream: _StreamOrDevice=None) -> array:
    """The arrays of all processes, one after the other along the first axis.

    Options: group is the processes that take part, by default all.

    Shape: that of x; the first axis is as many times as long as the group has processes.

    Dtype: any; the result has x's.

    Raises: TypeError for what is no array.

    Example:

        >>> mx.distributed.all_gather(mx.array([1, 2]))
        array([1, 2], dtype=int32)
    """
def sum_scatter(x: array, *, group: Group | None=None, stream: _StreamOrDevice=None) -> array:
    """This process's part, along the first axis, of the sum over all processes.

    Options: group is the processes that take part, by default all.

    Shape: that of x; the first axis is divided by the number of processes.

    Dtype: any; the result has x's.

    Raises: ValueError where the first axis cannot be divided by it.

    Example:

        >>> mx.distributed.sum_scatter(mx.array([1, 2]))
        array([1, 2], dtype=int32)
    """
def send(x: array, dst: int, *, group: Group | None=None, stream: _StreamOrDevice=None) -> array:
    """Send an array to a process. Returns it; the message goes out when that is evaluated.

    Options: dst is the number of the other process in the group, by default that of all.

    Shape: that of x.

    Dtype: any; the result has x's.

    Raises: ValueError in a group of one process, or for a process that does not exist.

    Example:

        >>> mx.distributed.send(mx.array([1]), 0)
        Traceback (most recent call last):
        ValueError: [send] There is no process 0 to exchange messages with in a group of 1.
    """
def recv(shape: Sequence[int], dtype: Dtype, src: int, *, group: Group | None=None, stream: _StreamOrDevice=None) -> array:
    """Receive an array of a shape and dtype from a process.

    Options: src is the number of the other process in the group, by default that of all.

    Shape: the given one.

    Dtype: the given one.

    Raises: ValueError in a group of one process, or for a process that does not exist.

    Example:

        >>> mx.distributed.recv((1,), mx.int32, 0)
        Traceback (most recent call last):
        ValueError: [recv] There is no process 0 to exchange messages with in a group of 1.
    """
def recv_like(x: array, src: int, *, group: Group | None=None, stream: _StreamOrDevice=None) -> array:
    """Receive an array of x's shape and dtype from a process.

    Options: src is the number of the other process in the group, by default that of all.

    Shape: that of x.

    Dtype: any; the result has x's.

    Raises: ValueError in a group of one process, or for a process that does not exist.

    Example:

        >>> mx.distributed.recv_like(mx.array([1]), 0)
        Traceback (most recent call last):
        ValueError: [recv_like] There is no process 0 to exchange messages with in a group of 1.
    """
