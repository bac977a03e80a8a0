"""Drawing a graph: what a row asks for when it needs operands."""

from __future__ import annotations

import numpy as np

import mlx.core as mx

from .graph import DTYPES, INEXACT, REALS, Call, Graph, Input, Ref, Row


class Failure(Exception):
    """A check that did not hold: its name, and the graph that shows it."""

    def __init__(self, check: str, graph: Graph, message: str):
        super().__init__(message)
        self.check, self.graph, self.message = check, graph, message


class Draw:
    """A graph under construction: entries, their lazy values, and a generator."""

    def __init__(self, seed: int, smooth: bool, big: bool):
        self.rng = np.random.default_rng([seed, 4])
        self.smooth = smooth
        self.fresh = 0.3  # how often an operand is a new input
        self.limit = 40000 if big else 2000
        lengths = [int(n) for n in self.rng.choice([2, 3, 4, 5, 6, 7, 8], 2, replace=False)]
        if big:
            lengths[0] = int(self.rng.choice([33, 64, 130]))
        self.lengths = [*lengths, 1]
        if not smooth and self.chance(0.1):
            self.lengths.append(0)
        self.entries, self.values, self.hidden = [], [], set()

    # Numbers.

    def chance(self, p: float) -> bool:
        return bool(self.rng.random() < p)

    def int(self, low: int, high: int) -> int:
        """Both ends included."""
        return int(self.rng.integers(low, high + 1))

    def pick(self, choices):
        return choices[self.int(0, len(choices) - 1)]

    def length(self, low: int = 0) -> int:
        fitting = [n for n in self.lengths if n >= low]
        return self.pick(fitting) if fitting else low

    def shape(self, low: int = 0, high: int = 4, shortest: int = 0) -> tuple:
        while True:
            shape = tuple(self.length(shortest) for _ in range(self.int(low, high)))
            if np.prod(shape, dtype=np.int64) <= self.limit:
                return shape

    def small(self, low: int = 0, high: int = 4, shortest: int = 0, most: int = 60) -> tuple:
        """A shape for operations whose result is a product of shapes."""
        while True:
            shape = self.shape(low, high, shortest)
            if np.prod(shape, dtype=np.int64) <= most:
                return shape

    def dtype(self, dtypes=DTYPES) -> str:
        if self.smooth and "float64" in dtypes:
            return "float64"
        # float32 twice as often as others.
        return self.pick([*dtypes, "float32"] if "float32" in dtypes else list(dtypes))

    # Arrays.

    def of(self, ref: Ref) -> mx.array:
        return self.values[ref[0]][ref[1]]

    def shape_of(self, ref: Ref) -> tuple:
        return self.of(ref).shape

    def dtype_of(self, ref: Ref) -> str:
        return str(self.of(ref).dtype).split(".")[-1]

    def new(self, shape, dtype: str, kind: str = "values", *options, layout: str | None = None) -> Ref:
        """A new input."""
        if layout is None:
            plain = kind in ("key", "square", "definite", "segments", "increasing", "lower", "upper")
            names = ["plain", "plain", "transposed", "strided", "reversed", "offset"]
            layout = "plain" if plain else self.pick(names if kind != "values" else [*names, "broadcast"])
        entry = Input(tuple(shape), dtype, kind, layout, self.int(0, 2**31), options)
        self.entries.append(entry)
        self.values.append(entry.arrays())
        return len(self.entries) - 1, 0

    def array(
        self, dtypes=DTYPES, low: int = 0, high: int = 4, shortest: int = 0, ok=None, fresh=None
    ) -> Ref:
        """A value that is there, or a new one, with a dtype, number of axes and sizes as asked for."""
        wanted = [self.dtype(dtypes)] if self.chance(0.5) else dtypes
        if self.smooth:
            wanted = ["float64"] if "float64" in dtypes else dtypes
        fitting = [] if self.chance(self.fresh if fresh is None else fresh) else [
            (i, k)
            for i, values in enumerate(self.values)
            for k, x in enumerate(values)
            if (i, k) not in self.hidden
            and low <= x.ndim <= high
            and x.size <= self.limit
            and str(x.dtype)[9:] in wanted
            and min(x.shape, default=shortest) >= shortest
            and getattr(self.entries[i], "kind", "values") in ("values", "few", "special")
            and (ok is None or ok(x.shape))
        ]  # fmt: skip
        if fitting:
            return self.pick(fitting)
        while True:
            shape = self.shape(low, high, shortest)
            if ok is None or ok(shape):
                break
        dtype = self.dtype(dtypes)
        kind = "values" if self.smooth or self.chance(0.8) else self.pick(["few", "few", "special"])
        return self.new(shape, dtype, kind)

    def matching(self, ref: Ref, dtypes=DTYPES) -> Ref:
        """A second operand that broadcasts with the first."""
        shape = self.shape_of(ref)

        def ok(other):
            pairs = zip(reversed(shape), reversed(other), strict=False)
            return all(a == b or a == 1 or b == 1 for a, b in pairs)

        if self.chance(0.5):
            ref = self.array(dtypes, ok=ok, fresh=0)
            both = np.broadcast_shapes(shape, self.shape_of(ref))
            if np.prod(both, dtype=np.int64) <= self.limit:
                return ref
        shape = shape[self.int(0, len(shape)) :]
        shape = tuple(1 if self.chance(0.2) else n for n in shape)
        return self.new(shape, self.dtype(dtypes))

    def axis(self, ref: Ref) -> int:
        n = len(self.shape_of(ref))
        return self.int(-n, n - 1)

    def axes(self, ref: Ref, none: bool = True):
        """None, an axis, or several."""
        n = len(self.shape_of(ref))
        if n == 0 or (none and self.chance(0.25)):
            return None
        if self.chance(0.5):
            return self.axis(ref)
        chosen = self.rng.permutation(n)[: self.int(1, n)]
        return tuple(int(a) - (n if self.chance(0.3) else 0) for a in chosen)

    # Calls.

    def call(self, row: Row, operands=(), kwargs=None) -> list[Ref]:
        entry = Call(row, tuple(operands), kwargs or {})
        self.entries.append(entry)
        try:
            self.values.append(entry.run(self.values))
        except Exception as error:
            last = len(self.entries) - 1
            graph = Graph(tuple(self.entries), ((last, 0),)).needed()
            raise Failure("build", graph, f"{type(error).__name__}: {error}") from error
        return [(len(self.entries) - 1, k) for k in range(len(self.values[-1]))]

    def into(self, ref: Ref, low: float, high: float) -> Ref:
        """The value brought into a range, by a smooth function where it is a float."""
        if self.dtype_of(ref) == "bool":
            return ref
        return self.call(INTO, [ref], {"low": low, "high": high})[0]

    def tame(self, row: Row, refs: list[Ref]):
        """Results of wild operations come back to a small range, so that graphs do not end in infinities."""
        if not row.wild:
            return
        for ref in refs:
            if self.dtype_of(ref) != "bool":
                self.hidden.add(ref)
                self.into(ref, -3, 9 if "int" in self.dtype_of(ref) else 3)


def into(x: mx.array, low: float, high: float) -> mx.array:
    if mx.issubdtype(x.dtype, mx.integer):
        first = max(0, int(np.ceil(low))) if mx.issubdtype(x.dtype, mx.unsignedinteger) else int(np.ceil(low))
        return mx.remainder(x, int(np.floor(high)) - first + 1) + first
    if x.dtype == mx.complex64:
        size = mx.abs(x)
        x = mx.where(mx.isfinite(size), x, mx.array(0.5, x.dtype))
        x = x / (1 + mx.where(mx.isfinite(size), size, 0))
    else:
        x = mx.tanh(mx.where(mx.isnan(x), mx.array(0.5, x.dtype), x) * 0.5)
    # Half types round to the ends otherwise.
    middle, half = (low + high) / 2, (high - low) / 2 * 0.98
    return x * half + middle


INTO = Row("into", None, None, into, smooth=True)
FLOATS64 = ("float64",)
__all__ = ["Draw", "Failure", "FLOATS64", "INEXACT", "INTO", "REALS"]
