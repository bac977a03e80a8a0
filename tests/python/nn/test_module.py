"""Module: attributes, walks, updates, weights, freezing."""

import copy
import pickle
from dataclasses import dataclass

import numpy as np
import pytest

import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as optim
from mlx.utils import tree_flatten, tree_map


class Holder(nn.Module):
    """Arrays and modules in every kind of place."""

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 2)
        self.ws = [mx.ones(1), mx.ones(2)]
        self.d = {"a": mx.ones(1), "b": 3, "m": nn.Linear(1, 1)}
        self.ls = [nn.Linear(1, 1), 4, mx.ones(1)]
        self._h = mx.ones(1)
        self.t = (mx.ones(1),)
        self.c = mx.ones(1)


def shapes(tree):
    return tree_map(lambda x: tuple(x.shape) if isinstance(x, mx.array) else x, tree)


NAMES = [
    "lin.weight",
    "lin.bias",
    "ws.0",
    "ws.1",
    "d.a",
    "d.m.weight",
    "d.m.bias",
    "ls.0.weight",
    "ls.0.bias",
    "ls.2",
    "c",
]


def names(tree):
    return [name for name, _ in tree_flatten(tree)]


def test_attributes_and_items():
    m = nn.Module()
    m.x = mx.ones(2)
    assert "x" in m and m["x"] is m.x
    m.x = 5  # a plain value leaves the items
    assert "x" not in m and m.x == 5
    m.x = [mx.ones(1)]
    assert "x" in m and "x" not in vars(m)
    m.pair, m.name, m.nothing = (1, 2), "text", None
    assert list(m) == ["x", "pair"] and m.nothing is None
    del m.x, m.name
    assert not hasattr(m, "x") and not hasattr(m, "name")
    with pytest.raises(AttributeError, match="'Module' object has no attribute 'zzz'"):
        m.zzz
    with pytest.raises(AttributeError, match="zzz"):
        del m.zzz
    with pytest.raises(AttributeError):
        m.training = False


def test_forgotten_super_init_is_explained():
    class Careless(nn.Module):
        def __init__(self):
            self.w = mx.ones(1)

    with pytest.raises(AttributeError, match="super"):
        Careless().trainable_parameters()


def test_parameters_and_children():
    m = Holder()
    assert list(m) == ["lin", "ws", "d", "ls", "_h", "t", "c"]
    assert names(m.parameters()) == NAMES
    assert shapes(m.parameters())["ls"] == [{"weight": (1, 1), "bias": (1,)}, {}, (1,)]
    assert m.parameters()["d"]["b"] == {}
    children = m.children()
    assert children["lin"] is m.lin and children["ls"] == [m.ls[0], {}, {}] and children["ws"] == [{}, {}]
    assert "c" not in children and "t" not in children
    assert m.leaf_modules()["d"] == {"a": {}, "b": {}, "m": m.d["m"]}
    assert m.state is m
    assert nn.ReLU().parameters() == {}


def test_filter_and_map_names():
    seen = []

    def look(module, key, value):
        seen.append((type(module).__name__, key))
        return isinstance(value, (dict, list, mx.array))

    Holder().filter_and_map(look)
    assert seen[:4] == [("Holder", "lin"), ("Linear", "weight"), ("Linear", "bias"), ("Holder", "ws")]
    assert ("Holder", "ws.1") in seen and ("Holder", "d.b") in seen and ("Holder", "ls.0") in seen


def test_order_of_modules():
    m = Holder()
    found = [name for name, _ in m.named_modules()]
    assert found == ["", "ls.0", "d.m", "lin"]
    assert [id(x) for x in m.modules()] == [id(m), id(m.ls[0]), id(m.d["m"]), id(m.lin)]
    visited = []
    assert m.apply_to_modules(lambda name, module: visited.append(name)) is m
    assert visited == found
    deep = nn.Sequential(nn.Sequential(nn.ReLU(), nn.Tanh()), nn.Tanh())
    assert [name for name, _ in deep.named_modules()] == [
        "",
        "layers.1",
        "layers.0",
        "layers.0.layers.1",
        "layers.0.layers.0",
    ]


