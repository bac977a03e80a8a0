"""House rules that a machine can check: lengths of files, functions and lines, file heads, forbidden words.

Function lengths are exact for Python and a heuristic for C++: a block that opens at the end of a line which
is no control statement, class or namespace, and closes at the same indent.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE_LINES, FUNCTION_LINES = 600, 60
HEAD_LINES = 5
COLUMNS = {".py": 110}
OTHER_COLUMNS = 120
CPP = {".cpp", ".h", ".cu", ".cuh", ".def"}
CHECKED = CPP | {".py", ".sh", ".cmake"}

NOT_A_FUNCTION = re.compile(
    r"^\s*(?:namespace|class|struct|enum|union|extern|if|else|for|while|do|switch|case|default|try|catch"
    r"|#|//|\})\b"
    r"|^\s*[a-z_]+_\(.*\) \{$"  # the last member of a constructor's initializer list
)


def tracked_files() -> list[Path]:
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def python_functions(text: str) -> list[tuple[int, str, int]]:
    """(line, name, length) of every function; the docstring does not count."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0]
            is_doc = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            doc = first.end_lineno - first.lineno + 1 if is_doc else 0
            found.append((node.lineno, node.name, node.end_lineno - node.lineno + 1 - doc))
    return found


def cpp_functions(text: str) -> list[tuple[int, str, int]]:
    found, opened = [], None
    for number, line in enumerate(text.splitlines(), 1):
        if opened:
            start, indent, head = opened
            if line.startswith(indent + "}"):
                found.append((start, head, number - start + 1))
                opened = None
        elif line.endswith("{") and "(" in line and not NOT_A_FUNCTION.match(line):
            opened = (number, line[: len(line) - len(line.lstrip())], line.strip()[:40])
    return found


def head_problem(path: Path, lines: list[str]) -> str | None:
    """C++ files begin with a comment of at most five lines that says what lives there."""
    head = 0
    while head < len(lines) and lines[head].startswith("//"):
        head += 1
    if head == 0:
        return "the file begins with no comment that says what lives in it"
    return f"the file head has {head} lines, {HEAD_LINES} are allowed" if head > HEAD_LINES else None


def problems(path: Path) -> list[str]:
    name, text = path.relative_to(ROOT).as_posix(), path.read_text(errors="replace")
    lines = text.splitlines()
    found = []
    if len(lines) > FILE_LINES:
        found.append(f"{name}: {len(lines)} lines, {FILE_LINES} are allowed")
    columns = COLUMNS.get(path.suffix, OTHER_COLUMNS)
    for number, line in enumerate(lines, 1):
        if len(line) > columns:
            found.append(f"{name}:{number}: {len(line)} columns, {columns} are allowed")
    functions = []
    if path.suffix == ".py":
        functions = python_functions(text)
        if not ast.get_docstring(ast.parse(text)) and text.strip():
            found.append(f"{name}: the file has no docstring that says what lives in it")
    elif path.suffix in CPP:
        functions = cpp_functions(text)
        # The head of a table explains its columns and may be longer.
        problem = None if path.suffix == ".def" else head_problem(path, lines)
        if problem:
            found.append(f"{name}: {problem}")
    for line, function, length in functions:
        if length > FUNCTION_LINES:
            found.append(f"{name}:{line}: {function} has {length} lines, {FUNCTION_LINES} are allowed")
    return found


if __name__ == "__main__":
    complaints = [line for path in tracked_files() if path.suffix in CHECKED for line in problems(path)]
    print("\n".join(complaints), file=sys.stderr, end="\n" if complaints else "")
    sys.exit(bool(complaints))
