"""Quantized products, products of chosen matrices and of blocks."""

import numpy as np
from harness.case import FLOATS, Case

import mlx.core as mx


def unpack(words, bits):
    """The codes of a packed array, by the definition: a little-endian stream of bits."""
    stream = np.unpackbits(np.ascontiguousarray(words).view(np.uint8), axis=-1, bitorder="little")
    codes = stream.reshape(*words.shape[:-1], -1, bits)
    return (codes.astype(np.int64) << np.arange(bits)).sum(-1)


def affine(words, scales, biases, bits):
    codes = unpack(words, bits)
    group = codes.shape[-1] // scales.shape[-1]
    return codes * np.repeat(scales, group, -1) + np.repeat(biases, group, -1)


def draw_words(at, **indices):
    """Draws any codes for argument `at`, and indices below a size for the arguments named i<number>."""

    def draw(rng, shape, dtype, index):
        if index == at:
            return rng.integers(0, 2**32, shape, dtype=np.uint32)
        size = indices.get(f"i{index}")
        return None if size is None else rng.integers(-size, size, shape).astype(np.int32)

    return draw


def matmul_case(bits, group, x, w, transpose=True, **options):
    """w: shape of the unpacked matrix."""
    words, scales = (*w[:-1], w[-1] * bits // 32), (*w[:-1], w[-1] // group)

    def fn(x, w, s, b):
        return mx.quantized_matmul(x, w, s, b, transpose=transpose, group_size=group, bits=bits)

    def oracle(x, w, s, b):
        full = affine(w, s, b, bits)
        return x @ (np.swapaxes(full, -1, -2) if transpose else full)

    name = f"quantized_matmul-{bits}-{group}-{'x'.join(map(str, (*x, *w)))}-{transpose}"
    return Case(name, fn, {"base": [x, words, scales, scales], **options}, oracle, FLOATS, ulps=32,
                draw=draw_words(1), wrt=(0, 2, 3))  # fmt: skip


def dequantize_case(bits, group):
    def fn(w, s, b):
        return mx.dequantize(w, s, b, group_size=group, bits=bits)

    return Case(f"dequantize-{bits}-{group}", fn,
                [(2, 3, group * bits // 16), (2, 3, 2), (2, 3, 2)],
                lambda w, s, b: affine(w, s, b, bits), FLOATS, draw=draw_words(0), wrt=(1, 2))  # fmt: skip


def gather_mm(a, b, left, right):
    return a.reshape(-1, *a.shape[-2:])[left] @ b.reshape(-1, *b.shape[-2:])[right]


def gather_qmm(transpose):
    def fn(x, w, s, b, left, right):
        return mx.gather_qmm(x, w, s, b, left, right, transpose=transpose, group_size=32, bits=4)

    def oracle(x, w, s, b, left, right):
        full = affine(w, s, b, 4)
        return gather_mm(x, np.swapaxes(full, -1, -2) if transpose else full, left, right)

    return fn, oracle


def draw_indices(**sizes):
    return draw_words(-1, **sizes)


SEGMENTS = np.array([[0, 3], [3, 3], [2, 9], [0, 9], [8, 9]], np.int32)


def draw_segments(rng, shape, dtype, index):
    return SEGMENTS if index == 2 else None


def segmented_mm(a, b, segments):
    return np.stack([a[:, i:j] @ b[i:j] for i, j in segments])


def blocks(mask, rows, columns, size=32):
    return np.repeat(np.repeat(mask, size, -2), size, -1)[..., :rows, :columns]


def masked_mm(a, b, out, left, right):
    product = (a * blocks(left, *a.shape[-2:])) @ (b * blocks(right, *b.shape[-2:]))
    return product * blocks(out, *product.shape[-2:])


def block_masked_mm(a, b, out, left, right):
    return mx.block_masked_mm(a, b, 32, out, left, right)


def draw_masks(rng, shape, dtype, index):
    return rng.random(shape) < 0.6 if index > 1 else None


MASKED = [(2, 40, 33), (33, 50), (2, 2, 2), (2, 2, 2), (2, 2)]

CASES = [
    matmul_case(4, 32, (3, 64), (5, 64), larger=[(20, 96), (7, 12), (7, 3), (7, 3)],
                smaller=[(1, 32), (2, 4), (2, 1), (2, 1)]),
    matmul_case(8, 64, (11, 64), (17, 64)),
    *[matmul_case(bits, 32, (2, 64), (3, 64)) for bits in (1, 2, 3, 5, 6, 8)],
    matmul_case(4, 128, (1, 256), (3, 256)),
    matmul_case(4, 32, (2, 3, 32), (2, 5, 32)),
    matmul_case(4, 32, (3, 32), (2, 2, 5, 32)),
    matmul_case(4, 32, (3, 5), (5, 64), transpose=False),
    matmul_case(3, 32, (2, 9, 5), (2, 5, 96), transpose=False),
    *[dequantize_case(bits, 32) for bits in (1, 2, 3, 4, 5, 6, 8)],
    dequantize_case(4, 128),
    Case("gather_mm", mx.gather_mm, [(3, 2, 4), (2, 2, 4, 5), (6, 1), (1, 3)], gather_mm, FLOATS, ulps=16,
         draw=draw_indices(i2=3, i3=4), wrt=(0, 1)),
    Case("gather_mm-rows", mx.gather_mm, [(7, 1, 4), (3, 4, 5), (9,), (9,)], gather_mm, FLOATS, ulps=16,
         draw=draw_indices(i2=7, i3=3), wrt=(0, 1)),
    *[Case(f"gather_qmm-{t}", gather_qmm(t)[0],
           [(4, 2, 32 if t else 5), (3, 5, 4), (3, 5, 1), (3, 5, 1), (2, 3), (2, 3)], gather_qmm(t)[1],
           FLOATS, ulps=32, draw=draw_words(1, i4=4, i5=3), wrt=(0, 2, 3)) for t in (True, False)],
    Case("segmented_mm", mx.segmented_mm, [(4, 9), (9, 3), (5, 2)], segmented_mm, FLOATS, ulps=16,
         draw=draw_segments, wrt=(0, 1)),
    Case("block_masked_mm", block_masked_mm, MASKED, masked_mm, FLOATS, ulps=32,
         skip={"second": "a large case"}),
    Case("block_masked_mm-bool", block_masked_mm, MASKED, masked_mm, FLOATS, ulps=16, draw=draw_masks,
         wrt=(0, 1), skip={"second": "a large case"}),
]  # fmt: skip
