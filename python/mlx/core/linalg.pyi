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
    """A matrix that an operation of linear algebra cannot take.

    Dtype: float32, float64 or complex64; the result has the same.

    Raises: ValueError for other shapes or dtypes, LinAlgError at evaluation for a matrix that is not finite or cannot be taken.

    Example:

        >>> mx.linalg.inv(mx.zeros((2, 2)))
        Traceback (most recent call last):
        mlx.core.linalg.LinAlgError: [inv] The matrix is singular.
    """

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
    """Sets inside a with block what faulty matrices do.

    Dtype: float32, float64 or complex64; the result has the same.

    Raises: nothing; linalg.errors makes it.

    Example:

        >>> with mx.linalg.errors("nan"):
        ...     mx.linalg.cholesky(-mx.eye(1))
        array([[nan]], dtype=float32)
    """
    def __enter__(self) -> None: ...
    def __exit__(self, exc_type: type[Any] | None=None, exc_value: object | None=None, traceback: object | None=None) -> None: ...

def norm(a: array, /, ord: None | int | float | str=None, axis: None | int | list[int]=None, keepdims: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Norm of vectors (one axis) or matrices (two axes).

    ord: any number for vectors; 1, -1, 2, -2, inf, -inf, 'fro' and 'nuc' for matrices; None is the square root of the sum of squares. Integers become float32; the norm of complex numbers is real. The gradient at 0 is NaN.

    Shape: that of a without the axes, which keep size 1 with keepdims.

    Dtype: floating-point dtypes stay; integers and complex64 give float32.

    Raises: AxisError for an axis out of range, ValueError for more than two axes or an unknown ord.

    Example:

        >>> mx.linalg.norm(mx.array([3.0, 4.0]))
        array(5, dtype=float32)
        >>> mx.linalg.norm(mx.array([[1.0, 2.0], [3.0, 4.0]]), ord=1, axis=(0, 1))
        array(6, dtype=float32)
    """
def cross(a: array, b: array, axis: int=-1, *, stream: _StreamOrDevice=None) -> array:
    """Cross product of vectors along an axis of size 2 or 3; the third component of the former is 0.

    Shape: the operands broadcast; the axis has size 2 or 3 in each and 3 in the result.

    Dtype: any; the result has the dtype to which they promote.

    Raises: AxisError for an axis out of range, ValueError for other sizes.

    Example:

        >>> mx.linalg.cross(mx.array([1.0, 0.0, 0.0]), mx.array([0.0, 1.0, 0.0]))
        array([0, 0, 1], dtype=float32)
    """
def det(a: array, *, stream: _StreamOrDevice=None) -> array:
    """Determinants. Matrices up to size 3 may have any dtype. A matrix with NaN has NaN; so has the second derivative of a singular one above size 3.

    Shape: (...) for (..., n, n).

    Dtype: any numbers for n <= 3 (integers give float32); float32, float64 or complex64 above.

    Raises: ValueError for other shapes.

    Example:

        >>> mx.linalg.det(mx.array([[1.0, 2.0], [3.0, 4.0]]))
        array(-2, dtype=float32)
    """
def slogdet(a: array, *, stream: _StreamOrDevice=None) -> SlogdetResult:
    """Sign and logarithm of the absolute value of determinants, as (sign, logabsdet); (0, -inf) for singular ones.

    Shape: two of (...) for (..., n, n).

    Dtype: any numbers for n <= 3 (integers give float32); float32, float64 or complex64 above.

    Raises: ValueError for other shapes.

    Example:

        >>> mx.linalg.slogdet(mx.array([[2.0, 0.0], [0.0, -3.0]]))
        SlogdetResult(sign=array(-1, dtype=float32), logabsdet=array(1.79176, dtype=float32))
    """
def inv(a: array, *, stream: _StreamOrDevice=None) -> array:
    """Inverses of square matrices (..., n, n).

    Shape: that of a.

    Dtype: float32, float64 or complex64; the result has the same.

    Raises: ValueError for other shapes or dtypes, LinAlgError at evaluation for a matrix that is not finite or cannot be taken.

    Example:

        >>> mx.linalg.inv(mx.array([[2.0, 1.0], [1.0, 1.0]]))
        array([[1, -1],
               [-1, 2]], dtype=float32)
    """
def tri_inv(a: array, upper: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """Inverses of triangular matrices; the other triangle is not read.

    Options: upper chooses the upper triangle instead of the lower.

    Shape: that of a, (..., n, n).

    Dtype: float32, float64 or complex64; the result has the same.

    Raises: ValueError for other shapes or dtypes, LinAlgError at evaluation for a matrix that is not finite or cannot be taken.

    Example:

        >>> mx.linalg.tri_inv(mx.array([[2.0, 0.0], [2.0, 4.0]]))
        array([[0.5, 0],
               [-0.25, 0.25]], dtype=float32)
    """
def pinv(a: array, *, stream: _StreamOrDevice=None) -> array:
    """Pseudo-inverses of (..., m, n). Singular values up to max(m, n) * eps times the largest count as 0; the gradient holds while the rank stays.

    Shape: (..., n, m) for (..., m, n).

    Dtype: float32, float64 or complex64; the result has the same.

    Raises: ValueError for other shapes or dtypes, LinAlgError at evaluation for a matrix that is not finite or cannot be taken.

    Example:

        >>> a = mx.array([[1.0, 2.0], [2.0, 4.0], [0.0, 1.0]])
        >>> mx.allclose(a @ mx.linalg.pinv(a) @ a, a, atol=1e-5)
        array(True, dtype=bool)
    """
def solve(a: array, b: array, *, stream: _StreamOrDevice=None) -> array:
    """x with a @ x = b. b is a vector (n,) or matrices (..., n, k); batches broadcast.

    Shape: a (..., n, n); b (n,) or (..., n, k). The result has b's, with the leading axes broadcast.

    Dtype: float32, float64 or complex64; the result has the same.

    Raises: ValueError for other shapes or dtypes, LinAlgError at evaluation for a matrix that is not finite or cannot be taken.

    Example:

        >>> mx.linalg.solve(mx.array([[2.0, 0.0], [0.0, 4.0]]), mx.array([2.0, 2.0]))
        array([1, 0.5], dtype=float32)
    """
def solve_triangular(a: array, b: array, *, upper: bool=False, stream: _StreamOrDevice=None) -> array:
    """x with a @ x = b for a triangle of a; the other one is not read.

    Options: upper chooses the upper triangle instead of the lower.

    Shape: a (..., n, n); b (n,) or (..., n, k). The result has b's, with the leading axes broadcast.

    Dtype: float32, float64 or complex64; the result has the same.

    Raises: ValueError for other shapes or dtypes, LinAlgError at evaluation for a matrix that is not finite or cannot be taken.

    Example:

        >>> mx.linalg.solve_triangular(mx.array([[2.0, 0.0], [1.0, 1.0]]), mx.array([2.0, 3.0]))
        array([1, 2], dtype=float32)
    """
def qr(a: array, *, stream: _StreamOrDevice=None) -> QRResult:
    """(Q, R) with a = Q @ R: Q (m, k) with orthonormal columns, R (k, n) upper triangular, k = min(m, n).

    Shape: (..., m, k) and (..., k, n) for (..., m, n), k the smaller of m and n.

    Dtype: float32, float64 or complex64; the result has the same.

    Raises: ValueError for other shapes or dtypes, LinAlgError at evaluation for a matrix that is not finite or cannot be taken.

    Example:

        >>> q, r = mx.linalg.qr(mx.array([[3.0, 0.0], [4.0, 5.0]]))
        >>> mx.allclose(q @ r, mx.array([[3.0, 0.0], [4.0, 5.0]]), atol=1e-5)
        array(True, dtype=bool)
    """
@overload
def svd(a: array, compute_uv: Literal[True]=True, *, stream: _StreamOrDevice=None) -> SVDResult:
    """(U, S, Vh) with a = U @ diag(S) @ Vh: U (m, m), S descending, Vh (n, n); or S alone.

    The gradient of vectors is NaN where singular values repeat.

    Options: compute_uv=False gives the singular values alone.

    Shape: (..., m, m), (..., k) and (..., n, n) for (..., m, n), k the smaller of m and n.

    Dtype: float32, float64 or complex64; the singular values are real.

    Raises: ValueError for other shapes or dtypes, LinAlgError at evaluation for a matrix that is not finite or cannot be taken.

    Example:

        >>> mx.linalg.svd(mx.array([[3.0, 0.0], [0.0, -2.0]]), compute_uv=False)
        array([3, 2], dtype=float32)
    """
@overload
def svd(a: array, compute_uv: Literal[False], *, stream: _StreamOrDevice=None) -> array:
    """(U, S, Vh) with a = U @ diag(S) @ Vh: U (m, m), S descending, Vh (n, n); or S alone.

    The gradient of vectors is NaN where singular values repeat.

    Options: compute_uv=False gives the singular values alone.

    Shape: (..., m, m), (..., k) and (..., n, n) for (..., m, n), k the smaller of m and n.

    Dtype: float32, float64 or complex64; the singular values are real.

    Raises: ValueError for other shapes or dtypes, LinAlgError at evaluation for a matrix that is not finite or cannot be taken.

    Example:

        >>> mx.linalg.svd(mx.array([[3.0, 0.0], [0.0, -2.0]]), compute_uv=False)
        array([3, 2], dtype=float32)
    """
def cholesky(a: array, upper: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """L with a = L @ L^H, or U with a = U^H @ U. Only that triangle of a is read, and the gradient lies there.

    Options: upper chooses the upper triangle instead of the lower.

    Shape: that of a, (..., n, n).

    Dtype: float32, float64 or complex64; the result has the same.

    Raises: ValueError for other shapes, LinAlgError at evaluation for a matrix that is not positive definite.

    Example:

        >>> mx.linalg.cholesky(mx.array([[4.0, 2.0], [2.0, 5.0]]))
        array([[2, 0],
               [1, 2]], dtype=float32)
    """
def cholesky_inv(a: array, upper: bool=False, *, stream: _StreamOrDevice=None) -> array:
    """The inverse of the matrix whose Cholesky factor is a.

    Options: upper chooses the upper triangle instead of the lower.

    Shape: that of a, (..., n, n).

    Dtype: float32, float64 or complex64; the result has the same.

    Raises: ValueError for other shapes or dtypes, LinAlgError at evaluation for a matrix that is not finite or cannot be taken.

    Example:

        >>> mx.linalg.cholesky_inv(mx.array([[2.0, 0.0], [0.0, 4.0]]))
        array([[0.25, 0],
               [0, 0.0625]], dtype=float32)
    """
def lu(a: array, *, stream: _StreamOrDevice=None) -> tuple[array, array, array]:
    """(p, L, U) with a = L[p] @ U: row indices (uint32), unit lower and upper triangular factors.

    Shape: (..., m), (..., m, k) and (..., k, n) for (..., m, n), k the smaller of m and n.

    Dtype: float32, float64 or complex64; the result has the same.

    Raises: ValueError for other shapes or dtypes, LinAlgError at evaluation for a matrix that is not finite or cannot be taken.

    Example:

        >>> p, l, u = mx.linalg.lu(mx.array([[1.0, 2.0], [2.0, 2.0]]))
        >>> l[p] @ u
        array([[1, 2],
               [2, 2]], dtype=float32)
    """
def lu_factor(a: array, *, stream: _StreamOrDevice=None) -> tuple[array, array]:
    """(LU, pivots): both factors in one matrix, and the swaps of rows (uint32) in order.

    Shape: (..., m, n) and (..., k) for (..., m, n), k the smaller of m and n.

    Dtype: float32, float64 or complex64; the result has the same.

    Raises: ValueError for other shapes or dtypes, LinAlgError at evaluation for a matrix that is not finite or cannot be taken.

    Example:

        >>> lu, pivots = mx.linalg.lu_factor(mx.array([[1.0, 2.0], [2.0, 2.0]]))
        >>> lu
        array([[2, 2],
               [0.5, 1]], dtype=float32)
    """
def eig(a: array, *, stream: _StreamOrDevice=None) -> EigenResult:
    """(eigenvalues, eigenvectors) as complex64; the vectors are columns of unit length.

    Their gradient is NaN where eigenvalues repeat.

    Shape: (..., n) and (..., n, n) for (..., n, n).

    Dtype: float32, float64 or complex64; the results are complex64.

    Raises: ValueError for other shapes or dtypes, LinAlgError at evaluation for a matrix that is not finite or cannot be taken.

    Example:

        >>> mx.linalg.eig(mx.array([[2.0, 0.0], [0.0, 3.0]])).eigenvalues
        array([2+0j, 3+0j], dtype=complex64)
    """
def eigvals(a: array, *, stream: _StreamOrDevice=None) -> array:
    """Eigenvalues as complex64.

    Shape: (..., n) for (..., n, n).

    Dtype: float32, float64 or complex64; the result is complex64.

    Raises: ValueError for other shapes or dtypes, LinAlgError at evaluation for a matrix that is not finite or cannot be taken.

    Example:

        >>> mx.linalg.eigvals(mx.array([[0.0, -1.0], [1.0, 0.0]])).abs()
        array([1, 1], dtype=float32)
    """
def eigh(a: array, UPLO: str='L', *, stream: _StreamOrDevice=None) -> EigenResult:
    """(eigenvalues, eigenvectors) of Hermitian matrices, ascending. The triangle UPLO (L or U) is read, and the gradient lies there; that of vectors is NaN where eigenvalues repeat.

    Options: UPLO, "L" or "U", is the triangle that is read.

    Shape: (..., n) and (..., n, n) for (..., n, n).

    Dtype: float32, float64 or complex64; the eigenvalues are real.

    Raises: ValueError for other shapes or dtypes, LinAlgError at evaluation for a matrix that is not finite or cannot be taken.

    Example:

        >>> mx.linalg.eigh(mx.array([[2.0, 1.0], [1.0, 2.0]])).eigenvalues
        array([1, 3], dtype=float32)
    """
def eigvalsh(a: array, UPLO: str='L', *, stream: _StreamOrDevice=None) -> array:
    """Eigenvalues of Hermitian matrices, ascending.

    Options: UPLO, "L" or "U", is the triangle that is read.

    Shape: (..., n) for (..., n, n).

    Dtype: float32, float64 or complex64; the eigenvalues are real.

    Raises: ValueError for other shapes or dtypes, LinAlgError at evaluation for a matrix that is not finite or cannot be taken.

    Example:

        >>> mx.linalg.eigvalsh(mx.array([[2.0, 1.0], [1.0, 2.0]]))
        array([1, 3], dtype=float32)
    """
def errors(mode: str) -> ErrorContext:
    """A context for `with`: what operations built by this thread do with a matrix that is singular, indefinite or not finite. 'raise': LinAlgError at evaluation. 'nan': its results are NaN, those of the other matrices of the batch are right.

    Dtype: float32, float64 or complex64; the result has the same.

    Raises: ValueError for another mode.

    Example:

        >>> with mx.linalg.errors("nan"):
        ...     x = mx.linalg.inv(mx.zeros((2, 2)))
        >>> x
        array([[nan, nan],
               [nan, nan]], dtype=float32)
    """