def test_update_and_apply():
    m = Holder()
    assert m.update({"lin": {"bias": mx.zeros(7)}, "ws": [mx.zeros(3)]}) is m
    assert m.lin.bias.shape == (7,) and m.ws[0].shape == (3,) and m.ws[1].shape == (2,)
    m.update({"ws": {}, "lin": [], "ls": [{}, {}]})
    assert m.apply(lambda x: x.astype(mx.float16)) is m
    assert all(x.dtype == mx.float16 for _, x in tree_flatten(m.parameters()))
    assert m._h.dtype == mx.float32
    m.apply(lambda x: x + 1, lambda module, key, value: key == "c")
    assert m.c.tolist() == [2] and m.ws[1].tolist() == [1, 1]


@pytest.mark.parametrize(
    "tree, message",
    [
        ({"lin": {"weight": 1}}, "lin.weight is array of shape"),
        ({"lin": {"weight": np.ones(1)}}, "ndarray of shape"),
        ({"lin": 3}, "lin is .* cannot become int 3"),
        ({"lin": mx.ones(2)}, "cannot become array of shape"),
        ({"lni": {}}, "named 'lni'. Did you mean 'lin'?"),
        ({"d": {"q": mx.ones(1)}}, "no parameter named 'd.q'"),
        ({"c": {"a": mx.ones(1)}}, "c is array"),
        ({"c": {}}, "c is array"),
        ({"t": mx.ones(2)}, "t is tuple"),
        ({"d": {"b": mx.ones(1)}}, "d.b is int 3"),
        ({"ws": {"a": mx.ones(1)}}, "ws is a list, not dict"),
    ],
)
def test_strict_update_refuses(tree, message):
    m = Holder()
    before = shapes(dict(m))
    with pytest.raises(ValueError, match=message):
        m.update(tree)
    m.update(tree, strict=False)
    assert str(shapes(dict(m))) == str(before)


def test_update_with_a_longer_list():
    m, longer = Holder(), {"ws": [mx.zeros(1)] * 3}
    with pytest.raises(ValueError, match="ws.2 does not exist: the list holds 2"):
        m.update(longer)
    m.update(longer, strict=False)
    assert [x.tolist() for x in m.ws] == [[0], [0]]


def test_update_modules():
    m = Holder()
    assert m.update_modules({"lin": nn.ReLU(), "ls": [{}], "d": {"m": nn.Tanh()}}) is m
    assert isinstance(m.lin, nn.ReLU) and isinstance(m.ls[0], nn.Linear) and isinstance(m.d["m"], nn.Tanh)
    m.update_modules(m.children())
    bad = [
        ({"c": nn.ReLU()}, "c is array"),
        ({"lin": mx.ones(1)}, "lin is .* cannot become array"),
        ({"zz": nn.ReLU()}, "no submodule named 'zz'"),
        ({"ls": [{}] * 4}, "ls.3 does not exist"),
    ]
    for tree, message in bad:
        with pytest.raises(ValueError, match=message):
            m.update_modules(tree)
        m.update_modules(tree, strict=False)
    assert m.c.shape == (1,)


def test_freeze():
    m = Holder()
    assert m.freeze() is m
    assert names(m.trainable_parameters()) == []
    assert shapes(m.trainable_parameters())["ws"] == [{}, {}]
    m.unfreeze(keys="bias")
    assert names(m.trainable_parameters()) == ["lin.bias", "d.m.bias", "ls.0.bias"]
    m.unfreeze(recurse=False)
    assert "c" in names(m.trainable_parameters()) and "lin.weight" not in names(m.trainable_parameters())
    m.unfreeze()
    assert names(m.trainable_parameters()) == NAMES
    m.freeze(keys=["ws", "weight"])
    assert not {"ws.0", "ws.1", "lin.weight"} & set(names(m.trainable_parameters()))
    with pytest.raises(KeyError, match="No parameter named 'zzz' in Holder and its submodules"):
        m.freeze(keys=["weight", "zzz"], strict=True)
    with pytest.raises(KeyError, match="'weight' in Holder."):
        m.unfreeze(keys="weight", strict=True, recurse=False)
    with pytest.raises(TypeError):
        m.freeze(False)


def test_running_statistics_stay_frozen():
    m = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm(2))
    m.unfreeze()
    m.layers[1].unfreeze(keys=["running_mean"])
    assert names(m.trainable_parameters()) == [
        "layers.0.weight",
        "layers.0.bias",
        "layers.1.weight",
        "layers.1.bias",
    ]
    assert "layers.1.running_var" in names(m.parameters())


def test_train_and_eval():
    m = nn.Sequential(nn.Dropout(0.5), nn.Sequential(nn.BatchNorm(2)))
    assert m.training and m.eval() is m
    assert not any(x.training for x in m.modules())
    assert m.train() is m and m.layers[1].layers[0].training
    assert not m.train(False).training


