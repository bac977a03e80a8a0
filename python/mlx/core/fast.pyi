"""Type stubs of mlx.core.fast. Written by tools/make_stubs.py."""

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

class CustomKernel:
    """A kernel given as text, called with its inputs and sizes.

    Shape: those given as output_shapes.

    Dtype: those given as output_dtypes.

    Raises: RuntimeError when it is called: there is no GPU backend.

    Example:

        >>> kernel = mx.fast.metal_kernel("copy", ["x"], ["y"], "y[0] = x[0];")
        >>> isinstance(kernel, mx.fast.CustomKernel)
        True
    """
    def __call__(self, *, inputs: list[_Scalar | array], output_shapes: list[Sequence[int]], output_dtypes: list[Dtype], grid: tuple[int, int, int], threadgroup: tuple[int, int, int], template: list[tuple[str, bool | int | Dtype]] | None=None, init_value: float | None=None, verbose: bool=False, stream: _StreamOrDevice=None) -> list[array]: ...

def rms_norm(x: array, weight: array | None, eps: float, *, stream: _StreamOrDevice=None) -> array:
    """x / sqrt(mean(x^2) + eps) * weight over the last axis.

    Shape: x (..., n), weight (n,); the result has x's.

    Dtype: floating-point; the result has the dtype to which x and weight promote.

    Raises: ValueError for shapes that do not fit each other.

    Example:

        >>> mx.fast.rms_norm(mx.array([3.0, 4.0]), None, 0.0)
        array([0.848528, 1.13137], dtype=float32)
    """
def layer_norm(x: array, weight: array | None, bias: array | None, eps: float, *, stream: _StreamOrDevice=None) -> array:
    """(x - mean(x)) / sqrt(var(x) + eps) * weight + bias over the last axis.

    Shape: x (..., n), weight and bias (n,); the result has x's.

    Dtype: floating-point; the result has the dtype to which they promote.

    Raises: ValueError for shapes that do not fit each other.

    Example:

        >>> mx.fast.layer_norm(mx.array([1.0, 3.0]), None, None, 0.0)
        array([-1, 1], dtype=float32)
    """
def rope(a: array, dims: int, *, traditional: bool, base: float | None, scale: float, offset: int | array, freqs: array | None=None, stream: _StreamOrDevice=None) -> array:
    """Rotary position embedding (Su et al., 2021) of a (batch, ..., time, features).

    Pairs (i, i + dims / 2) of the first dims features, or (2 i, 2 i + 1) where traditional, turn by (offset + time) * scale * base^(-2 i / dims), or by (offset + time) * scale / freqs[i]. Exactly one of base and freqs is given. offset: an integer, or one per batch entry.

    Shape: that of a, (batch, ..., time, features); offset is a number, or (batch,).

    Dtype: floating-point; the result has a's.

    Raises: ValueError for shapes that do not fit each other.

    Example:

        >>> x = mx.ones((1, 1, 2, 4))
        >>> mx.fast.rope(x, 4, traditional=False, base=10000.0, scale=1.0, offset=0)[0, 0, 1]
        array([-0.301169, 0.98995, 1.38177, 1.00995], dtype=float32)
    """
def scaled_dot_product_attention(q: array, k: array, v: array, *, scale: float, mask: None | str | array=None, sinks: array | None=None, force_fused: bool=False, stream: _StreamOrDevice=None) -> array:
    """softmax(scale * q @ k.T + mask) @ v without the matrix of scores in memory.

    q (batch, heads, time, features); k (batch, key heads, key time, features) and v (batch, key heads, key time, value features), where heads is a multiple of key heads. The softmax is computed in float32, for float64 in float64.
    mask: 'causal' (aligned to the last key), a bool array that keeps where True, or an array to add; arrays broadcast to (batch, heads, time, key time). A row for which no key is kept averages all values.
    sinks: one logit per head that takes part in the softmax without a value.

    Options: mask is "causal", bool (True is seen) or added to the scores; sinks are scores of a key without value;
        force_fused=True raises where no fused kernel exists.

    Shape: (batch, heads, time, value features). A mask broadcasts to (batch, heads, time, key time); sinks (heads,).

    Dtype: floating-point; the result has the dtype to which q, k and v promote. A mask is bool, or added.

    Raises: ValueError for shapes that do not fit each other.

    Example:

        >>> q, k = mx.ones((1, 2, 4, 8)), mx.ones((1, 1, 6, 8))
        >>> mx.fast.scaled_dot_product_attention(q, k, k, scale=8**-0.5, mask="causal").shape
        (1, 2, 4, 8)
    """
