"""Reading at masks and indices, and every update of x.at beside a slice, index arrays and masks."""

import numpy as np
from harness.case import FLOATS, Case

import mlx.core as mx

MASK = np.array([[True, False, True, True], [False, False, True, False], [True, True, False, False]])
TWICE = [2, 0, 2]
UPDATES = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "maximum": np.maximum,
    "minimum": np.minimum,
}

# name -> the index for mlx and for NumPy, as functions of x, and the shape of the value.
PLACES = {
    "slice": (lambda x: (slice(None), slice(None, 0, -2)), None, (3, 2)),
    "ids": (lambda x: (slice(1, None), TWICE), None, (2, 3)),
    "ids-and-int": (lambda x: (TWICE, -1), None, (3,)),
    "mask": (lambda x: mx.array(MASK), lambda x: MASK, (6,)),
    "mask-row": (lambda x: x[:, 0] > 0, None, (4,)),
    "mask-of-values": (lambda x: x > 0, None, (1,)),
    "mask-behind": (lambda x: (slice(1, None), MASK[0]), None, (2, 3)),
    "mask-and-int": (lambda x: (1, [True, False, True, True]), None, (3,)),
    "two-masks": (lambda x: (MASK[:, 0], MASK[0, :3].tolist() + [False]), None, ()),
}
READS = {
    "mask": lambda x: x[MASK],
    "mask-first": lambda x: x[[True, False, True]],
    "mask-behind": lambda x: x[::-1, MASK[0]],
    "mask-and-ids": lambda x: x[MASK[:, 0], [[1], [3]]],
    "bool": lambda x: x[:, True, 1],
}


def updated(name, place):
    own, theirs, _ = PLACES[place]

    def oracle(x, v):
        y, index = x.copy(), (theirs or own)(x)
        UPDATES[name].at(y, index, v)
        return y

    return lambda x, v: getattr(x.at[own(x)], name)(v), oracle


def assigned(place):
    own, theirs, _ = PLACES[place]

    def f(lib):
        def assign(x, v):
            y, index = x + 0, (own if lib is mx else theirs or own)(x)
            y[index] = v
            return y

        return assign

    return f(mx), f(np)


def positive(rng, shape, dtype, index):
    """Divisors stay away from zero."""
    return None if index == 0 else 0.5 + rng.random(shape).astype("float32" if "float" in dtype else dtype)


CASES = (
    [
        Case(f"at-{name}-{place}", updated(name, place)[0], [(3, 4), PLACES[place][2]],
             updated(name, place)[1], draw=positive if name in ("divide", "multiply") else None)
        for name in UPDATES
        for place in PLACES
    ]
    + [
        Case(f"set-{place}", assigned(place)[0], [(3, 4), PLACES[place][2]], assigned(place)[1],
             (*FLOATS, "int8", "uint64", "complex64"))
        for place in PLACES
    ]
    + [
        Case(f"read-{name}", read, [(3, 4)], read, (*FLOATS, "bool", "int8", "int64", "complex64"), ulps=0)
        for name, read in READS.items()
    ]
)  # fmt: skip
