"""Type stubs of mlx.core.fft. Written by tools/make_stubs.py."""

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

def fft(a: array, n: int | None=None, axis: int=-1, norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """Discrete Fourier transform (complex64) along one axis, cut or padded with zeros to length n.

    Shape: that of a; the axis has n elements (a is cut or padded with zeros).

    Dtype: any; computed and returned as complex64.

    Raises: AxisError for an axis out of range, ValueError for n < 1 or an unknown norm.

    Example:

        >>> mx.fft.fft(mx.array([1.0, 2.0, 3.0, 4.0]))
        array([10+0j, -2+2j, -2+0j, -2-2j], dtype=complex64)
    """
def fft2(a: array, s: tuple[int, ...] | None=None, axes: Sequence[int] | None=[-2, -1], norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """Discrete Fourier transform (complex64) along two axes, cut or padded with zeros to lengths s.

    Shape: that of a; the axes have the lengths s (a is cut or padded with zeros).

    Dtype: any; computed and returned as complex64.

    Raises: AxisError for an axis out of range, ValueError for one given twice, a length < 1, or an unknown norm.

    Example:

        >>> mx.fft.fft2(mx.eye(2))
        array([[2+0j, 0+0j],
               [0+0j, 2+0j]], dtype=complex64)
    """
def fftn(a: array, s: tuple[int, ...] | None=None, axes: Sequence[int] | None=None, norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """Discrete Fourier transform (complex64) along axes, by default all, cut or padded with zeros to lengths s.

    Shape: that of a; the axes have the lengths s (a is cut or padded with zeros).

    Dtype: any; computed and returned as complex64.

    Raises: AxisError for an axis out of range, ValueError for one given twice, a length < 1, or an unknown norm.

    Example:

        >>> mx.fft.fftn(mx.ones((2, 2, 2))).shape
        (2, 2, 2)
    """
def ifft(a: array, n: int | None=None, axis: int=-1, norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """Inverse discrete Fourier transform (complex64) along one axis, cut or padded with zeros to length n.

    Shape: that of a; the axis has n elements (a is cut or padded with zeros).

    Dtype: any; computed and returned as complex64.

    Raises: AxisError for an axis out of range, ValueError for n < 1 or an unknown norm.

    Example:

        >>> mx.fft.ifft(mx.array([10.0, -2.0, -2.0, -2.0]))
        array([1+0j, 3+0j, 3+0j, 3+0j], dtype=complex64)
    """
def ifft2(a: array, s: tuple[int, ...] | None=None, axes: Sequence[int] | None=[-2, -1], norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """Inverse discrete Fourier transform (complex64) along two axes, cut or padded with zeros to lengths s.

    Shape: that of a; the axes have the lengths s (a is cut or padded with zeros).

    Dtype: any; computed and returned as complex64.

    Raises: AxisError for an axis out of range, ValueError for one given twice, a length < 1, or an unknown norm.

    Example:

        >>> mx.fft.ifft2(mx.ones((2, 2)))
        array([[1+0j, 0+0j],
               [0+0j, 0+0j]], dtype=complex64)
    """
def ifftn(a: array, s: tuple[int, ...] | None=None, axes: Sequence[int] | None=None, norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """Inverse discrete Fourier transform (complex64) along axes, by default all, cut or padded with zeros to lengths s.

    Shape: that of a; the axes have the lengths s (a is cut or padded with zeros).

    Dtype: any; computed and returned as complex64.

    Raises: AxisError for an axis out of range, ValueError for one given twice, a length < 1, or an unknown norm.

    Example:

        >>> mx.fft.ifftn(mx.ones((2, 2, 2)))[0, 0]
        array([1+0j, 0+0j], dtype=complex64)
    """
def rfft(a: array, n: int | None=None, axis: int=-1, norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """The first half of the transform of real input (n // 2 + 1 values, complex64) along one axis, cut or padded with zeros to length n.

    Shape: that of a; the axis has n // 2 + 1 elements.

    Dtype: any, of complex ones the real part; the result is complex64.

    Raises: AxisError for an axis out of range, ValueError for n < 1 or an unknown norm.

    Example:

        >>> mx.fft.rfft(mx.array([1.0, 2.0, 3.0, 4.0]))
        array([10+0j, -2+2j, -2+0j], dtype=complex64)
    """
def rfft2(a: array, s: tuple[int, ...] | None=None, axes: Sequence[int] | None=[-2, -1], norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """The first half of the transform of real input (n // 2 + 1 values, complex64) along two axes, cut or padded with zeros to lengths s.

    Shape: that of a with lengths s; the last of the axes has s[-1] // 2 + 1 elements.

    Dtype: any, of complex ones the real part; the result is complex64.

    Raises: AxisError for an axis out of range, ValueError for one given twice, a length < 1, or an unknown norm.

    Example:

        >>> mx.fft.rfft2(mx.ones((2, 4))).shape
        (2, 3)
    """
def rfftn(a: array, s: tuple[int, ...] | None=None, axes: Sequence[int] | None=None, norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """The first half of the transform of real input (n // 2 + 1 values, complex64) along axes, by default all, cut or padded with zeros to lengths s.

    Shape: that of a with lengths s; the last of the axes has s[-1] // 2 + 1 elements.

    Dtype: any, of complex ones the real part; the result is complex64.

    Raises: AxisError for an axis out of range, ValueError for one given twice, a length < 1, or an unknown norm.

    Example:

        >>> mx.fft.rfftn(mx.ones((2, 2, 4))).shape
        (2, 2, 3)
    """
def irfft(a: array, n: int | None=None, axis: int=-1, norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """Real input (float32) of which half of the transform is given along one axis, cut or padded with zeros to length n.

    Shape: that of a; the axis has n elements, by default 2 (m - 1) for m given ones.

    Dtype: any; the result is float32.

    Raises: AxisError for an axis out of range, ValueError for n < 1 or an unknown norm.

    Example:

        >>> mx.fft.irfft(mx.array([10.0, -2.0, -2.0]))
        array([1, 3, 3, 3], dtype=float32)
    """
def irfft2(a: array, s: tuple[int, ...] | None=None, axes: Sequence[int] | None=[-2, -1], norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """Real input (float32) of which half of the transform is given along two axes, cut or padded with zeros to lengths s.

    Shape: that of a with lengths s; the last of the axes has 2 (m - 1) elements by default.

    Dtype: any; the result is float32.

    Raises: AxisError for an axis out of range, ValueError for one given twice, a length < 1, or an unknown norm.

    Example:

        >>> mx.fft.irfft2(mx.ones((2, 3))).shape
        (2, 4)
    """
def irfftn(a: array, s: tuple[int, ...] | None=None, axes: Sequence[int] | None=None, norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """Real input (float32) of which half of the transform is given along axes, by default all, cut or padded with zeros to lengths s.

    Shape: that of a with lengths s; the last of the axes has 2 (m - 1) elements by default.

    Dtype: any; the result is float32.

    Raises: AxisError for an axis out of range, ValueError for one given twice, a length < 1, or an unknown norm.

    Example:

        >>> mx.fft.irfftn(mx.ones((2, 2, 3))).shape
        (2, 2, 4)
    """
def fftfreq(n: int, d: float=1.0, stream: _StreamOrDevice=None) -> array:
    """The frequencies (float32) of fft's values for n samples d apart.

    Shape: (n,).

    Dtype: float32.

    Raises: ValueError for n < 1.

    Example:

        >>> mx.fft.fftfreq(4, d=0.5)
        array([0, 0.5, -1, -0.5], dtype=float32)
    """
def rfftfreq(n: int, d: float=1.0, stream: _StreamOrDevice=None) -> array:
    """The frequencies (float32) of rfft's values for n samples d apart.

    Shape: (n // 2 + 1,).

    Dtype: float32.

    Raises: ValueError for n < 1.

    Example:

        >>> mx.fft.rfftfreq(4, d=0.5)
        array([0, 0.5, 1], dtype=float32)
    """
def fftshift(a: array, axes: int | Sequence[int] | None=None, stream: _StreamOrDevice=None) -> array:
    """Move frequency 0 to the middle of the axes, by default all.

    Shape: that of a.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range.

    Example:

        >>> mx.fft.fftshift(mx.array([0, 1, -2, -1]))
        array([-2, -1, 0, 1], dtype=int32)
    """
def ifftshift(a: array, axes: int | Sequence[int] | None=None, stream: _StreamOrDevice=None) -> array:
    """Undo fftshift.

    Shape: that of a.

    Dtype: any; the result has a's.

    Raises: AxisError for an axis out of range.

    Example:

        >>> mx.fft.ifftshift(mx.array([-2, -1, 0, 1]))
        array([0, 1, -2, -1], dtype=int32)
    """
def stft(x: array, n_fft: int=2048, hop_length: int | None=None, win_length: int | None=None, window: array | None=None, center: bool=True, pad_mode: str='reflect', norm: str='backward', onesided: bool | None=None, stream: _StreamOrDevice=None) -> array:
    """Transforms of windows along the last axis, hop_length (n_fft // 4) apart: (..., frequencies, frames), complex64.

    center: pads n_fft // 2 values on both sides by pad_mode. onesided: the default for real x.

    Options: windows of n_fft values are hop_length (n_fft // 4) apart; window (ones) has win_length (n_fft) values and is
        centred in them; norm as for fft.

    Shape: (..., time) gives (..., frequencies, frames); frequencies are n_fft // 2 + 1 onesided, else n_fft.

    Dtype: any; the result is complex64.

    Raises: ValueError for lengths that do not fit each other or the signal.

    Example:

        >>> mx.fft.stft(mx.ones((64,)), n_fft=16).shape
        (9, 17)
    """
def istft(stft_matrix: array, n_fft: int | None=None, hop_length: int | None=None, win_length: int | None=None, window: array | None=None, center: bool=True, norm: str='backward', onesided: bool | None=None, length: int | None=None, stream: _StreamOrDevice=None) -> array:
    """The signal (float32) whose stft is given, by overlap-add over the sum of squared windows; 0 where that is 0.

    length: of the signal; a longer one goes on with what the last frame holds, then with zeros.

    Options: windows of n_fft values are hop_length (n_fft // 4) apart; window (ones) has win_length (n_fft) values and is
        centred in them; norm as for fft.

    Shape: (..., frequencies, frames) gives (..., time).

    Dtype: any; the result is float32.

    Raises: ValueError for lengths that do not fit each other.

    Example:

        >>> x = mx.sin(mx.arange(64) / 3)
        >>> mx.allclose(mx.fft.istft(mx.fft.stft(x, n_fft=16), length=64), x, atol=1e-5)
        array(True, dtype=bool)
    """
