"""Runs mypy --strict and pyright over examples and tests/typing: typical code passes, and of wrong_calls.py
exactly the marked lines fail.

Usage: tools/check_typing.py [PYTHON]    (that has mlx installed; default: .venv's)
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WRONG = ROOT / "tests/typing/wrong_calls.py"
EXAMPLES = [ROOT / f"examples/python/{name}.py" for name in ("char_lm", "common", "digits", "lm", "minilm")]
FILES = [ROOT / "tests/typing/user_code.py", WRONG, *EXAMPLES]
STUBS = ROOT / "python/mlx/core"

Errors = dict[Path, dict[int, str]]


def mypy(python: str) -> Errors:
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--no-error-summary",
        "--cache-dir",
        str(ROOT / "build/mypy"),
    ]
    command += ["--python-executable", python, "--no-pretty", "--ignore-missing-imports", *map(str, FILES)]
    # The repository's root has a folder mlx of its own.
    result = subprocess.run(command, cwd=WRONG.parent, capture_output=True, text=True)
    if result.returncode > 1:
        sys.exit(f"mypy failed:\n{result.stdout}{result.stderr}")
    errors: Errors = {}
    for file, line, text in re.findall(r"^(.+?):(\d+): error: (.*)$", result.stdout, re.MULTILINE):
        errors.setdefault((WRONG.parent / file).resolve(), {})[int(line)] = text
    return errors


def pyright(python: str) -> Errors:
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", python]
    result = subprocess.run(
        [*command, *map(str, FILES), str(STUBS)], cwd=ROOT, capture_output=True, text=True
    )
    try:
        found = json.loads(result.stdout)["generalDiagnostics"]
    except (ValueError, KeyError):
        sys.exit(f"pyright failed:\n{result.stdout}{result.stderr}")
    errors: Errors = {}
    for one in found:
        if one["severity"] == "error":
            errors.setdefault(Path(one["file"]), {})[one["range"]["start"]["line"] + 1] = one["message"]
    return errors


def problems(errors: Errors) -> list[str]:
    lines = WRONG.read_text().splitlines()
    marked = {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
    missed = marked - set(errors.get(WRONG, {}))
    out = [f"{WRONG.relative_to(ROOT)}:{n}: passes: {lines[n - 1]}" for n in sorted(missed)]
    for file, found in errors.items():
        for line, text in sorted(found.items()):
            if file != WRONG or line not in marked:
                out.append(f"{file.relative_to(ROOT)}:{line}: {text}")
    return out


def main() -> int:
    python = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / ".venv/bin/python")
    bad = 0
    for check in (mypy, pyright):
        found = problems(check(python))
        bad += len(found)
        print(f"{check.__name__}: {len(FILES)} files, {len(found)} problems")
        for line in found:
            print(f"  {line}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
