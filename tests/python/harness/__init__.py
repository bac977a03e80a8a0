"""What the table tests share: cases as data, an oracle in float64, and the modes every case runs in.

A new case in ``tests/python/cases`` is tested in all modes without further work; see `modes.py` for the list.
"""
