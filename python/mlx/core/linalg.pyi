"""Type stubs of mlx.core.linalg. Written by tools/make_stubs.py."""

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

class LinAlgError(ValueError, RuntimeError):
    """A matrix that an operation of linear algebra cannot take."""

class QRResult(NamedTuple):
    Q: array
    R: array

class EigenResult(NamedTuple):
    eigenvalues: array
    eigenvectors: array

class SVDResult(NamedTuple):
    U: array
    S: array
    Vh: array

class SlogdetResult(NamedTuple):
    sign: array
    logabsdet: array

class ErrorContext:
    """Sets inside a with block what faulty matrices do."""
    def __enter__(self) -> None: ...
    def __exit__(self, exc_type: type[Any] | None=None, exc_value: object | None=None, traceback: object | None=None) -> None: ...

def norm(a: array, /, ord: None | int | float | str=None, axis: None | int | list[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Norm of vectors (one axis) or matrices (two axes).

    ord: any number for vectors; 1, -1, 2, -2, inf, -inf, 'fro' and 'nuc' for matrices; None is the square root of the sum of squares. Integers become float32; the norm of complex numbers is real. The gradient at 0 is NaN.
    """
def cross(a: array, b: array, axis: int=-1, *, stream: _StreamOrDevice=None) -> array:
    """Cross product of vectors along an axis of size 2 or 3; the third component of the former is 0."""
def det(a: array, *, stream: _StreamOrDevice=None) -> array:
    """Determinants. Matrices up to size 3 may have any dtype. A matrix with NaN has NaN; so has the second derivative of a singular one above size 3."""
def slogdet(a: array, *, stream: _StreamOrDevice=None) -> SlogdetResult:
    """Sign and logarithm of the absolute value of determinants, as (sign, logabsdet); (0, -inf) for singular ones."""
def inv(a: array, *, stream: _StreamOrDevice=None) -> array:
    """Inverses of square matrices (..., n, n)."""
def tri_inv(a: array, upper: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Inverses of triangular matrices; the other triangle is not read."""
def pinv(a: array, *, stream: _StreamOrDevice=None) -> array:
    """Pseudo-inverses of (..., m, n). Singular values up to max(m, n) * eps times the largest count as 0; the gradient holds while the rank stays."""
def solve(a: array, b: array, *, stream: _StreamOrDevice=None) -> array:
    """x with a @ x = b. b is a vector (n,) or matrices (..., n, k); batches broadcast."""
def solve_triangular(a: array, b: array, *, upper: bool=False, stream: _StreamOrDevice=None) -> array:
    """x with a @ x = b for a triangle of a; the other one is not read."""
def qr(a: array, *, stream: _StreamOrDevice=None) -> QRResult:
    """(Q, R) with a = Q @ R: Q (m, k) with orthonormal columns, R (k, n) upper triangular, k = min(m, n)."""
@overload
def svd(a: array, compute_uv: Literal[True]=True, *, stream: _StreamOrDevice=None) -> SVDResult:
    """(U, S, Vh) with a = U @ diag(S) @ Vh: U (m, m), S descending, Vh (n, n); or S alone.

    The gradient of vectors is NaN where singular values repeat.
    """
@overload
def svd(a: array, compute_uv: Literal[False], *, stream: _StreamOrDevice=None) -> array:
    """(U, S, Vh) with a = U @ diag(S) @ Vh: U (m, m), S descending, Vh (n, n); or S alone.

    The gradient of vectors is NaN where singular values repeat.
    """
def cholesky(a: array, upper: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """L with a = L @ L^H, or U with a = U^H @ U. Only that triangle of a is read, and the gradient lies there."""
def cholesky_inv(a: array, upper: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """The inverse of the matrix whose Cholesky factor is a."""
def lu(a: array, *, stream: _StreamOrDevice=None) -> tuple[array, array, array]:
    """(p, L, U) with a = L[p] @ U: row indices (uint32), unit lower and upper triangular factors."""
def lu_factor(a: array, *, stream: _StreamOrDevice=None) -> tuple[array, array]:
    """(LU, pivots): both factors in one matrix, and the swaps of rows (uint32) in order."""
def eig(a: array, *, stream: _StreamOrDevice=None) -> EigenResult:
    """(eigenvalues, eigenvectors) as complex64; the vectors are columns of unit length.

    Their gradient is NaN where eigenvalues repeat.
    """
def eigvals(a: array, *, stream: _StreamOrDevice=None) -> array:
    """Eigenvalues as complex64."""
def eigh(a: array, UPLO: str='L', *, stream: _StreamOrDevice=None) -> EigenResult:
    """(eigenvalues, eigenvectors) of Hermitian matrices, ascending. The triangle UPLO (L or U) is read, and the gradient lies there; that of vectors is NaN where eigenvalues repeat."""
def eigvalsh(a: array, UPLO: str='L', *, stream: _StreamOrDevice=None) -> array:
    """Eigenvalues of Hermitian matrices, ascending."""
def errors(mode: str) -> ErrorContext:
    """A context for `with`: what operations built by this thread do with a matrix that is singular, indefinite or not finite. 'raise': LinAlgError at evaluation. 'nan': its results are NaN, those of the other matrices of the batch are right."""
