"""Module: a dict of parameters and submodules with attribute access.

What a walk over a module visits is decided by three filters (children, parameters, trainable parameters); all
walks go through ``filter_and_map``. How trees are written back lives in ``_assign.py``.
"""

from __future__ import annotations

import copyreg
import textwrap
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import mlx.core as mx
from mlx.nn._checks import describe
from mlx.nn.layers._assign import Assignment, check_weights
from mlx.utils import tree_flatten, tree_map_with_path

_STORED_AS_ITEMS = (mx.array, dict, list, tuple)
_ABSENT = object()


class _Default:
    """A class attribute (``cache = None``) or method of dict that gives way to an item of the same name."""

    def __init__(self, name: str, value: Any):
        self.name, self.value = name, value

    def __get__(self, module: Module | None, owner: type) -> Any:
        if module is None:
            return self.value
        item = dict.get(module, self.name, _ABSENT)
        if item is not _ABSENT:
            return item
        bind = getattr(type(self.value), "__get__", None)
        return bind(self.value, module, owner) if bind else self.value


def _give_way(module_class: type, name: str) -> None:
    """Let items be read that a plain attribute of the class or a method of dict (``keys``) would hide."""
    owner = next(c for c in module_class.__mro__ if name in c.__dict__)
    value = owner.__dict__[name]
    if owner is dict:
        setattr(module_class, name, _Default(name, value))
    elif not hasattr(type(value), "__get__"):
        setattr(owner, name, _Default(name, value))