def test_set_dtype():
    m = nn.Linear(2, 2)
    m.count = mx.array([1, 2])
    assert m.set_dtype(mx.bfloat16) is None
    assert m.weight.dtype == mx.bfloat16 and m.count.dtype == mx.int32
    m.set_dtype(mx.float32, lambda dtype: dtype == mx.int32)
    assert m.weight.dtype == mx.bfloat16 and m.count.dtype == mx.float32
    m.set_dtype(mx.float16, None)
    assert {x.dtype for x in m.parameters().values()} == {mx.float16}


@pytest.mark.parametrize("suffix", [".npz", ".safetensors"])
def test_weights_through_a_file(tmp_path, suffix):
    path = str(tmp_path / ("weights" + suffix))
    a, b = Holder(), Holder()
    a.c = mx.array([7.0])
    a.save_weights(path)
    assert b.load_weights(path) is b
    for (name, x), (_, y) in zip(tree_flatten(a.parameters()), tree_flatten(b.parameters())):
        assert mx.array_equal(x, y), name


def test_load_weights():
    m = nn.Linear(2, 3)
    full = [("weight", mx.zeros((3, 2), mx.float16)), ("bias", mx.ones(3))]
    m.load_weights(full)
    assert m.weight.dtype == mx.float16 and m.bias.tolist() == [1, 1, 1]
    m.load_weights(dict(full))
    bad = [
        (full[:1], "1 parameter is missing from the weights: bias"),
        ([], "2 parameters are missing from the weights: bias, weight"),
        ([*full, ("x", mx.ones(1))], "1 parameter is not in the module: x"),
        ([full[0], ("bias", mx.ones(4))], r"bias has shape \(4,\) in the weights and \(3,\)"),
        ([full[0], ("bias", np.ones(3))], "bias must be an mx.array, not ndarray"),
        ("weights.npy", "must end in .npz or .safetensors"),
    ]
    for weights, message in bad:
        with pytest.raises(ValueError, match=message):
            m.load_weights(weights)
    with pytest.raises(TypeError, match="Expected a path"):
        m.load_weights(3)
    with pytest.raises(ValueError, match="must end in"):
        m.save_weights("weights.bin")
    m.load_weights([("bias", mx.ones(9)), ("x", mx.ones(1))], strict=False)
    assert m.bias.shape == (9,) and "x" not in m


def test_weights_of_a_dict_with_numbers_for_names():
    m = nn.Module()
    m.table = {"0": mx.ones(1), "2": mx.ones(2)}
    m.load_weights([("table.0", mx.zeros(1)), ("table.2", mx.zeros(2))])
    assert m.table["2"].tolist() == [0, 0]


def test_weights_from_any_pairs():
    m = nn.Linear(1, 2)
    for i, make in enumerate(
        (dict.items, lambda w: iter(w.items()), lambda w: zip(w, w.values()), tuple_of_lists)
    ):
        weights = {"weight": mx.full((2, 1), i), "bias": mx.full(2, i)}
        assert m.load_weights(make(weights)).weight.tolist() == [[i], [i]]
    for bad in (3, None, [1, 2], iter([("a", 1, 2)])):
        with pytest.raises(TypeError, match="Expected a path"):
            m.load_weights(bad)


def tuple_of_lists(weights):
    return tuple([name, a] for name, a in weights.items())


def test_defaults_of_the_class():
    @dataclass(eq=False)
    class Cached(nn.Module):
        size: int = 2
        cache: mx.array | None = None
        layers: list = ()
        act = nn.ReLU()

        def __post_init__(self):
            super().__init__()
            self.layers = [nn.Linear(self.size, 1)]

    a, b = Cached(3), Cached()
    assert a.cache is None and a.layers[0].weight.shape == (1, 3)
    a.cache = mx.ones(2)
    a.act = nn.Tanh()
    assert a.cache.tolist() == [1, 1] and isinstance(a.act, nn.Tanh)
    assert b.cache is None and Cached.cache is None and isinstance(b.act, nn.ReLU) and Cached.layers == ()
    a.apply(lambda x: x + 1)
    assert a.cache.tolist() == [2, 2] and names(a.parameters())[-1] == "cache"
    a.cache = None  # a plain attribute again
    assert a.cache is None and "cache" not in a
    a.cache = mx.zeros(1)
    del a.cache
    assert a.cache is None and Cached().layers[0].weight.shape == (1, 2)

    class Child(Cached):
        cache = 5

    c = Child()
    assert c.cache is None or c.cache == 5
    c.cache = mx.zeros(1)
    assert c.cache.tolist() == [0] and Child.cache == 5 and copy.deepcopy(c).cache.tolist() == [0]


