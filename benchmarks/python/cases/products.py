"""Matrix products, convolutions, quantized products."""

import numpy as np
from case import case, jax, mx, normal, torch


def product(name, a, b, **calls):
    return case(name, a, b, every=lambda f, a, b: a @ b, **calls)


def against_rows(rows, k, n):
    """The weights of a linear layer: one output a row."""
    return case(f"x @ w.T {rows}x{k}x{n}", normal(rows, k), normal(n, k), every=lambda f, x, w: x @ w.T)


def half_product(dtype):
    a = normal(1024, 1024, dtype=dtype)
    return product(f"matmul 1024 {dtype}", a, a, numpy=None)


MATMUL = [
    *(product(f"matmul {n}", normal(n, n), normal(n, n)) for n in (256, 1024)),
    product("matmul 32x128", normal(32, 128, 128), normal(32, 128, 128)),
    *(against_rows(*sizes) for sizes in ((1, 1024, 1024), (1, 4096, 4096), (4, 1024, 4096))),
    product("matvec 32x1x1000x128", normal(32, 1, 1000), normal(32, 1000, 128)),
    product("matmul 512x8192x512", normal(512, 8192), normal(8192, 512)),
    *map(half_product, ("bfloat16", "float16")),
    case(
        "linear 128x1024x1024",
        normal(128, 1024),
        normal(1024, 1024),
        normal(1024),
        numpy=lambda x, w, b: x @ w.T + b,
        torch=lambda x, w, b: torch.nn.functional.linear(x, w, b),
        jax=lambda x, w, b: x @ w.T + b,
        mlx=lambda x, w, b: mx.addmm(b, x, w.T),
    ),
    case(
        "einsum attention",
        normal(4, 256, 8, 64),
        normal(4, 256, 8, 64),
        every=lambda f, q, k: f.einsum("blhd,bmhd->bhlm", q, k),
    ),
]


def conv(rank, batch, size, channels, kernel, out, groups=1, stride=1, padding=None, transposed=False):
    """Channels last for us and jax; torch gets the same memory, seen channels first."""
    padding = kernel // 2 if padding is None else padding
    kind = f"conv_transpose{rank}d" if transposed else f"conv{rank}d"
    first = (0, rank + 1, *range(1, rank + 1))
    letters = "DHW"[-rank:]
    layout = (f"N{letters}C", f"O{letters}I", f"N{letters}C")

    def split(x, w):  # the groups, also where --most made the channels fewer
        return x.shape[-1] // w.shape[-1]

    def of_torch(x, w):
        groups = split(x, w)
        x, w = x.permute(first), w.permute(first)
        function = getattr(torch.nn.functional, kind)
        return function(x, w.transpose(0, 1) if transposed else w, None, stride, padding, groups=groups)

    def of_jax(x, w):
        return jax.lax.conv_general_dilated(
            x, w, (stride,) * rank, [(padding, padding)] * rank,
            dimension_numbers=layout, feature_group_count=split(x, w),
        )  # fmt: skip

    tag = f" g{groups}" if groups > 1 else ""
    return case(
        f"{kind} {size}x{channels}->{out} k{kernel}{tag}",
        normal(batch, *(size,) * rank, channels),
        normal(out, *(kernel,) * rank, channels // groups),
        torch=of_torch,
        jax=None if transposed else of_jax,
        mlx=lambda x, w: getattr(mx, kind)(x, w, stride, padding, groups=split(x, w)),
    )


CONV = [
    conv(1, 4, 32, 32, 5, 32),
    conv(1, 4, 32, 256, 5, 512, groups=2),
    conv(1, 16, 1000, 80, 11, 128, padding=0),
    conv(2, 4, 32, 32, 5, 32),
    conv(2, 4, 64, 64, 3, 64),
    conv(2, 4, 32, 128, 5, 128),
    conv(2, 4, 128, 3, 5, 16),
    conv(2, 4, 64, 64, 3, 64, groups=64),
    conv(3, 4, 16, 16, 5, 16),
    conv(1, 4, 32, 32, 5, 32, transposed=True),
    conv(2, 4, 32, 32, 5, 32, transposed=True),
    conv(3, 4, 16, 16, 5, 16, transposed=True),
]
MODES = (("affine", 4), ("affine", 8), ("affine", 3), ("mxfp4", 4), ("mxfp8", 8), ("nvfp4", 4))


def quantized(rows, mode, bits):
    """The peers multiply by the float32 matrix."""
    return case(
        f"{mode} {bits} bits, {rows} rows",
        normal(rows, 4096),
        normal(4096, 4096),
        every=lambda f, x, w: x @ w.T,
        prepare={"mlx": lambda x, w: (x, *mx.quantize(w, mode=mode, bits=bits))},
        mlx=lambda x, *packed: mx.quantized_matmul(x, *packed, mode=mode, bits=bits),
    )


def quantize(mode, bits):
    return case(
        f"quantize {mode} {bits} bits",
        normal(4096, 4096),
        mlx=lambda w: mx.quantize(w, mode=mode, bits=bits)[0],
    )


def hadamard_numpy(x):
    size = x.shape[-1]
    step = 1
    while step < size:
        y = x.reshape(-1, size // (2 * step), 2, step)
        x = np.stack((y[:, :, 0] + y[:, :, 1], y[:, :, 0] - y[:, :, 1]), 2).reshape(x.shape)
        step *= 2
    return x * np.float32(size**-0.5)


QUANTIZED = [quantized(rows, *mode) for rows in (1, 4, 64) for mode in MODES]
QUANTIZE = [quantize(*mode) for mode in MODES]
HADAMARD = [case("1024", normal(4096, 1024), numpy=hadamard_numpy, mlx=lambda x: mx.hadamard_transform(x))]
FAMILIES = {
    "matmul": MATMUL,
    "conv": CONV,
    "quantized matmul": QUANTIZED,
    "quantize": QUANTIZE,
    "hadamard": HADAMARD,
}
