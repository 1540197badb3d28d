"""Writes the tables of docs/reports-json.md out of the vocabulary itself; a test compares them."""

from __future__ import annotations

import ast
import inspect
import json
import re
import textwrap
from collections import deque
from dataclasses import MISSING, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace import domain
from pytest_metaspace.coding import derived_fields, told_fields
from pytest_metaspace.domain import Report

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "reports-json.md"
MARK: Final = "<!-- written by `python tools/report_page.py` from here on -->\n"


def tables() -> str:
    """Return a table for each kind of object in a report, in the order in which they come up."""
    told, todo = [], deque([Report])
    seen: set[Any] = {Report}
    while todo:
        kind = todo.popleft()
        told.append("\n".join(_table(kind)))
        for inner in _named_in(kind):
            if inner not in seen:
                seen.add(inner)
                todo.append(inner)
    return "\n\n".join(told) + "\n"


def _table(kind: Any) -> Iterator[str]:
    meant = _meanings(kind)
    yield f"### {kind.__name__}\n\n{_summary(kind)}\n"
    yield "| field | holds | what |"
    yield "|---|---|---|"
    for one in told_fields(kind):
        missing = "" if one.default is MISSING else f"; `{_shown(one.default)}` where missing"
        holds = re.sub(r"an object, (\w+)", r"`\1`", one.coder.told)
        yield f"| `{one.name}` | {holds}{missing} | {meant.get(one.name, '')} |"
    for name in derived_fields(kind):
        what = _plain(inspect.getdoc(getattr(kind, name)) or "")
        yield f"| `{name}` | a number, or null; follows from the others, and is not read | {what} |"


def _shown(default: Any) -> str:
    if is_dataclass(default) or isinstance(default, dict):
        return "{}"
    if isinstance(default, (tuple, frozenset)):
        return "[]"
    return json.dumps(default)


def _named_in(kind: Any) -> Iterator[Any]:
    for one in told_fields(kind):
        for name in re.findall(r"an object, (\w+)", one.coder.told):
            yield getattr(domain, name)


def _summary(kind: Any) -> str:
    return _plain((inspect.getdoc(kind) or "").split("\n\n")[0])


def _meanings(kind: Any) -> dict[str, str]:
    """Return what fields mean: out of the docstring of the class, or of the field itself."""
    found = {}
    listed = (inspect.getdoc(kind) or "").partition("Attributes:\n")[2]
    for name, text in re.findall(r"^    (\w+): (.*(?:\n        .*)*)", listed, re.MULTILINE):
        found[name] = _plain(text)
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(tree, ast.ClassDef)
    for before, after in zip(tree.body, tree.body[1:]):
        if isinstance(before, ast.AnnAssign) and isinstance(after, ast.Expr):
            assert isinstance(before.target, ast.Name)
            assert isinstance(after.value, ast.Constant)
            found[before.target.id] = _plain(str(after.value.value))
    return found


def _plain(text: str) -> str:
    told = re.sub(r"\bNone\b", "null", re.sub(r"\s+", " ", text).strip())
    return told.replace("``", "`").replace("|", "\\|")


def page() -> str:
    """Return the page: what stands there before the mark, and the tables."""
    return PAGE.read_text(encoding="utf-8").partition(MARK)[0] + MARK + "\n" + tables()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
