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
    """The key (uint32, shape (2,)) of a seed.

    Shape: (2,).

    Dtype: uint32.

    Raises: TypeError for what is no int from 0 to 2^64 - 1.

    Example:

        >>> mx.random.key(7)
        array([0, 7], dtype=uint32)
    """
def seed(seed: int) -> None:
    """Seed the calling thread's key sequence.

    Shape: the given one.

    Dtype: floating-point; float32 by default.

    Raises: TypeError for what is no int from 0 to 2^64 - 1.

    Example:

        >>> mx.random.seed(7)
        >>> a = mx.random.uniform()
        >>> mx.random.seed(7)
        >>> bool(a == mx.random.uniform())
        True
    """
def split(key: array, num: int=2, stream: _StreamOrDevice=None) -> array:
    """num new keys from a key, shape (num, 2).

    Shape: (num, 2) for a key of (2,).

    Dtype: uint32.

    Raises: ValueError for a key that is not (2,) of uint32, or a negative num.

    Example:

        >>> mx.random.split(mx.random.key(7)).shape
        (2, 2)
    """
def uniform(low: _Scalar | array=0, high: _Scalar | array=1, shape: Sequence[int]=[], dtype: Dtype | None=float32, key: array | None=None, stream: _StreamOrDevice=None) -> array:
    """Uniform numbers in [low, high); the bounds broadcast to the shape.

    Shape: the given one, to which the bounds broadcast.

    Dtype: floating-point; float32 by default.

    Raises: ValueError for negative sizes, parameters that do not broadcast, other dtypes, or a key that is not (2,) of uint32.

    Example:

        >>> x = mx.random.uniform(-1, 1, (1000,))
        >>> bool(mx.all((x >= -1) & (x < 1)))
        True
    """
def normal(shape: Sequence[int]=[], dtype: Dtype | None=float32, loc: _Scalar | array | None=None, scale: _Scalar | array | None=None, key: array | None=None, stream: _StreamOrDevice=None) -> array:
    """Normal numbers with mean loc and standard deviation scale.

    Shape: the given one, to which loc and scale broadcast.

    Dtype: floating-point or complex64; float32 by default.

    Raises: ValueError for negative sizes, parameters that do not broadcast, other dtypes, or a key that is not (2,) of uint32.

    Example:

        >>> mx.random.normal((2, 3), loc=1.0, scale=0.1).shape
        (2, 3)
    """
def truncated_normal(lower: _Scalar | array, upper: _Scalar | array, shape: Sequence[int] | None=None, dtype: Dtype | None=float32, key: array | None=None, stream: _StreamOrDevice=None) -> array:
    """Standard normal numbers cut to [lower, upper]. The shape is that of the bounds by default.

    Shape: the given one, to which the bounds broadcast; by default theirs.

    Dtype: floating-point; float32 by default.

    Raises: ValueError for negative sizes, parameters that do not broadcast, other dtypes, or a key that is not (2,) of uint32.

    Example:

        >>> x = mx.random.truncated_normal(-1, 1, (1000,))
        >>> bool(mx.abs(x).max() <= 1)
        True
    """
def gumbel(shape: Sequence[int]=[], dtype: Dtype | None=float32, key: array | None=None, stream: _StreamOrDevice=None) -> array:
    """Standard Gumbel numbers.

    Shape: the given one.

    Dtype: floating-point; float32 by default.

    Raises: ValueError for negative sizes, parameters that do not broadcast, other dtypes, or a key that is not (2,) of uint32.

    Example:

        >>> mx.random.gumbel((2, 3)).shape
        (2, 3)
    """
def laplace(shape: Sequence[int]=[], dtype: Dtype | None=float32, loc: float=0.0, scale: float=1.0, key: array | None=None, stream: _StreamOrDevice=None) -> array:
    """Laplace numbers with mean loc.

    Options: scale is the mean distance from loc.

    Shape: the given one.

    Dtype: floating-point; float32 by default.

    Raises: ValueError for negative sizes, parameters that do not broadcast, other dtypes, or a key that is not (2,) of uint32.

    Example:

        >>> mx.random.laplace((3,), loc=5.0).dtype
        mlx.core.float32
    """
def multivariate_normal(mean: array, cov: array, shape: Sequence[int]=[], dtype: Dtype | None=float32, key: array | None=None, stream: _StreamOrDevice=None) -> array:
    """Normal vectors with mean (..., n) and covariance (..., n, n), whose symmetric root comes from its singular value decomposition. The leading axes and shape broadcast; the result has that shape and n. float32 only.

    Shape: mean (..., n), cov (..., n, n); the leading axes and shape broadcast, and the result ends with n.

    Dtype: float32 only.

    Raises: ValueError for negative sizes, parameters that do not broadcast, other dtypes, or a key that is not (2,) of uint32.

    Example:

        >>> mx.random.multivariate_normal(mx.zeros(2), mx.eye(2), (5,)).shape
        (5, 2)
    """
def randint(low: _Scalar | array, high: _Scalar | array, shape: Sequence[int]=[], dtype: Dtype | None=int32, key: array | None=None, stream: _StreamOrDevice=None) -> array:
    """Integers in [low, high); the bounds broadcast to the shape.

    Shape: the given one, to which the bounds broadcast.

    Dtype: integers; int32 by default.

    Raises: ValueError for negative sizes, parameters that do not broadcast, other dtypes, or a key that is not (2,) of uint32.

    Example:

        >>> x = mx.random.randint(0, 6, (100,))
        >>> x.min().item() >= 0 and x.max().item() < 6
        True
    """
def bernoulli(p: _Scalar | array=0.5, shape: Sequence[int] | None=None, key: array | None=None, stream: _StreamOrDevice=None) -> array:
    """True with probability p. The shape is p's by default.

    Shape: the given one, to which p broadcasts; by default p's.

    Dtype: p is floating-point; the result is bool.

    Raises: ValueError for negative sizes, parameters that do not broadcast, other dtypes, or a key that is not (2,) of uint32.

    Example:

        >>> mx.random.bernoulli(mx.array([0.0, 1.0]))
        array([False, True], dtype=bool)
    """
def categorical(logits: array, axis: int=-1, shape: Sequence[int] | None=None, num_samples: int | None=None, key: array | None=None, stream: _StreamOrDevice=None) -> array:
    """Indices (uint32) along an axis drawn with the probabilities softmax(logits).

    The shape is that of the logits without the axis, followed by num_samples where given; or shape, to which it broadcasts.

    Shape: that of the logits without the axis, then num_samples; or shape.

    Dtype: real; the result is uint32.

    Raises: AxisError for an axis out of range, ValueError where shape does not fit or is given beside num_samples.

    Example:

        >>> mx.random.categorical(mx.array([[-mx.inf, 0.0], [0.0, -mx.inf]]))
        array([1, 0], dtype=uint32)
    """
def permutation(x: int | array, axis: int=0, key: array | None=None, stream: _StreamOrDevice=None) -> array:
    """The entries of an array along an axis in random order, or 0 ... x - 1 in random order.

    Shape: that of x, or (x,) for an int.

    Dtype: any; x's, or uint32 for an int.

    Raises: AxisError for an axis out of range, ValueError for a negative x.

    Example:

        >>> mx.sort(mx.random.permutation(4))
        array([0, 1, 2, 3], dtype=uint32)
    """
state: _RandomState
