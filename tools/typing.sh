#!/usr/bin/env bash
# Type checkers, in an environment of their own, over examples and tests/typing. Usage: tools/typing.sh

source "$(dirname "$0")/common.sh"
[[ -x $python ]] || tools/setup.sh
environment build/typing "$python" mypy==2.4.1 "pyright[nodejs]==1.1.414" numpy
say "mypy and pyright"
PYRIGHT_PYTHON_IGNORE_WARNINGS=1 build/typing/bin/python tools/check_typing.py
