"""einsum and its kin, products of integers, Hadamard transforms."""

import numpy as np
from harness.case import FLOATS, Case

import mlx.core as mx

ALL = (*FLOATS, "complex64")
INTEGERS = ("bool", "int8", "uint16", "int32", "int64", "uint64")
ORDER = {"same bits": "complex products are OpenBLAS's, which sums in an order of its own"}

# Subscripts -> shapes of the operands.
EINSUM = {
    "ij,jk->ik": [(3, 4), (4, 5)],
    "ij,jk": [(3, 4), (4, 5)],
    "bij,bjk->bik": [(2, 3, 4), (2, 4, 5)],
    "i,j->ij": [(3,), (4,)],
    "i,i->": [(5,), (5,)],
    "ii->i": [(4, 4)],
    "ii": [(4, 4)],
    "iij->ji": [(3, 3, 4)],
    "iii->i": [(3, 3, 3)],
    "ij->ji": [(3, 4)],
    "ij->j": [(3, 4)],
    "ij->": [(3, 4)],
    "ji": [(3, 4)],
    "ij,ij->ij": [(3, 4), (3, 4)],
    "ij,j->i": [(3, 4), (4,)],
    "ijk,ilm,njm,nlk,abc->": [(2, 3, 4), (2, 5, 2), (3, 3, 2), (3, 5, 4), (1, 2, 3)],
    "ab,bc,cd,de->ae": [(2, 9), (9, 3), (3, 8), (8, 2)],
    "...ij,...jk->...ik": [(2, 1, 3, 4), (5, 4, 2)],
    "...i->...": [(2, 3, 4)],
    "i...,i...": [(3, 2), (3, 2)],
    "...,...": [(2, 3), (3,)],
    "ij,jk->ik ": [(3, 1), (4, 2)],
    "ab,ab,c->c": [(2, 3), (1, 3), (4,)],
    "bqhd,bkhd->bhqk": [(2, 3, 2, 4), (2, 5, 2, 4)],
    "Aa,aB->BA": [(2, 3), (3, 4)],
}


def einsum_oracle(text):
    spaceless = text.replace(" ", "")

    def oracle(*operands):
        # NumPy broadcasts sizes of 1 for named axes too, but not in every code path.
        names = [t for t in spaceless.split("->")[0].split(",")]
        sizes = {}
        for name, x in zip(names, operands, strict=True):
            if "." not in name:
                for label, n in zip(name, x.shape, strict=True):
                    sizes[label] = max(sizes.get(label, 1), n)
        whole = [
            x if "." in name else np.broadcast_to(x, [sizes[label] for label in name])
            for name, x in zip(names, operands, strict=True)
        ]
        return np.einsum(spaceless, *whole)

    return oracle


def einsum_case(text, shapes):
    skip = dict(ORDER)
    return Case(f"einsum {text}", lambda *a: mx.einsum(text, *a), shapes, einsum_oracle(text), ALL, ulps=32,
                skip=skip)  # fmt: skip


def widened(x):
    """What products of integers are computed in."""
    small = {"b": np.int32, "i": np.int32, "u": np.uint32}.get(x.dtype.kind)
    return x.astype(small) if small and x.dtype.itemsize < 4 else x


def integer_product(name, fn, shapes, oracle):
    return Case(
        f"{name}-integers", fn, shapes, lambda *a: oracle(*[widened(x) for x in a]), INTEGERS, ulps=0, wrt=()
    )


def sylvester(k):
    h = np.ones((1, 1))
    for _ in range(k):
        h = np.block([[h, h], [h, -h]])
    return h


def hadamard(x):
    n = x.shape[-1]
    return x @ sylvester(int(np.log2(n))) / np.sqrt(n)


CASES = [
    *[einsum_case(text, shapes) for text, shapes in EINSUM.items()],
    integer_product("matmul", mx.matmul, [(2, 7, 130), (130, 5)], np.matmul),
    integer_product("matmul-wide", mx.matmul, [(3, 4), (4, 600)], np.matmul),
    integer_product("matmul-tall", mx.matmul, [(150, 4), (4, 3)], np.matmul),
    integer_product("matmul-vectors", mx.matmul, [(7,), (7,)], np.matmul),
    integer_product("inner", mx.inner, [(4, 5), (3, 5)], np.inner),
    integer_product("tensordot", mx.tensordot, [(2, 4, 5), (4, 5, 3)], np.tensordot),
    integer_product("vecdot", mx.vecdot, [(4, 5), (4, 5)], lambda a, b: (a * b).sum(-1)),
    integer_product("einsum", lambda a, b: mx.einsum("ij,jk->ki", a, b), [(3, 4), (4, 5)],
                    lambda a, b: np.einsum("ij,jk->ki", a, b)),
    Case("einsum-outer-integers", lambda a, b: mx.einsum("i,j->ij", a, b), [(3,), (4,)],
         lambda a, b: np.einsum("i,j->ij", a, b), ("uint8", "int32", "int64"), ulps=0, wrt=(), high=3),
    Case("vecdot", lambda a, b: mx.vecdot(a, b), [(4, 5), (4, 5)], lambda a, b: (np.conj(a) * b).sum(-1), ALL,
         ulps=16),
    Case("vecdot-axis", lambda a, b: mx.vecdot(a, b, axis=0), [(4, 5), (4, 1)],
         lambda a, b: (np.conj(a) * b).sum(0), ALL, ulps=16),
    Case("kron", mx.kron, [(2, 3), (4, 2)], np.kron, ALL),
    Case("kron-ranks", mx.kron, [(2, 3), (4,)], np.kron, ALL),
    Case("kron-0d", mx.kron, [(), (2, 3)], np.kron, ALL),
    Case("kron-integers", mx.kron, [(2, 3), (4, 2)], np.kron, ("int32", "int64"), ulps=0, wrt=()),
    *[Case(f"hadamard-{n}", mx.hadamard_transform, [(3, n)], hadamard, FLOATS, ulps=8)
      for n in (1, 2, 8, 128)],
]  # fmt: skip