def cross_entropy(logits: array, targets: array, *, stream: _StreamOrDevice=None) -> array:
    """logsumexp(logits) - logits[target] over the last axis, float32.

    targets: integer class ids of the shape of logits without the last axis; negative ones count from the end, others out of range raise at evaluation.

    Shape: logits (..., classes), targets (...); the result is (...).

    Dtype: floating-point logits, integer targets; the result is float32.

    Raises: ValueError for shapes that do not fit, AxisError at evaluation for a target out of range.

    Example:

        >>> mx.fast.cross_entropy(mx.zeros((2, 4)), mx.array([0, 3]))
        array([1.38629, 1.38629], dtype=float32)
    """
def gated_delta_update(q: array, k: array, v: array, gamma: array, beta: array, initial_state: array | None=None, mask: array | None=None, stream: _StreamOrDevice=None) -> list[array]:
    """The gated delta rule (Yang et al., 2024): per step S = gamma S; S += beta (v - S k) k^T; out = S q.

    q, k (B, T, Hk, Dk), v (B, T, Hv, Dv), gamma and beta (B, T, Hv), gamma also (B, T, Hv, Dk), initial_state (B, Hv, Dv, Dk). Head h uses key head h // (Hv / Hk). Steps where mask (B, T) is zero give 0 and leave the state.
    Returns out (B, T, Hv, Dv) and the last state in float32.

    Shape: out (B, T, Hv, Dv) and the last state (B, Hv, Dv, Dk).

    Dtype: floating-point; the state is kept in float32.

    Raises: ValueError for shapes that do not fit each other.

    Example:

        >>> k, v, one = mx.ones((1, 2, 1, 3)), mx.ones((1, 2, 1, 4)), mx.ones((1, 2, 1))
        >>> [x.shape for x in mx.fast.gated_delta_update(k, k, v, one, one)]
        [(1, 2, 1, 4), (1, 1, 4, 3)]
    """
def metal_kernel(name: str, input_names: Sequence[str], output_names: Sequence[str], source: str, header: str='', ensure_row_contiguous: bool=True, atomic_outputs: bool=False, compile_options: dict[Any, Any] | None=None) -> CustomKernel:
    """A kernel from the body of a function in the Metal shading language. It can be made anywhere; calling it needs a GPU backend and raises RuntimeError without one.

    Options: source is the body, header what stands before it; input_names and output_names are its parameters; the others
        are for a GPU backend.

    Dtype: floating-point.

    Raises: TypeError for arguments of other types.

    Example:

        >>> kernel = mx.fast.metal_kernel("copy", ["x"], ["y"], "y[0] = x[0];")
        >>> type(kernel).__name__
        'CustomKernel'
    """
def cuda_kernel(name: str, input_names: Sequence[str], output_names: Sequence[str], source: str, header: str='', ensure_row_contiguous: bool=True, shared_memory: int=0) -> CustomKernel:
    """A kernel from the body of a CUDA function. Raises RuntimeError without a CUDA backend.

    Dtype: floating-point.

    Raises: RuntimeError: there is no GPU backend.

    Example:

        >>> mx.fast.cuda_kernel("copy", ["x"], ["y"], "y[0] = x[0];")
        Traceback (most recent call last):
        RuntimeError: [cuda_kernel] No CUDA back-end for the kernel 'copy'.
    """
def precompiled_cuda_kernel(*, name: str, compiled_source: bytes, inputs: Sequence[_Scalar | array], output_shapes: Sequence[Sequence[int]], output_dtypes: Sequence[Dtype], scalars: Sequence[object], grid: tuple[int, int, int], threadgroup: tuple[int, int, int], shared_memory: int=0, init_value: float | None=None, ensure_row_contiguous: bool=False, stream: _StreamOrDevice=None) -> list[array]:
    """Runs a kernel of compiled CUDA code (PTX or cubin). Raises RuntimeError without a CUDA backend.

    Shape: those given as output_shapes.

    Dtype: those given as output_dtypes.

    Raises: RuntimeError: there is no GPU backend.

    Example:

        >>> mx.fast.precompiled_cuda_kernel(name="f", compiled_source=b"", inputs=[], output_shapes=[], output_dtypes=[],
        ...     scalars=[], grid=(1, 1, 1), threadgroup=(1, 1, 1))
        Traceback (most recent call last):
        RuntimeError: [precompiled_cuda_kernel] No CUDA back-end for the kernel 'f'.
    """
