"""Type stubs of mlx.core.fast. Written by tools/make_stubs.py."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mlx.core import Dtype, StreamOrDevice, array, float32, int32, scalar

def rms_norm(x: array, weight: array | None, eps: float, *, stream: StreamOrDevice = None) -> array: ...
def layer_norm(x: array, weight: array | None, bias: array | None, eps: float, *, stream: StreamOrDevice = None) -> array: ...