def test_repr():
    class Named(nn.Module):
        def __init__(self):
            super().__init__()
            self.act = nn.ReLU()
            self.body = nn.Sequential(nn.Tanh())

        def _extra_repr(self):
            return "x=1"

    assert repr(nn.Module()) == "Module()"
    assert repr(nn.Linear(2, 3, bias=False)) == "Linear(input_dims=2, output_dims=3, bias=False)"
    assert repr(Named()) == (
        "Named(x=1\n  (act): ReLU()\n  (body): Sequential(\n    (layers.0): Tanh()\n  )\n)"
    )


def test_copies():
    m = Holder().freeze(keys="c").eval()
    for twin in (copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        assert names(twin.parameters()) == NAMES and twin._no_grad == {"c"} and not twin.training
        assert mx.array_equal(twin.lin.weight, m.lin.weight)
        twin.c = mx.zeros(1)
        assert m.c.tolist() == [1]


class ModuleList(nn.Module):
    """What people write for lack of one: every method of dict means something else."""

    def __init__(self, *modules):
        super().__init__()
        self.modules_ = list(modules)

    def __getitem__(self, i):
        return self.modules_[i]

    def __setitem__(self, i, module):
        self.modules_[i] = module

    def __iter__(self):
        return iter(self.modules_)

    def __len__(self):
        return len(self.modules_)

    def __contains__(self, module):
        return any(module is m for m in self.modules_)

    def keys(self):
        return range(len(self))

    def items(self):
        return list(enumerate(self.modules_))

    def get(self, i):
        return self.modules_[i]

    pop = __delitem__ = values = None


def test_methods_of_dict_may_mean_something_else():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = ModuleList(nn.Linear(2, 2), nn.Linear(2, 1))

        def __call__(self, x):
            for layer in self.layers:
                x = layer(x)
            return x.sum()

    m = Net()
    wanted = [f"layers.modules_.{i}.{name}" for i in (0, 1) for name in ("weight", "bias")]
    x = mx.ones(2)
    optimizer = optim.Adam(0.1)
    _, g = nn.value_and_grad(m, m)(x)
    optimizer.update(m, g)
    assert names(m.parameters()) == names(g) == names(mx.grad(lambda n: n(x))(m)) == wanted
    assert len(m.layers) == 2 and m.layers[1] in m.layers and m.layers.get(0) is m.layers[0]
    m.layers[0] = nn.Identity()
    m.layers.scale, m.layers.size = mx.ones(1), 3
    m.layers.scale = None
    m.layers.gone = mx.ones(1)
    del m.layers.gone
    assert names(m.freeze().parameters()) == wanted[2:] and not names(m.trainable_parameters())
    assert names(m.unfreeze(keys="bias", strict=True).trainable_parameters()) == wanted[3:]
    m.apply(lambda a: 0 * a).load_weights(tree_flatten(m.parameters())).set_dtype(mx.float16)
    assert mx.compile(m, inputs=m, outputs=m)(x).item() == 0
    m.update_modules({"layers": {"modules_": [nn.Linear(2, 2)]}})
    for twin in (copy.deepcopy(m), pickle.loads(pickle.dumps(m.layers))):
        twin = getattr(twin, "layers", twin)
        assert names(twin.parameters()) == [name.removeprefix("layers.") for name in wanted]
        assert twin.size == 3 and twin.scale is None and twin[0] is not m.layers[0]
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = m.layers.nothing


def test_attributes_named_like_methods():
    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.keys, self.values, self.items = nn.Linear(2, 2), nn.Linear(2, 3), mx.ones(1)
            self.modules = [nn.Linear(1, 1)]  # the method of Module stays

        def __call__(self, x):
            return self.keys(x), self.values(x)

    m = Attention()
    assert [y.shape for y in m(mx.ones(2))] == [(2,), (3,)] and m.items.tolist() == [1]
    assert len(names(m.parameters())) == 7 and len(m.modules()) == 4
    m.keys = None
    assert m.keys is None and "keys" not in m
    del m.keys, m.items
    assert list(m.keys()) == ["values", "modules"] and len(m.items()) == 2
    assert list(Attention().train().values.parameters()) == ["weight", "bias"]
    assert list(nn.Linear(1, 1).keys()) == ["weight", "bias"] and type(m).get is dict.get
