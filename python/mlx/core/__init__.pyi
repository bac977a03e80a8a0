"""Type stubs of mlx.core. Written by tools/make_stubs.py."""

import pathlib
import types
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import Any, Literal, NamedTuple, ParamSpec, TypeVar, overload

import numpy.typing

from . import cuda as cuda
from . import distributed as distributed
from . import fast as fast
from . import fft as fft
from . import linalg as linalg
from . import metal as metal
from . import random as random

_P = ParamSpec("_P")
_R = TypeVar("_R")

_Scalar = bool | int | float | complex
_List_or_scalar = Any
_DLPackCompatible = Any
_Capsule = Any
_File = Any
_Writable = Any
_StreamOrDevice = Stream | ThreadLocalStream | Device | DeviceType | None

class AxisError(ValueError, IndexError):
    """An axis or an index is out of range."""

class OutOfMemoryError(MemoryError, RuntimeError):
    """An allocation would pass the memory limit."""

class MLXWarning(UserWarning):
    """Category of the library's warnings."""

class Dtype:
    """The type of an array's elements."""
    def __hash__(self) -> int: ...
    def __copy__(self) -> Dtype: ...
    def __deepcopy__(self, memo: dict[Any, Any], /) -> Dtype: ...
    def __reduce__(self) -> str: ...
    @property
    def size(self) -> int:
        """Bytes of an element."""

class DtypeCategory(Enum):
    """Categories of dtypes."""
    complexfloating = 0
    floating = 1
    inexact = 2
    signedinteger = 3
    unsignedinteger = 4
    integer = 5
    number = 6
    generic = 7

class finfo:
    """Limits of a floating-point dtype."""
    def __init__(self, dtype: Dtype) -> None: ...
    @property
    def bits(self) -> int:
        """(self) -> int"""
    @property
    def min(self) -> float:
        """(self) -> float"""
    @property
    def max(self) -> float:
        """(self) -> float"""
    @property
    def eps(self) -> float:
        """(self) -> float"""
    @property
    def smallest_normal(self) -> float:
        """(self) -> float"""
    @property
    def dtype(self) -> Dtype:
        """(self) -> mlx.core.Dtype"""

class iinfo:
    """Limits of an integer dtype."""
    def __init__(self, dtype: Dtype) -> None: ...
    @property
    def bits(self) -> int:
        """(self) -> int"""
    @property
    def min(self) -> int:
        """(self) -> int"""
    @property
    def max(self) -> int:
        """(self) -> int"""
    @property
    def dtype(self) -> Dtype:
        """(self) -> mlx.core.Dtype"""

class DeviceType(Enum):
    """The kinds of devices."""
    cpu = 0
    gpu = 1

class Device:
    """A device: its type and its index."""
    def __init__(self, type: DeviceType, index: int=0) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def type(self) -> DeviceType:
        """(self) -> mlx.core.DeviceType"""
    @property
    def index(self) -> int:
        """(self) -> int"""

class Stream:
    """An ordered queue of work on a device."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def device(self) -> Device:
        """(self) -> mlx.core.Device"""
    @property
    def index(self) -> int:
        """(self) -> int"""

class ThreadLocalStream:
    """Stands for one stream per thread that uses it."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def device(self) -> Device:
        """(self) -> mlx.core.Device"""
    @property
    def index(self) -> int:
        """(self) -> int"""

class StreamContext:
    """Sets the default stream or device inside a with block."""
    def __init__(self, s: Stream | ThreadLocalStream | Device | DeviceType) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(self, exc_type: type[Any] | None=None, exc_value: object | None=None, traceback: object | None=None) -> None: ...

