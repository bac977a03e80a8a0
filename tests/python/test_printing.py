"""repr and str of arrays against golden texts; precision; the texts of small classes."""

import array
import json
import reprlib
from pathlib import Path

import pytest

import mlx.core as mx

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "printing.json").read_text())


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: row["code"][:60])
def test_golden(row):
    value = eval(row["code"], {"mx": mx})
    assert repr(value) == row["repr"]
    assert str(value) == row["str"]


def test_precision():
    x = mx.array([1.23456, 2.0, 1e10])
    with mx.printoptions(precision=3):
        assert repr(x) == "array([1.235, 2.000, 10000000000.000], dtype=float32)"
        assert repr(mx.array([1 + 2j])) == "array([1.000+2.000j], dtype=complex64)"
        assert repr(mx.array([1, 2])) == "array([1, 2], dtype=int32)"
        assert mx.get_printoptions().precision == 3
        with mx.printoptions(precision=0):
            assert repr(mx.array([1.0, 2.0])) == "array([1, 2], dtype=float32)"
        assert mx.get_printoptions().precision == 3
    assert mx.get_printoptions().precision == -1
    mx.set_printoptions(precision=1)
    assert repr(mx.array(0.25)) == "array(0.2, dtype=float32)"
    mx.set_printoptions()
    with pytest.raises(TypeError):
        mx.set_printoptions(precision=1.5)


def test_small_classes():
    assert repr(mx.float32) == "mlx.core.float32"
    assert repr(mx.bool_) == "mlx.core.bool"
    assert repr(mx.Device(mx.cpu)) == "Device(cpu, 0)"
    assert repr(mx.cpu) == "DeviceType.cpu"
    assert repr(mx.floating) == "DtypeCategory.floating"
    assert repr(mx.new_stream(mx.cpu)).startswith("Stream(Device(cpu, 0), ")
    assert repr(mx.new_thread_local_stream(mx.cpu)).startswith("ThreadLocalStream(Device(cpu, 0), ")
    assert repr(mx.finfo(mx.float32)).startswith("finfo(min=-3.40282e+38, max=3.40282e+38, dtype=float32")
    assert repr(mx.iinfo(mx.uint8)) == "iinfo(min=0, max=255, dtype=uint8)"


def test_format():
    scalars = {
        True: mx.bool_,
        3: mx.int32,
        2**63: mx.uint64,
        1.5: mx.bfloat16,
        0.25: mx.float32,
        1 + 2j: mx.complex64,
    }
    for value, dtype in scalars.items():
        assert f"{mx.array(value, dtype)}" == format(mx.array(value, dtype), "") == f"{value}"
    assert f"{mx.array([1.5])}" == "array([1.5], dtype=float32)" == str(mx.array([1.5]))
    assert f"{mx.array(1.5)!s} {mx.array(1.5)!r}" == "array(1.5, dtype=float32) array(1.5, dtype=float32)"
    assert f"{mx.array(1.5):.3f}" == "1.500"
    assert f"{mx.array(7):04d}" == "0007"
    with pytest.raises(TypeError, match="0-dimensional"):
        format(mx.array([1.0]), ".2f")
    with pytest.raises(ValueError):
        format(mx.array(1.5), "d")


def test_reprlib_takes_no_array_for_one_of_the_module_array():
    """It goes by the bare name of the class; pytest shows values by it."""
    for x in (mx.array([1, 2]), mx.array([]), mx.array(1.5)):
        assert reprlib.repr(x) == repr(x)
    assert reprlib.repr([mx.array([1, 2])]) == "[array([1, 2], dtype=int32)]"
    assert len(reprlib.repr(mx.arange(1000))) == reprlib.aRepr.maxother
    assert reprlib.repr(array.array("i", range(9))) == "array('i', [0, 1, 2, 3, 4, ...])"
    assert reprlib.repr(array.array("i")) == "array('i')"
