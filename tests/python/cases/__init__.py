"""Tables of cases, one file per family; `test_cases.py` runs each case in all modes."""
