"""mlx.utils: trees of any kind, without arrays."""

import time
from collections import namedtuple

import pytest

from mlx.utils import tree_flatten, tree_map, tree_map_with_path, tree_merge, tree_reduce, tree_unflatten

Point = namedtuple("Point", "x y")
TREE = {"a": 1, "b": [2, {"c": 3}], "d": (4, 5), "e": None, "f": {}, "g": Point(6, 7)}


def test_map_keeps_container_types():
    mapped = tree_map(lambda x: x and 10 * x, TREE)
    assert mapped == {"a": 10, "b": [20, {"c": 30}], "d": (40, 50), "e": None, "f": {}, "g": Point(60, 70)}
    assert type(mapped["g"]) is Point


def test_map_keeps_classes():
    class Items(list):
        def __init__(self, size, *items):  # not what list's own takes
            super().__init__(items)
            self.size = size

    class Pair(tuple):
        def __new__(cls, x, y):
            return super().__new__(cls, (x, y))

    class Named(namedtuple("Named", "x y")):
        def __new__(cls, x, y, *, checked):
            return super().__new__(cls, x, y)

    pair = Pair(1, 2)
    pair.label = "p"
    items, pair, named = tree_map(lambda x: -x, (Items(9, 1, 2), pair, Named(1, 2, checked=True)))
    assert type(items) is Items and items == [-1, -2] and items.size == 9
    assert type(pair) is Pair and pair == (-1, -2) and pair.label == "p"
    assert type(named) is Named and named.y == -2
    assert tree_map(lambda x: x, time.gmtime(0))[0] == 1970
    assert type(tree_map_with_path(lambda p, x: p, items)) is Items


def test_map_over_several_trees():
    assert tree_map(lambda x, y: (x, y), {"a": 1}, {"a": 2, "b": 3}) == {"a": (1, 2)}
    assert tree_map(lambda x, y: (x, y), [1], [3, 4]) == [(1, 3)]
    with pytest.raises(KeyError, match="a"):
        tree_map(lambda x, y: x, {"a": 1}, {})
    with pytest.raises(IndexError):
        tree_map(lambda x, y: x, [1, 2], [3])


def test_is_leaf_stops_the_walk():
    pairs = {"a": [1, 2], "b": [3]}
    assert tree_map(len, pairs, is_leaf=lambda n: isinstance(n, list)) == {"a": 2, "b": 1}
    assert tree_flatten(pairs, is_leaf=lambda n: isinstance(n, list)) == [("a", [1, 2]), ("b", [3])]
    assert tree_reduce(lambda n, x: n + len(x), pairs, 0, lambda n: isinstance(n, list)) == 3


def test_map_with_path():
    def note(path, leaf):
        return path

    assert tree_map_with_path(note, TREE)["b"] == ["b.0", {"c": "b.1.c"}]
    assert tree_map_with_path(note, TREE)["g"] == Point("g.0", "g.1")
    assert tree_map_with_path(note, {"a": 1}, path="z") == {"a": "z.a"}
    assert tree_map_with_path(note, 3) is None
    assert tree_map_with_path(lambda p, x, y: (p, x, y), [1], [2]) == [("0", 1, 2)]


def test_flatten():
    names = ["a", "b.0", "b.1.c", "d.0", "d.1", "e", "g.0", "g.1"]
    values = [1, 2, 3, 4, 5, None, 6, 7]
    assert tree_flatten(TREE) == list(zip(names, values))
    assert tree_flatten(3) == [("", 3)]
    assert tree_flatten([]) == []
    assert tree_flatten({"a": 1}, prefix=".x") == [("x.a", 1)]
    assert tree_flatten({"a": 1}, prefix="x") == [(".a", 1)]


def test_flatten_into_a_destination():
    pairs, named = [("z", 0)], {"z": 0}
    assert tree_flatten({"a": 1}, destination=pairs) is pairs and pairs == [("z", 0), ("a", 1)]
    assert tree_flatten({"a": [1]}, destination=named) is named and named == {"z": 0, "a.0": 1}
    assert tree_flatten({"a": 1}, destination={}) == {"a": 1}


def test_unflatten():
    back = {"a": 1, "b": [2, {"c": 3}], "d": [4, 5], "e": None, "g": [6, 7]}
    assert tree_unflatten(tree_flatten(TREE)) == back
    assert tree_unflatten(dict(tree_flatten(TREE))) == back
    assert tree_unflatten([("0", 1), ("2", 3)]) == [1, {}, 3]
    assert tree_unflatten([("1", 1), ("0", 0)]) == [0, 1]
    assert tree_unflatten([("a.0", 1), ("a.x", 3)]) == {"a": {"0": 1, "x": 3}}
    assert tree_unflatten([]) == [] and tree_unflatten({}) == []
    assert tree_unflatten([("", 5)]) == 5
    with pytest.raises(ValueError, match="occurs 2 times"):
        tree_unflatten([("a", 1), ("a", 2)])


def test_reduce():
    assert tree_reduce(lambda a, b: a + b, {"a": 1, "b": [2, 3]}) == 6
    assert tree_reduce(lambda a, b: a + b, {}) is None
    assert tree_reduce(lambda a, b: a + b, {}, 5) == 5
    assert tree_reduce(lambda a, b: a + [b], [1, None], []) == [1, None]


@pytest.mark.parametrize(
    "a, b, merged",
    [
        ({"a": 1}, {"b": 2}, {"a": 1, "b": 2}),
        ({"a": {"x": 1}}, {"a": {"y": 2}}, {"a": {"x": 1, "y": 2}}),
        ([1], [None, 2], [1, 2]),
        ([1, 2], [None], [1, 2]),
        ((1,), (None, 2), (1, 2)),
        (Point(1, None), Point(None, 2), Point(1, 2)),
        ({"a": None}, {"a": 2}, {"a": 2}),
        ({}, 3, 3),
        ([], {"a": 1}, {"a": 1}),
        ({}, {}, {}),
    ],
)
def test_merge(a, b, merged):
    result = tree_merge(a, b)
    assert result == merged and type(result) is type(merged)


def test_merge_conflicts():
    assert tree_merge({"a": 1}, {"a": 2}, lambda a, b: (a, b)) == {"a": (1, 2)}
    assert tree_merge({"a": 1}, [1], lambda a, b: "both") == "both"
    for a, b in [({"a": 1}, {"a": 2}), ({"a": 1}, [1]), (None, None), ({}, None)]:
        with pytest.raises(ValueError, match="no merge_fn"):
            tree_merge(a, b)
    with pytest.raises(ValueError, match="empty dict with an empty list"):
        tree_merge({}, [])
