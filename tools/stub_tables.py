"""What tools/make_stubs.py cannot read off mlx.core: operators, overloads, types of attributes and of names
that stand in signatures."""

# Names in signatures that are no classes of the module: what they stand for, under a private name.
ALIASES = {
    "scalar": "bool | int | float | complex",
    "list_or_scalar": "Any",
    "DLPackCompatible": "Any",
    "capsule": "Any",
    "file": "Any",
    "writable": "Any",
    "StreamOrDevice": "Stream | ThreadLocalStream | Device | DeviceType | None",
}
# Generic classes that stand alone in signatures.
GENERIC = {
    "Callable": "Callable[..., Any]",
    "Iterator": "Iterator[array]",
    "Sequence": "Sequence[Any]",
    "dict": "dict[Any, Any]",
    "list": "list[Any]",
    "tuple": "tuple[Any, ...]",
    "type": "type[Any]",
    "numpy.ndarray": "numpy.typing.NDArray[Any]",
}

# Type slots have no signatures of their own.
SLOTS = {
    "(self, other: scalar | array, /) -> array": (
        "add radd iadd sub rsub isub mul rmul imul truediv rtruediv itruediv floordiv rfloordiv ifloordiv "
        "mod rmod imod pow rpow ipow and rand iand or ror ior xor rxor ixor lshift rlshift ilshift "
        "rshift rrshift irshift lt le gt ge"
    ),
    "(self, other: object, /) -> array": "eq ne",
    "(self, other: array, /) -> array": "matmul rmatmul imatmul",
    "(self, other: scalar | array, /) -> tuple[array, array]": "divmod rdivmod",
    "(self) -> array": "neg pos abs invert",
    "(self) -> int": "len int index hash",
    "(self) -> float": "float",
    "(self) -> bool": "bool",
    "(self) -> Iterator[array]": "iter",
    "(self, value: scalar | array, /) -> bool": "contains",
    "(self, indices: Any, /) -> array": "getitem",
    "(self, indices: Any, value: Any, /) -> None": "setitem",
    "(self, indices: Any, /) -> None": "delitem",
}
# Special methods that nanobind defines without a signature of ours.
SPECIAL = {
    "__hash__": "(self) -> int",
    "__len__": "(self) -> int",
    "__iter__": "(self) -> Iterator[array]",
    "__next__": "(self) -> array",
    "__call__": "(self, *args: Any, **kwargs: Any) -> Any",
    "__copy__": "(self) -> {name}",
    "__deepcopy__": "(self, memo: dict, /) -> {name}",
    "__reduce__": "(self) -> str",
}
ATTRIBUTES = {
    "Dtype.size": "int",
    "finfo.bits": "int",
    "finfo.min": "float",
    "finfo.max": "float",
    "finfo.eps": "float",
    "finfo.smallest_normal": "float",
    "finfo.dtype": "Dtype",
    "iinfo.bits": "int",
    "iinfo.min": "int",
    "iinfo.max": "int",
    "iinfo.dtype": "Dtype",
    "Device.type": "DeviceType",
    "Device.index": "int",
    "Stream.device": "Device",
    "Stream.index": "int",
    "ThreadLocalStream.device": "Device",
    "ThreadLocalStream.index": "int",
    "PrintOptions.precision": "int",
}
# Fields of named tuples are arrays. The functions that return them:
RESULTS = {
    "mlx.core.linalg.qr": "QRResult",
    "mlx.core.linalg.eig": "EigenResult",
    "mlx.core.linalg.eigh": "EigenResult",
    "mlx.core.linalg.slogdet": "SlogdetResult",
    # A number whose kind depends on the dtype: a union would make users cast it.
    "mlx.core.array.item": "Any",
    "mlx.core.array.tolist": "Any",
}

STREAM = "stream: StreamOrDevice = None"
SIZED = f"*, size: int | None = None, fill_value: scalar | array | None = None, {STREAM}"
# Signatures whose result depends on the arguments, most special first. Each must fit the real one.
OVERLOADS = {
    "mlx.core.arange": [
        "(stop: int | float, /, *, step: None | int | float = None, dtype: Dtype | None = None, "
        + STREAM
        + ") -> array",
        "(start: int | float = 0, stop: None | int | float = None, step: None | int | float = None, "
        "dtype: Dtype | None = None, *, " + STREAM + ") -> array",
    ],
    "mlx.core.where": [
        f"(condition: scalar | array, x: scalar | array, y: scalar | array, /, *, {STREAM}) -> array",
        f"(condition: scalar | array, /, {SIZED}) -> tuple[array, ...]",
    ],
    "mlx.core.unique": [
        "(a: array, /, size: int | None = None, *, fill_value: scalar | array | None = None, "
        + STREAM
        + ") -> array",
        "(a: array, /, size: int | None = None, return_index: bool = False, return_inverse: bool = False, "
        "return_counts: bool = False, fill_value: scalar | array | None = None, *, " + STREAM + ") -> Any",
    ],
    **{
        f"mlx.core.atleast_{n}d": [
            f"(ary: array, /, *, {STREAM}) -> array",
            f"(first: array, second: array, /, *more: array, {STREAM}) -> list[array]",
        ]
        for n in (1, 2, 3)
    },
    "mlx.core.depends": [
        "(inputs: array, dependencies: array | Sequence[array], /) -> array",
        "(inputs: Sequence[array], dependencies: array | Sequence[array], /) -> list[array]",
    ],
    # What a file holds is known only when it is read.
    "mlx.core.load": [
        "(file: file | str | pathlib.Path, /, format: str | None = None, "
        f"return_metadata: Literal[False] = False, *, {STREAM}) -> Any",
        "(file: file | str | pathlib.Path, /, format: str | None = None, *, return_metadata: Literal[True], "
        f"{STREAM}) -> tuple[dict[str, array], dict[str, Any]]",
    ],
    "mlx.core.import_function": [
        "(file: str, return_metadata: Literal[False] = False) -> Callable[..., tuple[array, ...]]",
        "(file: str, return_metadata: Literal[True]) -> tuple[Callable[..., tuple[array, ...]], str]",
    ],
    "mlx.core.linalg.svd": [
        f"(a: array, compute_uv: Literal[True] = True, *, {STREAM}) -> SVDResult",
        f"(a: array, compute_uv: Literal[False], *, {STREAM}) -> array",
    ],
}
