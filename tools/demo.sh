#!/usr/bin/env bash
# Builds where needed, then trains on the digits; arguments go to the example.

source "$(dirname "$0")/common.sh"
tools/setup.sh
say "examples/python/digits.py"
exec "$python" examples/python/digits.py "$@"
