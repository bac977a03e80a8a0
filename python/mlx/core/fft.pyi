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
    """Discrete Fourier transform (complex64) along one axis, cut or padded with zeros to length n."""
def fft2(a: array, s: tuple[int, ...] | None=None, axes: Sequence[int] | None=[-2, -1], norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """Discrete Fourier transform (complex64) along two axes, cut or padded with zeros to lengths s."""
def fftn(a: array, s: tuple[int, ...] | None=None, axes: Sequence[int] | None=None, norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """Discrete Fourier transform (complex64) along axes, by default all, cut or padded with zeros to lengths s."""
def ifft(a: array, n: int | None=None, axis: int=-1, norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """Inverse discrete Fourier transform (complex64) along one axis, cut or padded with zeros to length n."""
def ifft2(a: array, s: tuple[int, ...] | None=None, axes: Sequence[int] | None=[-2, -1], norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """Inverse discrete Fourier transform (complex64) along two axes, cut or padded with zeros to lengths s."""
def ifftn(a: array, s: tuple[int, ...] | None=None, axes: Sequence[int] | None=None, norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """Inverse discrete Fourier transform (complex64) along axes, by default all, cut or padded with zeros to lengths s."""
def rfft(a: array, n: int | None=None, axis: int=-1, norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """The first half of the transform of real input (n // 2 + 1 values, complex64) along one axis, cut or padded with zeros to length n."""
def rfft2(a: array, s: tuple[int, ...] | None=None, axes: Sequence[int] | None=[-2, -1], norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """The first half of the transform of real input (n // 2 + 1 values, complex64) along two axes, cut or padded with zeros to lengths s."""
def rfftn(a: array, s: tuple[int, ...] | None=None, axes: Sequence[int] | None=None, norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """The first half of the transform of real input (n // 2 + 1 values, complex64) along axes, by default all, cut or padded with zeros to lengths s."""
def irfft(a: array, n: int | None=None, axis: int=-1, norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """Real input (float32) of which half of the transform is given along one axis, cut or padded with zeros to length n."""
def irfft2(a: array, s: tuple[int, ...] | None=None, axes: Sequence[int] | None=[-2, -1], norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """Real input (float32) of which half of the transform is given along two axes, cut or padded with zeros to lengths s."""
def irfftn(a: array, s: tuple[int, ...] | None=None, axes: Sequence[int] | None=None, norm: str='backward', stream: _StreamOrDevice=None) -> array:
    """Real input (float32) of which half of the transform is given along axes, by default all, cut or padded with zeros to lengths s."""
def fftfreq(n: int, d: float=1.0, stream: _StreamOrDevice=None) -> array:
    """The frequencies (float32) of fft's values for n samples d apart."""
def rfftfreq(n: int, d: float=1.0, stream: _StreamOrDevice=None) -> array:
    """The frequencies (float32) of rfft's values for n samples d apart."""
def fftshift(a: array, axes: int | Sequence[int] | None=None, stream: _StreamOrDevice=None) -> array:
    """Move frequency 0 to the middle of the axes, by default all."""
def ifftshift(a: array, axes: int | Sequence[int] | None=None, stream: _StreamOrDevice=None) -> array:
    """Undo fftshift."""
def stft(x: array, n_fft: int=2048, hop_length: int | None=None, win_length: int | None=None, window: array | None=None, center: bool=True, pad_mode: str='reflect', norm: str='backward', onesided: bool | None=None, stream: _StreamOrDevice=None) -> array:
    """Transforms of windows along the last axis, hop_length (n_fft // 4) apart: (..., frequencies, frames), complex64.

    center: pads n_fft // 2 values on both sides by pad_mode. onesided: the default for real x.
    """
def istft(stft_matrix: array, n_fft: int | None=None, hop_length: int | None=None, win_length: int | None=None, window: array | None=None, center: bool=True, norm: str='backward', onesided: bool | None=None, length: int | None=None, stream: _StreamOrDevice=None) -> array:
    """The signal (float32) whose stft is given, by overlap-add over the sum of squared windows; 0 where that is 0."""
