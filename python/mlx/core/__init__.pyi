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
    """An axis or an index is out of range.

    Raises: nothing.

    Example:

        >>> mx.sum(mx.zeros((2, 3)), axis=2)
        Traceback (most recent call last):
        mlx.core.AxisError: [sum] Axis 2 is out of bounds for array with 2 dimensions.
    """

class IntOverflowError(ValueError, OverflowError):
    """An int, a size or a number of bytes that does not fit.

    Raises: nothing.

    Example:

        >>> try: mx.zeros(2**70)
        ... except mx.IntOverflowError as e: print(isinstance(e, ValueError), isinstance(e, OverflowError))
        True True
    """

class OutOfMemoryError(MemoryError, RuntimeError):
    """An allocation would pass the memory limit.

    Raises: nothing.

    Example:

        >>> issubclass(mx.OutOfMemoryError, MemoryError)
        True
    """

class MLXWarning(UserWarning):
    """Category of the library's warnings.

    Raises: nothing.

    Example:

        >>> issubclass(mx.MLXWarning, Warning)
        True
    """

class Dtype:
    """The type of an array's elements.

    Raises: nothing.

    Example:

        >>> mx.float16.size, mx.array([1]).dtype == mx.int32
        (2, True)
    """
    def __hash__(self) -> int: ...
    def __copy__(self) -> Dtype: ...
    def __deepcopy__(self, memo: dict[Any, Any], /) -> Dtype: ...
    def __reduce__(self) -> str: ...
    @property
    def size(self) -> int:
        """Bytes of an element."""

class DtypeCategory(Enum):
    """Categories of dtypes.

    Raises: nothing.

    Example:

        >>> mx.issubdtype(mx.float16, mx.floating), mx.floating == mx.DtypeCategory.floating
        (True, True)
    """
    complexfloating = 0
    floating = 1
    inexact = 2
    signedinteger = 3
    unsignedinteger = 4
    integer = 5
    number = 6
    generic = 7

class finfo:
    """Limits of a floating-point dtype.

    Raises: ValueError for a dtype that is not floating-point or complex64.

    Example:

        >>> mx.finfo(mx.float16).max, mx.finfo(mx.float32).eps
        (65504.0, 1.1920928955078125e-07)
    """
    def __init__(self, dtype: Dtype) -> None: ...
    @property
    def bits(self) -> int:
        """Bits of a number."""
    @property
    def min(self) -> float:
        """The lowest finite number."""
    @property
    def max(self) -> float:
        """The largest finite number."""
    @property
    def eps(self) -> float:
        """The step from 1 to the next number."""
    @property
    def smallest_normal(self) -> float:
        """The smallest positive number of full precision."""
    @property
    def dtype(self) -> Dtype:
        """The dtype; float32 for complex64."""

class iinfo:
    """Limits of an integer dtype.

    Raises: ValueError for a dtype that is no integer.

    Example:

        >>> mx.iinfo(mx.int8).min, mx.iinfo(mx.uint16).max
        (-128, 65535)
    """
    def __init__(self, dtype: Dtype) -> None: ...
    @property
    def bits(self) -> int:
        """Bits of a number."""
    @property
    def min(self) -> int:
        """The lowest number."""
    @property
    def max(self) -> int:
        """The largest number."""
    @property
    def dtype(self) -> Dtype:
        """The dtype."""

class DeviceType(Enum):
    """The kinds of devices.

    Raises: nothing.

    Example:

        >>> mx.DeviceType.cpu == mx.cpu
        True
    """
    cpu = 0
    gpu = 1

class Device:
    """A device: its type and its index.

    Raises: TypeError for what is no DeviceType.

    Example:

        >>> mx.Device(mx.cpu)
        Device(cpu, 0)
    """
    def __init__(self, type: DeviceType, index: int=0) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def type(self) -> DeviceType:
        """mx.cpu or mx.gpu."""
    @property
    def index(self) -> int:
        """Its number among the devices of its type."""

class Stream:
    """An ordered queue of work on a device.

    Raises: nothing.

    Example:

        >>> s = mx.new_stream(mx.cpu)
        >>> s.device, s == mx.default_stream(mx.cpu)
        (Device(cpu, 0), False)
    """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def device(self) -> Device:
        """The device whose work it orders."""
    @property
    def index(self) -> int:
        """Its number."""

class ThreadLocalStream:
    """Stands for one stream per thread that uses it.

    Raises: nothing.

    Example:

        >>> s = mx.new_thread_local_stream(mx.cpu)
        >>> mx.add(1, 2, stream=s)
        array(3, dtype=int32)
    """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def device(self) -> Device:
        """The device whose work it orders."""
    @property
    def index(self) -> int:
        """Its number."""

class StreamContext:
    """Sets the default stream or device inside a with block.

    Raises: TypeError for what is neither a stream nor a device.

    Example:

        >>> with mx.StreamContext(mx.cpu):
        ...     x = mx.add(1, 2)
        >>> x
        array(3, dtype=int32)
    """
    def __init__(self, s: Stream | ThreadLocalStream | Device | DeviceType) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(self, exc_type: type[Any] | None=None, exc_value: object | None=None, traceback: object | None=None) -> None: ...

