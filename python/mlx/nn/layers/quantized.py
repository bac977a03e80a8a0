"""Layers with packed weights: QuantizedLinear, QuantizedEmbedding, QQLinear, and quantize().

The packing itself is ``mx.quantize``; codes and formats are described there. Packed words have no gradient,
so they stay frozen, as do the 8-bit scales of the floating-point modes.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import mlx.core as mx
from mlx.nn._checks import describe, require_indices, require_sizes
from mlx.nn.layers.base import Module
from mlx.utils import tree_map_with_path

# mode -> (group size, bits)
_FORMATS = {"affine": (64, 4), "mxfp4": (32, 4), "mxfp8": (32, 8), "nvfp4": (16, 4)}
_PACKED = ("weight", "scales", "biases")


def _format(owner: str, group_size: int | None, bits: int | None, mode: str) -> tuple[int, int]:
    """Group size and bits with the defaults of the mode filled in; mx.quantize checks what was given."""
    if mode not in _FORMATS:
        raise ValueError(f"[{owner}] mode must be one of {', '.join(_FORMATS)}, not {mode!r}.")
    default_group, default_bits = _FORMATS[mode]
    return default_group if group_size is None else group_size, default_bits if bits is None else bits


class _Packed(Module):
    """A table of shape (rows, columns), held as ``weight``, ``scales`` and, in affine mode, ``biases``."""

    group_size: int
    bits: int
    mode: str

    def _pack(self, table: mx.array, group_size: int | None, bits: int | None, mode: str) -> None:
        self.group_size, self.bits = _format(type(self).__name__, group_size, bits, mode)
        self.mode = mode
        parts = mx.quantize(table, self.group_size, self.bits, mode)
        for name, part in zip(_PACKED, parts):
            self[name] = part
        self._no_grad.update(_PACKED[: len(parts)])

    @property
    def _always_frozen(self) -> tuple[str, ...]:
        return ("weight",) if self.mode == "affine" else ("weight", "scales")

    @property
    def _shape(self) -> tuple[int, int]:
        rows, words = self["weight"].shape
        return rows, words * 32 // self.bits

    def _product(self, x: mx.array) -> mx.array:
        return mx.quantized_matmul(
            x,
            self["weight"],
            self["scales"],
            self.get("biases"),
            transpose=True,
            group_size=self.group_size,
            bits=self.bits,
            mode=self.mode,
        )

    def _format_repr(self) -> str:
        return f"group_size={self.group_size}, bits={self.bits}, mode={self.mode}"


class QuantizedLinear(_Packed):
    """:class:`Linear` with a quantized weight: ``y = x @ dequantize(weight).T + bias``.

    Parameters, all frozen: ``weight`` uint32 (output_dims, input_dims * bits / 32), ``scales`` (output_dims,
    input_dims / group_size), ``biases`` like scales in affine mode only, and ``bias`` (output_dims,), zeros.
    The quantized values are drawn from U(-s, s) with s = sqrt(1 / input_dims). After :meth:`unfreeze` the
    bias and affine scales and biases are trainable; the packed weight never is.

    x of shape (..., input_dims) gives (..., output_dims); in affine mode of the dtype that x, scales and
    biases promote to, otherwise of the dtype of x, which must be floating point.

    Args:
        input_dims, output_dims: sizes of the last axes of input and result; `group_size` divides input_dims.
        bias: without it there is no ``bias`` parameter.
        group_size, bits: how many values share a scale and the size of one value. By default those of the
            mode: affine 64 and 4, mxfp4 32 and 4, mxfp8 32 and 8, nvfp4 16 and 4.
        mode: ``"affine"``, ``"mxfp4"``, ``"mxfp8"`` or ``"nvfp4"``.

    Raises:
        TypeError: a size that is no integer.
        ValueError: a size below 1, or a format that :func:`mlx.core.quantize` refuses.

    Example::

        layer = nn.QuantizedLinear(64, 8, bits=8)
        y = layer(mx.ones((2, 64)))  # (2, 8)
    """

    def __init__(
        self,
        input_dims: int,
        output_dims: int,
        bias: bool = True,
        group_size: int | None = None,
        bits: int | None = None,
        mode: str = "affine",
    ) -> None:
        super().__init__()
        input_dims, output_dims = require_sizes(
            "QuantizedLinear", input_dims=input_dims, output_dims=output_dims
        )
        scale = math.sqrt(1 / input_dims)
        table = mx.random.uniform(low=-scale, high=scale, shape=(output_dims, input_dims))
        self._pack(table, group_size, bits, mode)
        if bias:
            self.bias = mx.zeros((output_dims,))
        self.freeze()

    def _extra_repr(self) -> str:
        outputs, inputs = self._shape
        return f"input_dims={inputs}, output_dims={outputs}, bias={'bias' in self}, {self._format_repr()}"

    def __call__(self, x: mx.array) -> mx.array:
        y = self._product(x)
        return y + self["bias"] if "bias" in self else y

    @classmethod
    def from_linear(
        cls,
        linear_layer: Module,
        group_size: int | None = None,
        bits: int | None = None,
        mode: str = "affine",
    ) -> QuantizedLinear:
        """The quantized form of a :class:`Linear`; its bias is shared and stays trainable."""
        layer = cls.__new__(cls)
        Module.__init__(layer)
        layer._pack(linear_layer.weight, group_size, bits, mode)
        if "bias" in linear_layer:
            layer.bias = linear_layer.bias
        return layer.train(linear_layer.training)


class QuantizedEmbedding(_Packed):
    """:class:`Embedding` with a quantized table; only the rows that are looked up are dequantized.

    Parameters, all frozen: ``weight`` uint32 (num_embeddings, dims * bits / 32), ``scales`` (num_embeddings,
    dims / group_size) and ``biases`` like scales in affine mode only. The quantized values are drawn from
    N(0, 1 / dims).

    Indices of any shape s give a result of shape (*s, dims), of the dtype of the scales in affine mode,
    bfloat16 otherwise.

    Args:
        num_embeddings, dims: rows of the table and their length, which `group_size` divides.
        group_size, bits, mode: as in :class:`QuantizedLinear`.

    Raises:
        ValueError: indices that are no integers; a format that :func:`mlx.core.quantize` refuses.

    Example::

        table = nn.QuantizedEmbedding(1000, 64)
        vectors = table(mx.array([1, 5]))  # (2, 64)
        logits = table.as_linear(vectors)  # (2, 1000)
    """

    def __init__(
        self,
        num_embeddings: int,
        dims: int,
        group_size: int | None = None,
        bits: int | None = None,
        mode: str = "affine",
    ) -> None:
        super().__init__()
        num_embeddings, dims = require_sizes("QuantizedEmbedding", num_embeddings=num_embeddings, dims=dims)
        table = mx.random.normal(shape=(num_embeddings, dims), scale=math.sqrt(1 / dims))
        self.num_embeddings, self.dims = num_embeddings, dims
        self._pack(table, group_size, bits, mode)

    def _extra_repr(self) -> str:
        return f"{self.num_embeddings}, {self.dims}, {self._format_repr()}"

    def __call__(self, x: mx.array) -> mx.array:
        require_indices("QuantizedEmbedding", x)
        rows = [self[name][x] for name in _PACKED if name in self]
        single = rows[0].ndim == 1  # dequantize takes matrices
        if single:
            rows = [mx.expand_dims(row, 0) for row in rows]
        values = mx.dequantize(*rows, group_size=self.group_size, bits=self.bits, mode=self.mode)
        return mx.squeeze(values, 0) if single else values

    def as_linear(self, x: mx.array) -> mx.array:
        """``x @ dequantize(weight).T``: from (..., dims) to (..., num_embeddings)."""
        return self._product(x)

    @classmethod
    def from_embedding(
        cls,
        embedding_layer: Module,
        group_size: int | None = None,
        bits: int | None = None,
        mode: str = "affine",
    ) -> QuantizedEmbedding:
        """The quantized form of an :class:`Embedding`."""
        layer = cls.__new__(cls)
        Module.__init__(layer)
        layer.num_embeddings, layer.dims = embedding_layer.weight.shape
        layer._pack(embedding_layer.weight, group_size, bits, mode)
        return layer.train(embedding_layer.training)


class QQLinear(Module):
    """A product of quantized inputs and a quantized weight, without bias; see :func:`mlx.core.qqmm`.

    In training mode the parameter ``weight`` is floating point (output_dims, input_dims), drawn from U(-s, s)
    with s = sqrt(1 / input_dims); it is quantized on every call and gradients pass straight through. Leaving
    training mode packs it into ``weight`` uint32 (output_dims, input_dims * bits / 32) and ``scales`` uint8;
    entering training mode unpacks it in its former dtype, with the rounding of the packing.

    Args:
        input_dims, output_dims: sizes of the last axes of input and result; `group_size` divides input_dims.
        group_size, bits: those of the mode by default, which allows no others.
        mode: ``"nvfp4"`` or ``"mxfp8"``.

    Raises:
        ValueError: another mode or format; an input that is no float32, float16 or bfloat16.

    Example::

        layer = nn.QQLinear(32, 8, mode="mxfp8")
        layer.eval()  # layer.weight is packed now
        y = layer(mx.ones((2, 32)))  # (2, 8)
    """

    _always_frozen = ("scales",)

    def __init__(
        self,
        input_dims: int,
        output_dims: int,
        group_size: int | None = None,
        bits: int | None = None,
        mode: str = "nvfp4",
    ) -> None:
        super().__init__()
        input_dims, output_dims = require_sizes("QQLinear", input_dims=input_dims, output_dims=output_dims)
        scale = math.sqrt(1 / input_dims)
        table = mx.random.uniform(low=-scale, high=scale, shape=(output_dims, input_dims))
        self._hold(table, group_size, bits, mode)

    def _hold(self, table: mx.array, group_size: int | None, bits: int | None, mode: str) -> None:
        if mode not in ("nvfp4", "mxfp8"):
            raise ValueError(f"[QQLinear] Inputs can be quantized in mode nvfp4 or mxfp8 only, not {mode!r}.")
        self.group_size, self.bits = _format("QQLinear", group_size, bits, mode)
        self.mode = mode
        mx.quantize(table, self.group_size, self.bits, mode)  # raises for what quantize() would refuse later
        self.weight = table
        self._no_grad.update(self._always_frozen)
        self._weight_dtype = table.dtype

    def _extra_repr(self) -> str:
        outputs, inputs = self.weight.shape
        inputs = inputs * 32 // self.bits if "scales" in self else inputs
        return (
            f"input_dims={inputs}, output_dims={outputs}, group_size={self.group_size}, bits={self.bits}, "
            f"mode={self.mode}"
        )

    def __call__(self, x: mx.array) -> mx.array:
        return mx.qqmm(x, self["weight"], self.get("scales"), self.group_size, self.bits, self.mode)

    def _set_mode(self, training: bool) -> None:
        super()._set_mode(training)
        self.dequantize() if training else self.quantize()

    def quantize(self) -> None:
        """Pack the weight, unless it is packed."""
        if "scales" not in self:
            self._weight_dtype = self.weight.dtype
            self.weight, self.scales = mx.quantize(self.weight, self.group_size, self.bits, self.mode)

    def dequantize(self) -> None:
        """Unpack the weight, if it is packed, in the dtype it had before."""
        if "scales" in self:
            self.weight = mx.dequantize(
                self.weight,
                self.scales,
                group_size=self.group_size,
                bits=self.bits,
                mode=self.mode,
                dtype=self._weight_dtype,
            )
            del self.scales

    @classmethod
    def from_linear(
        cls, linear_layer: Module, group_size: int | None = None, bits: int | None = None, mode: str = "nvfp4"
    ) -> QQLinear:
        """A layer with the weight of a :class:`Linear` and in the same mode, packed unless that is training.

        Raises:
            NotImplementedError: a layer with a bias.
        """
        if "bias" in linear_layer:
            raise NotImplementedError(
                "[QQLinear] A linear layer with a bias cannot have its input quantized."
            )
        layer = cls.__new__(cls)
        Module.__init__(layer)
        layer._hold(linear_layer.weight, group_size, bits, mode)
        return layer.train(linear_layer.training)


def quantize(
    model: Module,
    group_size: int | None = None,
    bits: int | None = None,
    *,
    mode: str = "affine",
    quantize_input: bool = False,
    class_predicate: Callable[[str, Module], bool | dict] | None = None,
) -> None:
    """Replace layers of a model by their quantized forms, in place.

    Args:
        model: its submodules without submodules are visited; the model itself is never replaced.
        group_size, bits, mode: as in :class:`QuantizedLinear`.
        quantize_input: also quantize inputs; see :class:`QQLinear`.
        class_predicate: called as ``class_predicate(path, module)``; returns whether to quantize the module,
            or the arguments of its ``to_quantized`` as a dict. By default all modules that have that method.

    Raises:
        ValueError: an unknown mode; a predicate that returns something else, or selects a module that has no
            ``to_quantized``.

    Example::

        nn.quantize(model, bits=8, class_predicate=lambda path, module: "head" not in path and
                    hasattr(module, "to_quantized"))
    """
    group_size, bits = _format("nn.quantize", group_size, bits, mode)
    arguments = {"group_size": group_size, "bits": bits, "mode": mode}
    if quantize_input:  # layers of other packages may not know it
        arguments["quantize_input"] = True
    select = class_predicate or (lambda path, module: hasattr(module, "to_quantized"))

    def replace(path: str, module: Module) -> Module:
        choice = select(path, module)
        if not isinstance(choice, (bool, dict)):
            raise ValueError(
                f"[nn.quantize] class_predicate must return a bool or a dict of arguments, not "
                f"{describe(choice)} as for {path}."
            )
        if not choice:
            return module
        if not hasattr(module, "to_quantized"):
            raise ValueError(f"[nn.quantize] {path} cannot be quantized: {type(module).__name__}.")
        return module.to_quantized(**(choice if isinstance(choice, dict) else arguments))

    model.update_modules(tree_map_with_path(replace, model.leaf_modules(), is_leaf=Module.is_module))
