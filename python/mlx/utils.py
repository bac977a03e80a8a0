"""Trees: nested dicts, lists, tuples and named tuples with leaves of any kind.

None is a leaf. A module is a dict and therefore a tree, as is the state of an optimizer. Nothing here needs
``mlx.core``.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

__all__ = [
    "tree_flatten",
    "tree_map",
    "tree_map_with_path",
    "tree_merge",
    "tree_reduce",
    "tree_unflatten",
]

_CONTAINERS = (dict, list, tuple)


def _is_branch(tree: Any, is_leaf: Callable | None) -> bool:
    return isinstance(tree, _CONTAINERS) and (is_leaf is None or not is_leaf(tree))


def _items(tree: Any) -> dict:
    """A copy of the children of a container by key or index: a function may change the tree that it maps."""
    return dict(tree.items() if isinstance(tree, dict) else enumerate(tree))


def _children(tree: Any, keys: Any) -> list:
    # A subclass of nn.Module may have given [] another meaning.
    if isinstance(tree, dict):
        return [dict.__getitem__(tree, key) for key in keys]
    return [tree[key] for key in keys]


def _same_kind(like: Any, keys: Any, values: list) -> Any:
    """A container of the class of `like` around `values`; a dict subclass becomes a plain dict."""
    if isinstance(like, dict):
        return dict(zip(keys, values))
    if type(like) is list:
        return values
    if isinstance(like, list):
        made = copy.copy(like)
        made[:] = values
        return made
    try:  # not the constructor of a subclass, which may want other arguments
        made = tuple.__new__(type(like), values)
    except TypeError:  # of fixed fields, such as time.struct_time
        return tuple(values)
    if hasattr(like, "__dict__"):
        made.__dict__.update(like.__dict__)
    return made


def tree_map(fn: Callable, tree: Any, *rest: Any, is_leaf: Callable | None = None) -> Any:
    """Call ``fn(leaf, *leaves of rest)`` on every leaf of `tree` and return the results as a tree.

    Args:
        fn: takes one leaf of `tree` and the subtrees found at the same place in each of `rest`.
        tree: gives the structure of the result; container types are kept, named tuples included.
        rest: trees that hold at least the places of `tree`; further keys are ignored.
        is_leaf: a node for which this returns true is handed to `fn` whole.

    Raises:
        KeyError, IndexError: a place of `tree` is missing in one of `rest`.

    Example:
        >>> utils.tree_map(lambda x: 2 * x, {"a": 1, "b": [2, 3]})
        {'a': 2, 'b': [4, 6]}
    """

    def visit(tree: Any, *rest: Any) -> Any:
        if not _is_branch(tree, is_leaf):
            return fn(tree, *rest)
        items = _items(tree)
        mapped = list(map(visit, items.values(), *[_children(other, items) for other in rest]))
        return _same_kind(tree, items, mapped)

    return visit(tree, *rest)


def tree_map_with_path(
    fn: Callable, tree: Any, *rest: Any, is_leaf: Callable | None = None, path: Any | None = None
) -> Any:
    """As :func:`tree_map`, calling ``fn(path, leaf, *leaves of rest)``.

    The path is the dotted name of the leaf (``"layers.0.weight"``), after `path` and a dot where that is
    given; a tree that is a bare leaf has the path `path`, so None by default.

    Example:
        >>> utils.tree_map_with_path(lambda path, x: f"{path}={x}", {"a": 1, "b": [2]})
        {'a': 'a=1', 'b': ['b.0=2']}
    """

    def visit(path: Any, tree: Any, *rest: Any) -> Any:
        if not _is_branch(tree, is_leaf):
            return fn(path, tree, *rest)
        items = _items(tree)
        paths = [str(key) if path is None else f"{path}.{key}" for key in items]
        mapped = list(map(visit, paths, items.values(), *[_children(other, items) for other in rest]))
        return _same_kind(tree, items, mapped)

    return visit(path, tree, *rest)


def tree_flatten(
    tree: Any,
    prefix: str = "",
    is_leaf: Callable | None = None,
    destination: list | dict | None = None,
) -> list | dict:
    """List the leaves of a tree with their dotted names, in insertion order.

    Args:
        tree: a tree; a bare leaf has the name ``""``; empty containers leave no trace.
        prefix: put before every name. Its first character is dropped, so it begins with a dot: ``".model"``.
        is_leaf: a node for which this returns true is listed whole.
        destination: a list to append ``(name, leaf)`` pairs to, or a dict to fill; a new list by default.

    Returns:
        `destination`.

    Example:
        >>> utils.tree_flatten({"layers": [{"w": 1}, {"w": 2}]})
        [('layers.0.w', 1), ('layers.1.w', 2)]
    """
    if destination is None:
        destination = []
    if _is_branch(tree, is_leaf):
        for key, child in _items(tree).items():
            tree_flatten(child, f"{prefix}.{key}", is_leaf, destination)
    elif isinstance(destination, dict):
        destination[prefix[1:]] = tree
    else:
        destination.append((prefix[1:], tree))
    return destination


def tree_unflatten(tree: list | dict) -> Any:
    """Build the tree back from dotted names: the inverse of :func:`tree_flatten` for dicts and lists.

    Args:
        tree: ``(name, leaf)`` pairs, or a dict from name to leaf. Where all names of one level are decimal
            numbers that level becomes a list, with ``{}`` in its gaps.

    Returns:
        the tree; ``[]`` for no pairs, the leaf itself for the single name ``""``.

    Raises:
        ValueError: one name occurs twice.

    Example:
        >>> utils.tree_unflatten([("layers.0.w", 1), ("layers.1.w", 2)])
        {'layers': [{'w': 1}, {'w': 2}]}
    """
    return _unflatten(list(tree.items()) if isinstance(tree, dict) else list(tree))


def _unflatten(pairs: list) -> Any:
    if len(pairs) == 1 and pairs[0][0] == "":
        return pairs[0][1]
    levels: dict[str, list] = {}
    for name, leaf in pairs:
        head, _, tail = name.partition(".")
        levels.setdefault(head, []).append((tail, leaf))
    if len(levels.get("", [])) > 1:
        raise ValueError(f"[tree_unflatten] A name occurs {len(levels[''])} times; each may occur once.")
    children = {head: _unflatten(below) for head, below in levels.items()}
    if not all(head.isascii() and head.isdigit() for head in children):
        return children
    by_index = {int(head): child for head, child in children.items()}
    return [by_index.get(i, {}) for i in range(max(by_index, default=-1) + 1)]


def tree_reduce(fn: Callable, tree: Any, initializer: Any = None, is_leaf: Callable | None = None) -> Any:
    """Fold the leaves from the left: ``fn(fn(initializer, leaf0), leaf1)``.

    Without an initializer the first leaf starts the fold; a tree without leaves gives the initializer.

    Example:
        >>> utils.tree_reduce(lambda total, x: total + x, {"a": 1, "b": [2, 3]}, 0)
        6
    """
    if not _is_branch(tree, is_leaf):
        return tree if initializer is None else fn(initializer, tree)
    for child in _items(tree).values():
        initializer = tree_reduce(fn, child, initializer, is_leaf)
    return initializer


def tree_merge(tree_a: Any, tree_b: Any, merge_fn: Callable | None = None) -> Any:
    """Unite two trees that each hold some of the leaves.

    Args:
        tree_a, tree_b: trees of the same container kinds. None or an empty container gives way to
            whatever the other tree holds there; the longer of two lists decides the length.
        merge_fn: called as ``merge_fn(a, b)`` where both trees hold a leaf, or differing containers.

    Raises:
        ValueError: both hold something at one place and there is no `merge_fn`; or two empty containers of
            different types meet.

    Example:
        >>> utils.tree_merge({"a": 1}, {"b": 2})
        {'a': 1, 'b': 2}
    """
    kind_a, kind_b = _container_kind(tree_a), _container_kind(tree_b)
    if kind_a and kind_b and not tree_a and not tree_b and kind_a is not kind_b:
        raise ValueError(
            f"[tree_merge] Cannot merge an empty {kind_a.__name__} with an empty {kind_b.__name__}."
        )
    if kind_a is not None and kind_a is kind_b:
        return _merge_containers(kind_a, tree_a, tree_b, merge_fn)
    void_a = tree_a is None or (kind_a is not None and not tree_a)
    void_b = tree_b is None or (kind_b is not None and not tree_b)
    if void_a and not void_b:
        return tree_b
    if void_b and not void_a:
        return tree_a
    if merge_fn is None:
        raise ValueError(
            f"[tree_merge] Both trees hold a value at the same place ({type(tree_a).__name__} and "
            f"{type(tree_b).__name__}) and no merge_fn was given."
        )
    return merge_fn(tree_a, tree_b)


def _container_kind(tree: Any) -> type | None:
    return next((kind for kind in _CONTAINERS if isinstance(tree, kind)), None)


def _merge_containers(kind: type, tree_a: Any, tree_b: Any, merge_fn: Callable | None) -> Any:
    a, b = _items(tree_a), _items(tree_b)
    merged = {**a, **b}
    for key in a:
        if key in b:
            merged[key] = tree_merge(a[key], b[key], merge_fn)
    return _same_kind(tree_a if len(a) >= len(b) else tree_b, merged, list(merged.values()))
