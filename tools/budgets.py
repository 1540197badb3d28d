"""Budgets that no linter knows: how long a file and a function may be.

``python tools/budgets.py`` exits with 1 after one line for each thing that is too long.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDERS: Final = (
    "pytest_metaspace",
    "prolog",
    "fixtures/detector",
    "fixtures/generate",
    "tests",
    "tools",
    "benchmarks",
    "example_project",
)
SUFFIXES: Final = frozenset({".py", ".pl", ".plt"})

FILE_LINES: Final = 400
FUNCTION_LINES: Final = 60
#  plugin.py is a table of contents.
SHORTER: Final = {"pytest_metaspace/plugin.py": 150}
#  A test may tell a long story, its file not.
ANY_FUNCTION: Final = "tests"


def main() -> int:
    """Print what is over its budget; return the exit status."""
    findings = [finding for path in sources() for finding in over_budget(path)]
    for finding in findings:
        print(finding)
    return 1 if findings else 0


def sources() -> Iterator[Path]:
    """Find the files that have a budget, in order."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                yield path


def over_budget(path: Path) -> Iterator[str]:
    """Say where a file is too long, and which of its functions are."""
    name = path.relative_to(ROOT).as_posix()
    text = path.read_text(encoding="utf-8")
    length = len(text.splitlines())
    budget = SHORTER.get(name, FILE_LINES)
    if length > budget:
        yield f"{name}:{budget + 1}: the file has {length} lines, {budget} are allowed"
    if path.suffix == ".py" and not name.startswith(ANY_FUNCTION):
        yield from long_functions(name, ast.parse(text, name))


def long_functions(name: str, tree: ast.Module) -> Iterator[str]:
    """Say which functions are too long, from ``def`` to the last line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION_LINES:
                yield (
                    f"{name}:{node.lineno}: {node.name} has {length} lines, "
                    f"{FUNCTION_LINES} are allowed"
                )


if __name__ == "__main__":
    sys.exit(main())
