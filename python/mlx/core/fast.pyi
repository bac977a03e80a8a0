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
    """A kernel given as text, called with its inputs and sizes."""
    def __call__(self, *, inputs: list[_Scalar | array], output_shapes: list[Sequence[int]], output_dtypes: list[Dtype], grid: tuple[int, int, int], threadgroup: tuple[int, int, int], template: list[tuple[str, bool | int | Dtype]] | None=None, init_value: float | None=None, verbose: bool=False, stream: _StreamOrDevice=None) -> list[array]: ...

def rms_norm(x: array, weight: array | None, eps: float, *, stream: _StreamOrDevice=None) -> array:
    """x / sqrt(mean(x^2) + eps) * weight over the last axis."""
def layer_norm(x: array, weight: array | None, bias: array | None, eps: float, *, stream: _StreamOrDevice=None) -> array:
    """(x - mean(x)) / sqrt(var(x) + eps) * weight + bias over the last axis."""
def rope(a: array, dims: int, *, traditional: bool, base: float | None, scale: float, offset: int | array, freqs: array | None=None, stream: _StreamOrDevice=None) -> array:
    """Rotary position embedding (Su et al., 2021) of a (batch, ..., time, features).

    Pairs (i, i + dims / 2) of the first dims features, or (2 i, 2 i + 1) where traditional, turn by (offset + time) * scale * base^(-2 i / dims), or by (offset + time) * scale / freqs[i]. Exactly one of base and freqs is given. offset: an integer, or one per batch entry.
    """
def scaled_dot_product_attention(q: array, k: array, v: array, *, scale: float, mask: None | str | array=None, sinks: array | None=None, force_fused: bool=False, stream: _StreamOrDevice=None) -> array:
    """softmax(scale * q @ k.T + mask) @ v without the matrix of scores in memory.

    q (batch, heads, time, features); k (batch, key heads, key time, features) and v (batch, key heads, key time, value features), where heads is a multiple of key heads. The softmax is computed in float32, for float64 in float64.
    mask: 'causal' (aligned to the last key), a bool array that keeps where True, or an array to add; arrays broadcast to (batch, heads, time, key time). A row for which no key is kept averages all values.
    sinks: one logit per head that takes part in the softmax without a value.
    """
def cross_entropy(logits: array, targets: array, *, stream: _StreamOrDevice=None) -> array:
    """logsumexp(logits) - logits[target] over the last axis, float32.

    targets: integer class ids of the shape of logits without the last axis; negative ones count from the end, others out of range raise at evaluation.
    """
def gated_delta_update(q: array, k: array, v: array, gamma: array, beta: array, initial_state: array | None=None, mask: array | None=None, stream: _StreamOrDevice=None) -> list[array]:
    """The gated delta rule (Yang et al., 2024): per step S = gamma S; S += beta (v - S k) k^T; out = S q.

    q, k (B, T, Hk, Dk), v (B, T, Hv, Dv), gamma and beta (B, T, Hv), gamma also (B, T, Hv, Dk), initial_state (B, Hv, Dv, Dk). Head h uses key head h // (Hv / Hk). Steps where mask (B, T) is zero give 0 and leave the state.
    Returns out (B, T, Hv, Dv) and the last state in float32.
    """
def metal_kernel(name: str, input_names: Sequence[str], output_names: Sequence[str], source: str, header: str='', ensure_row_contiguous: bool=True, atomic_outputs: bool=False, compile_options: dict[Any, Any] | None=None) -> CustomKernel:
    """A kernel from the body of a function in the Metal shading language. It can be made anywhere; calling it needs a GPU backend and raises RuntimeError without one."""
def cuda_kernel(name: str, input_names: Sequence[str], output_names: Sequence[str], source: str, header: str='', ensure_row_contiguous: bool=True, shared_memory: int=0) -> CustomKernel:
    """A kernel from the body of a CUDA function. Raises RuntimeError without a CUDA backend."""
def precompiled_cuda_kernel(*, name: str, compiled_source: bytes, inputs: Sequence[_Scalar | array], output_shapes: Sequence[Sequence[int]], output_dtypes: Sequence[Dtype], scalars: Sequence[object], grid: tuple[int, int, int], threadgroup: tuple[int, int, int], shared_memory: int=0, init_value: float | None=None, ensure_row_contiguous: bool=False, stream: _StreamOrDevice=None) -> list[array]:
    """Runs a kernel of compiled CUDA code (PTX or cubin). Raises RuntimeError without a CUDA backend."""
