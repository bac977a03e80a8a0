"""What wrong calls say: the argument, what came, what is accepted. No overload lists, C++ types or errno."""

import inspect

import mlx.core as mx
import numpy as np
import pytest

X = mx.array([[1.0, 2.0], [3.0, 4.0]])

GOLDEN = [
    # Types of arguments
    ("mx.exp('a')", ValueError, "[exp] Argument 1 must be an array or a scalar, not str."),
    ("mx.exp(None)", TypeError, "[exp] Argument 1 must be an array or a scalar, not None."),
    ("mx.exp([1, 2])", ValueError, "[exp] Argument 1 must be an array or a scalar, not list. Convert it with mx.array."),
    ("mx.add(X, 'a')", ValueError, "[add] Argument 2 must be an array or a scalar, not str."),
    ("mx.add((1,), X)", ValueError, "[add] Argument 1 must be an array or a scalar, not tuple. Convert it with mx.array."),
    ("mx.maximum(X, None)", TypeError, "[maximum] Argument 2 must be an array or a scalar, not None."),
    ("X + 'a'", ValueError, "[add] Argument 2 must be an array or a scalar, not str."),
    ("{} - X", ValueError, "[subtract] Argument 1 must be an array or a scalar, not dict."),
    ("X * None", TypeError, "[multiply] Argument 2 must be an array or a scalar, not None."),
    ("X @ 2", TypeError, "[matmul] Argument 2 must be an array, not int."),
    ("pow(X, 2, 3)", TypeError, "[power] Arrays have no power with a modulus."),
    ("mx.sum(1)", TypeError, "[sum] Argument 1 (array) must be an array, not int."),
    ("mx.sum([1])", TypeError, "[sum] Argument 1 (array) must be an array, not list. Convert it with mx.array."),
    ("mx.sum(np.ones(2))", TypeError, "[sum] Argument 1 (array) must be an array, not numpy.ndarray. Convert it with mx.array."),
    ("mx.sum(X, 'a')", TypeError, "[sum] Argument 2 (axis) must be None, an int or a sequence of ints, not str."),
    ("mx.sum(X, 1.0)", TypeError, "[sum] Argument 2 (axis) must be None, an int or a sequence of ints, not float."),
    ("X.sum(1.0)", TypeError, "[sum] Argument 1 (axis) must be None, an int or a sequence of ints, not float."),
    ("mx.sum(X, 0, 1)", TypeError, "[sum] Argument 3 (keepdims) must be True or False, not int."),
    ("mx.argmax(X, (0, 1))", TypeError, "[argmax] Argument 2 (axis) must be an int or None, not tuple."),
    ("mx.zeros('ab')", TypeError, "[zeros] Argument 1 (shape) must be an int or a sequence of ints, not str."),
    ("mx.zeros((1, 2.0))", TypeError, "[zeros] Argument 1 (shape) must be an int or a sequence of ints, not tuple."),
    ("mx.zeros(2, float)", TypeError, "[zeros] Argument 2 (dtype) must be a Dtype such as mx.float32, not type."),
    ("mx.zeros(2, 'float32')", TypeError, "[zeros] Argument 2 (dtype) must be a Dtype such as mx.float32, not str."),
    ("X.astype(np.float32)", TypeError, "[astype] Argument 1 (dtype) must be a Dtype such as mx.float32, not type."),
    ("mx.exp(X, stream='cpu')", TypeError, "[exp] Argument 'stream' must be None, a Stream or a Device, not str."),
    ("mx.exp(X, stream=2)", TypeError, "[exp] Argument 'stream' must be None, a Stream or a Device, not int."),
    ("mx.stream(None)", TypeError, "[stream] Argument 1 (s) must be a Stream or a Device, not None."),
    ("mx.set_default_device('cpu')", TypeError, "[set_default_device] Argument 1 (device) must be a Device or DeviceType, not str."),
    ("mx.Device('cpu')", TypeError, "[Device] Argument 1 (type) must be mx.cpu or mx.gpu, not str."),
    ("mx.reshape(X, 4)", TypeError, "[reshape] Argument 2 (shape) must be a sequence of ints, not int."),
    ("X.reshape(2, 'a')", TypeError, "[reshape] The sizes must be ints, not str."),
    ("X.reshape()", TypeError, "[reshape] A shape is missing."),
    ("X.transpose(0, 1.0)", TypeError, "[transpose] The axes must be ints, not float."),
    ("mx.transpose(X, 0)", TypeError, "[transpose] Argument 2 (axes) must be a sequence of ints, not int."),
    ("mx.concatenate(X)", TypeError, "[concatenate] Argument 1 (arrays) must be a list of arrays, not array."),
    ("mx.concatenate([X, 1])", TypeError, "[concatenate] Argument 1 (arrays) must be a list of arrays, but item 1 is of type int."),
    ("mx.split(X, 'a')", TypeError, "[split] Argument 2 (indices_or_sections) must be a sequence of ints, not str."),
    ("mx.pad(X, 'a')", TypeError, "[pad] Argument 2 (pad_width) must be an int, a pair of ints or a list of pairs, not str."),
    ("mx.pad(X, 1, 3)", TypeError, "[pad] Argument 3 (mode) must be a string, not int."),
    ("mx.take(X, 1.0)", TypeError, "[take] Argument 2 (indices) must be an int or an array, not float."),
    ("mx.addmm(X, X, X, 'a')", TypeError, "[addmm] Argument 4 (alpha) must be a number, not str."),
    ("mx.conv2d(X, 3)", TypeError, "[conv2d] Argument 2 (weight) must be an array, not int."),
    ("mx.fast.rms_norm(X, 3, 1e-5)", TypeError, "[rms_norm] Argument 2 (weight) must be an array or None, not int."),
    ("mx.random.uniform(shape=3)", TypeError, "[uniform] Argument 3 (shape) must be a sequence of ints, not int."),
    ("mx.random.key(-1)", TypeError, "[key] Argument 1 (seed) must be an int from 0 to 2^64 - 1."),
    ("mx.random.key(1.5)", TypeError, "[key] Argument 1 (seed) must be an int from 0 to 2^64 - 1, not float."),
    ("mx.grad(3)", TypeError, "[grad] Argument 1 (fun) must be a function, not int."),
    ("mx.compile(3)", TypeError, "[compile] Argument 1 (fun) must be a function, not int."),
    ("mx.compile(abs, inputs=3)", TypeError, "[compile] Argument 2 (inputs) must be a dict, list or tuple of arrays, or mx.random.state, not int."),
    ("mx.vmap(abs, in_axes='a')", TypeError, "[vmap] Argument 2 (in_axes) must be an int or a tree of ints and None, not str."),
    ("mx.grad(abs, argnames=3)", TypeError, "[grad] Argument 3 (argnames) must be a str or a list of str, not int."),
    ("mx.arange('a')", TypeError, "[arange] The stop must be an int or a float, not str."),
    ("mx.finfo('float32')", TypeError, "[finfo] Argument 1 (dtype) must be a Dtype such as mx.float32, not str."),
    ("mx.set_memory_limit('a')", TypeError, "[set_memory_limit] Argument 1 (limit) must be an int, not str."),
    ("mx.broadcast_shapes((1,), 3)", TypeError, "[broadcast_shapes] Argument 2 must be a sequence of ints, not int."),
    ("mx.set_printoptions('a')", TypeError, "[set_printoptions] Argument 1 (precision) must be an int, not str."),
    # Numbers of arguments
    ("mx.exp()", TypeError, "[exp] Argument 1 (a) is missing."),
    ("mx.add(X)", TypeError, "[add] Argument 2 (b) is missing."),
    ("mx.add(X, X, X)", TypeError, "[add] Takes at most 2 positional arguments, but 3 were given."),
    ("X.sum(0, True, 3)", TypeError, "[sum] Takes at most 2 positional arguments, but 3 were given."),
    ("mx.array()", TypeError, "[array] Argument 1 (val) is missing."),
    ("mx.array(1, mx.int32, 3)", TypeError, "[array] Takes at most 2 positional arguments, but 3 were given."),
    ("mx.get_active_memory(1)", TypeError, "[get_active_memory] Takes 0 positional arguments, but 1 were given."),
    ("X.item(0)", TypeError, "[item] Takes 0 positional arguments, but 1 were given."),
    ("mx.fast.layer_norm(X, None, None)", TypeError, "[layer_norm] Argument 4 (eps) is missing."),
    # Keywords
    ("mx.sum(X, axes=0)", TypeError, "[sum] There is no keyword 'axes'. Did you mean 'axis'?"),
    ("mx.sum(X, keepdim=True)", TypeError, "[sum] There is no keyword 'keepdim'. Did you mean 'keepdims'?"),
    ("X.sum(dim=0)", TypeError, "[sum] There is no keyword 'dim'. Did you mean 'axis'?"),
    ("mx.softmax(X, precize=True)", TypeError, "[softmax] There is no keyword 'precize'. Did you mean 'precise'?"),
    ("mx.zeros(2, dtyp=mx.int8)", TypeError, "[zeros] There is no keyword 'dtyp'. Did you mean 'dtype'?"),
    ("mx.exp(X, device=mx.cpu)", TypeError, "[exp] There is no keyword 'device'. Did you mean 'stream'?"),
    ("mx.exp(a=X)", TypeError, "[exp] Argument 1 (a) can only be given by position, not by keyword."),
    ("mx.sum(X, 0, axis=1)", TypeError, "[sum] Argument 2 (axis) was given twice, by position and by keyword."),
    ("mx.get_active_memory(x=1)", TypeError, "[get_active_memory] There is no keyword 'x'. It takes no keywords."),
    ("mx.array([1], type=mx.int8)", TypeError, "[array] There is no keyword 'type'. Did you mean 'dtype'?"),
    ("mx.compile(abs, shapless=True)", TypeError, "[compile] There is no keyword 'shapless'. Did you mean 'shapeless'?"),
    ("mx.random.normal((2,), mean=1)", TypeError, "[normal] There is no keyword 'mean'. Did you mean 'loc'?"),
    ("mx.random.normal((2,), average=1)", TypeError, "[normal] There is no keyword 'average'. Its keywords: shape, dtype, loc, scale, key, stream."),
    # Values
    ("mx.sum(X, 2)", mx.AxisError, "[sum] Axis 2 is out of bounds for array with 2 dimensions."),
    ("mx.swapaxes(X, 0, -3)", mx.AxisError, "[swapaxes] Axis -3 is out of bounds for array with 2 dimensions."),
    ("X[2]", mx.AxisError, "[index] Index 2 is out of bounds for axis 0 with size 2."),
    ("X[0, 0, 0]", ValueError, "[index] Too many indices: 3 for an array with 2 dimensions."),
    ("X['a']", ValueError, "[index] An index must be made of ints, slices, None, ... and integer arrays or lists, not str."),
    ("X[np.array([0])]", ValueError, "[index] An index must be made of ints, slices, None, ... and integer arrays or lists, not numpy.ndarray. Convert it with mx.array."),
    ("X[::0]", ValueError, "[index] The step of a slice must not be 0."),
    ("X[0.5:]", ValueError, "[index] The bounds of a slice must be ints, not float."),
    ("X.__setitem__(0, mx.ones(3))", ValueError, "[setitem] A value of shape (3,) does not broadcast to the indexed region of shape (2,)."),
    ("X.item()", ValueError, "[item] Only an array of size 1 is a scalar, but this one has shape (2,2)."),
    ("bool(X)", ValueError, "[bool] Only an array of size 1 is a scalar, but this one has shape (2,2)."),
    ("len(mx.array(1))", TypeError, "[len] A 0-dimensional array has no length."),
    ("iter(mx.array(1))", TypeError, "[iter] A 0-dimensional array cannot be iterated over."),
    ("mx.array([1], mx.uint8) + 256", ValueError, "Converting 256 to uint8 would result in overflow."),
    ("mx.array([[1], [1, 2]])", ValueError, "Initialization encountered non-uniform length."),
    ("mx.array({1})", ValueError, "[array] Cannot make an array of set: give a scalar, a list or tuple, or an object with the buffer protocol, __dlpack__ or __mlx_array__."),
    ("mx.array([1, None])", ValueError, "[array] None is no element of an array: a list may hold scalars, arrays and lists of them."),
    ("mx.array(2**64)", RuntimeError, "[array] The int 18446744073709551616 does not fit in 64 bits."),
    ("mx.isdtype(mx.int8, 'int')", ValueError, "[isdtype] The kind must be a Dtype, a tuple of kinds, or one of 'bool', 'signed integer', 'unsigned integer', 'integral', 'real floating', 'complex floating', 'numeric', not 'int'."),
    ("mx.arange(True)", ValueError, "[arange] The stop must be an int or a float, not bool."),
    ("mx.flatten(X, 2**40)", OverflowError, "[flatten] Argument 2 (start_axis) is 1099511627776, which does not fit in 32 bits."),
    ("mx.zeros(2**70)", OverflowError, "[int] 1180591620717411303424 does not fit in 64 bits."),
]  # fmt: skip


