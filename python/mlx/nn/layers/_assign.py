"""Writing trees of arrays and modules back into a module, and comparing weights with it."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any

import mlx.core as mx
from mlx.nn._checks import describe

_ABSENT = object()


@dataclass(frozen=True)
class Assignment:
    """Stores the leaves of a tree over those of the same place in a module, which it changes.

    Of a subclass of Module, whose methods may mean something else, those of dict are called.
    """

    method: str  # for messages, as the noun
    noun: str
    leaf: type
    strict: bool

    def walk(self, target: Any, tree: Any, prefix: str = "") -> None:
        leaf, kind = self.leaf, dict if isinstance(target, dict) else list
        store = kind.__setitem__
        for key, new in self._entries(target, tree, prefix):
            if kind is dict:
                old = dict.get(target, key, _ABSENT)  # not [], which a defaultdict answers with a new item
            else:
                old = list.__getitem__(target, key) if key < len(target) else _ABSENT
            if old is _ABSENT:
                if self.strict:
                    raise ValueError(self._unknown(target, key, f"{prefix}{key}"))
                continue
            if isinstance(new, leaf):
                fits = isinstance(old, leaf)
                if fits:
                    store(target, key, new)
            elif isinstance(new, (dict, list)) and isinstance(old, (dict, list)):
                fits = True
                self.walk(old, new, f"{prefix}{key}.")
            else:  # {} stands in the places of trees of a module that are no leaves
                fits = isinstance(new, (dict, list)) and not new and not isinstance(old, leaf)
            if self.strict and not fits:
                raise ValueError(
                    f"[Module.{self.method}] {prefix}{key} is {describe(old)} and cannot become "
                    f"{describe(new)}."
                )

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
