"""All tables of tests/python/cases in all modes."""

import pytest
from cases import attention, product, quantize, reduce, shape
from harness import modes

TABLES = (attention, product, quantize, reduce, shape)
CASES = {case.name: case for table in TABLES for case in table.CASES}
NAMES = [(name, dtype) for name, case in CASES.items() for dtype in case.dtypes]


def test_names_are_unique():
    assert len(CASES) == sum(len(table.CASES) for table in TABLES)


def skip_if_excused(case, mode):
    if mode in case.skip:
        pytest.skip(case.skip[mode])


@pytest.mark.parametrize("mode", modes.BY_DTYPE)
@pytest.mark.parametrize(("name", "dtype"), NAMES)
def test_case(name, dtype, mode):
    case = CASES[name]
    skip_if_excused(case, mode)
    modes.BY_DTYPE[mode](case, dtype)


@pytest.mark.parametrize("mode", modes.DERIVATIVES)
@pytest.mark.parametrize("name", [n for n, c in CASES.items() if c.wrt and "float64" in c.dtypes])
def test_derivatives(name, mode):
    case = CASES[name]
    skip_if_excused(case, mode)
    modes.DERIVATIVES[mode](case)


@pytest.mark.sweep
@pytest.mark.parametrize("name", CASES)
def test_sample(name):
    """One run per case for the sweeps."""
    case = CASES[name]
    dtype = "float32" if "float32" in case.dtypes else case.dtypes[0]
    for mode in ("value", "layouts", "compiled"):
        modes.BY_DTYPE[mode](case, dtype)
