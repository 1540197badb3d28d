"""Mutants of Python: comparisons, and/or, not, steps, constants, guards and lone statements.

mutmut and cosmic-ray do this well for Python alone. They name a mutant by its number within a
function or a file, so that a reason why it makes no difference would wander to another one with
the next change; and one list of reasons has to hold for Prolog and Python here.

Texts, annotations, asserts and what only types need are left alone.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from mutants import keyed, line_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mutants import Change, Mutant

    #  What is done, from, to, and the text instead.
    Edit = tuple[str, int, int, str]

FLIPS: Final[dict[type[ast.AST], tuple[str, str]]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: (r"not\s+in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: (r"is\s+not", "is"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
}
OTHERS: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
_CONDITIONS: Final = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)


def mutants(file: str, text: str) -> Iterator[Mutant]:
    """Yield every mutant of a file."""
    return keyed(file, text, _Breaker(text).changes())


class _Breaker:
    """Walks one file."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = text.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def changes(self) -> Iterator[Change]:
        """Yield what can be broken, in the order of the file."""
        tree = ast.parse(self._text)
        yield from sorted(self._within(tree, "module"), key=lambda change: change[2:])

    def _within(self, node: ast.AST, where: str) -> Iterator[Change]:
        for child in _living(node):
            inner = where
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                inner = child.name if where == "module" else f"{where}.{child.name}"
            for what, start, stop, new in self._edits(child):
                line = line_at(self._text, start)
                yield inner, f"{what} in: {line}", start, stop, new
            yield from self._within(child, inner)

    def _edits(self, node: ast.AST) -> Iterator[Edit]:
        for operator, left, right in _operations(node):
            yield from self._operator(operator, left, right)
        for condition in _conditions(node):
            told = ast.unparse(condition)
            start, stop = self._start(condition), self._stop(condition)
            yield f"{told} -> not {told}", start, stop, f"(not {self._text[start:stop]})"
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield "delete not", self._start(node), self._start(node) + len("not"), ""
        elif isinstance(node, ast.Constant):
            yield from self._constant(node)
        elif isinstance(node, ast.Name) and node.id in OTHERS:
            other = OTHERS[node.id]
            yield f"{node.id} -> {other}", self._start(node), self._stop(node), other
        elif isinstance(node, (ast.Expr, ast.AugAssign, ast.Continue)):
            yield "delete", self._start(node), self._stop(node), "pass"

    def _operator(self, operator: ast.AST, left: ast.expr, right: ast.expr) -> Iterator[Edit]:
        old, new = FLIPS[type(operator)]
        pattern = rf"\b{old}\b" if old.isalpha() or "\\" in old else re.escape(old)
        #  What stands before the last one is a comment.
        *_, found = re.compile(pattern).finditer(self._text, self._stop(left), self._start(right))
        yield f"{found[0]} -> {new}", found.start(), found.end(), new

    def _constant(self, node: ast.Constant) -> Iterator[Edit]:
        start, stop = self._start(node), self._stop(node)
        old = node.value
        if isinstance(old, bool):
            yield f"{old} -> {not old}", start, stop, str(not old)
        elif isinstance(old, (int, float)):
            for new in (old + 1, old - 1):
                yield f"{old} -> {new}", start, stop, f"({new!r})"

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self._place(node.lineno, node.col_offset)

    def _stop(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._place(node.end_lineno, node.end_col_offset)

    def _place(self, line: int, column: int) -> int:
        """Turn a line and a column, which ast counts in bytes, into a place in the text."""
        written = self._lines[line - 1].encode()[:column].decode()
        return self._starts[line - 1] + len(written)


def _operations(node: ast.AST) -> Iterator[tuple[ast.AST, ast.expr, ast.expr]]:
    """Yield each operator that can be turned round, with what stands on both sides of it."""
    operators: list[ast.AST] = []
    operands: list[ast.expr] = []
    if isinstance(node, ast.Compare):
        operators, operands = [*node.ops], [node.left, *node.comparators]
    elif isinstance(node, ast.BoolOp):
        operators, operands = [node.op] * len(node.values), node.values
    elif isinstance(node, ast.BinOp):
        operators, operands = [node.op], [node.left, node.right]
    for operator, left, right in zip(operators, operands, operands[1:]):
        if type(operator) in FLIPS:
            yield operator, left, right


def _conditions(node: ast.AST) -> list[ast.expr]:
    """Return what a node branches on, unless it is a comparison, which is flipped anyway."""
    found: list[ast.expr] = []
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        found = [node.test]
    elif isinstance(node, ast.comprehension):
        found = node.ifs
    elif isinstance(node, ast.BoolOp):
        found = node.values
    return [one for one in found if isinstance(one, _CONDITIONS)]


def _living(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the children that run: no annotation, docstring, assert, and nothing for types."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or _is_for_readers(child):
                continue
            yield child


def _is_for_readers(node: ast.AST) -> bool:
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    if isinstance(node, ast.ClassDef):
        return any(isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases)
    lone = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return lone or isinstance(node, ast.Assert)