class array:
    """An n-dimensional array of one dtype.

    val: a scalar, nested lists or tuples, an array, or an object with the buffer protocol, __dlpack__
    or __mlx_array__; its values are copied. dtype: by default int32, float32, complex64 or bool by the
    kind of Python values, and the dtype of other arrays (float64 becomes float32).

    Shape: that of the nested lists or of the value; () for scalars.

    Raises: ValueError for ragged lists and for what has no values, RuntimeError for an int beyond 64 bits.

    Example:

        >>> mx.array([[1, 2], [3, 4]])
        array([[1, 2],
               [3, 4]], dtype=int32)
        >>> mx.array([1, 2], dtype=mx.float16)
        array([1, 2], dtype=float16)
    """
    def __init__(self, val: _Scalar | list[Any] | tuple[Any, ...] | _DLPackCompatible | array, dtype: Dtype | None=None) -> None: ...
    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the dimensions, as a tuple.

        Example:

            >>> mx.zeros((2, 3)).shape
            (2, 3)
        """
    @property
    def ndim(self) -> int:
        """The number of dimensions.

        Example:

            >>> mx.zeros((2, 3)).ndim
            2
        """
    @property
    def size(self) -> int:
        """The number of elements.

        Example:

            >>> mx.zeros((2, 3)).size
            6
        """
    @property
    def itemsize(self) -> int:
        """Bytes of an element.

        Example:

            >>> mx.zeros((2, 3)).itemsize
            4
        """
    @property
    def nbytes(self) -> int:
        """Bytes of all elements.

        Example:

            >>> mx.zeros((2, 3)).nbytes
            24
        """
    @property
    def dtype(self) -> Dtype:
        """The type of the elements.

        Example:

            >>> mx.zeros((2, 3)).dtype
            mlx.core.float32
        """
    @property
    def real(self) -> array:
        """The real part.

        Shape: that of the array.

        Dtype: float32 for complex64, else the same.

        Example:

            >>> mx.array([1 + 2j]).real
            array([1], dtype=float32)
        """
    @property
    def imag(self) -> array:
        """The imaginary part; zeros of the same dtype for real arrays.

        Shape: that of the array.

        Dtype: float32 for complex64, else the same.

        Example:

            >>> mx.array([1 + 2j]).imag
            array([2], dtype=float32)
        """
    @property
    def T(self) -> array:
        """The array with its axes in reverse order.

        Shape: the sizes in reverse order.

        Dtype: the same.

        Example:

            >>> mx.array([[1, 2], [3, 4]]).T
            array([[1, 3],
                   [2, 4]], dtype=int32)
        """
    @property
    def mT(self) -> array:
        """The array with its last two axes exchanged.

        Shape: (..., n, m) for (..., m, n).

        Dtype: the same.

        Raises: ValueError for less than two axes.

        Example:

            >>> mx.zeros((5, 2, 3)).mT.shape
            (5, 3, 2)
        """
    def item(self) -> Any:
        """The value of an array of size 1, as a Python scalar.

        Raises: ValueError for more than one element, and whatever the evaluation raises.

        Example:

            >>> mx.array([2.5]).item()
            2.5
        """
    def tolist(self) -> Any:
        """The values as nested lists; a scalar for a 0-dimensional array.

        Raises: whatever the evaluation raises.

        Example:

            >>> mx.array([[1, 2], [3, 4]]).tolist()
            [[1, 2], [3, 4]]
        """
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
        """The device where operations run by default: all devices share the memory of arrays.

        Example:

            >>> mx.array([1]).device
            Device(cpu, 0)
        """
    def to_device(self, device: Device | DeviceType, /, *, stream: _StreamOrDevice=None) -> array:
        """The array itself: all devices share the memory of arrays.

        Raises ValueError where there is no such device.

        Shape: that of the array.

        Dtype: the same.

        Raises: ValueError for a device that does not exist.

        Example:

            >>> mx.array([1]).to_device(mx.cpu)
            array([1], dtype=int32)
        """
    def __array_namespace__(self, api_version: str | None=None) -> types.ModuleType: ...
    def __round__(self, ndigits: int | None=None) -> array: ...
    def __div__(self, other: _Scalar | array) -> array: ...
    def __rdiv__(self, other: _Scalar | array) -> array: ...
    def square(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Square of each element.

        Shape: that of the operand.

        Dtype: any; the result has the operand's.

        Raises: ValueError for what is neither a number nor an array.

        Example:

            >>> mx.square(mx.array([-3, 2]))
            array([9, 4], dtype=int32)
        """
    def sqrt(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Square root.

        Integers and bool give float32.

        Shape: that of the operand.

        Dtype: floating-point or complex; the result has the operand's.

        Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

        Example:

            >>> mx.sqrt(mx.array([4.0, 2.0]))
            array([2, 1.41421], dtype=float32)
        """
    def rsqrt(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Reciprocal square root.

        Integers and bool give float32.

        Shape: that of the operand.

        Dtype: floating-point or complex; the result has the operand's.

        Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

        Example:

            >>> mx.rsqrt(mx.array([4.0, 16.0]))
            array([0.5, 0.25], dtype=float32)
        """
    def reciprocal(self, /, *, stream: _StreamOrDevice=None) -> array:
        """One over each element.

        Integers and bool give float32.

        Shape: that of the operand.

        Dtype: floating-point or complex; the result has the operand's.

        Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

        Example:

            >>> mx.reciprocal(mx.array([4, 0]))
            array([0.25, inf], dtype=float32)
        """
    def exp(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Exponential.

        Integers and bool give float32.

        Shape: that of the operand.

        Dtype: floating-point or complex; the result has the operand's.

        Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

        Example:

            >>> mx.exp(mx.array([0.0, 1.0]))
            array([1, 2.71828], dtype=float32)
        """
    def log(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Natural logarithm.

        Integers and bool give float32.

        Shape: that of the operand.

        Dtype: floating-point or complex; the result has the operand's.

        Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

        Example:

            >>> mx.log(mx.array([1.0, 10.0, 0.0]))
            array([0, 2.30259, -inf], dtype=float32)
        """
    def log2(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Logarithm to base 2.

        Integers and bool give float32.

        Shape: that of the operand.

        Dtype: floating-point or complex; the result has the operand's.

        Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

        Example:

            >>> mx.log2(mx.array([1.0, 8.0]))
            array([0, 3], dtype=float32)
        """
    def log10(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Logarithm to base 10.

        Integers and bool give float32.

        Shape: that of the operand.

        Dtype: floating-point or complex; the result has the operand's.

        Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

        Example:

            >>> mx.log10(mx.array([1.0, 1000.0]))
            array([0, 3], dtype=float32)
        """
    def log1p(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Natural logarithm of one plus the element.

        Integers and bool give float32.

        Shape: that of the operand.

        Dtype: floating-point or complex; the result has the operand's.

        Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

        Example:

            >>> mx.log1p(mx.array([0.0, 1e-10]))
            array([0, 1e-10], dtype=float32)
        """
    def sin(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Sine.

        Integers and bool give float32.

        Shape: that of the operand.

        Dtype: floating-point or complex; the result has the operand's.

        Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

        Example:

            >>> mx.sin(mx.array([0.0, mx.pi / 2]))
            array([0, 1], dtype=float32)
        """
    def cos(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Cosine.

        Integers and bool give float32.

        Shape: that of the operand.

        Dtype: floating-point or complex; the result has the operand's.

        Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

        Example:

            >>> mx.cos(mx.array([0.0, mx.pi]))
            array([1, -1], dtype=float32)
        """
    def tan(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Tangent.

        Integers and bool give float32.

        Shape: that of the operand.

        Dtype: floating-point or complex; the result has the operand's.

        Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

        Example:

            >>> mx.tan(mx.array([0.0, mx.pi / 4]))
            array([0, 1], dtype=float32)
        """
    def tanh(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Hyperbolic tangent.

        Integers and bool give float32.

        Shape: that of the operand.

        Dtype: floating-point or complex; the result has the operand's.

        Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

        Example:

            >>> mx.tanh(mx.array([0.0, 1.0]))
            array([0, 0.761594], dtype=float32)
        """
    def sigmoid(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Logistic function 1 / (1 + exp(-x)).

        Integers and bool give float32; complex64 is not supported.

        Shape: that of the operand.

        Dtype: real floating-point; the result has the operand's.

        Raises: ValueError for complex64, and for what is neither a number nor an array.

        Example:

            >>> mx.sigmoid(mx.array([-1.0, 0.0, 1.0]))
            array([0.268941, 0.5, 0.731059], dtype=float32)
        """
    def abs(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Absolute value.

        Shape: that of the operand.

        Dtype: any; that of the operand, float32 for complex64.

        Raises: ValueError for what is neither a number nor an array.

        Example:

            >>> mx.abs(mx.array([-1.5, 2.0]))
            array([1.5, 2], dtype=float32)
        """
    def conj(self, /, *, stream: _StreamOrDevice=None) -> array:
        """Complex conjugate.

        Shape: that of the operand.

        Dtype: any; the result has the operand's.

        Raises: ValueError for what is neither a number nor an array.

        Example:

            >>> mx.conj(mx.array([1 + 2j]))
            array([1-2j], dtype=complex64)
        """
    def round(self, /, decimals: int=0, *, stream: _StreamOrDevice=None) -> array:
        """Round to a number of decimals, halves to even; a negative number rounds before the point.

        Shape: that of the operand.

        Dtype: any; the result has the array's.

        Raises: TypeError where decimals is no int.

        Example:

            >>> mx.array([1.25, 2.5]).round()
            array([1, 2], dtype=float32)
        """
    def astype(self, /, dtype: Dtype, stream: _StreamOrDevice=None) -> array:
        """Convert the elements to another dtype.

        Shape: that of the operand.

        Dtype: any; the result has the dtype asked for.

        Raises: TypeError where dtype is no Dtype.

        Example:

            >>> mx.array([1.9, -1.9]).astype(mx.int32)
            array([1, -1], dtype=int32)
        """
    def reshape(self, *shape: Any, stream: _StreamOrDevice=None) -> array:
        """Give the elements another shape: ints, or one sequence of ints.

        Shape: the given one, of as many elements; one size may be -1.

        Dtype: any; the result has a's.

        Raises: ValueError where the sizes do not fit.

        Example:

            >>> mx.arange(6).reshape(2, -1)
            array([[0, 1, 2],
                   [3, 4, 5]], dtype=int32)
        """
    def flatten(self, /, start_axis: int=0, end_axis: int=-1, *, stream: _StreamOrDevice=None) -> array:
        """Join the axes from start_axis to end_axis into one.

        Shape: that of a with the axes replaced by one; a scalar becomes (1,).

        Dtype: any; the result has a's.

        Raises: ValueError where end_axis comes before start_axis, AxisError for an end_axis out of range.

        Example:

            >>> mx.flatten(mx.zeros((2, 3, 4)), start_axis=1).shape
            (2, 12)
        """
    def squeeze(self, /, axis: None | int | Sequence[int]=None, *, stream: _StreamOrDevice=None) -> array:
        """Remove axes of size 1: the given ones, or all.

        Shape: that of a without the axes.

        Dtype: any; the result has a's.

        Raises: AxisError for an axis out of range, ValueError for one of another size than 1.

        Example:

            >>> mx.squeeze(mx.zeros((1, 3, 1))).shape
            (3,)
        """
    def transpose(self, *axes: Any, stream: _StreamOrDevice=None) -> array:
        """Permute the axes: ints, or one sequence of ints; without axes their order is reversed.

        Shape: that of the array in the order of axes.

        Dtype: any; the result has a's.

        Raises: AxisError for an axis out of range, ValueError where axes are no permutation.

        Example:

            >>> mx.zeros((2, 3, 4)).transpose(2, 0, 1).shape
            (4, 2, 3)
        """
    def swapaxes(self, /, axis1: int, axis2: int, *, stream: _StreamOrDevice=None) -> array:
        """Exchange two axes.

        Options: axis1 and axis2 are exchanged.

        Shape: that of a with the two sizes exchanged.

        Dtype: any; the result has a's.

        Raises: AxisError for an axis out of range.

        Example:

            >>> mx.swapaxes(mx.zeros((2, 3, 4)), 0, 2).shape
            (4, 3, 2)
        """
    def moveaxis(self, /, source: int, destination: int, *, stream: _StreamOrDevice=None) -> array:
        """Move an axis to another place.

        Options: the axis source becomes the axis destination.

        Shape: that of a with one size at another place.

        Dtype: any; the result has a's.

        Raises: AxisError for an axis out of range.

        Example:

            >>> mx.moveaxis(mx.zeros((2, 3, 4)), 0, -1).shape
            (3, 4, 2)
        """
    def view(self, dtype: Dtype, *, stream: _StreamOrDevice=None) -> array:
        """The bytes of the row-major content as values of another dtype.

        Shape: that of the array; its last axis shrinks or grows by the ratio of the sizes of the elements.

        Dtype: any; the result has the one asked for.

        Raises: ValueError where the last axis cannot be divided, or a scalar would change its size.

        Example:

            >>> mx.array([1.0, -2.0]).view(mx.uint32)
            array([1065353216, 3221225472], dtype=uint32)
        """
    def diag(self, /, k: int=0, *, stream: _StreamOrDevice=None) -> array:
        """A matrix with a vector on its k-th diagonal, or the k-th diagonal of a matrix.

        Shape: (n + |k|, n + |k|) for a vector of n elements; one axis for a matrix.

        Dtype: any; the result has a's.

        Raises: ValueError for scalars and more than two axes.

        Example:

            >>> mx.diag(mx.array([1, 2]))
            array([[1, 0],
                   [0, 2]], dtype=int32)
            >>> mx.diag(mx.array([[1, 2], [3, 4]]))
            array([1, 4], dtype=int32)
        """
    def diagonal(self, offset: int=0, axis1: int=0, axis2: int=1, stream: _StreamOrDevice=None) -> array:
        """A diagonal of the matrices that two axes span.

        Options: axis1 and axis2 span the matrices; offset counts diagonals to the right.

        Shape: that of a without the two axes, and the diagonal's length at the end.

        Dtype: any; the result has a's.

        Raises: AxisError for an axis out of range, ValueError for less than two axes or twice the same one.

        Example:

            >>> mx.diagonal(mx.array([[1, 2], [3, 4]]), offset=1)
            array([2], dtype=int32)
        """
    def split(self, /, indices_or_sections: int | Sequence[int], axis: int=0, *, stream: _StreamOrDevice=None) -> list[array]:
        """Split into equal parts, or at the given places of an axis.

        Options: indices_or_sections is a number of equal parts, or the places where parts begin.

        Shape: that of a with part of the axis.

        Dtype: any; the result has a's.

        Raises: AxisError for an axis out of range, ValueError where it does not divide into equal parts.

        Example:

            >>> mx.split(mx.arange(6), 3)
            [array([0, 1], dtype=int32), array([2, 3], dtype=int32), array([4, 5], dtype=int32)]
            >>> mx.split(mx.arange(6), [1, 4])
            [array([0], dtype=int32), array([1, 2, 3], dtype=int32), array([4, 5], dtype=int32)]
        """
    def cumsum(self, axis: int | None=None, *, reverse: bool=False, inclusive: bool=True, stream: _StreamOrDevice=None) -> array:
        """Cumulative sum. bool gives int32; other dtypes stay, and integers wrap. Half types are added in float32.

        axis: by default the array is flattened. reverse: from the end. inclusive: whether an element counts for its own place.

        Shape: that of a; without an axis a is flattened first.

        Dtype: any; the result has the array's, int32 for bool.

        Raises: AxisError for an axis out of range.

        Example:

            >>> mx.array([1, 2, 3]).cumsum()
            array([1, 3, 6], dtype=int32)
        """
    def cumprod(self, axis: int | None=None, *, reverse: bool=False, inclusive: bool=True, stream: _StreamOrDevice=None) -> array:
        """Cumulative product. Dtypes stay, and integers wrap. Half types are multiplied in float32.

        axis: by default the array is flattened. reverse: from the end. inclusive: whether an element counts for its own place.

        Shape: that of a; without an axis a is flattened first.

        Dtype: any; the result has a's.

        Raises: AxisError for an axis out of range.

        Example:

            >>> mx.array([1, 2, 3]).cumprod()
            array([1, 2, 6], dtype=int32)
        """
    def cummax(self, /, axis: int | None=None, *, reverse: bool=False, inclusive: bool=True, stream: _StreamOrDevice=None) -> array:
        """Cumulative maximum; NaN from the first NaN on.

        axis: by default the array is flattened. reverse: from the end. inclusive: whether an element counts for its own place.

        Shape: that of a; without an axis a is flattened first.

        Dtype: any; the result has a's.

        Raises: AxisError for an axis out of range.

        Example:

            >>> mx.cummax(mx.array([1, 3, 2, 5]))
            array([1, 3, 3, 5], dtype=int32)
        """
    def cummin(self, /, axis: int | None=None, *, reverse: bool=False, inclusive: bool=True, stream: _StreamOrDevice=None) -> array:
        """Cumulative minimum; NaN from the first NaN on.

        axis: by default the array is flattened. reverse: from the end. inclusive: whether an element counts for its own place.

        Shape: that of a; without an axis a is flattened first.

        Dtype: any; the result has a's.

        Raises: AxisError for an axis out of range.

        Example:

            >>> mx.cummin(mx.array([4, 3, 5, 1]))
            array([4, 3, 3, 1], dtype=int32)
        """
    def logcumsumexp(self, /, axis: int | None=None, *, reverse: bool=False, inclusive: bool=True, stream: _StreamOrDevice=None) -> array:
        """Logarithm of the cumulative sum of the exponentials, without overflow. Integers and bool give float32.

        axis: by default the array is flattened. reverse: from the end. inclusive: whether an element counts for its own place.

        Shape: that of a; without an axis a is flattened first.

        Dtype: floating-point or complex dtypes stay; integers and bool give float32.

        Raises: AxisError for an axis out of range.

        Example:

            >>> mx.logcumsumexp(mx.array([0.0, 0.0, 1000.0]))
            array([0, 0.693147, 1000], dtype=float32)
        """
    def __reversed__(self) -> ArrayIterator: ...
    @property
    def at(self) -> ArrayAt:
        """Updates of parts of the array: x.at[index].add(value) accumulates repeated indices.

        Example:

            >>> x = mx.zeros(3)
            >>> x.at[mx.array([0, 0, 2])].add(1)
            array([2, 0, 1], dtype=float32)
        """
    def all(self, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
        """Whether all elements are nonzero.

        axis: the axes to reduce, by default all. keepdims: keep them with size 1.

        Shape: that of a without the reduced axes, which keep size 1 with keepdims.

        Dtype: any; the result is bool.

        Raises: AxisError for an axis out of range, ValueError for one given twice.

        Example:

            >>> mx.all(mx.array([[True, False], [True, True]]), axis=1)
            array([False, True], dtype=bool)
        """
    def any(self, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
        """Whether any element is nonzero.

        axis: the axes to reduce, by default all. keepdims: keep them with size 1.

        Shape: that of a without the reduced axes, which keep size 1 with keepdims.

        Dtype: any; the result is bool.

        Raises: AxisError for an axis out of range, ValueError for one given twice.

        Example:

            >>> mx.any(mx.array([[0, 0], [0, 2]]), axis=1)
            array([False, True], dtype=bool)
        """
    def prod(self, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
        """Product of the elements. Small integers and bool give int32 or uint32.

        axis: the axes to reduce, by default all. keepdims: keep them with size 1.

        Shape: that of a without the reduced axes, which keep size 1 with keepdims.

        Dtype: any. bool and small signed integers give int32, small unsigned ones uint32; others stay.

        Raises: AxisError for an axis out of range, ValueError for one given twice.

        Example:

            >>> mx.prod(mx.array([[1, 2], [3, 4]]), axis=0)
            array([3, 8], dtype=int32)
        """
    def min(self, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
        """Smallest element; NaN if there is one.

        axis: the axes to reduce, by default all. keepdims: keep them with size 1.

        Shape: that of a without the reduced axes, which keep size 1 with keepdims.

        Dtype: any; the result has a's.

        Raises: AxisError for an axis out of range, ValueError for one given twice or where nothing is reduced over.

        Example:

            >>> mx.min(mx.array([[3, 1], [2, 4]]), axis=1)
            array([1, 2], dtype=int32)
        """
    def max(self, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
        """Largest element; NaN if there is one.

        axis: the axes to reduce, by default all. keepdims: keep them with size 1.

        Shape: that of a without the reduced axes, which keep size 1 with keepdims.

        Dtype: any; the result has a's.

        Raises: AxisError for an axis out of range, ValueError for one given twice or where nothing is reduced over.

        Example:

            >>> mx.max(mx.array([[3, 1], [2, 4]]), axis=1)
            array([3, 4], dtype=int32)
        """
    def sum(self, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
        """Sum of the elements. Small integers and bool give int32 or uint32.

        axis: the axes to reduce, by default all. keepdims: keep them with size 1.

        Shape: that of a without the reduced axes, which keep size 1 with keepdims.

        Dtype: any. bool and small signed integers give int32, small unsigned ones uint32; others stay.

        Raises: AxisError for an axis out of range, ValueError for one given twice.

        Example:

            >>> mx.sum(mx.array([[1, 2], [3, 4]]))
            array(10, dtype=int32)
            >>> mx.sum(mx.array([[1, 2], [3, 4]]), axis=1, keepdims=True)
            array([[3],
                   [7]], dtype=int32)
        """
    def mean(self, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
        """Mean of the elements. Integers and bool give float32.

        axis: the axes to reduce, by default all. keepdims: keep them with size 1.

        Shape: that of a without the reduced axes, which keep size 1 with keepdims.

        Dtype: floating-point or complex dtypes stay; integers and bool give float32.

        Raises: AxisError for an axis out of range, ValueError for one given twice.

        Example:

            >>> mx.mean(mx.array([[1, 2], [3, 5]]), axis=1)
            array([1.5, 4], dtype=float32)
        """
    def logsumexp(self, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
        """Logarithm of the sum of the exponentials, without overflow.

        axis: the axes to reduce, by default all. keepdims: keep them with size 1.

        Shape: that of a without the reduced axes, which keep size 1 with keepdims.

        Dtype: floating-point or complex dtypes stay; integers and bool give float32.

        Raises: AxisError for an axis out of range, ValueError for one given twice.

        Example:

            >>> mx.logsumexp(mx.array([1000.0, 1000.0]))
            array(1000.69, dtype=float32)
        """
    def var(self, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, ddof: int=0, *, stream: _StreamOrDevice=None) -> array:
        """Variance of the elements. Integers and bool give float32.

        axis: the axes to reduce, by default all. keepdims: keep them with size 1. ddof: what is taken from the
        number of elements in the divisor.

        Shape: that of a without the reduced axes, which keep size 1 with keepdims.

        Dtype: floating-point dtypes stay; integers, bool and complex64 give float32.

        Raises: AxisError for an axis out of range, ValueError for one given twice.

        Example:

            >>> mx.var(mx.array([1.0, 2.0, 3.0]), ddof=1)
            array(1, dtype=float32)
        """
    def std(self, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, ddof: int=0, *, stream: _StreamOrDevice=None) -> array:
        """Standard deviation of the elements. Integers and bool give float32.

        axis: the axes to reduce, by default all. keepdims: keep them with size 1. ddof: what is taken from the
        number of elements in the divisor.

        Shape: that of a without the reduced axes, which keep size 1 with keepdims.

        Dtype: floating-point dtypes stay; integers, bool and complex64 give float32.

        Raises: AxisError for an axis out of range, ValueError for one given twice.

        Example:

            >>> mx.std(mx.array([2.0, 4.0, 6.0, 8.0]))
            array(2.23607, dtype=float32)
        """
    def argmin(self, /, axis: None | int=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
        """Index (uint32) of the smallest element, the first of equal ones; NaN counts as the smallest.

        axis: by default the index counts in the flat array. keepdims: keep the axis with size 1.

        Shape: that of a without the axis, which keeps size 1 with keepdims; without an axis a scalar, counted in row-major order.

        Dtype: any; the result is uint32.

        Raises: AxisError for an axis out of range, ValueError for an empty axis.

        Example:

            >>> mx.argmin(mx.array([[3, 1], [2, 4]]), axis=1)
            array([1, 0], dtype=uint32)
        """
    def argmax(self, /, axis: None | int=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
        """Index (uint32) of the largest element, the first of equal ones; NaN counts as the largest.

        axis: by default the index counts in the flat array. keepdims: keep the axis with size 1.

        Shape: that of a without the axis, which keeps size 1 with keepdims; without an axis a scalar, counted in row-major order.

        Dtype: any; the result is uint32.

        Raises: AxisError for an axis out of range, ValueError for an empty axis.

        Example:

            >>> mx.argmax(mx.array([[3, 1], [2, 4]]))
            array(3, dtype=uint32)
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
    """Holds the array of an array, a scalar, a NumPy value or an object with __mlx_array__.

    Shape: that of the value.

    Dtype: that of the value.

    Raises: ValueError for what has no array.

    Example:

        >>> mx.add(mx.ArrayLike(np.float32(1)), 1)
        array(2, dtype=float32)
    """
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
    """Iterates over the first axis of an array.

    Raises: whatever the evaluation raises.

    Example:

        >>> [x.item() for x in mx.array([1, 2])]
        [1, 2]
    """
    def __iter__(self) -> Iterator[array]: ...
    def __next__(self) -> array: ...

class ArrayAt:
    """Updates of parts of an array: x.at[index].add(value).

    Raises: nothing; the index is read when a value is given.

    Example:

        >>> mx.array([1, 2, 3]).at[0].add(10)
        array([11, 2, 3], dtype=int32)
    """
    def __getitem__(self, indices: object, /) -> ArrayAt: ...
    def add(self, value: _Scalar | array) -> array:
        """A copy with the value added; repeated indices accumulate.

        Shape: that of the array; the value broadcasts to the indexed part.

        Dtype: that of the array, to which the value is cast.

        Raises: ValueError where the value does not broadcast, AxisError for an index out of range, of index arrays at evaluation.

        Example:

            >>> mx.zeros(3).at[mx.array([1, 1])].add(mx.array([1.0, 2.0]))
            array([0, 3, 0], dtype=float32)
        """
    def subtract(self, value: _Scalar | array) -> array:
        """A copy with the value subtracted.

        Shape: that of the array; the value broadcasts to the indexed part.

        Dtype: that of the array, to which the value is cast.

        Raises: ValueError where the value does not broadcast, AxisError for an index out of range, of index arrays at evaluation.

        Example:

            >>> mx.zeros(3).at[1:].subtract(1)
            array([0, -1, -1], dtype=float32)
        """
    def multiply(self, value: _Scalar | array) -> array:
        """A copy multiplied by the value.

        Shape: that of the array; the value broadcasts to the indexed part.

        Dtype: that of the array, to which the value is cast.

        Raises: ValueError where the value does not broadcast, AxisError for an index out of range, of index arrays at evaluation.

        Example:

            >>> mx.ones(3).at[mx.array([0, 0])].multiply(3)
            array([9, 1, 1], dtype=float32)
        """
    def divide(self, value: _Scalar | array) -> array:
        """A copy divided by the value; the quotients of integers are cut off.

        Shape: that of the array; the value broadcasts to the indexed part.

        Dtype: that of the array, to which the value is cast.

        Raises: ValueError where the value does not broadcast, AxisError for an index out of range, of index arrays at evaluation.

        Example:

            >>> mx.ones(3).at[0].divide(4)
            array([0.25, 1, 1], dtype=float32)
        """
    def maximum(self, value: _Scalar | array) -> array:
        """A copy with the larger of element and value.

        Shape: that of the array; the value broadcasts to the indexed part.

        Dtype: that of the array, to which the value is cast.

        Raises: ValueError where the value does not broadcast, AxisError for an index out of range, of index arrays at evaluation.

        Example:

            >>> mx.array([1, 5, 3]).at[:2].maximum(4)
            array([4, 5, 3], dtype=int32)
        """
    def minimum(self, value: _Scalar | array) -> array:
        """A copy with the smaller of element and value.

        Shape: that of the array; the value broadcasts to the indexed part.

        Dtype: that of the array, to which the value is cast.

        Raises: ValueError where the value does not broadcast, AxisError for an index out of range, of index arrays at evaluation.

        Example:

            >>> mx.array([1, 5, 3]).at[:2].minimum(4)
            array([1, 4, 3], dtype=int32)
        """

class _FileWriter:
    """A file that takes its name with commit(), and is gone without it."""
    def __init__(self, path: str) -> None: ...
    def write(self, data: bytes, /) -> int: ...
    def seek(self, offset: int, whence: int=0, /) -> int: ...
    def tell(self) -> int: ...
    def flush(self) -> None: ...
    def commit(self) -> None: ...

class PrintOptions:
    """How arrays are printed.

    Raises: nothing.

    Example:

        >>> mx.PrintOptions(3).precision
        3
    """
    def __init__(self, precision: int=-1) -> None: ...
    @property
    def precision(self) -> int:
        """Digits after the point; -1 for six significant ones."""

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

    Raises: TypeError for a function or arguments of other types, and what the function raises.

    Example:

        >>> @mx.custom_function
        ... def clipped(x):
        ...     return mx.clip(x, 0, 1)
        >>> @clipped.vjp
        ... def straight_through(primals, cotangents, outputs):
        ...     return cotangents
        >>> mx.grad(clipped)(mx.array(5.0))
        array(1, dtype=float32)
    """
    def __init__(self, f: Callable[..., Any]) -> None: ...
    def vjp(self, f: Callable[..., Any]) -> Callable[..., Any]:
        """Set the rule of the vector-Jacobian product; returns it.

        Raises: TypeError for a function or arguments of other types, and what the function raises.

        Example:

            >>> f = mx.custom_function(lambda x: mx.round(x))
            >>> rule = f.vjp(lambda primals, cotangents, outputs: cotangents)
            >>> mx.grad(f)(mx.array(1.2))
            array(1, dtype=float32)
        """
    def jvp(self, f: Callable[..., Any]) -> Callable[..., Any]:
        """Set the rule of the Jacobian-vector product; returns it.

        Raises: TypeError for a function or arguments of other types, and what the function raises.

        Example:

            >>> f = mx.custom_function(lambda x: mx.round(x))
            >>> rule = f.jvp(lambda primals, tangents: tangents)
            >>> mx.jvp(f, [mx.array(1.2)], [mx.array(3.0)])[1]
            [array(3, dtype=float32)]
        """
    def vmap(self, f: Callable[..., Any]) -> Callable[..., Any]:
        """Set the batching rule; returns it.

        Raises: TypeError for a function or arguments of other types, and what the function raises.

        Example:

            >>> f = mx.custom_function(lambda x: x * 2)
            >>> rule = f.vmap(lambda inputs, axes: (inputs * 2, axes))
            >>> mx.vmap(f)(mx.array([1, 2]))
            array([2, 4], dtype=int32)
        """
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FunctionExporter:
    """Writes a function, traced for several inputs, to a file.

    Use it in a with block and call it with example inputs; the file is written at the end of the block, unless an exception ends it.

    Raises: RuntimeError where the file cannot be written.

    Example:

        >>> path = os.path.join(folder, "e.mlxfn")
        >>> trace = mx.exporter(path, mx.exp)
        >>> trace(mx.zeros(2))
        >>> trace.close()
    """
    def close(self) -> None:
        """Write the file. Later calls raise RuntimeError.

        Raises: RuntimeError where the file cannot be written.

        Example:

            >>> trace = mx.exporter(os.path.join(folder, "c.mlxfn"), mx.exp)
            >>> trace(mx.zeros(2))
            >>> trace.close()
        """
    def __enter__(self) -> FunctionExporter: ...
    def __exit__(self, exc_type: object | None=None, exc_value: object | None=None, traceback: object | None=None) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> None: ...

class _ImportedFunction:
    """A function read by import_function: takes arrays by position and keyword, or one list or tuple and one dict of them, and returns a tuple of arrays."""
    def __call__(self, *args: Any, **kwargs: Any) -> tuple[array, ...]: ...

def issubdtype(arg1: Dtype | DtypeCategory, arg2: Dtype | DtypeCategory, /) -> bool:
    """Whether a dtype or category is the same as, or below, another one.

    Raises: ValueError for what is neither a dtype nor a category.

    Example:

        >>> mx.issubdtype(mx.int8, mx.integer), mx.issubdtype(mx.bool_, mx.number)
        (True, False)
    """
def isdtype(dtype: Dtype, kind: Dtype | str | tuple[Dtype | str, ...]) -> bool:
    """Whether a dtype is of a kind: a dtype, a tuple of kinds or the name of a kind of the array API.

    Raises: ValueError for a name that is no kind.

    Example:

        >>> mx.isdtype(mx.float16, "real floating"), mx.isdtype(mx.int8, (mx.int8, mx.int16))
        (True, True)
    """
def result_type(*arrays_and_dtypes: array | Dtype) -> Dtype:
    """The dtype that an operation on these arrays and dtypes gives.

    Shape: the arrays may have any.

    Dtype: any.

    Raises: ValueError without an argument.

    Example:

        >>> mx.result_type(mx.array([1]), mx.float16)
        mlx.core.float16
    """
def can_cast(from_: array | Dtype, to: Dtype) -> bool:
    """Whether promotion of a dtype (or an array's) with `to` gives `to`.

    Shape: any.

    Dtype: any.

    Raises: ValueError for what is neither an array nor a dtype.

    Example:

        >>> mx.can_cast(mx.int32, mx.float32), mx.can_cast(mx.float32, mx.float16)
        (True, False)
    """
def default_device() -> Device:
    """The device of operations that name none.

    Raises: nothing.

    Example:

        >>> mx.default_device()
        Device(cpu, 0)
    """
def set_default_device(device: Device | DeviceType) -> None:
    """Choose the device of operations that name none.

    Raises: ValueError for a device that does not exist.

    Example:

        >>> mx.set_default_device(mx.cpu)
    """
def is_available(device: Device | DeviceType) -> bool:
    """Whether a device exists.

    Raises: nothing.

    Example:

        >>> mx.is_available(mx.cpu)
        True
    """
def device_count(device_type: DeviceType) -> int:
    """How many devices of a type there are.

    Raises: nothing.

    Example:

        >>> mx.device_count(mx.cpu)
        1
    """
def device_info(d: None | Device | DeviceType=None) -> dict[str, str | int]:
    """What is known about a device; empty where it does not exist.

    Raises: nothing.

    Example:

        >>> "device_name" in mx.device_info(mx.cpu)
        True
    """
def default_stream(device: Device | DeviceType) -> Stream:
    """The calling thread's default stream on a device.

    Raises: ValueError for a device that does not exist.

    Example:

        >>> mx.default_stream(mx.cpu).device
        Device(cpu, 0)
    """
def set_default_stream(stream: Stream) -> None:
    """Set the calling thread's default stream on its device.

    Raises: TypeError for what is no stream.

    Example:

        >>> mx.set_default_stream(mx.default_stream(mx.cpu))
    """
def new_stream(device: Device | DeviceType) -> Stream:
    """Make a stream on a device.

    Raises: ValueError for a device that does not exist.

    Example:

        >>> mx.new_stream(mx.cpu).device
        Device(cpu, 0)
    """
def new_thread_unsafe_stream(device: Device | DeviceType) -> Stream:
    """Make a stream on a device that any thread may use.

    Raises: ValueError for a device that does not exist.

    Example:

        >>> mx.new_thread_unsafe_stream(mx.cpu).device
        Device(cpu, 0)
    """
def new_thread_local_stream(device: Device | DeviceType) -> ThreadLocalStream:
    """Make an object that stands for one stream per thread.

    Raises: ValueError for a device that does not exist.

    Example:

        >>> mx.new_thread_local_stream(mx.cpu).device
        Device(cpu, 0)
    """
def clear_streams() -> None:
    """Forget the calling thread's default streams; the next use makes new ones.

    Raises: nothing.

    Example:

        >>> mx.clear_streams()
    """
def stream(s: Stream | ThreadLocalStream | Device | DeviceType) -> StreamContext:
    """A context for `with` that sets the default stream or device and restores both.

    Raises: TypeError for what is neither a stream nor a device.

    Example:

        >>> s = mx.new_stream(mx.cpu)
        >>> with mx.stream(s):
        ...     print(mx.default_stream(mx.cpu) == s)
        True
    """
def set_num_threads(n: int) -> None:
    """Set how many threads an operation may use, the calling one included.

    Raises: ValueError for less than 1.

    Example:

        >>> n = mx.get_num_threads()
        >>> mx.set_num_threads(n)
    """
def get_num_threads() -> int:
    """How many threads an operation may use, the calling one included.

    Raises: nothing.

    Example:

        >>> mx.get_num_threads() >= 1
        True
    """
def asarray(a: _Scalar | array | Sequence[Any] | _DLPackCompatible, /, dtype: Dtype | None=None, *, copy: bool | None=None) -> array:
    """Make an array of a value.

    copy: False uses the memory of `a` and raises ValueError where that cannot be; otherwise the values
    are copied, except of arrays.

    Shape: that of the value.

    Dtype: as for array, or the one given.

    Raises: ValueError where copy=False cannot be kept, else as array.

    Example:

        >>> mx.asarray([1, 2])
        array([1, 2], dtype=int32)
    """
def from_dlpack(x: _DLPackCompatible, /, *, copy: bool | None=None) -> array:
    """Make an array of an object with __dlpack__, in the same memory where its layout allows it.

    copy: True always copies, False raises ValueError where a copy would be needed.

    Shape: that of the object.

    Dtype: that of the object, float64 included.

    Raises: TypeError for an object without __dlpack__, ValueError where copy=False cannot be kept.

    Example:

        >>> mx.from_dlpack(np.array([1.0, 2.0], np.float32))
        array([1, 2], dtype=float32)
    """
def eval(*args: Any) -> None:
    """Compute arrays and wait for them.

    The arguments are arrays or trees (dict, list, tuple) of arrays; other leaves are ignored. An error
    of the computation is raised here, and again by every later use.

    Raises: whatever an operation raises when it is computed.

    Example:

        >>> x = mx.ones(3) * 2
        >>> mx.eval(x)
    """
def async_eval(*args: Any) -> None:
    """Start computing arrays (or trees of arrays) and return at once.

    Errors are raised when the arrays are used.

    Raises: nothing.

    Example:

        >>> x = mx.ones(3) * 2
        >>> mx.async_eval(x)
        >>> x
        array([2, 2, 2], dtype=float32)
    """
def synchronize(stream: _StreamOrDevice=None) -> None:
    """Wait until all the work given to a stream is done (the default stream without an argument).

    Raises: what an operation on the stream has raised.

    Example:

        >>> mx.synchronize()
    """
def get_active_memory() -> int:
    """Bytes that arrays use now.

    Raises: nothing.

    Example:

        >>> x = mx.arange(1000000)
        >>> mx.eval(x)
        >>> mx.get_active_memory() >= x.nbytes
        True
    """
def get_peak_memory() -> int:
    """The most bytes used since the start or the last reset.

    Raises: nothing.

    Example:

        >>> mx.get_peak_memory() >= mx.get_active_memory()
        True
    """
def reset_peak_memory() -> None:
    """Set the peak to zero.

    Raises: nothing.

    Example:

        >>> mx.reset_peak_memory()
    """
def get_cache_memory() -> int:
    """Bytes that are free but kept for reuse.

    Raises: nothing.

    Example:

        >>> mx.clear_cache()
        >>> mx.get_cache_memory()
        0
    """
def set_memory_limit(limit: int) -> int:
    """Set how many bytes may be in use; an allocation past it raises OutOfMemoryError. Returns the previous limit.

    Raises: TypeError for what is no number of bytes from 0.

    Example:

        >>> before = mx.set_memory_limit(2**30)
        >>> mx.set_memory_limit(before)
        1073741824
    """
def get_memory_limit() -> int:
    """How many bytes may be in use.

    Raises: nothing.

    Example:

        >>> mx.get_memory_limit() > 0
        True
    """
def set_cache_limit(limit: int) -> int:
    """Set how many free bytes are kept for reuse. Returns the previous limit.

    Raises: TypeError for what is no number of bytes from 0.

    Example:

        >>> before = mx.set_cache_limit(2**20)
        >>> mx.set_cache_limit(before)
        1048576
    """
def get_cache_limit() -> int:
    """How many free bytes are kept for reuse.

    Raises: nothing.

    Example:

        >>> mx.get_cache_limit() >= 0
        True
    """
def set_wired_limit(limit: int) -> int:
    """Without effect on this system; returns 0.

    Raises: nothing.

    Example:

        >>> mx.set_wired_limit(2**20)
        0
    """
def clear_cache() -> None:
    """Give the free bytes back to the system.

    Raises: nothing.

    Example:

        >>> mx.clear_cache()
    """
def get_array_buffer_size(*args: Any) -> int:
    """Bytes of the distinct buffers behind evaluated arrays (or trees of them). A view counts its whole buffer.

    Raises: ValueError for an array that is not evaluated.

    Example:

        >>> x = mx.arange(256)
        >>> mx.eval(x)
        >>> mx.get_array_buffer_size(x) >= x.nbytes
        True
    """
def negative(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Element-wise negation.

    Shape: that of the operand.

    Dtype: numbers; the result has the operand's. Unsigned integers wrap.

    Raises: ValueError for bool.

    Example:

        >>> mx.negative(mx.array([1, -2]))
        array([-1, 2], dtype=int32)
    """
def sign(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Sign: -1, 0 or 1 (NaN gives 0), z / |z| for complex values.

    Shape: that of the operand.

    Dtype: any; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array.

    Example:

        >>> mx.sign(mx.array([-2.5, 0.0, 3.0]))
        array([-1, 0, 1], dtype=float32)
    """
def floor(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Largest integer not above the value.

    complex64 is not supported.

    Shape: that of the operand.

    Dtype: real or bool; the result has the operand's.

    Raises: ValueError for complex64, and for what is neither a number nor an array.

    Example:

        >>> mx.floor(mx.array([1.5, -1.5]))
        array([1, -2], dtype=float32)
    """
def ceil(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Smallest integer not below the value.

    complex64 is not supported.

    Shape: that of the operand.

    Dtype: real or bool; the result has the operand's.

    Raises: ValueError for complex64, and for what is neither a number nor an array.

    Example:

        >>> mx.ceil(mx.array([1.5, -1.5]))
        array([2, -1], dtype=float32)
    """
def trunc(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Integer part, rounded towards zero.

    complex64 is not supported.

    Shape: that of the operand.

    Dtype: real or bool; the result has the operand's.

    Raises: ValueError for complex64, and for what is neither a number nor an array.

    Example:

        >>> mx.trunc(mx.array([1.5, -1.5]))
        array([1, -1], dtype=float32)
    """
def square(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Square of each element.

    Shape: that of the operand.

    Dtype: any; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array.

    Example:

        >>> mx.square(mx.array([-3, 2]))
        array([9, 4], dtype=int32)
    """
def sqrt(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Square root.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.sqrt(mx.array([4.0, 2.0]))
        array([2, 1.41421], dtype=float32)
    """
def rsqrt(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Reciprocal square root.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.rsqrt(mx.array([4.0, 16.0]))
        array([0.5, 0.25], dtype=float32)
    """
def reciprocal(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """One over each element.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.reciprocal(mx.array([4, 0]))
        array([0.25, inf], dtype=float32)
    """
def exp(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Exponential.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.exp(mx.array([0.0, 1.0]))
        array([1, 2.71828], dtype=float32)
    """
def expm1(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Exponential minus one, accurate near zero.

    Integers and bool give float32; complex64 is not supported.

    Shape: that of the operand.

    Dtype: real floating-point; the result has the operand's.

    Raises: ValueError for complex64, and for what is neither a number nor an array.

    Example:

        >>> mx.expm1(mx.array([0.0, 1e-10]))
        array([0, 1e-10], dtype=float32)
    """
def log(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Natural logarithm.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.log(mx.array([1.0, 10.0, 0.0]))
        array([0, 2.30259, -inf], dtype=float32)
    """
def log2(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Logarithm to base 2.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.log2(mx.array([1.0, 8.0]))
        array([0, 3], dtype=float32)
    """
def log10(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Logarithm to base 10.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.log10(mx.array([1.0, 1000.0]))
        array([0, 3], dtype=float32)
    """
def log1p(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Natural logarithm of one plus the element.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.log1p(mx.array([0.0, 1e-10]))
        array([0, 1e-10], dtype=float32)
    """
def sin(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Sine.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.sin(mx.array([0.0, mx.pi / 2]))
        array([0, 1], dtype=float32)
    """
def cos(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Cosine.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.cos(mx.array([0.0, mx.pi]))
        array([1, -1], dtype=float32)
    """
def tan(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Tangent.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.tan(mx.array([0.0, mx.pi / 4]))
        array([0, 1], dtype=float32)
    """
def arcsin(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Inverse sine.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.arcsin(mx.array([0.0, 1.0, 2.0]))
        array([0, 1.5708, nan], dtype=float32)
    """
def arccos(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Inverse cosine.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.arccos(mx.array([1.0, 0.0]))
        array([0, 1.5708], dtype=float32)
    """
def arctan(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Inverse tangent.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.arctan(mx.array([0.0, 1.0]))
        array([0, 0.785398], dtype=float32)
    """
def sinh(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Hyperbolic sine.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.sinh(mx.array([0.0, 1.0]))
        array([0, 1.1752], dtype=float32)
    """
def cosh(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Hyperbolic cosine.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.cosh(mx.array([0.0, 1.0]))
        array([1, 1.54308], dtype=float32)
    """
def tanh(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Hyperbolic tangent.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.tanh(mx.array([0.0, 1.0]))
        array([0, 0.761594], dtype=float32)
    """
def arcsinh(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Inverse hyperbolic sine.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.arcsinh(mx.array([0.0, 1.0]))
        array([0, 0.881374], dtype=float32)
    """
def arccosh(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Inverse hyperbolic cosine.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.arccosh(mx.array([1.0, 2.0]))
        array([0, 1.31696], dtype=float32)
    """
def arctanh(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Inverse hyperbolic tangent.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.arctanh(mx.array([0.0, 0.5]))
        array([0, 0.549306], dtype=float32)
    """
def degrees(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Radians converted to degrees.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.degrees(mx.array([0.0, mx.pi]))
        array([0, 180], dtype=float32)
    """
def radians(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Degrees converted to radians.

    Integers and bool give float32.

    Shape: that of the operand.

    Dtype: floating-point or complex; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array. Values outside of the domain give NaN or infinity.

    Example:

        >>> mx.radians(mx.array([0.0, 180.0]))
        array([0, 3.14159], dtype=float32)
    """
def sigmoid(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Logistic function 1 / (1 + exp(-x)).

    Integers and bool give float32; complex64 is not supported.

    Shape: that of the operand.

    Dtype: real floating-point; the result has the operand's.

    Raises: ValueError for complex64, and for what is neither a number nor an array.

    Example:

        >>> mx.sigmoid(mx.array([-1.0, 0.0, 1.0]))
        array([0.268941, 0.5, 0.731059], dtype=float32)
    """
def erf(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Error function.

    Integers and bool give float32; complex64 is not supported.

    Shape: that of the operand.

    Dtype: real floating-point; the result has the operand's.

    Raises: ValueError for complex64, and for what is neither a number nor an array.

    Example:

        >>> mx.erf(mx.array([0.0, 1.0]))
        array([0, 0.842701], dtype=float32)
    """
def erfinv(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Inverse of the error function.

    Integers and bool give float32; complex64 is not supported.

    Shape: that of the operand.

    Dtype: real floating-point; the result has the operand's.

    Raises: ValueError for complex64, and for what is neither a number nor an array.

    Example:

        >>> mx.erfinv(mx.array([0.0, 0.5, 1.0]))
        array([0, 0.476936, inf], dtype=float32)
    """
def logical_not(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether the element is zero.

    Shape: that of the operand.

    Dtype: any; the result is bool.

    Raises: ValueError for what is neither a number nor an array.

    Example:

        >>> mx.logical_not(mx.array([0, 2]))
        array([True, False], dtype=bool)
    """
def isnan(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether the element is NaN (complex: either part).

    Shape: that of the operand.

    Dtype: any; the result is bool.

    Raises: ValueError for what is neither a number nor an array.

    Example:

        >>> mx.isnan(mx.array([1.0, mx.nan]))
        array([False, True], dtype=bool)
    """
def isinf(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether the element is infinite (complex: either part).

    Shape: that of the operand.

    Dtype: any; the result is bool.

    Raises: ValueError for what is neither a number nor an array.

    Example:

        >>> mx.isinf(mx.array([1.0, -mx.inf]))
        array([False, True], dtype=bool)
    """
def isfinite(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether the element is neither infinite nor NaN.

    Shape: that of the operand.

    Dtype: any; the result is bool.

    Raises: ValueError for what is neither a number nor an array.

    Example:

        >>> mx.isfinite(mx.array([1.0, mx.inf, mx.nan]))
        array([True, False, False], dtype=bool)
    """
def isposinf(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether the element is positive infinity.

    Shape: that of the operand.

    Dtype: any; the result is bool.

    Raises: ValueError for what is neither a number nor an array.

    Example:

        >>> mx.isposinf(mx.array([mx.inf, -mx.inf]))
        array([True, False], dtype=bool)
    """
def isneginf(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether the element is negative infinity.

    Shape: that of the operand.

    Dtype: any; the result is bool.

    Raises: ValueError for what is neither a number nor an array.

    Example:

        >>> mx.isneginf(mx.array([mx.inf, -mx.inf]))
        array([False, True], dtype=bool)
    """
def bitwise_invert(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Complement of the bits (logical not of bool).

    Integer and bool dtypes only.

    Shape: that of the operand.

    Dtype: integers and bool; the result has the operand's.

    Raises: ValueError for other dtypes.

    Example:

        >>> mx.bitwise_invert(mx.array([0, 1, -8]))
        array([-1, -2, 7], dtype=int32)
    """
def add(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Element-wise sum.

    Shape: the operands broadcast.

    Dtype: that to which the operands promote; see docs/dtypes.md.

    Raises: ValueError where the shapes do not broadcast, or an int does not fit in the other operand's dtype.

    Example:

        >>> mx.add(mx.array([1, 2]), 0.5)
        array([1.5, 2.5], dtype=float32)
    """
def subtract(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Element-wise difference.

    Shape: the operands broadcast.

    Dtype: that to which the operands promote. Unsigned integers wrap.

    Raises: ValueError where the shapes do not broadcast, or an int does not fit in the other operand's dtype.

    Example:

        >>> mx.subtract(mx.array([[1], [2]]), mx.array([1, 2]))
        array([[0, -1],
               [1, 0]], dtype=int32)
    """
def multiply(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Element-wise product.

    Shape: the operands broadcast.

    Dtype: that to which the operands promote; see docs/dtypes.md.

    Raises: ValueError where the shapes do not broadcast, or an int does not fit in the other operand's dtype.

    Example:

        >>> mx.multiply(mx.array([1.0, 2.0]), 3)
        array([3, 6], dtype=float32)
    """
def divide(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Element-wise quotient.

    Integers and bool give float32.

    Shape: the operands broadcast.

    Dtype: that to which the operands promote; see docs/dtypes.md.

    Raises: ValueError where the shapes do not broadcast, or an int does not fit in the other operand's dtype.

    Example:

        >>> mx.divide(mx.array([1, 2, 3]), 2)
        array([0.5, 1, 1.5], dtype=float32)
    """
def maximum(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Larger of two elements; NaN if either is NaN, the second if equal.

    Shape: the operands broadcast.

    Dtype: that to which the operands promote; see docs/dtypes.md.

    Raises: ValueError where the shapes do not broadcast, or an int does not fit in the other operand's dtype.

    Example:

        >>> mx.maximum(mx.array([1, 5]), 3)
        array([3, 5], dtype=int32)
    """
def minimum(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Smaller of two elements; NaN if either is NaN, the second if equal.

    Shape: the operands broadcast.

    Dtype: that to which the operands promote; see docs/dtypes.md.

    Raises: ValueError where the shapes do not broadcast, or an int does not fit in the other operand's dtype.

    Example:

        >>> mx.minimum(mx.array([1, 5]), 3)
        array([1, 3], dtype=int32)
    """
def logaddexp(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Logarithm of the sum of the exponentials, without overflow.

    Integers and bool give float32.

    Shape: the operands broadcast.

    Dtype: that to which the operands promote; see docs/dtypes.md.

    Raises: ValueError where the shapes do not broadcast, or an int does not fit in the other operand's dtype.

    Example:

        >>> mx.logaddexp(mx.array([0.0, 1000.0]), mx.array([0.0, 1000.0]))
        array([0.693147, 1000.69], dtype=float32)
    """
def arctan2(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Angle of the point (b, a), in radians.

    Integers and bool give float32; complex64 is not supported.

    Shape: the operands broadcast.

    Dtype: that to which the operands promote; see docs/dtypes.md.

    Raises: ValueError where the shapes do not broadcast, or an int does not fit in the other operand's dtype.

    Example:

        >>> mx.arctan2(mx.array([1.0, -1.0]), mx.array([1.0, -1.0]))
        array([0.785398, -2.35619], dtype=float32)
    """
def equal(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether two elements are equal.

    Shape: the operands broadcast.

    Dtype: any; they are promoted for the comparison, and the result is bool.

    Raises: ValueError where the shapes do not broadcast.

    Example:

        >>> mx.equal(mx.array([1, 2, 3]), mx.array([1, 0, 3]))
        array([True, False, True], dtype=bool)
    """
def not_equal(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether two elements differ.

    Shape: the operands broadcast.

    Dtype: any; they are promoted for the comparison, and the result is bool.

    Raises: ValueError where the shapes do not broadcast.

    Example:

        >>> mx.not_equal(mx.array([1, 2]), 2)
        array([True, False], dtype=bool)
    """
def less(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether the first is less than the second.

    Shape: the operands broadcast.

    Dtype: any; they are promoted for the comparison, and the result is bool.

    Raises: ValueError where the shapes do not broadcast.

    Example:

        >>> mx.less(mx.array([1, 2, 3]), 2)
        array([True, False, False], dtype=bool)
    """
def less_equal(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether the first is at most the second.

    Shape: the operands broadcast.

    Dtype: any; they are promoted for the comparison, and the result is bool.

    Raises: ValueError where the shapes do not broadcast.

    Example:

        >>> mx.less_equal(mx.array([1, 2, 3]), 2)
        array([True, True, False], dtype=bool)
    """
def greater(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether the first is greater.

    Shape: the operands broadcast.

    Dtype: any; they are promoted for the comparison, and the result is bool.

    Raises: ValueError where the shapes do not broadcast.

    Example:

        >>> mx.greater(mx.array([1, 2, 3]), 2)
        array([False, False, True], dtype=bool)
    """
def greater_equal(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether the first is at least the second.

    Shape: the operands broadcast.

    Dtype: any; they are promoted for the comparison, and the result is bool.

    Raises: ValueError where the shapes do not broadcast.

    Example:

        >>> mx.greater_equal(mx.array([1, 2, 3]), 2)
        array([False, True, True], dtype=bool)
    """
def logical_and(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether both are nonzero.

    Shape: the operands broadcast.

    Dtype: any; they are promoted for the comparison, and the result is bool.

    Raises: ValueError where the shapes do not broadcast.

    Example:

        >>> mx.logical_and(mx.array([True, True]), mx.array([True, False]))
        array([True, False], dtype=bool)
    """
def logical_or(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether either is nonzero.

    Shape: the operands broadcast.

    Dtype: any; they are promoted for the comparison, and the result is bool.

    Raises: ValueError where the shapes do not broadcast.

    Example:

        >>> mx.logical_or(mx.array([False, True]), mx.array([False, False]))
        array([False, True], dtype=bool)
    """
def logical_xor(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Whether exactly one is nonzero.

    Shape: the operands broadcast.

    Dtype: any; they are promoted for the comparison, and the result is bool.

    Raises: ValueError where the shapes do not broadcast.

    Example:

        >>> mx.logical_xor(mx.array([True, True]), mx.array([True, False]))
        array([False, True], dtype=bool)
    """
def abs(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Absolute value.

    Shape: that of the operand.

    Dtype: any; that of the operand, float32 for complex64.

    Raises: ValueError for what is neither a number nor an array.

    Example:

        >>> mx.abs(mx.array([-1.5, 2.0]))
        array([1.5, 2], dtype=float32)
    """
def real(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Real part.

    Shape: that of the operand.

    Dtype: any; that of the operand, float32 for complex64.

    Raises: ValueError for what is neither a number nor an array.

    Example:

        >>> mx.real(mx.array([1 + 2j]))
        array([1], dtype=float32)
    """
def imag(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Imaginary part (zero for real dtypes).

    Shape: that of the operand.

    Dtype: any; that of the operand, float32 for complex64.

    Raises: ValueError for what is neither a number nor an array.

    Example:

        >>> mx.imag(mx.array([1 + 2j]))
        array([2], dtype=float32)
    """
def conj(a: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Complex conjugate.

    Shape: that of the operand.

    Dtype: any; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array.

    Example:

        >>> mx.conj(mx.array([1 + 2j]))
        array([1-2j], dtype=complex64)
    """
conjugate = conj
def power(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """First operand raised to the power of the second.

    Shape: the operands broadcast.

    Dtype: that to which the operands promote; see docs/dtypes.md.

    Raises: ValueError where the shapes do not broadcast, or an int does not fit in the other operand's dtype.

    Example:

        >>> mx.power(mx.array([2, 3]), 3)
        array([8, 27], dtype=int32)
        >>> mx.power(mx.array([4.0, 9.0]), 0.5)
        array([2, 3], dtype=float32)
    """
def floor_divide(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Quotient rounded down; integer x // 0 is 0.

    complex64 is not supported.

    Shape: the operands broadcast.

    Dtype: that to which the operands promote; see docs/dtypes.md.

    Raises: ValueError where the shapes do not broadcast, or an int does not fit in the other operand's dtype.

    Example:

        >>> mx.floor_divide(mx.array([7, -7, 7]), mx.array([2, 2, 0]))
        array([3, -4, 0], dtype=int32)
    """
def remainder(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Remainder with the divisor's sign; integer x % 0 is x.

    complex64 is not supported.

    Shape: the operands broadcast.

    Dtype: that to which the operands promote; see docs/dtypes.md.

    Raises: ValueError where the shapes do not broadcast, or an int does not fit in the other operand's dtype.

    Example:

        >>> mx.remainder(mx.array([7, -7, 7]), mx.array([3, 3, 0]))
        array([1, 2, 7], dtype=int32)
    """
def bitwise_and(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Bitwise and.

    Integer and bool dtypes only.

    Shape: the operands broadcast.

    Dtype: integers and bool; the result has the dtype to which they promote.

    Raises: ValueError for other dtypes, or where the shapes do not broadcast.

    Example:

        >>> mx.bitwise_and(mx.array([12, 10]), 6)
        array([4, 2], dtype=int32)
    """
def bitwise_or(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Bitwise or.

    Integer and bool dtypes only.

    Shape: the operands broadcast.

    Dtype: integers and bool; the result has the dtype to which they promote.

    Raises: ValueError for other dtypes, or where the shapes do not broadcast.

    Example:

        >>> mx.bitwise_or(mx.array([12, 10]), 6)
        array([14, 14], dtype=int32)
    """
def bitwise_xor(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Bitwise exclusive or.

    Integer and bool dtypes only.

    Shape: the operands broadcast.

    Dtype: integers and bool; the result has the dtype to which they promote.

    Raises: ValueError for other dtypes, or where the shapes do not broadcast.

    Example:

        >>> mx.bitwise_xor(mx.array([12, 10]), 6)
        array([10, 12], dtype=int32)
    """
def left_shift(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Bits shifted left; 0 if too wide or negative a count.

    Integer dtypes only; two bools shift as uint8.

    Shape: the operands broadcast.

    Dtype: integers and bool; the result has the dtype to which they promote.

    Raises: ValueError for other dtypes, or where the shapes do not broadcast.

    Example:

        >>> mx.left_shift(mx.array([1, 3]), mx.array([4, 40]))
        array([16, 0], dtype=int32)
    """
def right_shift(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Bits shifted right, keeping the sign.

    Integer dtypes only; two bools shift as uint8.

    Shape: the operands broadcast.

    Dtype: integers and bool; the result has the dtype to which they promote.

    Raises: ValueError for other dtypes, or where the shapes do not broadcast.

    Example:

        >>> mx.right_shift(mx.array([256, -256]), 4)
        array([16, -16], dtype=int32)
    """
def round(a: array, /, decimals: int=0, *, stream: _StreamOrDevice=None) -> array:
    """Round to a number of decimals, halves to even; a negative number rounds before the point.

    Shape: that of the operand.

    Dtype: any; the result has the operand's.

    Raises: TypeError where decimals is no int.

    Example:

        >>> mx.round(mx.array([1.25, 2.5, -0.5]))
        array([1, 2, -0], dtype=float32)
        >>> mx.round(mx.array([1.234, 56.78]), 1)
        array([1.2, 56.8], dtype=float32)
    """
def positive(a: array, /, *, stream: _StreamOrDevice=None) -> array:
    """The array itself.

    Shape: that of the operand.

    Dtype: any; the result has the operand's.

    Raises: ValueError for what is neither a number nor an array.

    Example:

        >>> mx.positive(mx.array([1, -2]))
        array([1, -2], dtype=int32)
    """
def divmod(a: _Scalar | array, b: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> list[array]:
    """Quotient rounded down, and remainder with the divisor's sign, as a list.

    Shape: the operands broadcast.

    Dtype: that to which the operands promote; see docs/dtypes.md.

    Raises: ValueError where the shapes do not broadcast, or an int does not fit in the other operand's dtype.

    Example:

        >>> mx.divmod(mx.array([7, -7]), 3)
        [array([2, -3], dtype=int32), array([1, 2], dtype=int32)]
    """
def astype(a: array, /, dtype: Dtype, stream: _StreamOrDevice=None) -> array:
    """Convert the elements to another dtype.

    Shape: that of the operand.

    Dtype: any; the result has the dtype asked for.

    Raises: TypeError where dtype is no Dtype.

    Example:

        >>> mx.astype(mx.array([1.9, -1.9]), mx.int32)
        array([1, -1], dtype=int32)
    """
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
    """Give the elements another shape, in row-major order. One size may be -1: it follows from the others.

    Shape: the given one, of as many elements; one size may be -1.

    Dtype: any; the result has a's.

    Raises: ValueError where the sizes do not fit.

    Example:

        >>> mx.reshape(mx.arange(6), (2, -1))
        array([[0, 1, 2],
               [3, 4, 5]], dtype=int32)
    """
def flatten(a: array, /, start_axis: int=0, end_axis: int=-1, *, stream: _StreamOrDevice=None) -> array:
    """Join the axes from start_axis to end_axis into one.

    Shape: that of a with the axes replaced by one; a scalar becomes (1,).

    Dtype: any; the result has a's.

    Raises: ValueError where end_axis comes before start_axis, AxisError for an end_axis out of range.

    Example:

        >>> mx.flatten(mx.zeros((2, 3, 4)), start_axis=1).shape
        (2, 12)
    """
def unflatten(a: array, /, axis: int, shape: Sequence[int], *, stream: _StreamOrDevice=None) -> array:
    """Split an axis into several of the given sizes; one size may be -1.

    Shape: that of a with the axis replaced by the given sizes.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range, ValueError where the sizes do not fit.

    Example:

        >>> mx.unflatten(mx.zeros((2, 12)), 1, (3, -1)).shape
        (2, 3, 4)
    """
def squeeze(a: array, /, axis: None | int | Sequence[int]=None, *, stream: _StreamOrDevice=None) -> array:
    """Remove axes of size 1: the given ones, or all.

    Shape: that of a without the axes.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range, ValueError for one of another size than 1.

    Example:

        >>> mx.squeeze(mx.zeros((1, 3, 1))).shape
        (3,)
    """
def expand_dims(a: array, /, axis: int | Sequence[int], *, stream: _StreamOrDevice=None) -> array:
    """Insert axes of size 1 at the given places of the result.

    Shape: that of a with new axes of size 1.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range, ValueError for one given twice.

    Example:

        >>> mx.expand_dims(mx.zeros((2, 3)), (0, -1)).shape
        (1, 2, 3, 1)
    """
@overload
def atleast_1d(ary: array, /, *, stream: _StreamOrDevice=None) -> array:
    """Arrays with at least one axis; a list for several arrays.

    Shape: (1,) for scalars, else the same.

    Dtype: any; the result has a's.

    Raises: TypeError for what is no array.

    Example:

        >>> mx.atleast_1d(mx.array(5))
        array([5], dtype=int32)
    """
@overload
def atleast_1d(first: array, second: array, /, *more: array, stream: _StreamOrDevice=None) -> list[array]:
    """Arrays with at least one axis; a list for several arrays.

    Shape: (1,) for scalars, else the same.

    Dtype: any; the result has a's.

    Raises: TypeError for what is no array.

    Example:

        >>> mx.atleast_1d(mx.array(5))
        array([5], dtype=int32)
    """
@overload
def atleast_2d(ary: array, /, *, stream: _StreamOrDevice=None) -> array:
    """Arrays with at least two axes; a list for several arrays.

    Shape: (1, n) for one axis, (1, 1) for scalars, else the same.

    Dtype: any; the result has a's.

    Raises: TypeError for what is no array.

    Example:

        >>> mx.atleast_2d(mx.array([1, 2]))
        array([[1, 2]], dtype=int32)
    """
@overload
def atleast_2d(first: array, second: array, /, *more: array, stream: _StreamOrDevice=None) -> list[array]:
    """Arrays with at least two axes; a list for several arrays.

    Shape: (1, n) for one axis, (1, 1) for scalars, else the same.

    Dtype: any; the result has a's.

    Raises: TypeError for what is no array.

    Example:

        >>> mx.atleast_2d(mx.array([1, 2]))
        array([[1, 2]], dtype=int32)
    """
@overload
def atleast_3d(ary: array, /, *, stream: _StreamOrDevice=None) -> array:
    """Arrays with at least three axes; a list for several arrays.

    Shape: (m, n, 1) for two axes, (1, n, 1) for one, (1, 1, 1) for scalars, else the same.

    Dtype: any; the result has a's.

    Raises: TypeError for what is no array.

    Example:

        >>> mx.atleast_3d(mx.zeros((2, 3))).shape
        (2, 3, 1)
    """
@overload
def atleast_3d(first: array, second: array, /, *more: array, stream: _StreamOrDevice=None) -> list[array]:
    """Arrays with at least three axes; a list for several arrays.

    Shape: (m, n, 1) for two axes, (1, n, 1) for one, (1, 1, 1) for scalars, else the same.

    Dtype: any; the result has a's.

    Raises: TypeError for what is no array.

    Example:

        >>> mx.atleast_3d(mx.zeros((2, 3))).shape
        (2, 3, 1)
    """
def transpose(a: array, /, axes: Sequence[int] | None=None, *, stream: _StreamOrDevice=None) -> array:
    """Permute the axes; without axes their order is reversed.

    Shape: that of a in the order of axes.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range, ValueError where axes are no permutation.

    Example:

        >>> mx.transpose(mx.zeros((2, 3, 4)), (2, 0, 1)).shape
        (4, 2, 3)
    """
def permute_dims(a: array, /, axes: Sequence[int] | None=None, *, stream: _StreamOrDevice=None) -> array:
    """Permute the axes; without axes their order is reversed.

    Shape: that of a in the order of axes.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range, ValueError where axes are no permutation.

    Example:

        >>> mx.transpose(mx.zeros((2, 3, 4)), (2, 0, 1)).shape
        (4, 2, 3)
    """
def matrix_transpose(a: array, /, *, stream: _StreamOrDevice=None) -> array:
    """Exchange the last two axes.

    Shape: (..., n, m) for (..., m, n).

    Dtype: any; the result has a's.

    Raises: ValueError for less than two axes.

    Example:

        >>> mx.matrix_transpose(mx.array([[1, 2], [3, 4]]))
        array([[1, 3],
               [2, 4]], dtype=int32)
    """
def swapaxes(a: array, /, axis1: int, axis2: int, *, stream: _StreamOrDevice=None) -> array:
    """Exchange two axes.

    Options: axis1 and axis2 are exchanged.

    Shape: that of a with the two sizes exchanged.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range.

    Example:

        >>> mx.swapaxes(mx.zeros((2, 3, 4)), 0, 2).shape
        (4, 3, 2)
    """
def moveaxis(a: array, /, source: int, destination: int, *, stream: _StreamOrDevice=None) -> array:
    """Move an axis to another place.

    Options: the axis source becomes the axis destination.

    Shape: that of a with one size at another place.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range.

    Example:

        >>> mx.moveaxis(mx.zeros((2, 3, 4)), 0, -1).shape
        (3, 4, 2)
    """
def broadcast_to(a: _Scalar | array, /, shape: Sequence[int], *, stream: _StreamOrDevice=None) -> array:
    """Repeat an array along axes of size 1, and along new leading axes, without a copy.

    Shape: the given one. Sizes of a are 1 or equal to it, counted from the last axis.

    Dtype: any; the result has a's.

    Raises: ValueError where a does not broadcast to it.

    Example:

        >>> mx.broadcast_to(mx.array([1, 2]), (2, 2))
        array([[1, 2],
               [1, 2]], dtype=int32)
    """
def broadcast_arrays(*arrays: array, stream: _StreamOrDevice=None) -> list[array]:
    """Broadcast arrays against each other.

    Shape: all results have the common one.

    Dtype: any; each result has that of its array.

    Raises: ValueError where the shapes do not broadcast.

    Example:

        >>> mx.broadcast_arrays(mx.array([1, 2]), mx.array([[3], [4]]))
        [array([[1, 2],
               [1, 2]], dtype=int32), array([[3, 3],
               [4, 4]], dtype=int32)]
    """
def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The shape that shapes broadcast to.

    Dtype: any; the result has a's.

    Raises: ValueError where the shapes do not broadcast.

    Example:

        >>> mx.broadcast_shapes((3, 1), (4,), (2, 1, 1))
        (2, 3, 4)
    """
def meshgrid(*arrays: array, sparse: bool=False, indexing: str='xy', stream: _StreamOrDevice=None) -> tuple[array, ...]:
    """One array per input, in which its values run along an axis of their own. sparse: the other axes keep size 1. indexing: 'ij', or 'xy' with the first two axes exchanged.

    Shape: one size per array (flattened if need be), the first two exchanged for 'xy'; with sparse, 1 but for one.

    Dtype: any; each result has that of its array.

    Raises: ValueError for another indexing.

    Example:

        >>> mx.meshgrid(mx.array([1, 2, 3]), mx.array([4, 5]), indexing="ij")[0]
        array([[1, 1],
               [2, 2],
               [3, 3]], dtype=int32)
    """
def stop_gradient(a: array, /, *, stream: _StreamOrDevice=None) -> array:
    """The array itself, as a constant to differentiation.

    Shape: that of a.

    Dtype: any; the result has a's.

    Raises: TypeError for what is no array.

    Example:

        >>> mx.grad(lambda x: x * mx.stop_gradient(x))(mx.array(3.0))
        array(3, dtype=float32)
    """
def view(a: _Scalar | array, /, dtype: Dtype, *, stream: _StreamOrDevice=None) -> array:
    """The bytes of the row-major content as values of another dtype; the last axis shrinks or grows by the ratio of the sizes.

    Shape: that of a; its last axis shrinks or grows by the ratio of the sizes of the elements.

    Dtype: any; the result has the one asked for.

    Raises: ValueError where the last axis cannot be divided, or a scalar would change its size.

    Example:

        >>> mx.view(mx.array([1.0, -2.0]), mx.uint32)
        array([1065353216, 3221225472], dtype=uint32)
    """
def slice(a: array, /, start_indices: array, axes: Sequence[int], slice_size: Sequence[int], *, stream: _StreamOrDevice=None) -> array:
    """A window of a, of one size per axis of a, that begins where an integer array says: one index for each of axes. Where it would not fit, it is moved inside.

    Options: start_indices, one int per entry of axes, is an array, so that it may be computed.

    Shape: slice_size.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range, ValueError for sizes that are negative or larger than a.

    Example:

        >>> mx.slice(mx.arange(12).reshape(3, 4), mx.array([1, 2]), (0, 1), (2, 2))
        array([[6, 7],
               [10, 11]], dtype=int32)
    """
def slice_update(a: array, /, update: array, start_indices: array, axes: Sequence[int], *, stream: _StreamOrDevice=None) -> array:
    """a with a window replaced by update, which broadcasts along the other axes and is cast to a's dtype. The window begins where an integer array says: one index for each of axes; it is moved inside where it would not fit.

    Options: start_indices, one int per entry of axes, is an array, so that it may be computed.

    Shape: that of a; update has a's number of axes at most and is not larger.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range, ValueError for an update that does not fit.

    Example:

        >>> mx.slice_update(mx.zeros((2, 3)), mx.ones((1, 2)), mx.array([1, 1]), (0, 1))
        array([[0, 0, 0],
               [0, 1, 1]], dtype=float32)
    """
def full(shape: int | Sequence[int], vals: _Scalar | array, dtype: Dtype | None=None, *, stream: _StreamOrDevice=None) -> array:
    """An array of a shape filled with a value, which may be an array that broadcasts to the shape.

    Options: vals is a scalar or an array.

    Shape: the given one, to which the value broadcasts.

    Dtype: any; by default that of the value.

    Raises: ValueError for negative sizes, or a value that does not broadcast.

    Example:

        >>> mx.full((2, 2), 7)
        array([[7, 7],
               [7, 7]], dtype=int32)
    """
def full_like(a: array, /, vals: _Scalar | array, dtype: Dtype | None=None, *, stream: _StreamOrDevice=None) -> array:
    """An array of a's shape filled with a value; the dtype is a's by default.

    Options: vals is a scalar or an array.

    Shape: that of a, to which the value broadcasts.

    Dtype: any; by default a's.

    Raises: ValueError for a value that does not broadcast.

    Example:

        >>> mx.full_like(mx.array([1.0, 2.0]), 7)
        array([7, 7], dtype=float32)
    """
def zeros(shape: int | Sequence[int], dtype: Dtype | None=float32, *, stream: _StreamOrDevice=None) -> array:
    """An array of zeros.

    Shape: the given one.

    Dtype: any; float32 by default.

    Raises: ValueError for negative sizes.

    Example:

        >>> mx.zeros((2, 2))
        array([[0, 0],
               [0, 0]], dtype=float32)
    """
def ones(shape: int | Sequence[int], dtype: Dtype | None=float32, *, stream: _StreamOrDevice=None) -> array:
    """An array of ones.

    Shape: the given one.

    Dtype: any; float32 by default.

    Raises: ValueError for negative sizes.

    Example:

        >>> mx.ones(3, mx.int32)
        array([1, 1, 1], dtype=int32)
    """
def zeros_like(a: array, /, dtype: Dtype | None=None, *, stream: _StreamOrDevice=None) -> array:
    """Zeros of a's shape, and of its dtype by default.

    Shape: that of a.

    Dtype: any; by default a's.

    Raises: TypeError for what is no array.

    Example:

        >>> mx.zeros_like(mx.array([1, 2]))
        array([0, 0], dtype=int32)
    """
def ones_like(a: array, /, dtype: Dtype | None=None, *, stream: _StreamOrDevice=None) -> array:
    """Ones of a's shape, and of its dtype by default.

    Shape: that of a.

    Dtype: any; by default a's.

    Raises: TypeError for what is no array.

    Example:

        >>> mx.ones_like(mx.array([1, 2]))
        array([1, 1], dtype=int32)
    """
empty = zeros
empty_like = zeros_like
def bartlett(M: int, *, stream: _StreamOrDevice=None) -> array:
    """The triangular window of M float32 values that is 0 at both ends; one value is 1.

    Shape: (M,), empty for M < 1.

    Dtype: float32.

    Raises: TypeError where M is no int.

    Example:

        >>> mx.bartlett(5)
        array([0, 0.5, 1, 0.5, 0], dtype=float32)
    """
def blackman(M: int, *, stream: _StreamOrDevice=None) -> array:
    """The symmetric window 0.42 - 0.5 cos(2 pi n / (M - 1)) + 0.08 cos(4 pi n / (M - 1)) of M float32 values.

    Shape: (M,), empty for M < 1.

    Dtype: float32.

    Raises: TypeError where M is no int.

    Example:

        >>> mx.round(mx.blackman(5)[1:4], 2)
        array([0.34, 1, 0.34], dtype=float32)
    """
def hamming(M: int, *, stream: _StreamOrDevice=None) -> array:
    """The symmetric window 0.54 - 0.46 cos(2 pi n / (M - 1)) of M float32 values.

    Shape: (M,), empty for M < 1.

    Dtype: float32.

    Raises: TypeError where M is no int.

    Example:

        >>> mx.round(mx.hamming(5), 2)
        array([0.08, 0.54, 1, 0.54, 0.08], dtype=float32)
    """
def hanning(M: int, *, stream: _StreamOrDevice=None) -> array:
    """The symmetric window 0.5 - 0.5 cos(2 pi n / (M - 1)) of M float32 values.

    Shape: (M,), empty for M < 1.

    Dtype: float32.

    Raises: TypeError where M is no int.

    Example:

        >>> mx.hanning(5)
        array([0, 0.5, 1, 0.5, 0], dtype=float32)
    """
@overload
def arange(stop: int | float, /, *, step: None | int | float=None, dtype: Dtype | None=None, stream: _StreamOrDevice=None) -> array:
    """Evenly spaced numbers from start up to, but without, stop; with one argument from 0 up to it.

    The dtype is int32 for ints (int64 where one needs it), else float32.

    Shape: one axis of ceil((stop - start) / step) elements, or none.

    Dtype: by default int32 (int64 where one needs it) for ints, float32 for floats.

    Raises: ValueError for a NaN, a step of 0, or more elements than 63 bits count.

    Example:

        >>> mx.arange(5)
        array([0, 1, 2, 3, 4], dtype=int32)
        >>> mx.arange(0, 1, 0.25)
        array([0, 0.25, 0.5, 0.75], dtype=float32)
    """
@overload
def arange(start: int | float=0, stop: None | int | float=None, step: None | int | float=None, dtype: Dtype | None=None, *, stream: _StreamOrDevice=None) -> array:
    """Evenly spaced numbers from start up to, but without, stop; with one argument from 0 up to it.

    The dtype is int32 for ints (int64 where one needs it), else float32.

    Shape: one axis of ceil((stop - start) / step) elements, or none.

    Dtype: by default int32 (int64 where one needs it) for ints, float32 for floats.

    Raises: ValueError for a NaN, a step of 0, or more elements than 63 bits count.

    Example:

        >>> mx.arange(5)
        array([0, 1, 2, 3, 4], dtype=int32)
        >>> mx.arange(0, 1, 0.25)
        array([0, 0.25, 0.5, 0.75], dtype=float32)
    """
def linspace(start: _Scalar, stop: _Scalar, num: int=50, endpoint: bool=True, dtype: Dtype | None=float32, stream: _StreamOrDevice=None) -> array:
    """num evenly spaced numbers from start to stop; with endpoint=False without the latter.

    Shape: (num,).

    Dtype: any; float32 by default.

    Raises: ValueError for a negative num.

    Example:

        >>> mx.linspace(0, 1, 5)
        array([0, 0.25, 0.5, 0.75, 1], dtype=float32)
    """
def eye(n: int, m: int | None=None, k: int=0, dtype: Dtype | None=float32, *, stream: _StreamOrDevice=None) -> array:
    """An n x m matrix with ones on the k-th diagonal; m is n by default.

    Shape: (n, m).

    Dtype: any; float32 by default.

    Raises: ValueError for negative sizes.

    Example:

        >>> mx.eye(2, 3, k=1)
        array([[0, 1, 0],
               [0, 0, 1]], dtype=float32)
    """
def identity(n: int, dtype: Dtype | None=float32, *, stream: _StreamOrDevice=None) -> array:
    """The n x n identity matrix.

    Shape: (n, n).

    Dtype: any; float32 by default.

    Raises: ValueError for negative sizes.

    Example:

        >>> mx.identity(2, mx.int32)
        array([[1, 0],
               [0, 1]], dtype=int32)
    """
def tri(n: int, m: int | None=None, k: int=0, dtype: Dtype | None=float32, *, stream: _StreamOrDevice=None) -> array:
    """An n x m matrix with ones on and below the k-th diagonal.

    Shape: (n, m).

    Dtype: any; float32 by default.

    Raises: ValueError for negative sizes.

    Example:

        >>> mx.tri(3, dtype=mx.int32)
        array([[1, 0, 0],
               [1, 1, 0],
               [1, 1, 1]], dtype=int32)
    """
def tril(x: array, k: int=0, *, stream: _StreamOrDevice=None) -> array:
    """The array with zeros above the k-th diagonal of its last two axes.

    Shape: that of x, (..., m, n).

    Dtype: any; the result has x's.

    Raises: ValueError for less than two axes.

    Example:

        >>> mx.tril(mx.array([[1, 2], [3, 4]]))
        array([[1, 0],
               [3, 4]], dtype=int32)
    """
def triu(x: array, k: int=0, *, stream: _StreamOrDevice=None) -> array:
    """The array with zeros below the k-th diagonal of its last two axes.

    Shape: that of x, (..., m, n).

    Dtype: any; the result has x's.

    Raises: ValueError for less than two axes.

    Example:

        >>> mx.triu(mx.array([[1, 2], [3, 4]]))
        array([[1, 2],
               [0, 4]], dtype=int32)
    """
def trace(a: array, /, offset: int=0, axis1: int=0, axis2: int=1, dtype: Dtype | None=None, *, stream: _StreamOrDevice=None) -> array:
    """Sum of the elements on a diagonal of the matrices that two axes span; offset counts to the right. Small integers and bool give int32 or uint32 unless a dtype is given.

    Options: axis1 and axis2 span the matrices; offset counts diagonals to the right.

    Shape: that of a without the two axes.

    Dtype: any; a's, at least 32 bits, or the one given.

    Raises: AxisError for an axis out of range, ValueError for less than two axes or twice the same one.

    Example:

        >>> mx.trace(mx.array([[1, 2], [3, 4]]))
        array(5, dtype=int32)
    """
def diag(a: array, /, k: int=0, *, stream: _StreamOrDevice=None) -> array:
    """A matrix with a vector on its k-th diagonal, or the k-th diagonal of a matrix.

    Shape: (n + |k|, n + |k|) for a vector of n elements; one axis for a matrix.

    Dtype: any; the result has a's.

    Raises: ValueError for scalars and more than two axes.

    Example:

        >>> mx.diag(mx.array([1, 2]))
        array([[1, 0],
               [0, 2]], dtype=int32)
        >>> mx.diag(mx.array([[1, 2], [3, 4]]))
        array([1, 4], dtype=int32)
    """
def diagonal(a: array, offset: int=0, axis1: int=0, axis2: int=1, stream: _StreamOrDevice=None) -> array:
    """A diagonal of the matrices that two axes span.

    Options: axis1 and axis2 span the matrices; offset counts diagonals to the right.

    Shape: that of a without the two axes, and the diagonal's length at the end.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range, ValueError for less than two axes or twice the same one.

    Example:

        >>> mx.diagonal(mx.array([[1, 2], [3, 4]]), offset=1)
        array([2], dtype=int32)
    """
def concatenate(arrays: list[array], /, axis: int | None=0, *, stream: _StreamOrDevice=None) -> array:
    """Join arrays along an axis they have; axis=None flattens them first.

    Shape: that of the arrays, but for the axis, whose sizes are added; flat with axis=None.

    Dtype: that to which the arrays promote.

    Raises: AxisError for an axis out of range, ValueError for no arrays or sizes that differ along another axis.

    Example:

        >>> mx.concatenate([mx.array([1, 2]), mx.array([3.5])])
        array([1, 2, 3.5], dtype=float32)
    """
concat = concatenate
def stack(arrays: list[array], /, axis: int | None=0, *, stream: _StreamOrDevice=None) -> array:
    """Join arrays of one shape along a new axis.

    Shape: that of the arrays, with their number at the place of the new axis.

    Dtype: that to which the arrays promote.

    Raises: AxisError for an axis out of range, ValueError for no arrays or different shapes.

    Example:

        >>> mx.stack([mx.array([1, 2]), mx.array([3, 4])], axis=1)
        array([[1, 3],
               [2, 4]], dtype=int32)
    """
def split(a: array, /, indices_or_sections: int | Sequence[int], axis: int=0, *, stream: _StreamOrDevice=None) -> list[array]:
    """Split into equal parts, or at the given places of an axis.

    Options: indices_or_sections is a number of equal parts, or the places where parts begin.

    Shape: that of a with part of the axis.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range, ValueError where it does not divide into equal parts.

    Example:

        >>> mx.split(mx.arange(6), 3)
        [array([0, 1], dtype=int32), array([2, 3], dtype=int32), array([4, 5], dtype=int32)]
        >>> mx.split(mx.arange(6), [1, 4])
        [array([0], dtype=int32), array([1, 2, 3], dtype=int32), array([4, 5], dtype=int32)]
    """
def unstack(x: array, /, *, axis: int=0, stream: _StreamOrDevice=None) -> tuple[array, ...]:
    """The parts along an axis, without it, as a tuple.

    Shape: that of x without the axis.

    Dtype: any; the results have x's.

    Raises: AxisError for an axis out of range.

    Example:

        >>> mx.unstack(mx.array([[1, 2], [3, 4]]))
        (array([1, 2], dtype=int32), array([3, 4], dtype=int32))
    """
def repeat(array: array, /, repeats: int, axis: int | None=None, *, stream: _StreamOrDevice=None) -> array:
    """Repeat each element along an axis; without an axis the array is flattened.

    Shape: that of array, the axis being repeats times as long; one axis without an axis.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range, ValueError for negative repeats.

    Example:

        >>> mx.repeat(mx.array([1, 2]), 2)
        array([1, 1, 2, 2], dtype=int32)
    """
def tile(a: array, reps: int | Sequence[int], /, *, stream: _StreamOrDevice=None) -> array:
    """Repeat the whole array a number of times along each axis.

    Options: reps is a number, or one per axis.

    Shape: each size times its number; missing axes and numbers count as 1.

    Dtype: any; the result has a's.

    Raises: ValueError for negative numbers.

    Example:

        >>> mx.tile(mx.array([1, 2]), (2, 2))
        array([[1, 2, 1, 2],
               [1, 2, 1, 2]], dtype=int32)
    """
def roll(a: array, /, shift: int | tuple[int, ...], axis: None | int | tuple[int, ...]=None, *, stream: _StreamOrDevice=None) -> array:
    """Shift elements along axes, those pushed out coming in at the other end; without an axis over the flat array.

    Options: shift is a number of places, or one per axis; negative ones shift to the front.

    Shape: that of a.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range.

    Example:

        >>> mx.roll(mx.array([1, 2, 3, 4]), 1)
        array([4, 1, 2, 3], dtype=int32)
    """
def flip(a: array, /, axis: None | int | Sequence[int]=None, *, stream: _StreamOrDevice=None) -> array:
    """Reverse the order of elements along axes, by default all.

    Shape: that of a.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range.

    Example:

        >>> mx.flip(mx.array([[1, 2], [3, 4]]), axis=1)
        array([[2, 1],
               [4, 3]], dtype=int32)
    """
def pad(a: array, /, pad_width: int | tuple[int] | tuple[int, int] | list[tuple[int, int]], mode: Literal['constant', 'edge', 'reflect', 'symmetric']='constant', constant_values: _Scalar | array=0, *, stream: _StreamOrDevice=None) -> array:
    """Put elements around an array.

    pad_width: an int, a pair (before, after) for every axis, or a list of pairs, one per axis. mode: constant
    (constant_values), edge, reflect (without the edge) or symmetric (with it).

    Shape: every size grows by what is put before and after it.

    Dtype: any; the result has a's.

    Raises: ValueError for negative widths, another mode, or a list of another length than a has axes.

    Example:

        >>> mx.pad(mx.array([1, 2, 3]), (1, 2))
        array([0, 1, 2, 3, 0, 0], dtype=int32)
        >>> mx.pad(mx.array([1, 2, 3]), 2, mode="reflect")
        array([3, 2, 1, ..., 3, 2, 1], dtype=int32)
    """
def contiguous(a: array, /, allow_col_major: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """The array in row-major layout; copied only where it is not.

    Options: allow_col_major leaves an array in column-major layout as it is.

    Shape: that of a.

    Dtype: any; the result has a's.

    Raises: TypeError for what is no array.

    Example:

        >>> mx.contiguous(mx.array([[1, 2], [3, 4]]).T)
        array([[1, 3],
               [2, 4]], dtype=int32)
    """
def as_strided(a: array, /, shape: Sequence[int] | None=None, strides: Sequence[int] | None=None, offset: int=0, *, stream: _StreamOrDevice=None) -> array:
    """A view of the row-major content of an array with other sizes and strides, counted in elements.

    Options: strides and offset count elements of the flattened array.

    Shape: the given one, by default that of a.

    Dtype: any; the result has a's.

    Raises: ValueError for what lies outside of a, or shapes and strides of different lengths.

    Example:

        >>> mx.as_strided(mx.arange(5), (3, 3), (1, 1))
        array([[0, 1, 2],
               [1, 2, 3],
               [2, 3, 4]], dtype=int32)
    """
@overload
def depends(inputs: array, dependencies: array | Sequence[array], /) -> array:
    """The inputs, computed after the dependencies.

    Shape: those of the inputs.

    Dtype: any; the results are the inputs.

    Raises: TypeError for what is no array.

    Example:

        >>> first = mx.array([1, 2]) * 2
        >>> mx.depends(mx.array([5]), first)
        array([5], dtype=int32)
    """
@overload
def depends(inputs: Sequence[array], dependencies: array | Sequence[array], /) -> list[array]:
    """The inputs, computed after the dependencies.

    Shape: those of the inputs.

    Dtype: any; the results are the inputs.

    Raises: TypeError for what is no array.

    Example:

        >>> first = mx.array([1, 2]) * 2
        >>> mx.depends(mx.array([5]), first)
        array([5], dtype=int32)
    """
def sort(a: array, /, axis: None | int=-1, *, stream: _StreamOrDevice=None) -> array:
    """The elements in ascending order along an axis, NaN last; axis=None flattens first.

    Shape: that of a; flat with axis=None.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range.

    Example:

        >>> mx.sort(mx.array([[3, 1], [2, 4]]))
        array([[1, 3],
               [2, 4]], dtype=int32)
        >>> mx.sort(mx.array([2.0, mx.nan, 1.0]))
        array([1, 2, nan], dtype=float32)
    """
def argsort(a: array, /, axis: None | int=-1, *, stream: _StreamOrDevice=None) -> array:
    """The indices (uint32) that sort an array, equal elements in their order; axis=None flattens first.

    Shape: that of a; flat with axis=None.

    Dtype: any; the result is uint32.

    Raises: AxisError for an axis out of range.

    Example:

        >>> mx.argsort(mx.array([30, 10, 20]))
        array([1, 2, 0], dtype=uint32)
    """
def partition(a: array, /, kth: int, axis: None | int=-1, *, stream: _StreamOrDevice=None) -> array:
    """The elements with the kth at its sorted place, smaller ones before it and larger ones after it.

    Shape: that of a; flat with axis=None.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range, ValueError where kth lies outside of the axis.

    Example:

        >>> mx.partition(mx.array([5, 1, 4, 2, 3]), 2)[2]
        array(3, dtype=int32)
    """
def argpartition(a: array, /, kth: int, axis: None | int=-1, *, stream: _StreamOrDevice=None) -> array:
    """The indices (uint32) that partition an array.

    Shape: that of a; flat with axis=None.

    Dtype: any; the result is uint32.

    Raises: AxisError for an axis out of range, ValueError where kth lies outside of the axis.

    Example:

        >>> mx.argpartition(mx.array([5, 1, 4, 2, 3]), 2)[2]
        array(4, dtype=uint32)
    """
def topk(a: array, /, k: int, axis: None | int=-1, *, stream: _StreamOrDevice=None) -> array:
    """The k largest elements along an axis, in no particular order.

    Shape: that of a with k elements along the axis.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range, ValueError where k is negative or larger than the axis.

    Example:

        >>> mx.sort(mx.topk(mx.array([5, 1, 4, 2, 3]), 2))
        array([4, 5], dtype=int32)
    """
def take(a: array, /, indices: int | array, axis: int | None=None, *, stream: _StreamOrDevice=None) -> array:
    """The elements at indices along an axis; without an axis of the flat array.

    Shape: that of a with the axis replaced by the shape of indices; without an axis that of indices.

    Dtype: any a, integer indices; the result has a's.

    Raises: AxisError for an axis out of range, and at evaluation for an index out of range (negative ones count from the
        end), ValueError for indices that are no integers.

    Example:

        >>> mx.take(mx.array([10, 20, 30]), mx.array([2, 0, -1]))
        array([30, 10, 30], dtype=int32)
    """
def take_along_axis(a: array, /, indices: array, axis: int | None=-1, *, stream: _StreamOrDevice=None) -> array:
    """For each place along an axis the element that the index there names; axis=None flattens first.

    Shape: that of indices, which has as many axes as a and broadcasts with it along the others.

    Dtype: any a, integer indices; the result has a's.

    Raises: AxisError for an axis out of range, and at evaluation for an index out of range.

    Example:

        >>> mx.take_along_axis(mx.array([[3, 1], [2, 4]]), mx.array([[1], [0]]), axis=1)
        array([[1],
               [2]], dtype=int32)
    """
def put_along_axis(a: array, /, indices: array, values: array, axis: int | None=None, *, stream: _StreamOrDevice=None) -> array:
    """A copy with values put where the indices name places along an axis; without an axis of the flat array.

    Shape: that of a; indices and values broadcast with it along the other axes.

    Dtype: any a, integer indices; the result has a's.

    Raises: AxisError for an axis out of range, and at evaluation for an index out of range.

    Example:

        >>> mx.put_along_axis(mx.array([[3, 1], [2, 4]]), mx.array([[1], [0]]), mx.array(9), axis=1)
        array([[3, 9],
               [9, 4]], dtype=int32)
    """
def cumsum(a: array, /, axis: int | None=None, *, reverse: bool=False, inclusive: bool=True, dtype: Dtype | None=None, stream: _StreamOrDevice=None) -> array:
    """Cumulative sum. bool gives int32; other dtypes stay, and integers wrap. Half types are added in float32.

    axis: by default the array is flattened. reverse: from the end. inclusive: whether an element counts for its own place. dtype: what the elements are converted to first.

    Shape: that of a; without an axis a is flattened first.

    Dtype: any; the result has a's, int32 for bool, or the dtype given.

    Raises: AxisError for an axis out of range.

    Example:

        >>> mx.cumsum(mx.array([1, 2, 3]))
        array([1, 3, 6], dtype=int32)
        >>> mx.cumsum(mx.array([1, 2, 3]), reverse=True, inclusive=False)
        array([5, 3, 0], dtype=int32)
    """
def cumprod(a: array, /, axis: int | None=None, *, reverse: bool=False, inclusive: bool=True, dtype: Dtype | None=None, stream: _StreamOrDevice=None) -> array:
    """Cumulative product. Dtypes stay, and integers wrap. Half types are multiplied in float32.

    axis: by default the array is flattened. reverse: from the end. inclusive: whether an element counts for its own place. dtype: what the elements are converted to first.

    Shape: that of a; without an axis a is flattened first.

    Dtype: any; the result has a's, or the dtype given.

    Raises: AxisError for an axis out of range.

    Example:

        >>> mx.cumprod(mx.array([1, 2, 3, 4]))
        array([1, 2, 6, 24], dtype=int32)
    """
cumulative_sum = cumsum
cumulative_prod = cumprod
def cummax(a: array, /, axis: int | None=None, *, reverse: bool=False, inclusive: bool=True, stream: _StreamOrDevice=None) -> array:
    """Cumulative maximum; NaN from the first NaN on.

    axis: by default the array is flattened. reverse: from the end. inclusive: whether an element counts for its own place.

    Shape: that of a; without an axis a is flattened first.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range.

    Example:

        >>> mx.cummax(mx.array([1, 3, 2, 5]))
        array([1, 3, 3, 5], dtype=int32)
    """
def cummin(a: array, /, axis: int | None=None, *, reverse: bool=False, inclusive: bool=True, stream: _StreamOrDevice=None) -> array:
    """Cumulative minimum; NaN from the first NaN on.

    axis: by default the array is flattened. reverse: from the end. inclusive: whether an element counts for its own place.

    Shape: that of a; without an axis a is flattened first.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range.

    Example:

        >>> mx.cummin(mx.array([4, 3, 5, 1]))
        array([4, 3, 3, 1], dtype=int32)
    """
def logcumsumexp(a: array, /, axis: int | None=None, *, reverse: bool=False, inclusive: bool=True, stream: _StreamOrDevice=None) -> array:
    """Logarithm of the cumulative sum of the exponentials, without overflow. Integers and bool give float32.

    axis: by default the array is flattened. reverse: from the end. inclusive: whether an element counts for its own place.

    Shape: that of a; without an axis a is flattened first.

    Dtype: floating-point or complex dtypes stay; integers and bool give float32.

    Raises: AxisError for an axis out of range.

    Example:

        >>> mx.logcumsumexp(mx.array([0.0, 0.0, 1000.0]))
        array([0, 0.693147, 1000], dtype=float32)
    """
def diff(a: array, /, n: int=1, axis: int=-1, *, stream: _StreamOrDevice=None) -> array:
    """Differences of neighbours along an axis, taken n times; of bool whether they differ. Unsigned integers wrap.

    Shape: that of a with n elements less along the axis.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range, ValueError for a negative n.

    Example:

        >>> mx.diff(mx.array([1, 4, 9, 16]))
        array([3, 5, 7], dtype=int32)
    """
def nonzero(a: array, /, *, size: int | None=None, fill_value: _Scalar | array | None=None, stream: _StreamOrDevice=None) -> tuple[array, ...]:
    """The indices (uint32) of the elements that are not zero, in row-major order: one array per axis.

    The size of the result depends on values: without size the argument is evaluated, which inside vmap and compile
    raises ValueError. With size so many are given: what is missing is fill_value (by default 0), what is too much
    is left out.

    Shape: one array per axis of a, each with one axis.

    Dtype: any; the results are uint32.

    Raises: ValueError inside of vmap and compile unless size and fill_value are given.

    Example:

        >>> mx.nonzero(mx.array([[0, 1], [2, 0]]))
        (array([0, 1], dtype=uint32), array([1, 0], dtype=uint32))
    """
def flatnonzero(a: array, /, *, size: int | None=None, fill_value: _Scalar | array | None=None, stream: _StreamOrDevice=None) -> array:
    """The indices (uint32) in the flat array of the elements that are not zero.

    The size of the result depends on values: without size the argument is evaluated, which inside vmap and compile
    raises ValueError. With size so many are given: what is missing is fill_value (by default 0), what is too much
    is left out.

    Shape: one axis.

    Dtype: any; the result is uint32.

    Raises: ValueError inside of vmap and compile unless size and fill_value are given.

    Example:

        >>> mx.flatnonzero(mx.array([0, 5, 0, 7]))
        array([1, 3], dtype=uint32)
    """
def argwhere(a: array, /, *, size: int | None=None, fill_value: _Scalar | array | None=None, stream: _StreamOrDevice=None) -> array:
    """The indices (uint32) of the elements that are not zero, in row-major order: one row per element, shape (n, ndim).

    The size of the result depends on values: without size the argument is evaluated, which inside vmap and compile
    raises ValueError. With size so many are given: what is missing is fill_value (by default 0), what is too much
    is left out.

    Shape: (number of nonzero elements, axes of a).

    Dtype: any; the result is uint32.

    Raises: ValueError inside of vmap and compile unless size and fill_value are given.

    Example:

        >>> mx.argwhere(mx.array([[0, 1], [2, 0]]))
        array([[0, 1],
               [1, 0]], dtype=uint32)
    """
def compress(condition: array, a: array, /, axis: int | None=None, *, size: int | None=None, fill_value: _Scalar | array | None=None, stream: _StreamOrDevice=None) -> array:
    """The entries of an array along an axis where a vector, which may be shorter, is not zero; axis=None flattens first.

    The size of the result depends on values: without size the argument is evaluated, which inside vmap and compile
    raises ValueError. With size so many are given: what is missing is fill_value (by default 0), what is too much
    is left out.

    Shape: that of a with as many elements along the axis as condition has true ones; condition has one axis.

    Dtype: any; the result has a's.

    Raises: ValueError where condition is longer than the axis, or inside of vmap and compile unless size is given.

    Example:

        >>> mx.compress(mx.array([True, False, True]), mx.array([1, 2, 3]))
        array([1, 3], dtype=int32)
    """
@overload
def where(condition: _Scalar | array, x: _Scalar | array, y: _Scalar | array, /, *, stream: _StreamOrDevice=None) -> array:
    """Elements of x where the condition is nonzero, else of y. All three broadcast.

    With the condition alone: its nonzero(), for which size and fill_value are.

    Shape: the three operands broadcast; with the condition alone the result is that of nonzero.

    Dtype: that to which x and y promote.

    Raises: ValueError where the shapes do not broadcast, TypeError where y is missing.

    Example:

        >>> mx.where(mx.array([True, False]), mx.array([1.0, 2.0]), 0)
        array([1, 0], dtype=float32)
    """
@overload
def where(condition: _Scalar | array, /, *, size: int | None=None, fill_value: _Scalar | array | None=None, stream: _StreamOrDevice=None) -> tuple[array, ...]:
    """Elements of x where the condition is nonzero, else of y. All three broadcast.

    With the condition alone: its nonzero(), for which size and fill_value are.

    Shape: the three operands broadcast; with the condition alone the result is that of nonzero.

    Dtype: that to which x and y promote.

    Raises: ValueError where the shapes do not broadcast, TypeError where y is missing.

    Example:

        >>> mx.where(mx.array([True, False]), mx.array([1.0, 2.0]), 0)
        array([1, 0], dtype=float32)
    """
@overload
def unique(a: array, /, size: int | None=None, *, fill_value: _Scalar | array | None=None, stream: _StreamOrDevice=None) -> array:
    """The distinct elements of the flat array, sorted; each NaN is distinct and comes last.

    return_index: also where each occurs first (uint32). return_inverse: also the place of each element among the
    results (uint32, a's shape). return_counts: also how often each occurs (int32).
    The size of the result depends on values: without size the argument is evaluated, which inside vmap and compile
    raises ValueError. With size so many are given: what is missing is fill_value (by default the smallest element) with
    a count of 0, what is too much is left out.

    Shape: one axis with as many elements as differ, or size of them.

    Dtype: any; the result has a's.

    Raises: ValueError inside of vmap and compile unless size is given.

    Example:

        >>> mx.unique(mx.array([3, 1, 3, 2]))
        array([1, 2, 3], dtype=int32)
        >>> mx.unique(mx.array([3, 1, 3]), return_counts=True)
        (array([1, 3], dtype=int32), array([1, 2], dtype=int32))
    """
@overload
def unique(a: array, /, size: int | None=None, return_index: bool=False, return_inverse: bool=False, return_counts: bool=False, fill_value: _Scalar | array | None=None, *, stream: _StreamOrDevice=None) -> Any:
    """The distinct elements of the flat array, sorted; each NaN is distinct and comes last.

    return_index: also where each occurs first (uint32). return_inverse: also the place of each element among the
    results (uint32, a's shape). return_counts: also how often each occurs (int32).
    The size of the result depends on values: without size the argument is evaluated, which inside vmap and compile
    raises ValueError. With size so many are given: what is missing is fill_value (by default the smallest element) with
    a count of 0, what is too much is left out.

    Shape: one axis with as many elements as differ, or size of them.

    Dtype: any; the result has a's.

    Raises: ValueError inside of vmap and compile unless size is given.

    Example:

        >>> mx.unique(mx.array([3, 1, 3, 2]))
        array([1, 2, 3], dtype=int32)
        >>> mx.unique(mx.array([3, 1, 3]), return_counts=True)
        (array([1, 3], dtype=int32), array([1, 2], dtype=int32))
    """
def bincount(a: array, /, weights: array | None=None, minlength: int=0, *, size: int | None=None, stream: _StreamOrDevice=None) -> array:
    """How often each value occurs in a vector of non-negative integers (int32), or the sum of the weights there.

    The length is the largest value plus one, at least minlength, for which the argument is evaluated; inside vmap and
    compile that raises ValueError. With size it is size, and values out of range do not count.

    Shape: a has one axis; the result has max(a) + 1 elements and at least minlength, or size of them.

    Dtype: integers and bool. The result is int32, with weights their dtype (at least 32 bits).

    Raises: ValueError for negative values, for other shapes, and inside of vmap and compile unless size is given.

    Example:

        >>> mx.bincount(mx.array([0, 2, 2, 3]))
        array([1, 0, 2, 1], dtype=int32)
    """
def searchsorted(sorted_sequence: array, values: array, /, side: str='left', *, stream: _StreamOrDevice=None) -> array:
    """The place (uint32) of each value in a sorted vector: before (left) or behind (right) what equals it. NaN comes last.

    Shape: that of values; sorted_sequence has one axis.

    Dtype: any; both are promoted for the comparison, and the result is uint32.

    Raises: ValueError for a side other than left or right, or a sequence with more than one axis.

    Example:

        >>> mx.searchsorted(mx.array([1, 3, 5]), mx.array([0, 3, 6]))
        array([0, 1, 3], dtype=uint32)
    """
def all(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Whether all elements are nonzero.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.

    Shape: that of a without the reduced axes, which keep size 1 with keepdims.

    Dtype: any; the result is bool.

    Raises: AxisError for an axis out of range, ValueError for one given twice.

    Example:

        >>> mx.all(mx.array([[True, False], [True, True]]), axis=1)
        array([False, True], dtype=bool)
    """
def any(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Whether any element is nonzero.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.

    Shape: that of a without the reduced axes, which keep size 1 with keepdims.

    Dtype: any; the result is bool.

    Raises: AxisError for an axis out of range, ValueError for one given twice.

    Example:

        >>> mx.any(mx.array([[0, 0], [0, 2]]), axis=1)
        array([False, True], dtype=bool)
    """
def prod(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Product of the elements. Small integers and bool give int32 or uint32.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.

    Shape: that of a without the reduced axes, which keep size 1 with keepdims.

    Dtype: any. bool and small signed integers give int32, small unsigned ones uint32; others stay.

    Raises: AxisError for an axis out of range, ValueError for one given twice.

    Example:

        >>> mx.prod(mx.array([[1, 2], [3, 4]]), axis=0)
        array([3, 8], dtype=int32)
    """
def min(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Smallest element; NaN if there is one.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.

    Shape: that of a without the reduced axes, which keep size 1 with keepdims.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range, ValueError for one given twice or where nothing is reduced over.

    Example:

        >>> mx.min(mx.array([[3, 1], [2, 4]]), axis=1)
        array([1, 2], dtype=int32)
    """
def max(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Largest element; NaN if there is one.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.

    Shape: that of a without the reduced axes, which keep size 1 with keepdims.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range, ValueError for one given twice or where nothing is reduced over.

    Example:

        >>> mx.max(mx.array([[3, 1], [2, 4]]), axis=1)
        array([3, 4], dtype=int32)
    """
def sum(array: array, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Sum of the elements. Small integers and bool give int32 or uint32.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.

    Shape: that of a without the reduced axes, which keep size 1 with keepdims.

    Dtype: any. bool and small signed integers give int32, small unsigned ones uint32; others stay.

    Raises: AxisError for an axis out of range, ValueError for one given twice.

    Example:

        >>> mx.sum(mx.array([[1, 2], [3, 4]]))
        array(10, dtype=int32)
        >>> mx.sum(mx.array([[1, 2], [3, 4]]), axis=1, keepdims=True)
        array([[3],
               [7]], dtype=int32)
    """
def mean(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Mean of the elements. Integers and bool give float32.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.

    Shape: that of a without the reduced axes, which keep size 1 with keepdims.

    Dtype: floating-point or complex dtypes stay; integers and bool give float32.

    Raises: AxisError for an axis out of range, ValueError for one given twice.

    Example:

        >>> mx.mean(mx.array([[1, 2], [3, 5]]), axis=1)
        array([1.5, 4], dtype=float32)
    """
def logsumexp(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Logarithm of the sum of the exponentials, without overflow.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.

    Shape: that of a without the reduced axes, which keep size 1 with keepdims.

    Dtype: floating-point or complex dtypes stay; integers and bool give float32.

    Raises: AxisError for an axis out of range, ValueError for one given twice.

    Example:

        >>> mx.logsumexp(mx.array([1000.0, 1000.0]))
        array(1000.69, dtype=float32)
    """
def var(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, ddof: int=0, *, stream: _StreamOrDevice=None) -> array:
    """Variance of the elements. Integers and bool give float32.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1. ddof: what is taken from the
    number of elements in the divisor.

    Shape: that of a without the reduced axes, which keep size 1 with keepdims.

    Dtype: floating-point dtypes stay; integers, bool and complex64 give float32.

    Raises: AxisError for an axis out of range, ValueError for one given twice.

    Example:

        >>> mx.var(mx.array([1.0, 2.0, 3.0]), ddof=1)
        array(1, dtype=float32)
    """
def std(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, ddof: int=0, *, stream: _StreamOrDevice=None) -> array:
    """Standard deviation of the elements. Integers and bool give float32.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1. ddof: what is taken from the
    number of elements in the divisor.

    Shape: that of a without the reduced axes, which keep size 1 with keepdims.

    Dtype: floating-point dtypes stay; integers, bool and complex64 give float32.

    Raises: AxisError for an axis out of range, ValueError for one given twice.

    Example:

        >>> mx.std(mx.array([2.0, 4.0, 6.0, 8.0]))
        array(2.23607, dtype=float32)
    """
def argmin(a: array, /, axis: None | int=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Index (uint32) of the smallest element, the first of equal ones; NaN counts as the smallest.

    axis: by default the index counts in the flat array. keepdims: keep the axis with size 1.

    Shape: that of a without the axis, which keeps size 1 with keepdims; without an axis a scalar, counted in row-major order.

    Dtype: any; the result is uint32.

    Raises: AxisError for an axis out of range, ValueError for an empty axis.

    Example:

        >>> mx.argmin(mx.array([[3, 1], [2, 4]]), axis=1)
        array([1, 0], dtype=uint32)
    """
def argmax(a: array, /, axis: None | int=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Index (uint32) of the largest element, the first of equal ones; NaN counts as the largest.

    axis: by default the index counts in the flat array. keepdims: keep the axis with size 1.

    Shape: that of a without the axis, which keeps size 1 with keepdims; without an axis a scalar, counted in row-major order.

    Dtype: any; the result is uint32.

    Raises: AxisError for an axis out of range, ValueError for an empty axis.

    Example:

        >>> mx.argmax(mx.array([[3, 1], [2, 4]]))
        array(3, dtype=uint32)
    """
def count_nonzero(a: array, /, axis: None | int | Sequence[int]=None, *, keepdims: bool=False, stream: _StreamOrDevice=None) -> array:
    """How many elements are not zero (int32).

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.

    Shape: that of a without the reduced axes, which keep size 1 with keepdims.

    Dtype: any; the result is int32.

    Raises: AxisError for an axis out of range, ValueError for one given twice.

    Example:

        >>> mx.count_nonzero(mx.array([[0, 1], [2, 3]]), axis=1)
        array([1, 2], dtype=int32)
    """
def median(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """The middle element, or the mean of the two in the middle; NaN if there is one. Integers and bool give float32.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.

    Shape: that of a without the reduced axes, which keep size 1 with keepdims.

    Dtype: floating-point or complex dtypes stay; integers and bool give float32.

    Raises: AxisError for an axis out of range, ValueError for an empty array.

    Example:

        >>> mx.median(mx.array([5.0, 1.0, 3.0, 2.0]))
        array(2.5, dtype=float32)
    """
def minmax(a: array, /, axis: None | int | Sequence[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> tuple[array, array]:
    """Smallest and largest element; NaN if there is one.

    axis: the axes to reduce, by default all. keepdims: keep them with size 1.

    Shape: that of a without the reduced axes, which keep size 1 with keepdims.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range, ValueError for one given twice or where nothing is reduced over.

    Example:

        >>> mx.minmax(mx.array([3, 1, 2]))
        (array(1, dtype=int32), array(3, dtype=int32))
    """
def softmax(a: array, /, axis: None | int | Sequence[int]=None, *, precise: bool=False, stream: _StreamOrDevice=None) -> array:
    """Exponentials divided by their sum over axes, by default all. precise: compute half types in float32.

    Shape: that of a.

    Dtype: floating-point dtypes stay; integers and bool give float32. precise: half types are summed in float32.

    Raises: AxisError for an axis out of range, ValueError for one given twice.

    Example:

        >>> mx.softmax(mx.array([[0.0, 0.0], [1.0, 3.0]]), axis=-1)
        array([[0.5, 0.5],
               [0.119203, 0.880797]], dtype=float32)
    """
def matmul(a: array, b: array, /, *, stream: _StreamOrDevice=None) -> array:
    """Matrix product over the last two axes; leading axes broadcast, and a vector counts as a row (a) or column (b).

    Shape: (..., m, k) and (..., k, n) give (..., m, n); leading axes broadcast, and a vector counts as one row or column.

    Dtype: any; the result has the dtype to which they promote. Integers and bool give that of sum, and wrap.

    Raises: ValueError where the shapes do not fit.

    Example:

        >>> mx.matmul(mx.array([[1, 2], [3, 4]]), mx.array([5, 6]))
        array([17, 39], dtype=int32)
    """
def addmm(c: array, a: array, b: array, /, alpha: float=1.0, beta: float=1.0, *, stream: _StreamOrDevice=None) -> array:
    """alpha * (a @ b) + beta * c. c broadcasts to the product.

    Shape: a (..., m, k) and b (..., k, n) give (..., m, n), to which c broadcasts.

    Dtype: floating-point or complex; the result has the dtype to which they promote.

    Raises: ValueError where the shapes do not fit, or for integers.

    Example:

        >>> mx.addmm(mx.ones((2, 2)), mx.eye(2), mx.eye(2), alpha=2.0, beta=0.5)
        array([[2.5, 0.5],
               [0.5, 2.5]], dtype=float32)
    """
def einsum(subscripts: str, *operands: array, stream: _StreamOrDevice=None) -> array:
    """Sum of products over the axes that subscripts name (Einstein's convention).

    subscripts: one letter per axis of each operand, separated by commas, and after '->' those of the result; without it the letters that appear once, sorted. '...' stands for leading axes, which broadcast, as do sizes of 1. A letter twice in an operand is its diagonal. Sums of integers have the dtype of sum. Operands are contracted in pairs, in the order of einsum_path.

        mx.einsum('bij,bjk->bik', a, b)

    Shape: as the subscripts say; a letter has one size, and "..." broadcasts.

    Dtype: any; the result has the dtype to which they promote. Integers and bool give that of sum, and wrap.

    Raises: ValueError for subscripts that cannot be read, or do not fit the operands.

    Example:

        >>> mx.einsum("ij,jk->ik", mx.ones((2, 3)), mx.ones((3, 2)))
        array([[3, 3],
               [3, 3]], dtype=float32)
    """
def einsum_path(subscripts: str, *operands: array) -> tuple[list[tuple[int, ...]], str]:
    """The order in which einsum contracts its operands, and a description of the cost: a list of the places of the operands that each step joins, whose result goes to the end.

    Shape: as for einsum; nothing is computed.

    Dtype: any.

    Raises: ValueError for subscripts that cannot be read, or do not fit the operands.

    Example:

        >>> path, report = mx.einsum_path("ij,jk,kl->il", mx.ones((2, 9)), mx.ones((9, 9)), mx.ones((9, 2)))
        >>> path
        [(0, 1), (0, 1)]
    """
def kron(a: array, b: array, *, stream: _StreamOrDevice=None) -> array:
    """Kronecker product: every element of a times b, as blocks.

    Shape: the product of the sizes, axis by axis; missing axes count as 1.

    Dtype: any; the result has the dtype to which they promote.

    Raises: TypeError for what is no array.

    Example:

        >>> mx.kron(mx.array([1, 2]), mx.array([1, 1, 0]))
        array([1, 1, 0, 2, 2, 0], dtype=int32)
    """
def vecdot(a: array, b: array, /, axis: int=-1, *, stream: _StreamOrDevice=None) -> array:
    """Sum of conj(a) * b along an axis; the other axes broadcast, and integers have the dtype of sum. A negative axis needs inputs with equally many axes.

    Shape: the operands broadcast and the axis disappears; a negative axis needs equally many axes.

    Dtype: any; the result has the dtype to which they promote. Integers and bool give that of sum, and wrap.

    Raises: AxisError for an axis out of range, ValueError where the sizes differ.

    Example:

        >>> mx.vecdot(mx.array([[1, 2], [3, 4]]), mx.array([[1, 1]]))
        array([3, 7], dtype=int32)
    """
def hadamard_transform(a: array, /, scale: float | None=None, *, stream: _StreamOrDevice=None) -> array:
    """scale * H a over the last axis, whose size is a power of two times 1, 12, 20 or 28, with a Hadamard matrix H; scale is 1 / sqrt(size) by default. Integers become float32.

    Shape: that of a, whose last axis has m * 2^k elements, m being 1, 12, 20 or 28.

    Dtype: floating-point stays; integers give float32. scale is 1 / sqrt(n) by default.

    Raises: ValueError for another size, or complex64.

    Example:

        >>> mx.hadamard_transform(mx.array([1.0, 0.0, 0.0, 1.0]))
        array([1, 0, 0, 1], dtype=float32)
    """
def conv1d(input: array, weight: array, /, stride: int=1, padding: int=0, dilation: int=1, groups: int=1, *, stream: _StreamOrDevice=None) -> array:
    """Cross-correlation over one axis.

    input: (batch, length, channels). weight: (outputs, length, channels / groups).

    Options: stride, padding (zeros on both sides) and dilation (of the kernel) are an int, or one per axis; groups splits
        the channels.

    Shape: input (N, L, C), weight (O, K, C / groups); the result is (N, L', O).

    Dtype: real floating-point; the result has the dtype to which input and weight promote.

    Raises: ValueError for shapes, groups or options that do not fit each other.

    Example:

        >>> mx.conv1d(mx.ones((1, 5, 1)), mx.ones((1, 3, 1))).flatten()
        array([3, 3, 3], dtype=float32)
    """
def conv2d(input: array, weight: array, /, stride: int | tuple[int, int]=1, padding: int | tuple[int, int]=0, dilation: int | tuple[int, int]=1, groups: int=1, *, stream: _StreamOrDevice=None) -> array:
    """Cross-correlation over two axes.

    input: (batch, height, width, channels). weight: (outputs, height, width, channels / groups).

    Options: stride, padding (zeros on both sides) and dilation (of the kernel) are an int, or one per axis; groups splits
        the channels.

    Shape: input (N, H, W, C), weight (O, KH, KW, C / groups); the result is (N, H', W', O).

    Dtype: real floating-point; the result has the dtype to which input and weight promote.

    Raises: ValueError for shapes, groups or options that do not fit each other.

    Example:

        >>> mx.conv2d(mx.ones((1, 8, 8, 3)), mx.ones((4, 3, 3, 3)), padding=1).shape
        (1, 8, 8, 4)
    """
def conv3d(input: array, weight: array, /, stride: int | tuple[int, int, int]=1, padding: int | tuple[int, int, int]=0, dilation: int | tuple[int, int, int]=1, groups: int=1, *, stream: _StreamOrDevice=None) -> array:
    """Cross-correlation over three axes.

    input: (batch, depth, height, width, channels). weight: (outputs, depth, height, width, channels / groups).

    Options: stride, padding (zeros on both sides) and dilation (of the kernel) are an int, or one per axis; groups splits
        the channels.

    Shape: input (N, D, H, W, C), weight (O, KD, KH, KW, C / groups); the result is (N, D', H', W', O).

    Dtype: real floating-point; the result has the dtype to which input and weight promote.

    Raises: ValueError for shapes, groups or options that do not fit each other.

    Example:

        >>> mx.conv3d(mx.ones((1, 4, 4, 4, 2)), mx.ones((3, 2, 2, 2, 2)), stride=2).shape
        (1, 2, 2, 2, 3)
    """
def conv_general(input: array, weight: array, /, stride: int | Sequence[int]=1, padding: int | Sequence[int] | tuple[Sequence[int], Sequence[int]]=0, kernel_dilation: int | Sequence[int]=1, input_dilation: int | Sequence[int]=1, groups: int=1, flip: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Cross-correlation over one to three axes; flip makes it a convolution.

    padding: an int, one per axis, or a pair of lists (before, after).

    Options: stride, padding, kernel_dilation and input_dilation are an int or one per axis; a pair of lists pads begin
        and end; flip turns the kernel around; groups splits the channels.

    Shape: input (N, *sizes, C), weight (O, *kernel, C / groups); the result is (N, *sizes', O), for one to three axes.

    Dtype: real floating-point; the result has the dtype to which input and weight promote.

    Raises: ValueError for shapes, groups or options that do not fit each other.

    Example:

        >>> mx.conv_general(mx.ones((1, 5, 1)), mx.ones((1, 2, 1)), padding=([1], [0])).flatten()
        array([1, 2, 2, 2, 2], dtype=float32)
    """
def conv_transpose1d(input: array, weight: array, /, stride: int=1, padding: int=0, dilation: int=1, output_padding: int=0, groups: int=1, *, stream: _StreamOrDevice=None) -> array:
    """Transposed convolution over one axis.

    input: (batch, length, channels). weight: (outputs, length, channels / groups). output_padding: added to the length of the result.

    Options: stride, padding (cut from both sides), dilation and output_padding (added at the end) are an int, or one per
        axis; groups splits the channels.

    Shape: input (N, L, C), weight (O, K, C / groups); the result is (N, L', O).

    Dtype: real floating-point; the result has the dtype to which input and weight promote.

    Raises: ValueError for shapes, groups or options that do not fit each other.

    Example:

        >>> mx.conv_transpose1d(mx.ones((1, 2, 1)), mx.ones((1, 2, 1)), stride=2).flatten()
        array([1, 1, 1, 1], dtype=float32)
    """
def conv_transpose2d(input: array, weight: array, /, stride: int | tuple[int, int]=1, padding: int | tuple[int, int]=0, dilation: int | tuple[int, int]=1, output_padding: int | tuple[int, int]=0, groups: int=1, *, stream: _StreamOrDevice=None) -> array:
    """Transposed convolution over two axes.

    input: (batch, height, width, channels). weight: (outputs, height, width, channels / groups). output_padding: added to the sizes of the result.

    Options: stride, padding (cut from both sides), dilation and output_padding (added at the end) are an int, or one per
        axis; groups splits the channels.

    Shape: input (N, H, W, C), weight (O, KH, KW, C / groups); the result is (N, H', W', O).

    Dtype: real floating-point; the result has the dtype to which input and weight promote.

    Raises: ValueError for shapes, groups or options that do not fit each other.

    Example:

        >>> mx.conv_transpose2d(mx.ones((1, 4, 4, 3)), mx.ones((2, 2, 2, 3)), stride=2).shape
        (1, 8, 8, 2)
    """
def conv_transpose3d(input: array, weight: array, /, stride: int | tuple[int, int, int]=1, padding: int | tuple[int, int, int]=0, dilation: int | tuple[int, int, int]=1, output_padding: int | tuple[int, int, int]=0, groups: int=1, *, stream: _StreamOrDevice=None) -> array:
    """Transposed convolution over three axes.

    input: (batch, depth, height, width, channels). weight: (outputs, depth, height, width, channels / groups). output_padding: added to the sizes of the result.

    Options: stride, padding (cut from both sides), dilation and output_padding (added at the end) are an int, or one per
        axis; groups splits the channels.

    Shape: input (N, D, H, W, C), weight (O, KD, KH, KW, C / groups); the result is (N, D', H', W', O).

    Dtype: real floating-point; the result has the dtype to which input and weight promote.

    Raises: ValueError for shapes, groups or options that do not fit each other.

    Example:

        >>> mx.conv_transpose3d(mx.ones((1, 2, 2, 2, 1)), mx.ones((1, 2, 2, 2, 1)), stride=2).shape
        (1, 4, 4, 4, 1)
    """
def convolve(a: array, v: array, /, mode: str='full', *, stream: _StreamOrDevice=None) -> array:
    """Convolution of two vectors. mode: 'full', 'same' (the length of the longer one) or 'valid' (where they overlap wholly). Integers become float32.

    Options: mode is "full", "same" or "valid"; v is the kernel, which is turned around.

    Shape: (n,) and (k,) give (n + k - 1,) for "full", the longer one's for "same", |n - k| + 1 elements for "valid".

    Dtype: floating-point or complex64; integers give float32.

    Raises: ValueError for more than one axis, empty arrays or another mode.

    Example:

        >>> mx.convolve(mx.array([1.0, 2.0, 3.0]), mx.array([0.0, 1.0, 0.5]))
        array([0, 1, 2.5, 4, 1.5], dtype=float32)
    """
def quantize(w: array, /, group_size: int | None=None, bits: int | None=None, mode: str='affine', global_scale: array | None=None, *, stream: _StreamOrDevice=None) -> list[array]:
    """The packed codes of w, its scales and, for affine, its biases.

    Groups of values along the last axis share a scale. Modes (group size, bits): affine (32, 64 or 128; 1 to 6 or 8; by default 64, 4), mxfp4 (32, 4), mxfp8 (32, 8), nvfp4 (16, 4).
    w: real floating-point, at least two dimensions, the last divisible by the group size.
    global_scale: one float32, for nvfp4 only.
    Returns uint32 of shape (..., n * bits / 32) and scales and biases of shape (..., n / group_size), uint8 for modes other than affine.

    Shape: w (..., n), n divisible by group_size: codes (..., n * bits / 32), scales (and biases) (..., n / group_size).

    Dtype: floating-point; codes are uint32, scales and biases have w's dtype ("affine") or are uint8 (other modes).

    Raises: ValueError for an unknown mode, a group size or number of bits that it lacks, or shapes that do not fit.

    Example:

        >>> codes, scales, biases = mx.quantize(mx.arange(64.0).reshape(1, 64), group_size=64, bits=4)
        >>> codes.shape, scales.shape
        ((1, 8), (1, 1))
    """
def dequantize(w: array, /, scales: array, biases: array | None=None, group_size: int | None=None, bits: int | None=None, mode: str='affine', global_scale: array | None=None, dtype: Dtype | None=None, *, stream: _StreamOrDevice=None) -> array:
    """The values of a quantized array: scale * code + bias.

    dtype: by default that of scales and biases for affine, bfloat16 for the other modes, float32 with a global scale.

    Options: mode is "affine", "mxfp4", "mxfp8" or "nvfp4"; group_size elements share a scale; bits per code; both by
        default what the mode has.

    Shape: (..., n) for codes of (..., n * bits / 32).

    Dtype: that of the scales, bfloat16 for uint8 scales, or the one given.

    Raises: ValueError for an unknown mode, a group size or number of bits that it lacks, or shapes that do not fit.

    Example:

        >>> w = mx.array([[0.0, 15.0] * 16])
        >>> bool(mx.array_equal(mx.dequantize(*mx.quantize(w, group_size=32), group_size=32), w))
        True
    """
def to_fp8(x: array, /, *, stream: _StreamOrDevice=None) -> array:
    """The uint8 codes of 8-bit floats, e4m3 without infinity: nearest even, saturating at 448; NaN becomes 448.

    Shape: that of x.

    Dtype: floating-point; the result holds E4M3 codes as uint8. Larger values saturate.

    Raises: ValueError for other dtypes.

    Example:

        >>> mx.to_fp8(mx.array([0.0, 1.0, 1000.0]))
        array([0, 56, 126], dtype=uint8)
    """
def from_fp8(x: array, /, dtype: Dtype=bfloat16, *, stream: _StreamOrDevice=None) -> array:
    """The values of 8-bit floats given as uint8 codes of e4m3.

    Shape: that of x.

    Dtype: uint8 codes of E4M3; the result has the floating-point dtype asked for.

    Raises: ValueError for other dtypes.

    Example:

        >>> mx.from_fp8(mx.array([0, 56], dtype=mx.uint8), dtype=mx.float32)
        array([0, 1], dtype=float32)
    """
def quantized_matmul(x: array, w: array, /, scales: array, biases: array | None=None, transpose: bool=True, group_size: int | None=None, bits: int | None=None, mode: str='affine', *, stream: _StreamOrDevice=None) -> array:
    """x @ dequantize(w).T, or x @ dequantize(w) where transpose is False.

    Leading axes broadcast; a vector x counts as a row. Differentiable by x and by affine scales and biases.

    Options: mode is "affine", "mxfp4", "mxfp8" or "nvfp4"; group_size elements share a scale; bits per code; both by
        default what the mode has.

    Shape: x (..., m, k), codes of (n, k) with transpose, else of (k, n); the result is (..., m, n).

    Dtype: floating-point x; the result has the dtype to which x and the scales promote.

    Raises: ValueError for an unknown mode, a group size or number of bits that it lacks, or shapes that do not fit.

    Example:

        >>> q = mx.quantize(mx.ones((32, 64)))
        >>> mx.quantized_matmul(mx.ones((2, 64)), *q).shape
        (2, 32)
    """
def gather_qmm(x: array, w: array, /, scales: array, biases: array | None=None, lhs_indices: array | None=None, rhs_indices: array | None=None, transpose: bool=True, group_size: int | None=None, bits: int | None=None, mode: str='affine', global_scale: array | None=None, *, sorted_indices: bool=False, stream: _StreamOrDevice=None) -> array:
    """quantized_matmul of the matrices that the indices name.

    The indices count over the flattened leading axes of x and of w and broadcast; the result has their shape and that of one product. By default they name all matrices. An index out of range raises when the result is evaluated.
    global_scale: float32, one per matrix of w, nvfp4 only.

    Options: mode is "affine", "mxfp4", "mxfp8" or "nvfp4"; group_size elements share a scale; bits per code; both by
        default what the mode has.

    Shape: x (*p, m, k), codes of (*q, n, k); the index arrays broadcast to s, and the result is (*s, m, n).

    Dtype: floating-point values, uint32 codes; scales and biases are those that quantize made.

    Raises: ValueError as quantized_matmul, AxisError at evaluation for an index out of range.

    Example:

        >>> q = mx.quantize(mx.ones((4, 32, 64)))
        >>> mx.gather_qmm(mx.ones((1, 64)), *q, rhs_indices=mx.array([3, 0])).shape
        (2, 1, 32)
    """
def qqmm(x: array, w: array, /, scales: array | None=None, group_size: int | None=None, bits: int | None=None, mode: str='nvfp4', global_scale_x: array | None=None, global_scale_w: array | None=None, *, stream: _StreamOrDevice=None) -> array:
    """The product of x and w.T, x quantized in the mode of w.

    w: two dimensions, packed with scales, or floating-point and then quantized too. Derivatives pass straight through the rounding of x and of an unpacked w.

    Options: mode is "affine", "mxfp4", "mxfp8" or "nvfp4"; group_size elements share a scale; bits per code; both by
        default what the mode has.

    Shape: x (m, k), w (n, k), or its codes with scales; the result is (m, n).

    Dtype: floating-point x, quantized on the way; the result has x's.

    Raises: ValueError for an unknown mode, a group size or number of bits that it lacks, or shapes that do not fit.

    Example:

        >>> mx.qqmm(mx.ones((2, 64)), mx.ones((32, 64))).shape
        (2, 32)
    """
def gather_qqmm(x: array, w: array, /, scales: array | None=None, lhs_indices: array | None=None, rhs_indices: array | None=None, group_size: int | None=None, bits: int | None=None, mode: str='nvfp4', global_scale_x: array | None=None, global_scale_w: array | None=None, *, sorted_indices: bool=False, stream: _StreamOrDevice=None) -> array:
    """qqmm of the matrices that the indices name; see gather_qmm.

    Options: mode is "affine", "mxfp4", "mxfp8" or "nvfp4"; group_size elements share a scale; bits per code; both by
        default what the mode has.

    Shape: x (*p, m, k), w (*q, n, k); the index arrays broadcast to s, and the result is (*s, m, n).

    Dtype: floating-point x, quantized on the way; the result has x's.

    Raises: ValueError as qqmm, AxisError at evaluation for an index out of range.

    Example:

        >>> mx.gather_qqmm(mx.ones((1, 64)), mx.ones((4, 32, 64)), rhs_indices=mx.array([3, 0])).shape
        (2, 1, 32)
    """
def gather_mm(a: array, b: array, /, lhs_indices: array | None=None, rhs_indices: array | None=None, *, sorted_indices: bool=False, stream: _StreamOrDevice=None) -> array:
    """matmul of the matrices that the indices name.

    The indices count over the flattened leading axes of a and of b, negative ones from the end, and broadcast; the result has their shape and that of one product. By default they name all matrices. An index out of range raises when the result is evaluated.

    Options: lhs_indices and rhs_indices choose matrices of a and b, by default all; sorted_indices promises that they
        ascend.

    Shape: a (*p, m, k), b (*q, k, n); the index arrays broadcast to s, and the result is (*s, m, n).

    Dtype: floating-point; the result has the dtype to which they promote. Indices are integers.

    Raises: ValueError where the shapes do not fit, AxisError at evaluation for an index out of range.

    Example:

        >>> mx.gather_mm(mx.ones((3, 1, 2)), mx.ones((4, 2, 5)), rhs_indices=mx.array([3, 0, 0])).shape
        (3, 1, 5)
    """
def block_masked_mm(a: array, b: array, /, block_size: int=64, mask_out: array | None=None, mask_lhs: array | None=None, mask_rhs: array | None=None, *, stream: _StreamOrDevice=None) -> array:
    """matmul with blocks of block_size rows and columns masked: a bool mask keeps or zeroes, another is a factor.

    The masks have one entry per block of the result, of a and of b; their leading axes broadcast. block_size: 32 or 64.

    Shape: as matmul. mask_lhs (..., m / s, k / s), mask_rhs (..., k / s, n / s), mask_out (..., m / s, n / s) for blocks of s.

    Dtype: floating-point; masks are bool or factors.

    Raises: ValueError where the shapes do not fit.

    Example:

        >>> a = mx.ones((32, 64))
        >>> mx.block_masked_mm(a, a.T, 32, mask_lhs=mx.array([[True, False]]))[0, 0]
        array(32, dtype=float32)
    """
def segmented_mm(a: array, b: array, /, segments: array, *, stream: _StreamOrDevice=None) -> array:
    """a[:, start:end] @ b[start:end] for each of the segments (..., 2).

    A segment without elements gives zeros; one that leaves the operands raises when the result is evaluated.

    Shape: a (m, k), b (k, n) and segments (*s, 2), pairs of begin and end along k; the result is (*s, m, n).

    Dtype: floating-point; the result has the dtype to which they promote. Segments are integers.

    Raises: ValueError where the shapes do not fit, AxisError at evaluation for a segment out of range.

    Example:

        >>> mx.segmented_mm(mx.ones((1, 4)), mx.ones((4, 1)), mx.array([[0, 1], [1, 4]])).flatten()
        array([1, 3], dtype=float32)
    """
def array_equal(a: _Scalar | array, b: _Scalar | array, /, *, equal_nan: bool=False, stream: _StreamOrDevice=None) -> array:
    """Whether two arrays have the same shape and elements: a bool array of shape ().

    Dtypes are promoted. With equal_nan NaN equals NaN.

    Shape: any two; arrays of different shapes are not equal. The result is a scalar.

    Dtype: any; they are promoted for the comparison, and the result is bool.

    Raises: ValueError for what is neither a number nor an array.

    Example:

        >>> mx.array_equal(mx.array([1, 2]), mx.array([1.0, 2.0]))
        array(True, dtype=bool)
    """
def isclose(a: array, b: array, /, rtol: float=1e-05, atol: float=1e-08, *, equal_nan: bool=False, stream: _StreamOrDevice=None) -> array:
    """Where |a - b| <= atol + rtol |b|. Equal infinities are close; with equal_nan two NaN are.

    Shape: the operands broadcast.

    Dtype: any; they are promoted for the comparison, and the result is bool.

    Raises: ValueError where the shapes do not broadcast.

    Example:

        >>> mx.isclose(mx.array([1.0, mx.nan]), mx.array([1.000001, mx.nan]), equal_nan=True)
        array([True, True], dtype=bool)
    """
def allclose(a: array, b: array, /, rtol: float=1e-05, atol: float=1e-08, *, equal_nan: bool=False, stream: _StreamOrDevice=None) -> array:
    """Whether all elements are close, see isclose: a bool array of shape ().

    Options: elements are close if |a - b| <= atol + rtol * |b|; equal_nan counts two NaN as close.

    Shape: the operands broadcast; the result is a scalar.

    Dtype: any; they are promoted for the comparison, and the result is bool.

    Raises: ValueError where the shapes do not broadcast.

    Example:

        >>> mx.allclose(mx.array([1.0, 2.0]), mx.array([1.0, 2.1]))
        array(False, dtype=bool)
    """
def clip(a: array, /, a_min: _Scalar | array | None, a_max: _Scalar | array | None, *, stream: _StreamOrDevice=None) -> array:
    """Elements limited to [a_min, a_max]; None for no limit on that side. Bounds broadcast.

    Raises ValueError when both are None.

    Shape: the operands broadcast.

    Dtype: that to which the operands promote.

    Raises: ValueError where both bounds are None or shapes do not broadcast.

    Example:

        >>> mx.clip(mx.array([-1.0, 0.5, 2.0]), 0, 1)
        array([0, 0.5, 1], dtype=float32)
        >>> mx.clip(mx.array([1, 5]), None, 3)
        array([1, 3], dtype=int32)
    """
def nan_to_num(a: _Scalar | array, /, nan: float=0.0, posinf: float | None=None, neginf: float | None=None, *, stream: _StreamOrDevice=None) -> array:
    """NaN replaced by nan, infinities by posinf and neginf (the dtype's largest and lowest values by default).

    Shape: that of the operand.

    Dtype: any; that of the operand. Infinities become the largest finite values by default.

    Raises: ValueError for what is neither a number nor an array.

    Example:

        >>> mx.nan_to_num(mx.array([mx.nan, mx.inf]), posinf=9.0)
        array([0, 9], dtype=float32)
    """
def inner(a: array, b: array, /, *, stream: _StreamOrDevice=None) -> array:
    """Sums of products over the last axis of both; of scalars, their product.

    Shape: (*p, k) and (*q, k) give (*p, *q).

    Dtype: any; the result has the dtype to which they promote. Integers and bool give that of sum, and wrap.

    Raises: ValueError where the shapes do not fit.

    Example:

        >>> mx.inner(mx.array([1, 2]), mx.array([3, 4]))
        array(11, dtype=int32)
    """
def outer(a: array, b: array, /, *, stream: _StreamOrDevice=None) -> array:
    """All products of an element of a with one of b, both flattened: shape (a.size, b.size).

    Shape: (a.size, b.size).

    Dtype: any; the result has the dtype to which they promote.

    Raises: TypeError for what is no array.

    Example:

        >>> mx.outer(mx.array([1, 2]), mx.array([3, 4]))
        array([[3, 4],
               [6, 8]], dtype=int32)
    """
def tensordot(a: array, b: array, /, axes: int | list[Sequence[int]]=2, *, stream: _StreamOrDevice=None) -> array:
    """Sums of products over axes.

    axes: how many of the last axes of a and the first of b, or a pair of lists of axes.

    Shape: the axes of a that are left, then those of b.

    Dtype: any; the result has the dtype to which they promote. Integers and bool give that of sum, and wrap.

    Raises: AxisError for an axis out of range, ValueError where the sizes differ.

    Example:

        >>> mx.tensordot(mx.ones((2, 3)), mx.ones((3, 2)), axes=1)
        array([[3, 3],
               [3, 3]], dtype=float32)
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

    Shape: any.

    Dtype: any that the format has.

    Raises: ValueError or RuntimeError for a file that is missing, truncated or of another format, naming it.

    Example:

        >>> path = os.path.join(folder, "x.npy")
        >>> mx.save(path, mx.array([1, 2]))
        >>> mx.load(path)
        array([1, 2], dtype=int32)
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

    Shape: any.

    Dtype: any that the format has.

    Raises: ValueError or RuntimeError for a file that is missing, truncated or of another format, naming it.

    Example:

        >>> path = os.path.join(folder, "x.npy")
        >>> mx.save(path, mx.array([1, 2]))
        >>> mx.load(path)
        array([1, 2], dtype=int32)
    """
def save(file: _File | str | pathlib.Path, arr: array) -> None:
    """Write an array as a .npy file.

    The suffix is added to a path that lacks it. An existing file is replaced once the new one is complete.

    Shape: any.

    Dtype: any; bfloat16 is kept as its bytes.

    Raises: RuntimeError where the file cannot be written.

    Example:

        >>> path = os.path.join(folder, "y.npy")
        >>> mx.save(path, mx.array([[1.5]]))
        >>> np.load(path).tolist()
        [[1.5]]
    """
def savez(file: _File | str | pathlib.Path, *args: array, **kwargs: array) -> None:
    """Write arrays as a .npz file: arrays given by position are named arr_0, arr_1 and so on.

    The suffix is added to a path that lacks it. An existing file is replaced once the new one is complete.

    Shape: any.

    Dtype: any.

    Raises: RuntimeError where the file cannot be written, ValueError for a name given twice.

    Example:

        >>> path = os.path.join(folder, "x.npz")
        >>> mx.savez(path, mx.array([1]), weight=mx.array([2]))
        >>> sorted(mx.load(path))
        ['arr_0', 'weight']
    """
def savez_compressed(file: _File | str | pathlib.Path, /, *args: array, **kwargs: array) -> None:
    """Write arrays as a .npz file with compression. The arguments are those of savez.

    Shape: any.

    Dtype: any.

    Raises: RuntimeError where the file cannot be written, ValueError for a name given twice.

    Example:

        >>> path = os.path.join(folder, "z.npz")
        >>> mx.savez_compressed(path, weight=mx.zeros(1000))
        >>> mx.load(path)["weight"].shape
        (1000,)
    """
def save_safetensors(file: _File | str | pathlib.Path, arrays: dict[str, array], metadata: dict[str, str] | None=None) -> None:
    """Write named arrays, and strings about them, as a .safetensors file.

    The suffix is added to a path that lacks it. An existing file is replaced once the new one is complete; arrays
    that were loaded from it stay valid.

    Options: metadata are strings by name.

    Shape: any.

    Dtype: any.

    Raises: RuntimeError where the file cannot be written, TypeError for what is no dict of arrays.

    Example:

        >>> path = os.path.join(folder, "x.safetensors")
        >>> mx.save_safetensors(path, {"weight": mx.array([1.0])}, metadata={"epoch": "3"})
        >>> mx.load(path, return_metadata=True)[1]["epoch"]
        '3'
    """
def save_gguf(file: str | pathlib.Path, arrays: dict[str, array], metadata: dict[str, array | str | list[str]] | None=None) -> None:
    """Write named arrays and metadata (numbers as arrays of at most one axis, strings, lists of strings) as a .gguf file.

    The suffix is added to a path that lacks it. RuntimeError for a dtype that the format lacks. An existing file is replaced once the new one is complete.

    Shape: any.

    Dtype: any but bool, complex64 and the unsigned ones.

    Raises: RuntimeError for a dtype that the format lacks, or where the file cannot be written.

    Example:

        >>> path = os.path.join(folder, "x.gguf")
        >>> mx.save_gguf(path, {"weight": mx.array([1.0])}, {"general.name": "tiny"})
        >>> mx.load(path)["weight"]
        array([1], dtype=float32)
    """
def set_printoptions(precision: int=-1) -> None:
    """Print floats with a fixed number of digits after the point; -1 prints six significant digits.

    Raises: TypeError where precision is no int.

    Example:

        >>> mx.set_printoptions(precision=2)
        >>> mx.array([mx.pi])
        array([3.14], dtype=float32)
        >>> mx.set_printoptions(precision=-1)
    """
def get_printoptions() -> PrintOptions:
    """The options in force.

    Raises: nothing.

    Example:

        >>> mx.get_printoptions().precision
        -1
    """
def printoptions(precision: int=-1) -> _PrintOptionsContext:
    """A context for `with` that prints floats with a fixed number of digits.

    Raises: TypeError where precision is no int.

    Example:

        >>> with mx.printoptions(precision=2):
        ...     print(mx.array([mx.pi]))
        array([3.14], dtype=float32)
    """
def grad(fun: Callable[_P, _R], argnums: int | Sequence[int] | None=None, argnames: str | Sequence[str]=[]) -> Callable[_P, Any]:
    """A function that computes the gradient of `fun`, which must return a scalar array.

    argnums, argnames: the positional and keyword arguments to differentiate, by default the first. Each is an
    array or a tree of arrays, and its gradient has the same form; several positional ones give a tuple. With
    argnames the result is a pair (positional gradients or None, dict of named gradients).

    Raises: ValueError where fun returns no scalar array, or argnums name missing arguments; TypeError where fun cannot be
        called.

    Example:

        >>> mx.grad(lambda x: x**3)(mx.array(2.0))
        array(12, dtype=float32)
        >>> mx.grad(lambda p: (p["w"] ** 2).sum())({"w": mx.array([1.0, 2.0])})
        {'w': array([2, 4], dtype=float32)}
    """
def value_and_grad(fun: Callable[_P, _R], argnums: int | Sequence[int] | None=None, argnames: str | Sequence[str]=[]) -> Callable[_P, tuple[_R, Any]]:
    """A function that computes the value and the gradient of `fun`.

    `fun` returns a scalar array, or a tuple that starts with one; the rest is passed through. The arguments are
    those of grad.

    Raises: ValueError where fun returns no scalar array first, or argnums name missing arguments.

    Example:

        >>> mx.value_and_grad(lambda x: x**3)(mx.array(2.0))
        (array(8, dtype=float32), array(12, dtype=float32))
    """
def vjp(fun: Callable[..., Any], primals: list[array], cotangents: list[array]) -> tuple[list[array], list[array]]:
    """The outputs of `fun` at the primals, and the products of the cotangents with its Jacobian.

    Shape: cotangents have those of the outputs; the products those of the primals.

    Dtype: floating-point or complex; the products have those of the primals.

    Raises: ValueError for numbers or shapes of cotangents that do not fit the outputs.

    Example:

        >>> mx.vjp(lambda x: x**2, [mx.array([1.0, 2.0])], [mx.array([1.0, 1.0])])[1]
        [array([2, 4], dtype=float32)]
    """
def jvp(fun: Callable[..., Any], primals: list[array], tangents: list[array]) -> tuple[list[array], list[array]]:
    """The outputs of `fun` at the primals, and the products of its Jacobian with the tangents.

    Shape: tangents have those of the primals; the products those of the outputs.

    Dtype: floating-point or complex; the products have those of the outputs.

    Raises: ValueError for numbers or shapes of tangents that do not fit the primals.

    Example:

        >>> mx.jvp(mx.sin, [mx.array([0.0])], [mx.array([2.0])])[1]
        [array([2], dtype=float32)]
    """
def vmap(fun: Callable[_P, _R], in_axes: object=0, out_axes: object=0) -> Callable[_P, _R]:
    """A function that applies `fun` along an axis of its arguments.

    in_axes: the batch axis of the arguments: an int for all, or a tuple with an int, None (not batched) or a
    tree of them per argument. out_axes: where the batch axis of the results goes.

    Raises: AxisError for a batch axis that an argument lacks, ValueError where batch sizes differ.

    Example:

        >>> mx.vmap(lambda x, y: x @ y)(mx.ones((3, 2)), mx.ones((3, 2)))
        array([2, 2, 2], dtype=float32)
        >>> mx.vmap(mx.add, in_axes=(0, None))(mx.array([1, 2]), mx.array(10))
        array([11, 12], dtype=int32)
    """
def checkpoint(fun: Callable[_P, _R]) -> Callable[_P, _R]:
    """The function, computed again in the backward pass instead of keeping its intermediate results.

    Options: fun takes and returns arrays or trees of arrays.

    Raises: TypeError for a function or arguments of other types, and what the function raises.

    Example:

        >>> f = mx.checkpoint(lambda x: mx.exp(mx.sin(x)))
        >>> mx.grad(f)(mx.array(0.0))
        array(1, dtype=float32)
    """
def compile(fun: Callable[_P, _R], inputs: object | None=None, outputs: object | None=None, shapeless: bool=False) -> Callable[_P, _R]:
    """A function that is traced once per shapes, dtypes and constants of its arguments, and then run as a fused program.

    Arguments are trees of arrays and constants. inputs, outputs: containers of arrays that the function reads and
    changes besides its arguments, such as model.state or mx.random.state. shapeless: keep the program for other sizes.

    Raises: what the function raises; ValueError for arguments that are neither arrays nor constants, and where the
        function asks for the value of an array.

    Example:

        >>> @mx.compile
        ... def gelu(x):
        ...     return x * (1 + mx.erf(x / 2**0.5)) / 2
        >>> gelu(mx.array([-1.0, 0.0, 1.0]))
        array([-0.158655, 0, 0.841345], dtype=float32)
    """
def disable_compile() -> None:
    """Let compiled functions call their function directly.

    Raises: nothing.

    Example:

        >>> mx.disable_compile()
        >>> mx.enable_compile()
    """
def enable_compile() -> None:
    """Let compiled functions run their programs again.

    Raises: nothing.

    Example:

        >>> mx.enable_compile()
    """
def export_function(file_or_callback: str | Callable[..., Any], /, fun: Callable[..., Any], *args: Any, shapeless: bool=False, metadata: str | None=None, **kwargs: Any) -> None:
    """Write a function, traced for example arrays, to a file that import_function reads.

    Inputs and results are arrays. shapeless: the trace serves all inputs with as many axes, unless the function depends on a size. With a callback instead of a file it gets one dict per step of the program: inputs, keyword_inputs, outputs, constants, then each primitive.

    Options: args and kwargs are example inputs; metadata is a text beside the function.

    Raises: RuntimeError where the file cannot be written, ValueError for a function that cannot be traced.

    Example:

        >>> path = os.path.join(folder, "f.mlxfn")
        >>> mx.export_function(path, lambda x: x * 2, mx.array([1.0]))
        >>> mx.import_function(path)(mx.array([3.0]))
        (array([6], dtype=float32),)
    """
@overload
def import_function(file: str, return_metadata: Literal[False]=False) -> Callable[..., tuple[array, ...]]:
    """Read a function that export_function wrote. A file holds a program: import only what you trust.

    RuntimeError names the file and what is wrong with it.

    Options: return_metadata gives a pair with the text beside the function.

    Raises: RuntimeError for a file that is missing or broken; calls raise ValueError for inputs that were not traced.

    Example:

        >>> path = os.path.join(folder, "g.mlxfn")
        >>> mx.export_function(path, lambda x, y: x + y, mx.array([1]), mx.array([2]))
        >>> mx.import_function(path)(mx.array([3]), mx.array([4]))
        (array([7], dtype=int32),)
    """
@overload
def import_function(file: str, return_metadata: Literal[True]) -> tuple[Callable[..., tuple[array, ...]], str]:
    """Read a function that export_function wrote. A file holds a program: import only what you trust.

    RuntimeError names the file and what is wrong with it.

    Options: return_metadata gives a pair with the text beside the function.

    Raises: RuntimeError for a file that is missing or broken; calls raise ValueError for inputs that were not traced.

    Example:

        >>> path = os.path.join(folder, "g.mlxfn")
        >>> mx.export_function(path, lambda x, y: x + y, mx.array([1]), mx.array([2]))
        >>> mx.import_function(path)(mx.array([3]), mx.array([4]))
        (array([7], dtype=int32),)
    """
def export_to_dot(file: str | _Writable, *args: Any, **kwargs: Any) -> None:
    """Draw the graph of arrays that are not evaluated yet, in the DOT language of Graphviz. Keywords name the arrays.

    Raises: OSError where the file cannot be written.

    Example:

        >>> text = io.StringIO()
        >>> mx.export_to_dot(text, mx.array(1.0) + 2)
        >>> text.getvalue().startswith("digraph")
        True
    """
def exporter(file: str, fun: Callable[..., Any], *, shapeless: bool=False, metadata: str | None=None) -> FunctionExporter:
    """An exporter of a function to a file, for several traces.

        with mx.exporter('f.mlxfn', f) as trace:
            trace(mx.zeros(3))
            trace(mx.zeros(3), y=mx.ones(3))

    Options: shapeless and metadata as for export_function.

    Raises: RuntimeError where the file cannot be written.

    Example:

        >>> path = os.path.join(folder, "h.mlxfn")
        >>> with mx.exporter(path, lambda x: x + 1) as trace:
        ...     trace(mx.zeros(2))
        ...     trace(mx.zeros(3))
        >>> mx.import_function(path)(mx.zeros(3))
        (array([1, 1, 1], dtype=float32),)
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
