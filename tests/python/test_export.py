"""Functions in files, the callback form, pictures of graphs."""

import io
import pickle
import struct

import pytest

import mlx.core as mx
import mlx.nn as nn


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "f.mlxfn")


def assert_equal(got, want):
    assert got.dtype == want.dtype and mx.array_equal(got, want, equal_nan=True).item()


def test_a_network_survives_a_file(path):
    mx.random.seed(1)
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.LayerNorm(8), nn.Linear(8, 2))
    x = mx.random.normal((3, 4))
    mx.export_function(path, net, x)
    imported = mx.import_function(path)
    assert_equal(imported(x)[0], net(x))
    gradient = mx.grad(lambda v: imported(v)[0].sum())(x)
    assert mx.allclose(gradient, mx.grad(lambda v: net(v).sum())(x)).item()
    assert_equal(mx.compile(lambda v: imported(v)[0] * 2)(x), net(x) * 2)
    assert_equal(mx.vmap(lambda v: imported(v)[0])(mx.stack([x, x]))[1], net(x))


def test_inputs_by_position_and_keyword(path):
    def f(x, y=None, *, z):
        return x + z if y is None else (x * y, z)

    x, y, z = mx.arange(3.0), mx.ones(3), mx.full(3, 2.0)
    with mx.exporter(path, f) as trace:
        trace(x, z=z)
        trace(x, y, z=z)
        with pytest.raises(RuntimeError, match="already been traced"):
            trace(x + 1, z=y)
    imported = mx.import_function(path)
    assert isinstance(imported(x, z=z), tuple)
    assert_equal(imported(x, z=z)[0], x + z)
    assert_equal(imported((x,), {"z": z})[0], x + z)
    assert_equal(imported([x, y], z=z)[1], z)
    with pytest.raises(ValueError, match=r"(?s)no trace for the inputs \(float32 \(3,\)\).*z=float32"):
        imported(x)
    with pytest.raises(ValueError, match=r"int32 \(3,\)"):
        imported(x.astype(mx.int32), z=z)
    with pytest.raises(ValueError, match="Input 0 must be an array, not float"):
        imported(1.0, z=z)


def test_shapeless(path):
    mx.export_function(path, lambda x: mx.softmax(x[1:] * 2, axis=-1), mx.zeros((3, 4)), shapeless=True)
    imported = mx.import_function(path)
    for shape in ((3, 4), (7, 2), (2, 9)):
        x = mx.random.normal(shape)
        assert_equal(imported(x)[0], mx.softmax(x[1:] * 2, axis=-1))
    with pytest.raises(ValueError, match="any sizes"):
        imported(mx.zeros((3, 4, 5)))


def test_a_size_that_was_read_is_not_served_at_another(path):
    mx.export_function(
        path, lambda x: x.reshape(x.shape[0] * x.shape[1]) * 2, mx.zeros((3, 4)), shapeless=True
    )
    imported = mx.import_function(path)
    assert imported(mx.zeros((3, 4)))[0].shape == (12,)
    with pytest.raises(ValueError):
        imported(mx.zeros((2, 4)))


def test_metadata_and_paths(tmp_path):
    mx.export_function(tmp_path / "f", lambda x: x, mx.zeros(2), metadata="notes")
    function, metadata = mx.import_function(tmp_path / "f", return_metadata=True)
    assert metadata == "notes" and function(mx.ones(2))[0].tolist() == [1, 1]
    mx.export_function(tmp_path / "f", lambda x: x, mx.zeros(2))
    assert mx.import_function(str(tmp_path / "f"), return_metadata=True)[1] == ""


def test_custom_rules_and_dependencies_leave_their_values(path):
    @mx.custom_function
    def f(x):
        return x * 3

    f.vjp(lambda x, ct, out: ct * 100)
    mx.export_function(path, lambda x: mx.depends(mx.checkpoint(f)(x), mx.exp(x)) + 1, mx.zeros(2))
    assert mx.import_function(path)(mx.ones(2))[0].tolist() == [4, 4]


def test_random_keys_are_inputs_or_constants(path):
    mx.export_function(path, lambda key: mx.random.normal((4,), key=key), mx.random.key(0))
    assert_equal(mx.import_function(path)(mx.random.key(7))[0], mx.random.normal((4,), key=mx.random.key(7)))


