"""Random graphs of all operations.

`rows_*.py` say how each is drawn, `checks.py` what must hold; see docs/dev/testing.md.
"""