class Module(dict):
    """Base class of all layers and models.

    Arrays, modules, lists, tuples and dicts set as attributes become items of the dict, everything else plain
    attributes. Items that are arrays, or lists, dicts and modules that hold arrays, are parameters, unless
    their name begins with an underscore. Subclasses may give ``[]``, ``len``, ``items`` and the other methods
    of a dict other meanings; a list of modules does, say. They call ``super().__init__()`` first and define
    ``__call__``.

    Example::

        class Classifier(nn.Module):
            def __init__(self, classes: int):
                super().__init__()
                self.layers = [nn.Linear(64, 32), nn.Linear(32, classes)]

            def __call__(self, x):
                return self.layers[1](nn.relu(self.layers[0](x)))
    """

    # Names that freeze() and unfreeze() never make trainable; a subclass lists its running statistics here.
    _always_frozen: tuple[str, ...] = ()

    if TYPE_CHECKING:  # every subclass has its own

        def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

    def __init__(self) -> None:
        self._no_grad = set()
        self._training = True

    def __getattr__(self, key: str) -> Any:
        # Reached only when normal lookup failed, so methods and plain attributes come first.
        value = dict.get(self, key, _ABSENT)
        if value is not _ABSENT:
            return value
        if key in ("_no_grad", "_training"):
            raise AttributeError(f"{type(self).__name__}.__init__ must call super().__init__() first.")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {key!r}")

    def __setattr__(self, key: str, value: Any) -> None:
        if isinstance(value, _STORED_AS_ITEMS):
            of_class = getattr(type(self), key, _ABSENT)
            if not isinstance(of_class, property):
                self.__dict__.pop(key, None)
                dict.__setitem__(self, key, value)
                if of_class is not _ABSENT and not key.startswith("__"):
                    _give_way(type(self), key)
                return
        object.__setattr__(self, key, value)
        dict.pop(self, key, None)

    def __delattr__(self, key: str) -> None:
        if dict.__contains__(self, key):
            dict.__delitem__(self, key)
        else:
            object.__delattr__(self, key)

    def __reduce_ex__(self, protocol: Any) -> Any:
        if type(self).__setitem__ is dict.__setitem__ and type(self).items is dict.items:
            return super().__reduce_ex__(protocol)
        # Items in the place of slots, which are set as attributes are.
        return copyreg.__newobj__, (type(self),), (self.__dict__, dict(dict.items(self)))  # type: ignore

    def _extra_repr(self) -> str:
        """What stands between the parentheses of the repr; for subclasses to override."""
        return ""

    def __repr__(self) -> str:
        children = tree_flatten(self.children(), is_leaf=self.is_module)
        text = f"{type(self).__name__}({self._extra_repr()}"
        for name, child in children:
            text += "\n" + textwrap.indent(f"({name}): {child!r}", "  ")
        return text + ("\n)" if children else ")")

    @property
    def training(self) -> bool:
        """Whether the module is in training mode; set by :meth:`train` and :meth:`eval`."""
        return self._training

    @property
    def state(self) -> Module:
        """The module itself: the tree to name in ``mx.compile(inputs=..., outputs=...)``."""
        return self

    # Walks ------------------------------------------------------------------------------------------------

    @staticmethod
    def is_module(value: Any) -> bool:
        """Whether a value is a module."""
        return isinstance(value, Module)

    @staticmethod
    def valid_child_filter(module: Module, key: str, value: Any) -> bool:
        """Selects modules and the containers that may hold some."""
        return isinstance(value, (dict, list))

    @staticmethod
    def valid_parameter_filter(module: Module, key: str, value: Any) -> bool:
        """Selects arrays and the containers that may hold some, unless the name begins with _."""
        return isinstance(value, (dict, list, mx.array)) and not key.startswith("_")

    @staticmethod
    def trainable_parameter_filter(module: Module, key: str, value: Any) -> bool:
        """As :meth:`valid_parameter_filter`, without frozen names."""
        return Module.valid_parameter_filter(module, key, value) and key not in module._no_grad

    def filter_and_map(
        self,
        filter_fn: Callable[[Module, str, Any], bool],
        map_fn: Callable | None = None,
        is_leaf_fn: Callable[[Module, str, Any], bool] | None = None,
    ) -> dict:
        """Select items of the module tree and map the leaves.

        Args:
            filter_fn: called as ``filter_fn(module, name, value)`` for every item; below a list or dict the
                name is dotted (``"weights.0"``) and the module is the one that owns it.
            map_fn: applied to the leaves; identity by default.
            is_leaf_fn: called like `filter_fn`; by default whatever is no module, dict or list.

        Returns:
            nested dicts and lists; deselected items of a module are left out, those of a list or plain dict
            become ``{}`` so that places keep their index.
        """
        map_fn = map_fn or (lambda x: x)
        is_leaf_fn = is_leaf_fn or (lambda module, key, value: not isinstance(value, (dict, list)))

        def visit(module: Module, key: str, value: Any) -> Any:
            if is_leaf_fn(module, key, value):
                return map_fn(value)
            if isinstance(value, Module):
                return {k: visit(value, k, v) for k, v in dict.items(value) if filter_fn(value, k, v)}
            if isinstance(value, dict):
                return {k: visit_inside(module, f"{key}.{k}", v) for k, v in value.items()}
            if isinstance(value, list):
                return [visit_inside(module, f"{key}.{i}", v) for i, v in enumerate(value)]
            raise TypeError(
                f"[Module.filter_and_map] {key} is neither a leaf nor a container: {describe(value)}."
            )

        def visit_inside(module: Module, key: str, value: Any) -> Any:
            return visit(module, key, value) if filter_fn(module, key, value) else {}

        return {k: visit(self, k, v) for k, v in dict.items(self) if filter_fn(self, k, v)}

    def parameters(self) -> dict:
        """All arrays of the module tree as nested dicts and lists."""
        return self.filter_and_map(self.valid_parameter_filter)

    def trainable_parameters(self) -> dict:
        """The arrays that are not frozen; what :func:`mlx.nn.value_and_grad` differentiates."""
        return self.filter_and_map(self.trainable_parameter_filter)

    def children(self) -> dict:
        """The direct submodules, also those in lists and dicts, where other entries appear as ``{}``."""
        return self.filter_and_map(
            self.valid_child_filter, is_leaf_fn=lambda module, key, value: isinstance(value, Module)
        )

    def leaf_modules(self) -> dict:
        """The submodules that have no submodules themselves."""

        def is_leaf(module: Module, key: str, value: Any) -> bool:
            return isinstance(value, Module) and not tree_flatten(value.children(), is_leaf=self.is_module)

        return self.filter_and_map(self.valid_child_filter, is_leaf_fn=is_leaf)

    def named_modules(self) -> list[tuple[str, Module]]:
        """(dotted name, module) of this module, named ``""``, and all below; children last to first."""
        found, waiting = [], [("", self)]
        while waiting:
            name, module = waiting.pop()
            found.append((name, module))
            prefix = f".{name}" if name else ""
            waiting += tree_flatten(module.children(), prefix=prefix, is_leaf=self.is_module)
        return found

    def modules(self) -> list[Module]:
        """The modules of :meth:`named_modules` without their names."""
        return [module for _, module in self.named_modules()]

    def apply_to_modules(self, apply_fn: Callable[[str, Module], Any]) -> Module:
        """Call ``apply_fn(dotted name, module)`` in the order of :meth:`named_modules`; returns self."""
        for name, module in self.named_modules():
            apply_fn(name, module)
        return self

    # Writing back -----------------------------------------------------------------------------------------

    def update(self, parameters: dict, strict: bool = True) -> Module:
        """Replace parameters by those of a tree, which may hold only some of the names.

        Shapes and dtypes are not compared: an update may change both.

        Args:
            parameters: nested dicts and lists as :meth:`parameters` gives them.
            strict: raise for names, list items and values that have no place; otherwise skip them.

        Returns:
            self.

        Raises:
            ValueError: with `strict`, an unknown name, a list longer than the module's, or a value that is
                no ``mx.array``.
        """
        Assignment("update", "parameter", mx.array, strict).walk(self, parameters)
        return self

    def apply(
        self,
        map_fn: Callable[[mx.array], mx.array],
        filter_fn: Callable[[Module, str, Any], bool] | None = None,
    ) -> Module:
        """Replace every parameter (every array that `filter_fn` selects) by ``map_fn(parameter)``."""
        return self.update(self.filter_and_map(filter_fn or self.valid_parameter_filter, map_fn))

    def update_modules(self, modules: dict, strict: bool = True) -> Module:
        """Replace submodules by those of a tree; ``{}`` entries leave a place as it is.

        Raises:
            ValueError: with `strict`, an unknown name, a list longer than the module's, a value that is no
                module, or a module for something that is none.
        """
        Assignment("update_modules", "submodule", Module, strict).walk(self, modules)
        return self

    def set_dtype(
        self,
        dtype: mx.Dtype,
        predicate: Callable[[mx.Dtype], bool] | None = lambda x: mx.issubdtype(x, mx.floating),
    ) -> None:
        """Cast the parameters whose dtype satisfies `predicate` (floating point by default; None: all)."""
        self.apply(lambda x: x.astype(dtype) if predicate is None or predicate(x.dtype) else x)

    def load_weights(self, file_or_weights: str | Iterable | dict, strict: bool = True) -> Module:
        """Replace parameters by those of a file or of (name, array) pairs.

        Args:
            file_or_weights: the path of a ``.npz`` or ``.safetensors`` file, ``(name, array)`` pairs (a list
                or any other iterable) or a dict from name to array; names are dotted as in
                :func:`mlx.utils.tree_flatten`. Dtypes are taken over.
            strict: demand exactly the module's names and shapes; otherwise use what fits by name.

        Returns:
            self.

        Raises:
            TypeError: a path that is no str.
            ValueError: another file extension; with `strict` a missing or unknown name, another shape, or a
                value that is no ``mx.array``.
        """
        weights = file_or_weights
        if isinstance(weights, str):
            _check_extension("load_weights", weights)
            weights = mx.load(weights)
        try:
            weights = dict(weights)
        except (TypeError, ValueError):
            raise TypeError(
                "[Module.load_weights] Expected a path (str), (name, array) pairs or a dict, not "
                f"{describe(weights)}."
            ) from None
        own = self.parameters()
        if strict:
            check_weights(dict(tree_flatten(own)), weights)
        return self.update(tree_map_with_path(lambda name, old: weights.get(name, old), own), strict=strict)

    def save_weights(self, file: str) -> None:
        """Write all parameters under their dotted names to a ``.npz`` or ``.safetensors`` file.

        Raises:
            ValueError: another file extension.
        """
        if not isinstance(file, str):
            raise TypeError(f"[Module.save_weights] Expected a path (str), not {describe(file)}.")
        _check_extension("save_weights", file)
        weights = dict(tree_flatten(self.parameters()))
        if file.endswith(".npz"):
            mx.savez(file, **weights)
        else:
            mx.save_safetensors(file, weights)

    # Modes ------------------------------------------------------------------------------------------------

    def freeze(
        self, *, recurse: bool = True, keys: str | list[str] | None = None, strict: bool = False
    ) -> Module:
        """Take parameters out of :meth:`trainable_parameters`.

        Args:
            recurse: also in all submodules.
            keys: names to freeze in every visited module, whether it has them or not; all of its own
                parameters by default. An item of a list or dict is named with a dot (``"weights.0"``).
            strict: raise KeyError for a name that no visited module has.

        Returns:
            self.
        """
        for module, names in self._frozen_targets(recurse, keys, strict):
            module._no_grad.update(module._own_parameter_names() if names is None else names)
        return self

    def unfreeze(
        self, *, recurse: bool = True, keys: str | list[str] | None = None, strict: bool = False
    ) -> Module:
        """Make parameters trainable again, as :meth:`freeze`, but never running statistics."""
        for module, names in self._frozen_targets(recurse, keys, strict):
            if names is None:
                module._no_grad.clear()
            else:
                module._no_grad.difference_update(names)
            module._no_grad.update(module._always_frozen)
        return self

    def _own_parameter_names(self) -> list[str]:
        def is_own(module: Module, key: str, value: Any) -> bool:
            return not isinstance(value, Module) and self.valid_parameter_filter(module, key, value)

        return [name for name, _ in tree_flatten(self.filter_and_map(is_own))]

    def _frozen_targets(self, recurse: bool, keys: str | list[str] | None, strict: bool) -> list:
        """(module, names or None for all of its own) for the modules that freeze and unfreeze visit."""
        names = [keys] if isinstance(keys, str) else keys
        visited = self.modules() if recurse else [self]
        for name in names if strict and names is not None else []:
            if not any(dict.__contains__(m, name) or name in m._own_parameter_names() for m in visited):
                where = f"{type(self).__name__} and its submodules" if recurse else type(self).__name__
                raise KeyError(f"No parameter named {name!r} in {where}.")
        return [(module, names) for module in visited]

    def train(self, mode: bool = True) -> Module:
        """Set training mode on the whole tree; dropout, batch normalization and QQLinear react to it."""
        for module in self.modules():
            module._set_mode(mode)
        return self

    def _set_mode(self, training: bool) -> None:
        """What :meth:`train` does to one module; a layer with other parameters in each mode extends it."""
        self._training = training

    def eval(self) -> Module:
        """Leave training mode: ``train(False)``."""
        return self.train(False)


def _check_extension(method: str, path: str) -> None:
    if not path.endswith((".npz", ".safetensors")):
        raise ValueError(f"[Module.{method}] The file name must end in .npz or .safetensors: {path!r}.")