class array:
    """An n-dimensional array of one dtype.

    val: a scalar, nested lists or tuples, an array, or an object with the buffer protocol, __dlpack__
    or __mlx_array__; its values are copied. dtype: by default int32, float32, complex64 or bool by the
    kind of Python values, and the dtype of other arrays (float64 becomes float32).
    """
    def __init__(self, val: _Scalar | list[Any] | tuple[Any, ...] | _DLPackCompatible | array, dtype: Dtype | None=None) -> None: ...
    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the dimensions, as a tuple."""
    @property
    def ndim(self) -> int:
        """The number of dimensions."""
    @property
    def size(self) -> int:
        """The number of elements."""
    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
    @property
    def dtype(self) -> Dtype:
        """The type of the elements."""
    @property
    def real(self) -> array:
        """The real part."""
    @property
    def imag(self) -> array:
        """The imaginary part; zeros of the same dtype for real arrays."""
    @property
    def T(self) -> array:
        """The array with its axes in reverse order."""
    @property
    def mT(self) -> array:
        """The array with its last two axes exchanged."""
    def item(self) -> Any:
        """The value of an array of size 1, as a Python scalar."""
    def tolist(self) -> Any:
        """The values as nested lists; a scalar for a 0-dimensional array."""
    def __complex__(self) -> complex: ...
    def __bytes__(self) -> bytes: ...
    def __format__(self, spec: object, /) -> str: ...
    def __array__(self, dtype: object | None=None, copy: object | None=None) -> numpy.typing.NDArray[Any]: ...
    def __dlpack__(self, *, stream: object | None=None, max_version: object | None=None, dl_device: tuple[int, int] | None=None, copy: bool | None=None) -> _Capsule: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __copy__(self) -> array: ...
    def __deepcopy__(self, memo: dict[Any, Any]) -> array: ...
    def __getstate__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: tuple[Any, ...], /) -> None: ...
    @property
    def device(self) -> Device:
        """The device where operations run by default: all devices share the memory of arrays."""
    def to_device(self, device: Device | DeviceType, /, *, stream: _StreamOrDevice=None) -> array:
        """The array itself: all devices share the memory of arrays.

        Raises ValueError where there is no such device.
        """
    def __array_namespace__(self, api_version: str | None=None) -> types.ModuleType: ...
    def __round__(self, ndigits: int | None=None) -> array: ...
    def __div__(self, other: _Scalar | array) -> array: ...
    def __rdiv__(self, other: _Scalar | array) -> array: ...
    def square(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Square of each element."""
    def sqrt(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Square root.

        Integers and bool give float32.
        """
    def rsqrt(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Reciprocal square root.

        Integers and bool give float32.
        """
    def reciprocal(self, /, *, stream: _StreamOrDevice=None) -> array:
        """One over each element.

        Integers and bool give float32.
        """
    def exp(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Exponential.

        Integers and bool give float32.
        """
    def log(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Natural logarithm.

        Integers and bool give float32.
        """
    def log2(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Logarithm to base 2.

        Integers and bool give float32.
        """
    def log10(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Logarithm to base 10.

        Integers and bool give float32.
        """
    def log1p(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Natural logarithm of one plus the element.

        Integers and bool give float32.
        """
    def sin(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Sine.

        Integers and bool give float32.
        """
    def cos(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Cosine.

        Integers and bool give float32.
        """
    def tan(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Tangent.

        Integers and bool give float32.
        """
    def tanh(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Hyperbolic tangent.

        Integers and bool give float32.
        """
    def sigmoid(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Logistic function 1 / (1 + exp(-x)).

        Integers and bool give float32; complex64 is not supported.
        """
    def abs(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Absolute value."""
    def conj(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Complex conjugate."""
    def round(self, /, decimals: int=0, *, stream: _StreamOrDevice=None) -> array:
        """Round to a number of decimals, halves to even; a negative number rounds before the point."""
    def astype(self, /, dtype: Dtype, stream: _StreamOrDevice=None) -> array:
        """Convert the elements to another dtype."""
    def reshape(self, *shape: Any, stream: _StreamOrDevice=None) -> array:
        """Give the elements another shape: ints, or one sequence of ints."""
    def flatten(self, /, start_axis: int=0, end_axis: int=-1, *, stream: _StreamOrDevice=None) -> array:
        """Join the axes from start_axis to end_axis into one."""
    def squeeze(self, /, axis: None | int | Sequence[int]=None, *, stream: _StreamOrDevice=None) -> array:
        """Remove axes of size 1: the given ones, or all."""
    def transpose(self, *axes: Any, stream: _StreamOrDevice=None) -> array:
        """Permute the axes: ints, or one sequence of ints; without axes their order is reversed."""
    def swapaxes(self, /, axis1: int, axis2: int, *, stream: _StreamOrDevice=None) -> array:
        """Exchange two axes."""
    def moveaxis(self, /, source: int, destination: int, *, stream: _StreamOrDevice=None) -> array:
        """Move an axis to another place."""
    def view(self, dtype: Dtype, *, stream: _StreamOrDevice=None) -> array:
        """The bytes of the row-major content as values of another dtype."""
    def diag(self, /, k: int=0, *, stream: _StreamOrDevice=None) -> array:
        """A matrix with a vector on its k-th diagonal, or the k-th diagonal of a matrix."""
    def diagonal(self, offset: int=0, axis1: int=0, axis2: int=1, stream: _StreamOrDevice=None) -> array:
        """A diagonal of the matrices that two axes span."""
    def split(self, /, indices_or_sections: int | Sequence[int], axis: int=0, *, stream: _StreamOrDevice=None) -> list[array]:
        """Split into equal parts, or at the given places of an axis."""
    def cumsum(self, axis: int | None=None, *, reverse: bool=False, inclusive: bool=True, stream: _StreamOrDevice=None) -> array:
        """Cumulative sum. bool gives int32; other dtypes stay, and integers wrap. Half types are added in float32.

        axis: by default the array is flattened. reverse: from the end. inclusive: whether an element counts for its own place.
        """
    def cumprod(self, axis: int | None=None, *, reverse: bool=False, inclusive: bool=True, stream: _StreamOrDevice=None) -> array:
        """Cumulative product. Dtypes stay, and integers wrap. Half types are multiplied in float32.

        axis: by default the array is flattened. reverse: from the end. inclusive: whether an element counts for its own place.
        """
    def cummax(self, /, axis: int | None=None, *, reverse: bool=False, inclusive: bool=True, stream: _StreamOrDevice=None) -> array:
        """Cumulative maximum; NaN from the first NaN on.

        axis: by default the array is flattened. reverse: from the end. inclusive: whether an element counts for its own place.
        """
    def cummin(self, /, axis: int | None=None, *, reverse: bool=False, inclusive: bool=True, stream: _StreamOrDevice=None) -> array:
        """Cumulative minimum; NaN from the first NaN on.

        axis: by default the array is flattened. reverse: from the end. inclusive: whether an element counts for its own place.
        """
    def logcumsumexp(self, /, axis: int | None=None, *, reverse: bool=False, inclusive: bool=True, stream: _StreamOrDevice=None) -> array:
        """Logarithm of the cumulative sum of the exponentials, without overflow. Integers and bool give float32.

        axis: by default the array is flattened. reverse: from the end. inclusive: whether an element counts for its own place.
        """
    def __reversed__(self) -> ArrayIterator: ...
    @property
    def at(self) -> ArrayAt:
        """Updates of parts of the array: x.at[index].add(value) accumulates repeated indices."""
    def all(self, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
        """Whether all elements are nonzero.

        axis: the axes to reduce, by default all. keepdims: keep them with size 1.
        """
    def any(self, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
        """Whether any element is nonzero.

        axis: the axes to reduce, by default all. keepdims: keep them with size 1.
        """
    def prod(self, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
        """Product of the elements. Small integers and bool give int32 or uint32.

        axis: the axes to reduce, by default all. keepdims: keep them with size 1.
        """
    def min(self, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
        """Smallest element; NaN if there is one.

        axis: the axes to reduce, by default all. keepdims: keep them with size 1.
        """
    def max(self, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
        """Largest element; NaN if there is one.

        axis: the axes to reduce, by default all. keepdims: keep them with size 1.
        """
    def sum(self, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
        """Sum of the elements. Small integers and bool give int32 or uint32.

        axis: the axes to reduce, by default all. keepdims: keep them with size 1.
        """
    def mean(self, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
        """Mean of the elements. Integers and bool give float32.

        axis: the axes to reduce, by default all. keepdims: keep them with size 1.
        """
    def logsumexp(self, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
        """Logarithm of the sum of the exponentials, without overflow.

        axis: the axes to reduce, by default all. keepdims: keep them with size 1.
        """
    def var(self, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, ddof: int=0, *, stream: _StreamOrDevice=None) -> array:
        """Variance of the elements. Integers and bool give float32.

        axis: the axes to reduce, by default all. keepdims: keep them with size 1. ddof: what is taken from the
        number of elements in the divisor.
        """
    def std(self, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, ddof: int=0, *, stream: _StreamOrDevice=None) -> array:
        """Standard deviation of the elements. Integers and bool give float32.

        axis: the axes to reduce, by default all. keepdims: keep them with size 1. ddof: what is taken from the
        number of elements in the divisor.
        """
    def argmin(self, /, axis: None | int=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
        """Index (uint32) of the smallest element, the first of equal ones; NaN counts as the smallest.

        axis: by default the index counts in the flat array. keepdims: keep the axis with size 1.
        """
    def argmax(self, /, axis: None | int=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
        """Index (uint32) of the largest element, the first of equal ones; NaN counts as the largest.

        axis: by default the index counts in the flat array. keepdims: keep the axis with size 1.
        """
    def __add__(self, other: _Scalar | array, /) -> array: ...
    def __radd__(self, other: _Scalar | array, /) -> array: ...
    def __iadd__(self, other: _Scalar | array, /) -> array: ...
    def __sub__(self, other: _Scalar | array, /) -> array: ...
    def __rsub__(self, other: _Scalar | array, /) -> array: ...
    def __isub__(self, other: _Scalar | array, /) -> array: ...
    def __mul__(self, other: _Scalar | array, /) -> array: ...
    def __rmul__(self, other: _Scalar | array, /) -> array: ...
    def __imul__(self, other: _Scalar | array, /) -> array: ...
    def __truediv__(self, other: _Scalar | array, /) -> array: ...
    def __rtruediv__(self, other: _Scalar | array, /) -> array: ...
    def __itruediv__(self, other: _Scalar | array, /) -> array: ...
    def __floordiv__(self, other: _Scalar | array, /) -> array: ...
    def __rfloordiv__(self, other: _Scalar | array, /) -> array: ...
    def __ifloordiv__(self, other: _Scalar | array, /) -> array: ...
    def __mod__(self, other: _Scalar | array, /) -> array: ...
    def __rmod__(self, other: _Scalar | array, /) -> array: ...
    def __imod__(self, other: _Scalar | array, /) -> array: ...
    def __pow__(self, other: _Scalar | array, /) -> array: ...
    def __rpow__(self, other: _Scalar | array, /) -> array: ...
    def __ipow__(self, other: _Scalar | array, /) -> array: ...
    def __and__(self, other: _Scalar | array, /) -> array: ...
    def __rand__(self, other: _Scalar | array, /) -> array: ...
    def __iand__(self, other: _Scalar | array, /) -> array: ...
    def __or__(self, other: _Scalar | array, /) -> array: ...
    def __ror__(self, other: _Scalar | array, /) -> array: ...
    def __ior__(self, other: _Scalar | array, /) -> array: ...
    def __xor__(self, other: _Scalar | array, /) -> array: ...
    def __rxor__(self, other: _Scalar | array, /) -> array: ...
    def __ixor__(self, other: _Scalar | array, /) -> array: ...
    def __lshift__(self, other: _Scalar | array, /) -> array: ...
    def __rlshift__(self, other: _Scalar | array, /) -> array: ...
    def __ilshift__(self, other: _Scalar | array, /) -> array: ...
    def __rshift__(self, other: _Scalar | array, /) -> array: ...
    def __rrshift__(self, other: _Scalar | array, /) -> array: ...
    def __irshift__(self, other: _Scalar | array, /) -> array: ...
    def __lt__(self, other: _Scalar | array, /) -> array: ...
    def __le__(self, other: _Scalar | array, /) -> array: ...
    def __gt__(self, other: _Scalar | array, /) -> array: ...
    def __ge__(self, other: _Scalar | array, /) -> array: ...
    def __eq__(self, other: object, /) -> array: ...  # type: ignore[override]
    def __ne__(self, other: object, /) -> array: ...  # type: ignore[override]
    def __matmul__(self, other: array, /) -> array: ...
    def __rmatmul__(self, other: array, /) -> array: ...
    def __imatmul__(self, other: array, /) -> array: ...
    def __divmod__(self, other: _Scalar | array, /) -> tuple[array, array]: ...
    def __rdivmod__(self, other: _Scalar | array, /) -> tuple[array, array]: ...
    def __neg__(self) -> array: ...
    def __pos__(self) -> array: ...
    def __abs__(self) -> array: ...
    def __invert__(self) -> array: ...
    def __len__(self) -> int: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __float__(self) -> float: ...
    def __bool__(self) -> bool: ...
    def __iter__(self) -> Iterator[array]: ...
    def __contains__(self, value: _Scalar | array, /) -> bool: ...
    def __getitem__(self, indices: Any, /) -> array: ...
    def __setitem__(self, indices: Any, value: Any, /) -> None: ...
    def __delitem__(self, indices: Any, /) -> None: ...

class ArrayLike:
    """Holds the array of an array, a scalar, a NumPy value or an object with __mlx_array__."""
    def __init__(self, arg: object, /) -> None: ...
    def __mlx_array__(self) -> array: ...

class _ArrayNamespaceInfo:
    """What the array API standard asks about a namespace."""
    def capabilities(self) -> dict[str, bool | None]:
        """Which optional parts of the standard are there: both are, outside of vmap and compile."""
    def default_device(self) -> Device:
        """The device where operations run by default."""
    def default_dtypes(self, *, device: Device | DeviceType | None=None) -> dict[str, Dtype]:
        """The dtypes of new arrays by kind, and of indices that functions return."""
    def dtypes(self, *, device: Device | DeviceType | None=None, kind: str | tuple[str, ...] | None=None) -> dict[str, Dtype]:
        """The dtypes of the standard that are there, all or those of a kind as isdtype names it."""
    def devices(self) -> list[Device]:
        """All devices that are there."""

class ArrayIterator:
    """Iterates over the first axis of an array."""
    def __iter__(self) -> Iterator[array]: ...
    def __next__(self) -> array: ...

class ArrayAt:
    """Updates of parts of an array: x.at[index].add(value)."""
    def __getitem__(self, indices: object, /) -> ArrayAt: ...
    def add(self, value: _Scalar | array) -> array:
        """A copy with the value added; repeated indices accumulate."""
    def subtract(self, value: _Scalar | array) -> array:
        """A copy with the value subtracted."""
    def multiply(self, value: _Scalar | array) -> array:
        """A copy multiplied by the value."""
    def divide(self, value: _Scalar | array) -> array:
        """A copy divided by the value; the quotients of integers are cut off."""
    def maximum(self, value: _Scalar | array) -> array:
        """A copy with the larger of element and value."""
    def minimum(self, value: _Scalar | array) -> array:
        """A copy with the smaller of element and value."""

class _FileWriter:
    """A file that takes its name with commit(), and is gone without it."""
    def __init__(self, path: str) -> None: ...
    def write(self, data: bytes, /) -> int: ...
    def seek(self, offset: int, whence: int=0, /) -> int: ...
    def tell(self) -> int: ...
    def flush(self) -> None: ...
    def commit(self) -> None: ...

class PrintOptions:
    """How arrays are printed."""
    def __init__(self, precision: int=-1) -> None: ...
    @property
    def precision(self) -> int:
        """(self) -> int"""

class _PrintOptionsContext:
    """Sets the print options inside a with block."""
    def __init__(self, options: PrintOptions) -> None: ...
    def __enter__(self) -> _PrintOptionsContext: ...
    def __exit__(self, *args: Any) -> None: ...

class _TransformedFunction:
    """A function made by grad, vmap, compile and their like."""
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class custom_function:
    """A function of arrays with derivative and batching rules of its own.

    Use it as a decorator, then set rules with f.vjp(primals, cotangents, outputs), f.jvp(primals, tangents)
    and f.vmap(inputs, axes) -> (outputs, axes) as decorators. A missing rule follows from the operations.
    """
    def __init__(self, f: Callable[..., Any]) -> None: ...
    def vjp(self, f: Callable[..., Any]) -> Callable[..., Any]:
        """Set the rule of the vector-Jacobian product; returns it."""
    def jvp(self, f: Callable[..., Any]) -> Callable[..., Any]:
        """Set the rule of the Jacobian-vector product; returns it."""
    def vmap(self, f: Callable[..., Any]) -> Callable[..., Any]:
        """Set the batching rule; returns it."""
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FunctionExporter:
    """Writes a function, traced for several inputs, to a file.

    Use it in a with block and call it with example inputs; the file is written at the end of the block, unless an exception ends it.
    """
    def close(self) -> None:
        """Write the file. Later calls raise RuntimeError."""
    def __enter__(self) -> FunctionExporter: ...
    def __exit__(self, exc_type: object | None=None, exc_value: object | None=None, traceback: object | None=None) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> None: ...

class _ImportedFunction:
    """A function read by import_function: takes arrays by position and keyword, or one list or tuple and one dict of them, and returns a tuple of arrays."""
    def __call__(self, *args: Any, **kwargs: Any) -> tuple[array, ...]: ...

def issubdtype(arg1: Dtype | DtypeCategory, arg2: Dtype | DtypeCategory, /) -> bool:
    """Whether a dtype or category is the same as, or below, another one."""
def isdtype(dtype: Dtype, kind: Dtype | str | tuple[Dtype | str, ...]) -> bool:
    """Whether a dtype is of a kind: a dtype, a tuple of kinds or the name of a kind of the array API."""
def result_type(*arrays_and_dtypes: array | Dtype) -> Dtype:
    """The dtype that an operation on these arrays and dtypes gives."""
def can_cast(from_: array | Dtype, to: Dtype) -> bool:
    """Whether promotion of a dtype (or an array's) with `to` gives `to`."""
def default_device() -> Device:
    """The device of operations that name none."""
def set_default_device(device: Device | DeviceType) -> None:
    """Choose the device of operations that name none."""
def is_available(device: Device | DeviceType) -> bool:
    """Whether a device exists."""
def device_count(device_type: DeviceType) -> int:
    """How many devices of a type there are."""
def device_info(d: None | Device | DeviceType=None) -> dict[str, str | int]:
    """What is known about a device; empty where it does not exist."""
def default_stream(device: Device | DeviceType) -> Stream:
    """The calling thread's default stream on a device."""
def set_default_stream(stream: Stream) -> None:
    """Set the calling thread's default stream on its device."""
def new_stream(device: Device | DeviceType) -> Stream:
    """Make a stream on a device."""
def new_thread_unsafe_stream(device: Device | DeviceType) -> Stream:
    """Make a stream on a device that any thread may use."""
def new_thread_local_stream(device: Device | DeviceType) -> ThreadLocalStream:
    """Make an object that stands for one stream per thread."""
def clear_streams() -> None:
    """Forget the calling thread's default streams; the next use makes new ones."""
def stream(s: Stream | ThreadLocalStream | Device | DeviceType) -> StreamContext:
    """A context for `with` that sets the default stream or device and restores both."""
def set_num_threads(n: int) -> None:
    """Set how many threads an operation may use, the calling one included."""
def get_num_threads() -> int:
    """How many threads an operation may use, the calling one included."""
def asarray(a: _Scalar | array | Sequence[Any] | _DLPackCompatible, /, dtype: Dtype | None=None, *, copy: bool | None=None) -> array:
    """Make an array of a value.

    copy: False uses the memory of `a` and raises ValueError where that cannot be; otherwise the values
    are copied, except of arrays.
    """
def from_dlpack(x: _DLPackCompatible, /, *, copy: bool | None=None) -> array:
    """Make an array of an object with __dlpack__, in the same memory where its layout allows it.

    copy: True always copies, False raises ValueError where a copy would be needed.
    """
def eval(*args: Any) -> None:
    """Compute arrays and wait for them.

    The arguments are arrays or trees (dict, list, tuple) of arrays; other leaves are ignored. An error
    of the computation is raised here, and again by every later use.
    """
def async_eval(*args: Any) -> None:
    """Start computing arrays (or trees of arrays) and return at once.

    Errors are raised when the arrays are used.
    """
def synchronize(stream: _StreamOrDevice=None) -> None:
    """Wait until all the work given to a stream is done (the default stream without an argument)."""
def get_active_memory() -> int:
    """Bytes that arrays use now."""
def get_peak_memory() -> int:
    """The most bytes used since the start or the last reset."""
def reset_peak_memory() -> None:
    """Set the peak to zero."""
def get_cache_memory() -> int:
    """Bytes that are free but kept for reuse."""
def set_memory_limit(limit: int) -> int:
    """Set how many bytes may be in use; an allocation past it raises OutOfMemoryError. Returns the previous limit."""
def get_memory_limit() -> int:
    """How many bytes may be in use."""
def set_cache_limit(limit: int) -> int:
    """Set how many free bytes are kept for reuse. Returns the previous limit."""
def get_cache_limit() -> int:
    """How many free bytes are kept for reuse."""
def set_wired_limit(limit: int) -> int:
    """Without effect on this system; returns 0."""
def clear_cache() -> None:
    """Give the free bytes back to the system."""
def get_array_buffer_size(*args: Any) -> int:
    """Bytes of the distinct buffers behind evaluated arrays (or trees of them). A view counts its whole buffer."""
def negative(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Element-wise negation."""
def sign(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Sign: -1, 0 or 1 (NaN gives 0), z / |z| for complex values."""
def floor(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Largest integer not above the value.

    complex64 is not supported.
    """
def ceil(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Smallest integer not below the value.

    complex64 is not supported.
    """
def trunc(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Integer part, rounded towards zero.

    complex64 is not supported.
    """
def square(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Square of each element."""
def sqrt(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Square root.

    Integers and bool give float32.
    """
def rsqrt(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Reciprocal square root.

    Integers and bool give float32.
    """
def reciprocal(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """One over each element.

    Integers and bool give float32.
    """
def exp(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Exponential.

    Integers and bool give float32.
    """
def expm1(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Exponential minus one, accurate near zero.

    Integers and bool give float32; complex64 is not supported.
    """
def log(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Natural logarithm.

    Integers and bool give float32.
    """
def log2(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Logarithm to base 2.

    Integers and bool give float32.
    """
def log10(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Logarithm to base 10.

    Integers and bool give float32.
    """
def log1p(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Natural logarithm of one plus the element.

    Integers and bool give float32.
    """
def sin(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Sine.

    Integers and bool give float32.
    """
def cos(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Cosine.

    Integers and bool give float32.
    """
def tan(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Tangent.

    Integers and bool give float32.
    """
def arcsin(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Inverse sine.

    Integers and bool give float32.
    """
def arccos(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Inverse cosine.

    Integers and bool give float32.
    """
def arctan(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Inverse tangent.

    Integers and bool give float32.
    """
def sinh(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Hyperbolic sine.

    Integers and bool give float32.
    """
def cosh(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Hyperbolic cosine.

    Integers and bool give float32.
    """
def tanh(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Hyperbolic tangent.

    Integers and bool give float32.
    """
def arcsinh(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Inverse hyperbolic sine.

    Integers and bool give float32.
    """
def arccosh(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Inverse hyperbolic cosine.

    Integers and bool give float32.
    """
def arctanh(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Inverse hyperbolic tangent.

    Integers and bool give float32.
    """
def degrees(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Radians converted to degrees.

    Integers and bool give float32.
    """
def radians(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Degrees converted to radians.

    Integers and bool give float32.
    """
def sigmoid(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Logistic function 1 / (1 + exp(-x)).

    Integers and bool give float32; complex64 is not supported.
    """
def erf(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Error function.

    Integers and bool give float32; complex64 is not supported.
    """
def erfinv(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Inverse of the error function.

    Integers and bool give float32; complex64 is not supported.
    """
def logical_not(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether the element is zero."""
def isnan(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether the element is NaN (complex: either part)."""
def isinf(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether the element is infinite (complex: either part)."""
def isfinite(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether the element is neither infinite nor NaN."""
def isposinf(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether the element is positive infinity."""
def isneginf(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether the element is negative infinity."""
def bitwise_invert(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Complement of the bits (logical not of bool).

    Integer and bool dtypes only.
    """
def add(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Element-wise sum."""
def subtract(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Element-wise difference."""
def multiply(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Element-wise product."""
def divide(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Element-wise quotient.

    Integers and bool give float32.
    """
def maximum(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Larger of two elements; NaN if either is NaN, the second if equal."""
def minimum(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Smaller of two elements; NaN if either is NaN, the second if equal."""
def logaddexp(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Logarithm of the sum of the exponentials, without overflow.

    Integers and bool give float32.
    """
def arctan2(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Angle of the point (b, a), in radians.

    Integers and bool give float32; complex64 is not supported.
    """
def equal(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether two elements are equal."""
def not_equal(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether two elements differ."""
def less(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether the first is less than the second."""
def less_equal(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether the first is at most the second."""
def greater(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether the first is greater."""
def greater_equal(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether the first is at least the second."""
def logical_and(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether both are nonzero."""
def logical_or(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether either is nonzero."""
def logical_xor(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether exactly one is nonzero."""
def abs(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Absolute value."""
def real(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Real part."""
def imag(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Imaginary part (zero for real dtypes)."""
def conj(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Complex conjugate."""
conjugate = conj
def power(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """First operand raised to the power of the second."""
def floor_divide(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Quotient rounded down; integer x // 0 is 0.

    complex64 is not supported.
    """
def remainder(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Remainder with the divisor's sign; integer x % 0 is x.

    complex64 is not supported.
    """
def bitwise_and(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Bitwise and.

    Integer and bool dtypes only.
    """
def bitwise_or(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Bitwise or.

    Integer and bool dtypes only.
    """
def bitwise_xor(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Bitwise exclusive or.

    Integer and bool dtypes only.
    """
def left_shift(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Bits shifted left; 0 if too wide or negative a count.

    Integer dtypes only; two bools shift as uint8.
    """
def right_shift(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Bits shifted right, keeping the sign.

    Integer dtypes only; two bools shift as uint8.
    """
def round(a: array, /, decimals: int=0, *, stream: _StreamOrDevice=None) -> array:
    """Round to a number of decimals, halves to even; a negative number rounds before the point."""
def positive(a: array, /, *, stream: _StreamOrDevice=None) -> array:
    """The array itself."""
def divmod(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> list[array]:
    """Quotient rounded down, and remainder with the divisor's sign, as a list."""
def astype(a: array, /, dtype: Dtype, stream: _StreamOrDevice=None) -> array:
    """Convert the elements to another dtype."""
acos = arccos
acosh = arccosh
asin = arcsin
asinh = arcsinh
atan = arctan
atan2 = arctan2
atanh = arctanh
pow = power
bitwise_left_shift = left_shift
bitwise_right_shift = right_shift
def reshape(a: array, /, shape: Sequence[int], *, stream: _StreamOrDevice=None) -> array:
    """Give the elements another shape, in row-major order. One size may be -1: it follows from the others."""
def flatten(a: array, /, start_axis: int=0, end_axis: int=-1, *, stream: _StreamOrDevice=None) -> array:
    """Join the axes from start_axis to end_axis into one."""
def unflatten(a: array, /, axis: int, shape: Sequence[int], *, stream: _StreamOrDevice=None) -> array:
    """Split an axis into several of the given sizes; one size may be -1."""
def squeeze(a: array, /, axis: None | int | Sequence[int]=None, *, stream: _StreamOrDevice=None) -> array:
    """Remove axes of size 1: the given ones, or all."""
def expand_dims(a: array, /, axis: int | Sequence[int], *, stream: _StreamOrDevice=None) -> array:
    """Insert axes of size 1 at the given places of the result."""
@overload
def atleast_1d(ary: array, /, *, stream: _StreamOrDevice=None) -> array:
    """Arrays with at least one axis; a list for several arrays."""
@overload
def atleast_1d(first: array, second: array, /, *more: array, stream: _StreamOrDevice=None) -> list[array]:
    """Arrays with at least one axis; a list for several arrays."""
@overload
def atleast_2d(ary: array, /, *, stream: _StreamOrDevice=None) -> array:
    """Arrays with at least two axes; a list for several arrays."""
@overload
def atleast_2d(first: array, second: array, /, *more: array, stream: _StreamOrDevice=None) -> list[array]:
    """Arrays with at least two axes; a list for several arrays."""
@overload
def atleast_3d(ary: array, /, *, stream: _StreamOrDevice=None) -> array:
    """Arrays with at least three axes; a list for several arrays."""
@overload
def atleast_3d(first: array, second: array, /, *more: array, stream: _StreamOrDevice=None) -> list[array]:
    """Arrays with at least three axes; a list for several arrays."""
def transpose(a: array, /, axes: Sequence[int] | None=None, *, stream: _StreamOrDevice=None) -> array:
    """Permute the axes; without axes their order is reversed."""
def permute_dims(a: array, /, axes: Sequence[int] | None=None, *, stream: _StreamOrDevice=None) -> array:
    """Permute the axes; without axes their order is reversed."""
def matrix_transpose(a: array, /, *, stream: _StreamOrDevice=None) -> array:
    """Exchange the last two axes."""
def swapaxes(a: array, /, axis1: int, axis2: int, *, stream: _StreamOrDevice=None) -> array:
    """Exchange two axes."""
def moveaxis(a: array, /, source: int, destination: int, *, stream: _StreamOrDevice=None) -> array:
    """Move an axis to another place."""
def broadcast_to(a: _Scalar | array, /, shape: Sequence[int], *, stream: _StreamOrDevice=None) -> array:
    """Repeat an array along axes of size 1, and along new leading axes, without a copy."""
def broadcast_arrays(*arrays: array, stream: _StreamOrDevice=None) -> list[array]:
    """Broadcast arrays against each other."""
def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The shape that shapes broadcast to."""
def meshgrid(*arrays: array, sparse: bool=False, indexing: str='xy', stream: _StreamOrDevice=None) -> tuple[array, ...]:
    """One array per input, in which its values run along an axis of their own. sparse: the other axes keep size 1. indexing: 'ij', or 'xy' with the first two axes exchanged."""
def stop_gradient(a: array, /, *, stream: _StreamOrDevice=None) -> array:
    """The array itself, as a constant to differentiation."""
def view(a: _Scalar | array, /, dtype: Dtype, *, stream: _StreamOrDevice=None) -> array:
    """The bytes of the row-major content as values of another dtype; the last axis shrinks or grows by the ratio of the sizes."""
def slice(a: array, /, start_indices: array, axes: Sequence[int], slice_size: Sequence[int], *, stream: _StreamOrDevice=None) -> array:
    """A window of a, of one size per axis of a, that begins where an integer array says: one index for each of axes. Where it would not fit, it is moved inside."""
def slice_update(a: array, /, update: array, start_indices: array, axes: Sequence[int], *, stream: _StreamOrDevice=None) -> array:
    """a with a window replaced by update, which broadcasts along the other axes and is cast to a's dtype. The window begins where an integer array says: one index for each of axes; it is moved inside where it would not fit."""
def full(shape: int | Sequence[int], vals: _Scalar | array, dtype: Dtype | None=None, *, stream: _StreamOrDevice=None) -> array:
    """An array of a shape filled with a value, which may be an array that broadcasts to the shape."""
def full_like(a: array, /, vals: _Scalar | array, dtype: Dtype | None=None, *, stream: _StreamOrDevice=None) -> array:
    """An array of a's shape filled with a value; the dtype is a's by default."""
def zeros(shape: int | Sequence[int], dtype: Dtype | None=float32, *, stream: _StreamOrDevice=None) -> array:
    """An array of zeros."""
def ones(shape: int | Sequence[int], dtype: Dtype | None=float32, *, stream: _StreamOrDevice=None) -> array:
    """An array of ones."""
def zeros_like(a: array, /, dtype: Dtype | None=None, *, stream: _StreamOrDevice=None) -> array:
    """Zeros of a's shape, and of its dtype by default."""
def ones_like(a: array, /, dtype: Dtype | None=None, *, stream: _StreamOrDevice=None) -> array:
    """Ones of a's shape, and of its dtype by default."""
empty = zeros
empty_like = zeros_like
def bartlett(M: int, *, stream: _StreamOrDevice=None) -> array:
    """The triangular window of M float32 values that is 0 at both ends; one value is 1."""
def blackman(M: int, *, stream: _StreamOrDevice=None) -> array:
    """The symmetric window 0.42 - 0.5 cos(2 pi n / (M - 1)) + 0.08 cos(4 pi n / (M - 1)) of M float32 values."""
def hamming(M: int, *, stream: _StreamOrDevice=None) -> array:
    """The symmetric window 0.54 - 0.46 cos(2 pi n / (M - 1)) of M float32 values."""
def hanning(M: int, *, stream: _StreamOrDevice=None) -> array:
    """The symmetric window 0.5 - 0.5 cos(2 pi n / (M - 1)) of M float32 values."""
@overload
def arange(stop: int | float, /, *, step: None | int | float=None, dtype: Dtype | None=None, stream: _StreamOrDevice=None) -> array:
    """Evenly spaced numbers from start up to, but without, stop; with one argument from 0 up to it.

    The dtype is int32 for ints (int64 where one needs it), else float32.
    """
@overload
def arange(start: int | float=0, stop: None | int | float=None, step: None | int | float=None, dtype: Dtype | None=None, *, stream: _StreamOrDevice=None) -> array:
    """Evenly spaced numbers from start up to, but without, stop; with one argument from 0 up to it.

    The dtype is int32 for ints (int64 where one needs it), else float32.
    """
def linspace(start: _Scalar, stop: _Scalar, num: int=50, endpoint: bool=True, dtype: Dtype | None=float32, stream: _StreamOrDevice=None) -> array:
    """num evenly spaced numbers from start to stop; with endpoint=False without the latter."""
def eye(n: int, m: int | None=None, k: int=0, dtype: Dtype | None=float32, *, stream: _StreamOrDevice=None) -> array:
    """An n x m matrix with ones on the k-th diagonal; m is n by default."""
def identity(n: int, dtype: Dtype | None=float32, *, stream: _StreamOrDevice=None) -> array:
    """The n x n identity matrix."""
def tri(n: int, m: int | None=None, k: int=0, dtype: Dtype | None=float32, *, stream: _StreamOrDevice=None) -> array:
    """An n x m matrix with ones on and below the k-th diagonal."""
def tril(x: array, k: int=0, *, stream: _StreamOrDevice=None) -> array:
    """The array with zeros above the k-th diagonal of its last two axes."""
def triu(x: array, k: int=0, *, stream: _StreamOrDevice=None) -> array:
    """The array with zeros below the k-th diagonal of its last two axes."""
def trace(a: array, /, offset: int=0, axis1: int=0, axis2: int=1, dtype: Dtype | None=None, *, stream: _StreamOrDevice=None) -> array:
    """Sum of the elements on a diagonal of the matrices that two axes span; offset counts to the right. Small integers and bool give int32 or uint32 unless a dtype is given."""
def diag(a: array, /, k: int=0, *, stream: _StreamOrDevice=None) -> array:
    """A matrix with a vector on its k-th diagonal, or the k-th diagonal of a matrix."""
def diagonal(a: array, offset: int=0, axis1: int=0, axis2: int=1, stream: _StreamOrDevice=None) -> array:
    """A diagonal of the matrices that two axes span."""
def concatenate(arrays: list[array], /, axis: int | None=0, *, stream: _StreamOrDevice=None) -> array:
    """Join arrays along an axis they have; axis=None flattens them first."""
concat = concatenate
def stack(arrays: list[array], /, axis: int | None=0, *, stream: _StreamOrDevice=None) -> array:
    """Join arrays of one shape along a new axis."""
def split(a: array, /, indices_or_sections: int | Sequence[int], axis: int=0, *, stream: _StreamOrDevice=None) -> list[array]:
    """Split into equal parts, or at the given places of an axis."""
def unstack(x: array, /, *, axis: int=0, stream: _StreamOrDevice=None) -> tuple[array, ...]:
    """The parts along an axis, without it, as a tuple."""
def repeat(array: array, /, repeats: int, axis: int | None=None, *, stream: _StreamOrDevice=None) -> array:
    """Repeat each element along an axis; without an axis the array is flattened."""
def tile(a: array, reps: int | Sequence[int], /, *, stream: _StreamOrDevice=None) -> array:
    """Repeat the whole array a number of times along each axis."""
def roll(a: array, /, shift: int | tuple[int, ...], axis: None | int | tuple[int, ...]=None, *, stream: _StreamOrDevice=None) -> array:
    """Shift elements along axes, those pushed out coming in at the other end; without an axis over the flat array."""
def flip(a: array, /, axis: None | int | Sequence[int]=None, *, stream: _StreamOrDevice=None) -> array:
    """Reverse the order of elements along axes, by default all."""
def pad(a: array, /, pad_width: int | tuple[int] | tuple[int, int] | list[tuple[int, int]], mode: Literal['constant', 'edge', 'reflect', 'symmetric']='constant', constant_values: _Scalar | array=0, *, stream: _StreamOrDevice=None) -> array:
    """Put elements around an array.

    pad_width: an int, a pair (before, after) for every axis, or a list of pairs, one per axis. mode: constant
    (constant_values), edge, reflect (without the edge) or symmetric (with it).
    """
def contiguous(a: array, /, allow_col_major: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """The array in row-major layout; copied only where it is not."""
def as_strided(a: array, /, shape: Sequence[int] | None=None, strides: Sequence[int] | None=None, offset: int=0, *, stream: _StreamOrDevice=None) -> array:
    """A view of the row-major content of an array with other sizes and strides, counted in elements."""
@overload
def depends(inputs: array, dependencies: array | Sequence[array], /) -> array:
    """The inputs, computed after the dependencies."""
@overload
def depends(inputs: Sequence[array], dependencies: array | Sequence[array], /) -> list[array]:
    """The inputs, computed after the dependencies."""
def sort(a: array, /, axis: None | int=-1, *, stream: _StreamOrDevice=None) -> array:
    """The elements in ascending order along an axis, NaN last; axis=None flattens first."""
def argsort(a: array, /, axis: None | int=-1, *, stream: _StreamOrDevice=None) -> array:
    """The indices (uint32) that sort an array, equal elements in their order; axis=None flattens first."""
def partition(a: array, /, kth: int, axis: None | int=-1, *, stream: _StreamOrDevice=None) -> array:
    """The elements with the kth at its sorted place, smaller ones before it and larger ones after it."""
def argpartition(a: array, /, kth: int, axis: None | int=-1, *, stream: _StreamOrDevice=None) -> array:
    """The indices (uint32) that partition an array."""
def topk(a: array, /, k: int, axis: None | int=-1, *, stream: _StreamOrDevice=None) -> array:
    """The k largest elements along an axis, in no particular order."""
def take(a: array, /, indices: int | array, axis: int | None=None, *, stream: _StreamOrDevice=None) -> array:
    """The elements at indices along an axis; without an axis of the flat array."""
def take_along_axis(a: array, /, indices: array, axis: int | None=-1, *, stream: _StreamOrDevice=None) -> array:
    """For each place along an axis the element that the index there names; axis=None flattens first."""
def put_along_axis(a: array, /, indices: array, values: array, axis: int | None=None, *, stream: _StreamOrDevice=None) -> array:
    """A copy with values put where the indices name places along an axis; without an axis of the flat array."""
def cumsum(a: array, /, axis: int | None=None, *, reverse: bool=False, inclusive: bool=True, dtype: Dtype | None=None, stream: _StreamOrDevice=None) -> array:
    """Cumulative sum. bool gives int32; other dtypes stay, and integers wrap. Half types are added in float32.

    axis: by default the array is flattened. reverse: from the end. inclusive: whether an element counts for its own place. dtype: what the elements are converted to first.
    """
def cumprod(a: array, /, axis: int | None=None, *, reverse: bool=False, inclusive: bool=True, dtype: Dtype | None=None, stream: _StreamOrDevice=None) -> array:
    """Cumulative product. Dtypes stay, and integers wrap. Half types are multiplied in float32.

    axis: by default the array is flattened. reverse: from the end. inclusive: whether an element counts for its own place. dtype: what the elements are converted to first.
    """
cumulative_sum = cumsum
cumulative_prod = cumprod
def cummax(a: array, /, axis: int | None=None, *, reverse: bool=False, inclusive: bool=True, stream: _StreamOrDevice=None) -> array:
    """Cumulative maximum; NaN from the first NaN on.

    axis: by default the array is flattened. reverse: from the end. inclusive: whether an element counts for its own place.
    """
def cummin(a: array, /, axis: int | None=None, *, reverse: bool=False, inclusive: bool=True, stream: _StreamOrDevice=None) -> array:
    """Cumulative minimum; NaN from the first NaN on.

    axis: by default the array is flattened. reverse: from the end. inclusive: whether an element counts for its own place.
    """
def logcumsumexp(a: array, /, axis: int | None=None, *, reverse: bool=False, inclusive: bool=True, stream: _StreamOrDevice=None) -> array:
    """Logarithm of the cumulative sum of the exponentials, without overflow. Integers and bool give float32.

    axis: by default the array is flattened. reverse: from the end. inclusive: whether an element counts for its own place.
    """
def diff(a: array, /, n: int=1, axis: int=-1, *, stream: _StreamOrDevice=None) -> array:
    """Differences of neighbours along an axis, taken n times; of bool whether they differ. Unsigned integers wrap."""
def nonzero(a: array, /, *, size: int | None=None, fill_value: _Scalar | array | None=None, stream: _StreamOrDevice=None) -> tuple[array, ...]:
    """The indices (uint32) of the elements that are not zero, in row-major order: one array per axis.

    The size of the result depends on values: without size the argument is evaluated, which inside vmap and compile
    raises ValueError. With size so many are given: what is missing is fill_value (by default 0), what is too much
    is left out.
    """
def flatnonzero(a: array, /, *, size: int | None=None, fill_value: _Scalar | array | None=None, stream: _StreamOrDevice=None) -> array:
    """The indices (uint32) in the flat array of the elements that are not zero.

    The size of the result depends on values: without size the argument is evaluated, which inside vmap and compile
    raises ValueError. With size so many are given: what is missing is fill_value (by default 0), what is too much
    is left out.
    """
def argwhere(a: array, /, *, size: int | None=None, fill_value: _Scalar | array | None=None, stream: _StreamOrDevice=None) -> array:
    """The indices (uint32) of the elements that are not zero, in row-major order: one row per element, shape (n, ndim).

    The size of the result depends on values: without size the argument is evaluated, which inside vmap and compile
    raises ValueError. With size so many are given: what is missing is fill_value (by default 0), what is too much
    is left out.
    """
def compress(condition: array, a: array, /, axis: int | None=None, *, size: int | None=None, fill_value: _Scalar | array | None=None, stream: _StreamOrDevice=None) -> array:
    """The entries of an array along an axis where a vector, which may be shorter, is not zero; axis=None flattens first.

    The size of the result depends on values: without size the argument is evaluated, which inside vmap and compile
    raises ValueError. With size so many are given: what is missing is fill_value (by default 0), what is too much
    is left out.
    """
@overload
def where(condition: _Scalar | array, x: _Scalar | array, y: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Elements of x where the condition is nonzero, else of y. All three broadcast.

    With the condition alone: its nonzero(), for which size and fill_value are.
    """
@overload
def where(condition: _Scalar | array, /, *, size: int | None=None, fill_value: _Scalar | array | None=None, stream: _StreamOrDevice=None) -> tuple[array, ...]:
    """Elements of x where the condition is nonzero, else of y. All three broadcast.

    With the condition alone: its nonzero(), for which size and fill_value are.
    """
@overload
def unique(a: array, /, size: int | None=None, *, fill_value: _Scalar | array | None=None, stream: _StreamOrDevice=None) -> array:
    """The distinct elements of the flat array, sorted; each NaN is distinct and comes last.

    return_index: also where each occurs first (uint32). return_inverse: also the place of each element among the
    results (uint32, a's shape). return_counts: also how often each occurs (int32).
    The size of the result depends on values: without size the argument is evaluated, which inside vmap and compile
    raises ValueError. With size so many are given: what is missing is fill_value (by default the smallest element) with
    a count of 0, what is too much is left out.
    """
@overload
def unique(a: array, /, size: int | None=None, return_index: bool=False, return_inverse: bool=False, return_counts: bool=False, fill_value: _Scalar | array | None=None, *, stream: _StreamOrDevice=None) -> Any:
    """The distinct elements of the flat array, sorted; each NaN is distinct and comes last.

    return_index: also where each occurs first (uint32). return_inverse: also the place of each element among the
    results (uint32, a's shape). return_counts: also how often each occurs (int32).
    The size of the result depends on values: without size the argument is evaluated, which inside vmap and compile
    raises ValueError. With size so many are given: what is missing is fill_value (by default the smallest element) with
    a count of 0, what is too much is left out.
    """
def bincount(a: array, /, weights: array | None=None, minlength: int=0, *, size: int | None=None, stream: _StreamOrDevice=None) -> array:
    """How often each value occurs in a vector of non-negative integers (int32), or the sum of the weights there.

    The length is the largest value plus one, at least minlength, for which the argument is evaluated; inside vmap and
    compile that raises ValueError. With size it is size, and values out of range do not count.
    """
def searchsorted(sorted_sequence: array, values: array, /, side: str='left', *, stream: _StreamOrDevice=None) -> array:
    """The place (uint32) of each value in a sorted vector: before (left) or behind (right) what equals it. NaN comes last."""
def all(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Whether all elements are nonzero.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.
    """
def any(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Whether any element is nonzero.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.
    """
def prod(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Product of the elements. Small integers and bool give int32 or uint32.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.
    """
def min(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Smallest element; NaN if there is one.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.
    """
def max(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Largest element; NaN if there is one.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.
    """
def sum(array: array, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Sum of the elements. Small integers and bool give int32 or uint32.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.
    """
def mean(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Mean of the elements. Integers and bool give float32.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.
    """
def logsumexp(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Logarithm of the sum of the exponentials, without overflow.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.
    """
def var(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, ddof: int=0, *, stream: _StreamOrDevice=None) -> array:
    """Variance of the elements. Integers and bool give float32.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1. ddof: what is taken from the
    number of elements in the divisor.
    """
def std(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, ddof: int=0, *, stream: _StreamOrDevice=None) -> array:
    """Standard deviation of the elements. Integers and bool give float32.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1. ddof: what is taken from the
    number of elements in the divisor.
    """
def argmin(a: array, /, axis: None | int=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Index (uint32) of the smallest element, the first of equal ones; NaN counts as the smallest.

    axis: by default the index counts in the flat array. keepdims: keep the axis with size 1.
    """
def argmax(a: array, /, axis: None | int=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Index (uint32) of the largest element, the first of equal ones; NaN counts as the largest.

    axis: by default the index counts in the flat array. keepdims: keep the axis with size 1.
    """
def count_nonzero(a: array, /, axis: None | int | Sequence[int]=None, *, keepdims: bool=False, stream: _StreamOrDevice=None) -> array:
    """How many elements are not zero (int32).

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.
    """
def median(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """The middle element, or the mean of the two in the middle; NaN if there is one. Integers and bool give float32.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.
    """
def minmax(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> tuple[array, array]:
    """Smallest and largest element; NaN if there is one.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.
    """
def softmax(a: array, /, axis: None | int | Sequence[int]=None, *, precise: bool=False, stream: _StreamOrDevice=None) -> array:
    """Exponentials divided by their sum over axes, by default all. precise: compute half types in float32."""
def matmul(a: array, b: array, /, *, stream: _StreamOrDevice=None) -> array:
    """Matrix product over the last two axes; leading axes broadcast, and a vector counts as a row (a) or column (b)."""
def addmm(c: array, a: array, b: array, /, alpha: float=1.0, beta: float=1.0, *, stream: _StreamOrDevice=None) -> array:
    """alpha * (a @ b) + beta * c. c broadcasts to the product."""
def einsum(subscripts: str, *operands: array, stream: _StreamOrDevice=None) -> array:
    """Sum of products over the axes that subscripts name (Einstein's convention).

    subscripts: one letter per axis of each operand, separated by commas, and after '->' those of the result; without it the letters that appear once, sorted. '...' stands for leading axes, which broadcast, as do sizes of 1. A letter twice in an operand is its diagonal. Sums of integers have the dtype of sum. Operands are contracted in pairs, in the order of einsum_path.

        mx.einsum('bij,bjk->bik', a, b)
    """
def einsum_path(subscripts: str, *operands: array) -> tuple[list[tuple[int, ...]], str]:
    """The order in which einsum contracts its operands, and a description of the cost: a list of the places of the operands that each step joins, whose result goes to the end."""
def kron(a: array, b: array, *, stream: _StreamOrDevice=None) -> array:
    """Kronecker product: every element of a times b, as blocks."""
def vecdot(a: array, b: array, /, axis: int=-1, *, stream: _StreamOrDevice=None) -> array:
    """Sum of conj(a) * b along an axis; the other axes broadcast, and integers have the dtype of sum. A negative axis needs inputs with equally many axes."""
def hadamard_transform(a: array, /, scale: float | None=None, *, stream: _StreamOrDevice=None) -> array:
    """scale * H a over the last axis, whose size is a power of two times 1, 12, 20 or 28, with a Hadamard matrix H; scale is 1 / sqrt(size) by default. Integers become float32."""
def conv1d(input: array, weight: array, /, stride: int=1, padding: int=0, dilation: int=1, groups: int=1, *, stream: _StreamOrDevice=None) -> array:
    """Cross-correlation over one axis.

    input: (batch, length, channels). weight: (outputs, length, channels / groups).
    """
def conv2d(input: array, weight: array, /, stride: int | tuple[int, int]=1, padding: int | tuple[int, int]=0, dilation: int | tuple[int, int]=1, groups: int=1, *, stream: _StreamOrDevice=None) -> array:
    """Cross-correlation over two axes.

    input: (batch, height, width, channels). weight: (outputs, height, width, channels / groups).
    """
def conv3d(input: array, weight: array, /, stride: int | tuple[int, int, int]=1, padding: int | tuple[int, int, int]=0, dilation: int | tuple[int, int, int]=1, groups: int=1, *, stream: _StreamOrDevice=None) -> array:
    """Cross-correlation over three axes.

    input: (batch, depth, height, width, channels). weight: (outputs, depth, height, width, channels / groups).
    """
def conv_general(input: array, weight: array, /, stride: int | Sequence[int]=1, padding: int | Sequence[int] | tuple[Sequence[int], Sequence[int]]=0, kernel_dilation: int | Sequence[int]=1, input_dilation: int | Sequence[int]=1, groups: int=1, flip: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Cross-correlation over one to three axes; flip makes it a convolution.

    padding: an int, one per axis, or a pair of lists (before, after).
    """
def conv_transpose1d(input: array, weight: array, /, stride: int=1, padding: int=0, dilation: int=1, output_padding: int=0, groups: int=1, *, stream: _StreamOrDevice=None) -> array:
    """Transposed convolution over one axis.

    input: (batch, length, channels). weight: (outputs, length, channels / groups). output_padding: added to the length of the result.
    """
def conv_transpose2d(input: array, weight: array, /, stride: int | tuple[int, int]=1, padding: int | tuple[int, int]=0, dilation: int | tuple[int, int]=1, output_padding: int | tuple[int, int]=0, groups: int=1, *, stream: _StreamOrDevice=None) -> array:
    """Transposed convolution over two axes.

    input: (batch, height, width, channels). weight: (outputs, height, width, channels / groups). output_padding: added to the sizes of the result.
    """
def conv_transpose3d(input: array, weight: array, /, stride: int | tuple[int, int, int]=1, padding: int | tuple[int, int, int]=0, dilation: int | tuple[int, int, int]=1, output_padding: int | tuple[int, int, int]=0, groups: int=1, *, stream: _StreamOrDevice=None) -> array:
    """Transposed convolution over three axes.

    input: (batch, depth, height, width, channels). weight: (outputs, depth, height, width, channels / groups). output_padding: added to the sizes of the result.
    """
def convolve(a: array, v: array, /, mode: str='full', *, stream: _StreamOrDevice=None) -> array:
    """Convolution of two vectors. mode: 'full', 'same' (the length of the longer one) or 'valid' (where they overlap wholly). Integers become float32."""
def quantize(w: array, /, group_size: int | None=None, bits: int | None=None, mode: str='affine', global_scale: array | None=None, *, stream: _StreamOrDevice=None) -> list[array]:
    """The packed codes of w, its scales and, for affine, its biases.

    Groups of values along the last axis share a scale. Modes (group size, bits): affine (32, 64 or 128; 1 to 6 or 8; by default 64, 4), mxfp4 (32, 4), mxfp8 (32, 8), nvfp4 (16, 4).
    w: real floating-point, at least two dimensions, the last divisible by the group size.
    global_scale: one float32, for nvfp4 only.
    Returns uint32 of shape (..., n * bits / 32) and scales and biases of shape (..., n / group_size), uint8 for modes other than affine.
    """
def dequantize(w: array, /, scales: array, biases: array | None=None, group_size: int | None=None, bits: int | None=None, mode: str='affine', global_scale: array | None=None, dtype: Dtype | None=None, *, stream: _StreamOrDevice=None) -> array:
    """The values of a quantized array: scale * code + bias.

    dtype: by default that of scales and biases for affine, bfloat16 for the other modes, float32 with a global scale.
    """
def to_fp8(x: array, /, *, stream: _StreamOrDevice=None) -> array:
    """The uint8 codes of 8-bit floats, e4m3 without infinity: nearest even, saturating at 448; NaN becomes 448."""
def from_fp8(x: array, /, dtype: Dtype=bfloat16, *, stream: _StreamOrDevice=None) -> array:
    """The values of 8-bit floats given as uint8 codes of e4m3."""
def quantized_matmul(x: array, w: array, /, scales: array, biases: array | None=None, transpose: bool=True, group_size: int | None=None, bits: int | None=None, mode: str='affine', *, stream: _StreamOrDevice=None) -> array:
    """x @ dequantize(w).T, or x @ dequantize(w) where transpose is False.

    Leading axes broadcast; a vector x counts as a row. Differentiable by x and by affine scales and biases.
    """
def gather_qmm(x: array, w: array, /, scales: array, biases: array | None=None, lhs_indices: array | None=None, rhs_indices: array | None=None, transpose: bool=True, group_size: int | None=None, bits: int | None=None, mode: str='affine', global_scale: array | None=None, *, sorted_indices: bool=False, stream: _StreamOrDevice=None) -> array:
    """quantized_matmul of the matrices that the indices name.

    The indices count over the flattened leading axes of x and of w and broadcast; the result has their shape and that of one product. By default they name all matrices. An index out of range raises when the result is evaluated.
    global_scale: float32, one per matrix of w, nvfp4 only.
    """
def qqmm(x: array, w: array, /, scales: array | None=None, group_size: int | None=None, bits: int | None=None, mode: str='nvfp4', global_scale_x: array | None=None, global_scale_w: array | None=None, *, stream: _StreamOrDevice=None) -> array:
    """The product of x and w.T, x quantized in the mode of w.

    w: two dimensions, packed with scales, or floating-point and then quantized too. Derivatives pass straight through the rounding of x and of an unpacked w.
    """
def gather_qqmm(x: array, w: array, /, scales: array | None=None, lhs_indices: array | None=None, rhs_indices: array | None=None, group_size: int | None=None, bits: int | None=None, mode: str='nvfp4', global_scale_x: array | None=None, global_scale_w: array | None=None, *, sorted_indices: bool=False, stream: _StreamOrDevice=None) -> array:
    """qqmm of the matrices that the indices name; see gather_qmm."""
def gather_mm(a: array, b: array, /, lhs_indices: array | None=None, rhs_indices: array | None=None, *, sorted_indices: bool=False, stream: _StreamOrDevice=None) -> array:
    """matmul of the matrices that the indices name.

    The indices count over the flattened leading axes of a and of b, negative ones from the end, and broadcast; the result has their shape and that of one product. By default they name all matrices. An index out of range raises when the result is evaluated.
    """
def block_masked_mm(a: array, b: array, /, block_size: int=64, mask_out: array | None=None, mask_lhs: array | None=None, mask_rhs: array | None=None, *, stream: _StreamOrDevice=None) -> array:
    """matmul with blocks of block_size rows and columns masked: a bool mask keeps or zeroes, another is a factor.

    The masks have one entry per block of the result, of a and of b; their leading axes broadcast. block_size: 32 or 64.
    """
def segmented_mm(a: array, b: array, /, segments: array, *, stream: _StreamOrDevice=None) -> array:
    """a[:, start:end] @ b[start:end] for each of the segments (..., 2).

    A segment without elements gives zeros; one that leaves the operands raises when the result is evaluated.
    """
def array_equal(a: _Scalar | array, b: _Scalar | array, /, *, equal_nan: bool=False, stream: _StreamOrDevice=None) -> array:
    """Whether two arrays have the same shape and elements: a bool array of shape ().

    Dtypes are promoted. With equal_nan NaN equals NaN.
    """
def isclose(a: _Scalar | array, b: _Scalar | array, /, rtol: float=1e-05, atol: float=1e-08, *, equal_nan: bool=False, stream: _StreamOrDevice=None) -> array:
    """Where |a - b| <= atol + rtol |b|. Equal infinities are close; with equal_nan two NaN are."""
def allclose(a: _Scalar | array, b: _Scalar | array, /, rtol: float=1e-05, atol: float=1e-08, *, equal_nan: bool=False, stream: _StreamOrDevice=None) -> array:
    """Whether all elements are close, see isclose: a bool array of shape ()."""
def clip(a: array, /, a_min: _Scalar | array | None, a_max: _Scalar | array | None, *, stream: _StreamOrDevice=None) -> array:
    """Elements limited to [a_min, a_max]; None for no limit on that side. Bounds broadcast.

    Raises ValueError when both are None.
    """
def nan_to_num(a: _Scalar | array, /, nan: float=0.0, posinf: float | None=None, neginf: float | None=None, *, stream: _StreamOrDevice=None) -> array:
    """NaN replaced by nan, infinities by posinf and neginf (the dtype's largest and lowest values by default)."""
def inner(a: array, b: array, /, *, stream: _StreamOrDevice=None) -> array:
    """Sums of products over the last axis of both; of scalars, their product."""
def outer(a: array, b: array, /, *, stream: _StreamOrDevice=None) -> array:
    """All products of an element of a with one of b, both flattened: shape (a.size, b.size)."""
def tensordot(a: array, b: array, /, axes: int | list[Sequence[int]]=2, *, stream: _StreamOrDevice=None) -> array:
    """Sums of products over axes.

    axes: how many of the last axes of a and the first of b, or a pair of lists of axes.
    """
matrix_norm = linalg.norm
@overload
def load(file: _File | str | pathlib.Path, /, format: str | None=None, return_metadata: Literal[False]=False, *, stream: _StreamOrDevice=None) -> Any:
    """The array of a .npy file, or the dict of the arrays of a .npz, .safetensors or .gguf file.

    file: a path, or a binary file object with readinto, seek and tell, which must stay readable until the
    arrays are evaluated.
    format: 'npy', 'npz', 'safetensors' or 'gguf'; by default the extension of the file's name decides.
    return_metadata: return a pair of the arrays and the metadata (safetensors and gguf).

    Quantized tensors of gguf files become packed words with arrays .scales and .biases (Q4_0, Q4_1, Q8_0: groups of 32)
    or float16. Arrays of npy, safetensors and gguf files are read when they are evaluated. A missing or damaged file raises
    RuntimeError; a missing npz file, or an element type that arrays cannot have, ValueError.
    """
@overload
def load(file: _File | str | pathlib.Path, /, format: str | None=None, *, return_metadata: Literal[True], stream: _StreamOrDevice=None) -> tuple[dict[str, array], dict[str, Any]]:
    """The array of a .npy file, or the dict of the arrays of a .npz, .safetensors or .gguf file.

    file: a path, or a binary file object with readinto, seek and tell, which must stay readable until the
    arrays are evaluated.
    format: 'npy', 'npz', 'safetensors' or 'gguf'; by default the extension of the file's name decides.
    return_metadata: return a pair of the arrays and the metadata (safetensors and gguf).

    Quantized tensors of gguf files become packed words with arrays .scales and .biases (Q4_0, Q4_1, Q8_0: groups of 32)
    or float16. Arrays of npy, safetensors and gguf files are read when they are evaluated. A missing or damaged file raises
    RuntimeError; a missing npz file, or an element type that arrays cannot have, ValueError.
    """
def save(file: _File | str | pathlib.Path, arr: array) -> None:
    """Write an array as a .npy file.

    The suffix is added to a path that lacks it. An existing file is replaced once the new one is complete.
    """
def savez(file: _File | str | pathlib.Path, *args: array, **kwargs: array) -> None:
    """Write arrays as a .npz file: arrays given by position are named arr_0, arr_1 and so on.

    The suffix is added to a path that lacks it. An existing file is replaced once the new one is complete.
    """
def savez_compressed(file: _File | str | pathlib.Path, /, *args: array, **kwargs: array) -> None:
    """Write arrays as a .npz file with compression. The arguments are those of savez."""
def save_safetensors(file: _File | str | pathlib.Path, arrays: dict[str, array], metadata: dict[str, str] | None=None) -> None:
    """Write named arrays, and strings about them, as a .safetensors file.

    The suffix is added to a path that lacks it. An existing file is replaced once the new one is complete; arrays
    that were loaded from it stay valid.
    """
def save_gguf(file: str | pathlib.Path, arrays: dict[str, array], metadata: dict[str, array | str | list[str]] | None=None) -> None:
    """Write named arrays and metadata (numbers as arrays of at most one axis, strings, lists of strings) as a .gguf file.

    The suffix is added to a path that lacks it. RuntimeError for a dtype that the format lacks. An existing file is replaced once the new one is complete.
    """
def set_printoptions(precision: int=-1) -> None:
    """Print floats with a fixed number of digits after the point; -1 prints six significant digits."""
def get_printoptions() -> PrintOptions:
    """The options in force."""
def printoptions(precision: int=-1) -> _PrintOptionsContext:
    """A context for `with` that prints floats with a fixed number of digits."""
def grad(fun: Callable[_P, _R], argnums: int | Sequence[int] | None=None, argnames: str | Sequence[str]=[]) -> Callable[_P, Any]:
    """A function that computes the gradient of `fun`, which must return a scalar array.

    argnums, argnames: the positional and keyword arguments to differentiate, by default the first. Each is an
    array or a tree of arrays, and its gradient has the same form; several positional ones give a tuple. With
    argnames the result is a pair (positional gradients or None, dict of named gradients).
    """
def value_and_grad(fun: Callable[_P, _R], argnums: int | Sequence[int] | None=None, argnames: str | Sequence[str]=[]) -> Callable[_P, tuple[_R, Any]]:
    """A function that computes the value and the gradient of `fun`.

    `fun` returns a scalar array, or a tuple that starts with one; the rest is passed through. The arguments are
    those of grad.
    """
def vjp(fun: Callable[..., Any], primals: list[array], cotangents: list[array]) -> tuple[list[array], list[array]]:
    """The outputs of `fun` at the primals, and the products of the cotangents with its Jacobian."""
def jvp(fun: Callable[..., Any], primals: list[array], tangents: list[array]) -> tuple[list[array], list[array]]:
    """The outputs of `fun` at the primals, and the products of its Jacobian with the tangents."""
def vmap(fun: Callable[_P, _R], in_axes: object=0, out_axes: object=0) -> Callable[_P, _R]:
    """A function that applies `fun` along an axis of its arguments.

    in_axes: the batch axis of the arguments: an int for all, or a tuple with an int, None (not batched) or a
    tree of them per argument. out_axes: where the batch axis of the results goes.
    """
def checkpoint(fun: Callable[_P, _R]) -> Callable[_P, _R]:
    """The function, computed again in the backward pass instead of keeping its intermediate results."""
def compile(fun: Callable[_P, _R], inputs: object | None=None, outputs: object | None=None, shapeless: bool=False) -> Callable[_P, _R]:
    """A function that is traced once per shapes, dtypes and constants of its arguments, and then run as a fused program.

    Arguments are trees of arrays and constants. inputs, outputs: containers of arrays that the function reads and
    changes besides its arguments, such as model.state or mx.random.state. shapeless: keep the program for other sizes.
    """
def disable_compile() -> None:
    """Let compiled functions call their function directly."""
def enable_compile() -> None:
    """Let compiled functions run their programs again."""
def export_function(file_or_callback: str | Callable[..., Any], /, fun: Callable[..., Any], *args: Any, shapeless: bool=False, metadata: str | None=None, **kwargs: Any) -> None:
    """Write a function, traced for example arrays, to a file that import_function reads.

    Inputs and results are arrays. shapeless: the trace serves all inputs with as many axes, unless the function depends on a size. With a callback instead of a file it gets one dict per step of the program: inputs, keyword_inputs, outputs, constants, then each primitive.
    """
@overload
def import_function(file: str, return_metadata: Literal[False]=False) -> Callable[..., tuple[array, ...]]:
    """Read a function that export_function wrote. A file holds a program: import only what you trust.

    RuntimeError names the file and what is wrong with it.
    """
@overload
def import_function(file: str, return_metadata: Literal[True]) -> tuple[Callable[..., tuple[array, ...]], str]:
    """Read a function that export_function wrote. A file holds a program: import only what you trust.

    RuntimeError names the file and what is wrong with it.
    """
def export_to_dot(file: str | _Writable, *args: Any, **kwargs: Any) -> None:
    """Draw the graph of arrays that are not evaluated yet, in the DOT language of Graphviz. Keywords name the arrays."""
def exporter(file: str, fun: Callable[..., Any], *, shapeless: bool=False, metadata: str | None=None) -> FunctionExporter:
    """An exporter of a function to a file, for several traces.

    with mx.exporter('f.mlxfn', f) as trace:
        trace(mx.zeros(3))
        trace(mx.zeros(3), y=mx.ones(3))
    """
bool_: Dtype
uint8: Dtype
uint16: Dtype
uint32: Dtype
uint64: Dtype
int8: Dtype
int16: Dtype
int32: Dtype
int64: Dtype
float16: Dtype
float32: Dtype
float64: Dtype
bfloat16: Dtype
complex64: Dtype
complexfloating: DtypeCategory
floating: DtypeCategory
inexact: DtypeCategory
signedinteger: DtypeCategory
unsignedinteger: DtypeCategory
integer: DtypeCategory
number: DtypeCategory
generic: DtypeCategory
cpu: DeviceType
gpu: DeviceType
e: float
euler_gamma: float
pi: float
inf: float
nan: float
newaxis: None
__version__: str
