"""The table of cases: each module here is a theme, each list in its FAMILIES a family."""

from dataclasses import replace

from . import attention, elementwise, movement, numerical, order, products, rows, steps

MODULES = (elementwise, rows, products, attention, order, movement, numerical, steps)
CASES = {
    c.key: c
    for module in MODULES
    for family, cases in module.FAMILIES.items()
    for c in (replace(c, family=family) for c in cases)
}
