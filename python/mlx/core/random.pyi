"""Type stubs of mlx.core.random. Written by tools/make_stubs.py."""

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

class _RandomState:
    """The calling thread's key, as a sequence of one element."""
    def __getitem__(self, index: int) -> array: ...
    def __iter__(self) -> Iterator[array]: ...
    def __len__(self) -> int: ...

def key(seed: int) -> array:
    """The key (uint32, shape (2,)) of a seed."""
def seed(seed: int) -> None:
    """Seed the calling thread's key sequence."""
def split(key: array, num: int=2, stream: _StreamOrDevice=None) -> array:
    """num new keys from a key, shape (num, 2)."""
def uniform(low: _Scalar | array=0, high: _Scalar | array=1, shape: Sequence[int]=[], dtype: Dtype | None=float32, key: array | None=None, stream: _StreamOrDevice=None) -> array:
    """Uniform numbers in [low, high); the bounds broadcast to the shape."""
def normal(shape: Sequence[int]=[], dtype: Dtype | None=float32, loc: _Scalar | array | None=None, scale: _Scalar | array | None=None, key: array | None=None, stream: _StreamOrDevice=None) -> array:
    """Normal numbers with mean loc and standard deviation scale."""
def truncated_normal(lower: _Scalar | array, upper: _Scalar | array, shape: Sequence[int] | None=None, dtype: Dtype | None=float32, key: array | None=None, stream: _StreamOrDevice=None) -> array:
    """Standard normal numbers cut to [lower, upper]. The shape is that of the bounds by default."""
def gumbel(shape: Sequence[int]=[], dtype: Dtype | None=float32, key: array | None=None, stream: _StreamOrDevice=None) -> array:
    """Standard Gumbel numbers."""
def laplace(shape: Sequence[int]=[], dtype: Dtype | None=float32, loc: float=0.0, scale: float=1.0, key: array | None=None, stream: _StreamOrDevice=None) -> array:
    """Laplace numbers with mean loc."""
def multivariate_normal(mean: array, cov: array, shape: Sequence[int]=[], dtype: Dtype | None=float32, key: array | None=None, stream: _StreamOrDevice=None) -> array:
    """Normal vectors with mean (..., n) and covariance (..., n, n), whose symmetric root comes from its singular value decomposition. The leading axes and shape broadcast; the result has that shape and n. float32 only."""
def randint(low: _Scalar | array, high: _Scalar | array, shape: Sequence[int]=[], dtype: Dtype | None=int32, key: array | None=None, stream: _StreamOrDevice=None) -> array:
    """Integers in [low, high); the bounds broadcast to the shape."""
def bernoulli(p: _Scalar | array=0.5, shape: Sequence[int] | None=None, key: array | None=None, stream: _StreamOrDevice=None) -> array:
    """True with probability p. The shape is p's by default."""
def categorical(logits: array, axis: int=-1, shape: Sequence[int] | None=None, num_samples: int | None=None, key: array | None=None, stream: _StreamOrDevice=None) -> array:
    """Indices (uint32) along an axis drawn with the probabilities softmax(logits).

    The shape is that of the logits without the axis, followed by num_samples where given; or shape, to which it broadcasts.
    """
def permutation(x: int | array, axis: int=0, key: array | None=None, stream: _StreamOrDevice=None) -> array:
    """The entries of an array along an axis in random order, or 0 ... x - 1 in random order."""
state: _RandomState
