"""Writing trees of arrays and modules back into a module, and comparing weights with it.

The two walks differ only in what they call a leaf and what may replace it.
"""

from __future__ import annotations

import difflib
from typing import Any

import mlx.core as mx
from mlx.nn._checks import describe


def assign_parameters(module: dict, tree: Any, strict: bool) -> None:
    """Store the arrays of `tree` over the arrays of the same place in `module`."""
    _ParameterWalk("update", "parameter", strict).walk(module, tree)


def assign_modules(module: dict, tree: Any, strict: bool) -> None:
    """Store the modules of `tree` over the modules of the same place in `module`."""
    # A module is told from other dicts by its static method, since base.py imports this file.
    _ModuleWalk("update_modules", "submodule", strict).walk(module, tree)


class _Walk:
    """Descends a module and a tree together and changes the module in place."""

    def __init__(self, method: str, noun: str, strict: bool):
        self.method, self.noun, self.strict = method, noun, strict

    def is_leaf(self, value: Any) -> bool:
        raise NotImplementedError

    def replacement(self, place: str, old: Any, new: Any) -> Any:
        """What stands at `place` afterwards: `new`, or `old` where the tree may not replace it."""
        raise NotImplementedError

    def walk(self, target: Any, tree: Any, prefix: str = "") -> None:
        for key, new in self._entries(target, tree, prefix):
            place = f"{prefix}{key}"
            # A subclass of Module may have given [] another meaning.
            kind = dict if isinstance(target, dict) else list
            if not (dict.__contains__(target, key) if kind is dict else key < len(target)):
                if self.strict:
                    raise ValueError(self._unknown(target, key, place))
                continue
            old = kind.__getitem__(target, key)
            if isinstance(new, (dict, list)) and not self.is_leaf(new) and isinstance(old, (dict, list)):
                self.walk(old, new, f"{place}.")
            else:
                kind.__setitem__(target, key, self.replacement(place, old, new))

    def _entries(self, target: Any, tree: Any, prefix: str) -> list:
        """The (key, value) pairs of `tree`, which must be a container of the kind of `target` or empty."""
        if isinstance(tree, dict) and isinstance(target, dict):
            return list(tree.items())
        if isinstance(tree, (list, tuple)) and isinstance(target, list):
            return list(enumerate(tree))
        if not isinstance(tree, (dict, list, tuple)) or (tree and self.strict):
            where = prefix[:-1] or "The module"
            kind = type(target).__name__
            raise ValueError(f"[Module.{self.method}] {where} is a {kind}, not {describe(tree)}.")
        return []

    def _unknown(self, target: Any, key: Any, place: str) -> str:
        if isinstance(target, list):
            return f"[Module.{self.method}] {place} does not exist: the list holds {len(target)} items."
        near = difflib.get_close_matches(str(key), [str(name) for name in dict.keys(target)], n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        return f"[Module.{self.method}] The module has no {self.noun} named {place!r}.{hint}"

    def _refuse(self, place: str, old: Any, new: Any) -> None:
        if self.strict:
            raise ValueError(
                f"[Module.{self.method}] {place} is {describe(old)} and cannot become {describe(new)}."
            )


class _ParameterWalk(_Walk):
    def is_leaf(self, value: Any) -> bool:
        return isinstance(value, mx.array)

    def replacement(self, place: str, old: Any, new: Any) -> Any:
        if isinstance(old, mx.array) and isinstance(new, mx.array):
            return new
        # parameters() leaves {} where a list or dict holds something that is no parameter.
        if isinstance(old, mx.array) or not isinstance(new, (dict, list)) or new:
            self._refuse(place, old, new)
        return old


class _ModuleWalk(_Walk):
    def is_leaf(self, value: Any) -> bool:
        return hasattr(value, "is_module")

    def replacement(self, place: str, old: Any, new: Any) -> Any:
        if self.is_leaf(old) and self.is_leaf(new):
            return new
        if self.is_leaf(new) or not isinstance(new, (dict, list)) or new:
            self._refuse(place, old, new)
        return old


def check_weights(own: dict, weights: dict) -> None:
    """Raise ValueError unless `weights` holds exactly the names of `own`, as arrays of the same shapes."""
    unknown, missing = sorted(weights.keys() - own.keys()), sorted(own.keys() - weights.keys())
    for names, verdict in ((unknown, "not in the module"), (missing, "missing from the weights")):
        if names:
            count = f"{len(names)} parameter{'s are' if len(names) > 1 else ' is'}"
            raise ValueError(f"[Module.load_weights] {count} {verdict}: {', '.join(names)}.")
    for name, parameter in own.items():
        value = weights[name]
        if not isinstance(value, mx.array):
            raise ValueError(
                f"[Module.load_weights] {name} must be an mx.array, not {describe(value)}. Convert it with "
                "mx.array()."
            )
        if value.shape != parameter.shape:
            raise ValueError(
                f"[Module.load_weights] {name} has shape {tuple(value.shape)} in the weights and "
                f"{tuple(parameter.shape)} in the module."
            )
