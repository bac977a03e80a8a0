"""All rows, and the names of mlx.core that are no rows, with the reason."""

from __future__ import annotations

from dataclasses import replace

import mlx.core as mx

from . import rows_linear, rows_math, rows_nn, rows_shape
from .draw import INTO

ROWS = {INTO.name: INTO}
for module in (rows_math, rows_shape, rows_linear, rows_nn):
    for row in module.ROWS:
        assert row.name not in ROWS, row.name
        ROWS[row.name] = row
# Methods and operators of arrays: drawn and checked as the function of that name.
for method in dir(mx.array):
    base = rows_math.OPERATORS.get(method, method)
    if base in ROWS and base not in ("at", "split"):
        ROWS[f"array.{method}"] = replace(ROWS[base], name=f"array.{method}")
NAMES = [name for name in ROWS if name != INTO.name]
# Neighbours fuse.
CHAINS = [row.name for row in rows_math.element_wise_rows()]
SMOOTH = [name for name in NAMES if ROWS[name].smooth]

EXCLUDED = {
    "a check of every graph": "grad value_and_grad vjp jvp vmap compile export_function import_function eval",
    "a transformation of functions, with tables of its own": "checkpoint exporter export_to_dot async_eval",
    "a switch of the process": "disable_compile enable_compile clear_cache clear_streams synchronize"
    " set_num_threads set_cache_limit set_memory_limit set_wired_limit reset_peak_memory"
    " set_printoptions printoptions set_default_device set_default_stream random.seed linalg.errors",
    "a question about the process": "default_device default_stream device_count device_info"
    " is_available get_active_memory get_array_buffer_size get_cache_limit get_cache_memory"
    " get_memory_limit get_num_threads get_peak_memory get_printoptions new_stream"
    " new_thread_local_stream new_thread_unsafe_stream stream",
    "about dtypes and shapes, not arrays": "broadcast_shapes can_cast isdtype issubdtype result_type"
    " einsum_path",
    "files": "load save save_gguf save_safetensors savez savez_compressed",
    "foreign memory": "from_dlpack",
    "Metal and CUDA": "fast.cuda_kernel fast.metal_kernel fast.precompiled_cuda_kernel",
}


def public_functions() -> set[str]:
    """The functions of mlx.core, fast, fft, linalg and random."""
    modules = {"": mx, "fast.": mx.fast, "fft.": mx.fft, "linalg.": mx.linalg, "random.": mx.random}
    return {
        prefix + name
        for prefix, module in modules.items()
        for name in dir(module)
        if not name.startswith("_")
        and callable(f := getattr(module, name))
        and not isinstance(f, (type, mx.Dtype))
    }