@pytest.mark.parametrize(("function", "message"), [
    (lambda x: {"x": x}, "must return an array"),
    (lambda x: (x, 1), "Result 1 must be an array, not int"),
    (lambda x: x.item(), "traced"),
])  # fmt: skip
def test_functions_that_cannot_be_exported(path, function, message):
    with pytest.raises(ValueError, match=message):
        mx.export_function(path, function, mx.zeros(()))
    with pytest.raises(RuntimeError):
        mx.import_function(path)


def test_wrong_arguments(path):
    with pytest.raises(ValueError, match="Input 0 must be an array, not int"):
        mx.export_function(path, lambda x: x, 1)
    with pytest.raises(TypeError, match="metadata"):
        mx.export_function(path, lambda x: x, mx.zeros(2), metadata=3)
    with pytest.raises(TypeError, match="a path or a callback"):
        mx.export_function(3, lambda x: x, mx.zeros(2))
    exporter = mx.exporter(path, lambda x: x)
    exporter(mx.zeros(2))
    exporter.close()
    with pytest.raises(RuntimeError, match="closed"):
        exporter(mx.zeros(3))


def test_an_exception_in_the_block_writes_nothing(path):
    with pytest.raises(KeyError), mx.exporter(path, lambda x: x) as trace:
        trace(mx.zeros(2))
        raise KeyError
    with pytest.raises(RuntimeError, match="f.mlxfn"):
        mx.import_function(path)


def test_damaged_files(path):
    mx.export_function(
        path, lambda x: mx.sort(x @ mx.ones((3, 2)), axis=-1) + mx.array([1.0, 2.0]), mx.zeros((2, 3))
    )
    with open(path, "rb") as file:
        whole = file.read()

    def load(data):
        with open(path, "wb") as file:
            file.write(data)
        return mx.import_function(path)

    for n in range(len(whole)):
        with pytest.raises(RuntimeError, match="f.mlxfn"):
            load(whole[:n])
    with pytest.raises(RuntimeError, match="bytes follow its end"):
        load(whole + b"x")
    refused = 0
    for i in range(len(whole)):
        for bit in (1, 128):
            try:
                load(whole[:i] + bytes([whole[i] ^ bit]) + whole[i + 1 :])
            except RuntimeError as error:
                assert "f.mlxfn" in str(error)
                refused += 1
    constants = 2 * 4 + 3 * 2 * 4  # the data of the two constants has no hash
    assert refused >= 2 * (len(whole) - constants)
    huge = whole.replace(struct.pack("<q", 3), struct.pack("<q", 2**61), 1)
    with pytest.raises(RuntimeError):
        load(huge)


def test_the_callback_form(path):
    steps = []
    mx.export_function(
        steps.append, lambda x, y: (mx.sort(x, axis=0) + y, x + 1.0), mx.zeros((2, 3)), y=mx.zeros(3)
    )
    kinds = [step["type"] for step in steps]
    assert kinds[:4] == ["inputs", "keyword_inputs", "outputs", "constants"]
    assert set(kinds[4:]) == {"primitive"}
    assert steps[0]["inputs"] == [("A", (2, 3), mx.float32), ("B", (3,), mx.float32)]
    assert steps[1]["keywords"] == [("y", "B")]
    assert [shape for _, shape, _ in steps[2]["outputs"]] == [(2, 3), (2, 3)]
    assert steps[3]["constants"][0][1].item() == 1.0
    sort = next(step for step in steps if step.get("name") == "Sort")
    assert sort["arguments"] == [0] and sort["inputs"] == ["A"]
    made = {name for step in steps[4:] for name in step["outputs"]}
    assert {name for name, _, _ in steps[2]["outputs"]} <= made


def test_a_picture_of_a_graph(tmp_path):
    x = mx.array([1.0, 2.0])
    y = mx.exp(x) + x
    text = io.StringIO()
    mx.export_to_dot(text, y, x=x, y=y)
    dot = text.getvalue()
    assert dot.startswith("digraph") and dot.rstrip().endswith("}")
    for part in ('label="Exp"', 'label="Add"', "float32 (2,)", 'label="y"'):
        assert part in dot, dot
    assert dot.count("->") == 5  # x to exp, exp to add, x to add, and the two outputs
    mx.export_to_dot(str(tmp_path / "graph.dot"), [y, {"z": x}])
    assert "Add" in (tmp_path / "graph.dot").read_text()
    with pytest.raises(TypeError, match="a path or a text file"):
        mx.export_to_dot(3, y)


def test_imported_functions_are_no_pickles(path):
    mx.export_function(path, lambda x: x, mx.zeros(2))
    with pytest.raises(TypeError):
        pickle.dumps(mx.import_function(path))
