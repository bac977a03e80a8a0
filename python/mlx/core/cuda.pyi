"""Type stubs of mlx.core.cuda. Written by tools/make_stubs.py."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mlx.core import Dtype, StreamOrDevice, array, float32, int32, scalar

def is_available() -> bool: ...
