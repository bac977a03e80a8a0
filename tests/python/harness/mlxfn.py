"""Files of exported functions whose members are changed and whose hash is right again."""

import struct

import numpy as np

LIMITS = (-1, 0, 1, 2, 3, 5, 7, 64, 255, 1 << 16, 2**31 - 1, -(2**31), 1 << 40, 1 << 62, 2**63 - 1, -(2**63))


class Layout:
    """Where a file of one trace keeps the data of its constants, which the hash leaves out, and its steps."""

    def __init__(self, data: bytes):
        self._data, self._at = data, 0
        self._text()
        self._skip(4 + 1)  # traces, shapeless
        self._text()
        for _ in range(self._count()):
            self._text()
        self._skip(1)  # any shapes
        for _ in range(self._count()):
            self._kind()
        self.constants = []
        for _ in range(self._count()):
            size = self._kind()
            self.constants.append((self._at, self._at + size))
            self._skip(size)
        self.steps = self._at

    def _skip(self, n: int):
        self._at += n

    def _count(self) -> int:
        self._skip(8)
        return struct.unpack_from("<Q", self._data, self._at - 8)[0]

    def _text(self):
        self._skip(self._count())

    def _kind(self) -> int:
        """The bytes of an array whose shape and dtype stand here."""
        n = self._count()
        shape = struct.unpack_from(f"<{n}q", self._data, self._at)
        self._skip(8 * n + 4 + 1)
        return int(np.prod(shape, dtype=object)) * self._data[self._at - 1] if n else self._data[self._at - 1]


def with_hash(data: bytes, layout: Layout) -> bytes:
    """FNV-1a of all but the constants, at the end."""
    value, start = 0xCBF29CE484222325, 0
    for stop, following in [*layout.constants, (len(data) - 8, 0)]:
        for byte in data[start:stop]:
            value = (value ^ byte) * 0x100000001B3 % 2**64
        start = following
    return data[:-8] + struct.pack("<Q", value)


def forged(data: bytes, layout: Layout, rng: np.random.Generator) -> bytes:
    """One member of a step, or a part of one, is another number."""
    changed = bytearray(data)
    width = int(rng.choice([1, 4, 8]))
    at = int(rng.integers(layout.steps, len(data) - 8 - width))
    number = (
        int(rng.choice(np.array(LIMITS, dtype=object))) if rng.random() < 0.7 else int(rng.integers(-20, 20))
    )
    changed[at : at + width] = (number % 256**width).to_bytes(width, "little")
    return with_hash(bytes(changed), layout)