@pytest.mark.parametrize("call, error, text", GOLDEN, ids=[row[0] for row in GOLDEN])
def test_golden(call, error, text):
    with pytest.raises(error) as info:
        eval(call, {"mx": mx, "np": np, "X": mx.array(X)})
    assert str(info.value) == text


def test_traced_values_name_the_transformation():
    for transform, name in ((mx.compile, "compile"), (mx.vmap, "vmap")):
        for use in (bool, int, float, lambda v: v.item(), lambda v: np.asarray(v), lambda v: v.tolist()):
            with pytest.raises(ValueError, match=rf"^\[{name}\]"):
                transform(lambda v, use=use: use(v) and v)(mx.array([1.0]))


def functions():
    for module in (mx, mx.fast, mx.random):
        for name in dir(module):
            f = getattr(module, name)
            if inspect.isbuiltin(f):
                yield f"{module.__name__}.{name}", f
    for name in dir(mx.array):
        f = getattr(mx.array, name)
        if inspect.ismethoddescriptor(f) and not name.startswith("__"):
            yield f"array.{name}", f


@pytest.mark.parametrize("name, f", list(functions()))
def test_every_function_is_documented(name, f):
    signature = inspect.signature(f)
    assert name.split(".")[-1].startswith("_") or f.__doc__
    assert "(" in name or signature is not None


@pytest.mark.parametrize("name, f", list(functions()))
def test_no_internal_names_in_errors(name, f):
    bad = object()
    for args in ((bad,), (bad, bad), (bad,) * 3, (X, bad), (X, bad, bad), (None,), ("a", "b")):
        for kwargs in ({}, {"nonsense": 1}):
            try:
                f(*args, **kwargs)
            except Exception as e:  # noqa: BLE001
                text = str(e)
                for word in ("std::", "mlx::", "nanobind", "overload", "incompatible function arguments", "errno", "0x"):
                    assert word not in text, (name, args, text)
                assert text, (name, args)
