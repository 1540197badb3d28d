"""Prolog terms in Python: read from canonical text, copied, unified, computed. For the checker."""

from __future__ import annotations

import math
import operator
import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_TOKEN: Final = re.compile(
    r"""\s*(?:(?P<number>-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?:Inf|NaN)?)
    | '(?P<quoted>(?:[^'\\]|\\x[0-9a-fA-F]+\\|\\.|'')*)'
    | "(?P<string>(?:[^"\\]|\\x[0-9a-fA-F]+\\|\\.|"")*)"
    | (?P<name>[^\W\d]\w*)
    | (?P<solo>\[\]|\{\}|[()\[\],|!;])
    | (?P<symbol>[^\w\s()\[\],|';"]+))""",
    re.DOTALL | re.VERBOSE,
)
#  First what wire.py writes for a lone surrogate: some versions of Prolog write U+FDD0 escaped.
_ESCAPE: Final = re.compile(
    r"\\xFDD0\\(?:\\xFDD0\\|([0-9a-f]{4}))"
    r"|\\x([0-9a-fA-F]+)\\|\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)|''",
    re.DOTALL,
)
_ESCAPED: Final = dict(zip("abfnrtv0es", "\a\b\f\n\r\t\v\0\x1b "))

_COMPARED: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "<": operator.lt, "=<": operator.le, ">": operator.gt, ">=": operator.ge,
    "=:=": operator.eq, "=\\=": operator.ne,
}  # fmt: skip
_COMPUTED: Final[dict[tuple[str, int], Callable[..., Any]]] = {
    ("+", 2): operator.add, ("-", 2): operator.sub, ("*", 2): operator.mul, ("-", 1): operator.neg,
    ("mod", 2): operator.mod, ("//", 2): lambda a, b: int(a / b), ("abs", 1): abs, ("max", 2): max,
    ("min", 2): min, ("floor", 1): math.floor, ("truncate", 1): math.trunc, ("float", 1): float,
    ("sqrt", 1): math.sqrt, ("cos", 1): math.cos, ("sin", 1): math.sin, ("atan2", 2): math.atan2,
    ("round", 1): lambda a: int(math.copysign(math.floor(abs(a) + 0.5), a)),
    ("sign", 1): lambda a: (a > 0) - (a < 0),
    ("/", 2): lambda a, b: a // b if isinstance(a, int) and isinstance(b, int) and a % b == 0
    else a / b,
}  # fmt: skip

Term = Any
"""An atom is a str, a compound a tuple of its name and arguments, a list ``('[|]', H, T)``."""


class Var:
    """A variable; None is no value."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value: Term = None


class Unknown(Exception):
    """Something that only Prolog can decide."""


def read_term(text: str) -> Term:  # noqa: C901 - one grammar, one function
    """Read one term in canonical form: names before arguments, no operators."""
    tokens = [(match.lastgroup, match[match.lastgroup or 0]) for match in _TOKEN.finditer(text)]
    names: dict[str, Var] = {}
    at = 0

    def several(end: str) -> list[Term]:
        nonlocal at
        found = [one()]
        while tokens[at][1] == ",":
            at += 1
            found.append(one())
        if tokens[at][1] == "|":
            at += 1
            found.append(one())
        elif end == "]":
            found.append("[]")
        if tokens[at] != ("solo", end):
            raise ValueError(f"not a term: {text}")
        at += 1
        return found

    def one() -> Term:
        nonlocal at
        (kind, word), at = tokens[at], at + 1
        if kind == "number":
            number = word.replace("1.0Inf", "inf").replace("1.5NaN", "nan")
            return int(number) if number.lstrip("-").isdigit() else float(number)
        if kind == "string":
            return ("a string", word)
        if kind == "name" and (word[0] == "_" or word[0].isupper()):
            return Var() if word == "_" else names.setdefault(word, Var())
        if (kind, word) == ("solo", "["):
            *items, tail = several("]")
            for item in reversed(items):
                tail = ("[|]", item, tail)
            return tail
        name = _ESCAPE.sub(_unescaped, word) if kind == "quoted" else word
        if at < len(tokens) and tokens[at] == ("solo", "("):
            at += 1
            return (name, *several(")"))
        return name

    return one()


def _unescaped(match: re.Match[str]) -> str:
    code, char = match[1] or match[2], match[3]
    if match[0].startswith("\\xFDD0\\\\xFDD0"):
        return "\ufdd0"
    if code or (char and char[0] in "uU" and len(char) > 1):
        return chr(int(code or char[1:], 16))
    return _ESCAPED.get(char, char) if char else "'"


def bare(term: Term) -> Term:
    """Return what a variable is bound to, or the term itself."""
    while isinstance(term, Var) and term.value is not None:
        term = term.value
    return term


def copied(term: Term, fresh: dict[int, Var]) -> Term:
    """Return a term with variables of its own."""
    if isinstance(term, tuple):
        return (term[0], *(copied(part, fresh) for part in term[1:]))
    return fresh.setdefault(id(term), Var()) if isinstance(term, Var) else term


def unify(one: Term, other: Term, trail: list[Var]) -> bool:
    """Make two terms equal; what was bound is on the trail, also after a failure."""
    one, other = bare(one), bare(other)
    if one is other:
        return True
    if isinstance(one, Var) or isinstance(other, Var):
        var, value = (one, other) if isinstance(one, Var) else (other, one)
        var.value = value
        trail.append(var)
        return True
    if isinstance(one, tuple) and isinstance(other, tuple):
        return (one[0], len(one)) == (other[0], len(other)) and all(
            unify(a, b, trail) for a, b in zip(one[1:], other[1:])
        )
    return type(one) is type(other) and bool(one == other)


def undo(trail: list[Var], mark: int) -> None:
    """Take back what was bound since the trail was that long."""
    while len(trail) > mark:
        trail.pop().value = None


def resolved(term: Term) -> Term:
    """Return a term with its bindings in place."""
    term = bare(term)
    return (term[0], *map(resolved, term[1:])) if isinstance(term, tuple) else term


def builtin(goal: Term, trail: list[Var]) -> bool:
    """Whether one of Prolog's own predicates holds.

    Raises:
        Unknown: that predicate or function is none that we know.
    """
    match goal:
        case "true":
            return True
        case "fail" | "false":
            return False
        case "=", a, b:
            return unify(a, b, trail)
        case (("==" | "\\==" as name), a, b):
            return (repr(resolved(a)) == repr(resolved(b))) is (name == "==")
        case "integer", a:
            return isinstance(bare(a), int)
        case "is", a, b:
            told, value = bare(a), computed(b)
            if isinstance(told, float) and isinstance(value, float):
                return told == value or math.isclose(told, value, rel_tol=1e-12)
            return unify(told, value, trail)
        case name, a, b if name in _COMPARED:
            return _COMPARED[name](computed(a), computed(b))
    raise Unknown


def computed(term: Term) -> Any:
    """Return the value of an arithmetic expression.

    Raises:
        Unknown: it has a part that we cannot compute.
    """
    term = bare(term)
    if isinstance(term, (int, float)):
        return term
    if term == "pi":
        return math.pi
    if not isinstance(term, tuple) or (term[0], len(term) - 1) not in _COMPUTED:
        raise Unknown
    values = [computed(part) for part in term[1:]]
    try:
        return _COMPUTED[term[0], len(values)](*values)
    except ZeroDivisionError:
        return math.inf
    except (OverflowError, ValueError) as problem:
        raise Unknown from problem
