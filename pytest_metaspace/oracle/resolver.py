"""A small Prolog in Python: enough to work out again what the laws compute or deny."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_metaspace.oracle.givens import GIVEN
from pytest_metaspace.oracle.terms import (
    Unknown,
    Var,
    bare,
    builtin,
    copied,
    read_term,
    resolved,
    undo,
    unify,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pytest_metaspace.oracle.terms import Term

_LISTS: Final = (
    "append([],L,L)",
    ":-(append([H|T],L,[H|R]),append(T,L,R))",
    "member(X,[X|_])",
    ":-(member(X,[_|T]),member(X,T))",
    ":-(memberchk(X,L),->(member(X,L),true))",
)
_MOST_STEPS: Final = 20_000
_MOST_KNOWN: Final = 10_000


class Resolver:
    """Clauses, the facts of one case, and the search for what follows from them.

    Args:
        rows: module, source and canonical text of every clause, as the engine lists them.
    """

    def __init__(self, rows: Iterable[Sequence[str]]) -> None:
        self.at: dict[tuple[str, str], Term] = {}
        self.given: dict[tuple[str, int], list[tuple[int | None, Term]]] = {}
        self.trail: list[Var] = []
        self._of: dict[tuple[str, str, int], list[Term]] = {}
        self._steps = 0
        self._known: dict[str, bool] = {}
        self._control: dict[tuple[str, int], Callable[..., Iterator[None]]] = {
            (":", 2): self._inside,
            (",", 2): self._both,
            (";", 2): self._either,
            ("->", 2): self._if,
            ("\\+", 1): self._not,
        }
        for module, source, text in [*rows, *(("lists", "", text) for text in _LISTS)]:
            clause = read_term(text)
            self.at[module, source] = clause
            self._of.setdefault((module, *key(parts(clause)[1])), []).append(clause)

    def give(self, facts: Iterable[tuple[int | None, Term]]) -> None:
        """Begin with the facts of another case."""
        self.given, self.trail, self._steps = {}, [], 0
        for index, fact in facts:
            self.given.setdefault(key(fact), []).append((index, fact))

    def holds(self, goal: Term, module: str) -> bool:
        """Whether a goal holds; its first solution stays bound.

        Raises:
            Unknown: it needs something that only Prolog knows.
        """
        return any(True for _ in self._solve(goal, module))

    def geometry(self, goal: Term) -> bool:
        """Whether a goal of module spatial holds, which depends on no case; remembered.

        Raises:
            Unknown: it needs something that only Prolog knows.
        """
        told = repr(resolved(goal))
        if told not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[told] = self.holds(goal, "spatial")
        return self._known[told]

    def _solve(self, goal: Term, module: str) -> Iterator[None]:
        """Yield once for each way in which a goal holds; bindings last until the next."""
        goal, mark, self._steps = bare(goal), len(self.trail), self._steps + 1
        if self._steps > _MOST_STEPS:
            raise Unknown
        control = self._control.get(key(goal)) if isinstance(goal, tuple) else None
        if control is not None:
            yield from control(module, *goal[1:])
        elif (clauses := self._clauses(goal, module)) is not None:
            yield from self._resolve(goal, *clauses)
        elif key(goal) in GIVEN:
            for _, fact in self.given.get(key(goal), ()):
                if unify(goal, fact, self.trail):
                    yield
                undo(self.trail, mark)
        elif builtin(goal, self.trail):
            yield
        undo(self.trail, mark)

    def _inside(self, module: str, inner: Term, goal: Term) -> Iterator[None]:
        del module
        return self._solve(goal, bare(inner))

    def _both(self, module: str, one: Term, other: Term) -> Iterator[None]:
        for _ in self._solve(one, module):
            yield from self._solve(other, module)

    def _either(self, module: str, one: Term, other: Term) -> Iterator[None]:
        mark = len(self.trail)
        if isinstance(one, tuple) and key(one) == ("->", 2):
            chosen = one[2] if self.holds(one[1], module) else other
            yield from self._solve(chosen, module)
            return
        yield from self._solve(one, module)
        undo(self.trail, mark)
        yield from self._solve(other, module)

    def _if(self, module: str, one: Term, other: Term) -> Iterator[None]:
        return self._either(module, ("->", one, other), "fail")

    def _not(self, module: str, goal: Term) -> Iterator[None]:
        mark = len(self.trail)
        holds = self.holds(goal, module)
        undo(self.trail, mark)
        if not holds:
            yield

    def _clauses(self, goal: Term, module: str) -> tuple[list[Term], str] | None:
        for owner in (module, "spatial", "lists"):
            if (found := self._of.get((owner, *key(goal)))) is not None:
                return found, owner
        return None

    def _resolve(self, goal: Term, clauses: Iterable[Term], owner: str) -> Iterator[None]:
        mark = len(self.trail)
        for clause in clauses:
            if _clash(parts(clause)[1], goal):
                continue
            arrow, head, body = parts(copied(clause, {}))
            before = repr(resolved(goal))
            matches = unify(head, goal, self.trail)
            if matches and (arrow == ":-" or repr(resolved(goal)) == before):
                cut = isinstance(body, tuple) and body[:2] == (",", "!")
                rest = "true" if body == "!" else body[2] if cut else body
                yield from self._solve(rest, owner)
                if arrow == "=>" or rest is not body:
                    return
            undo(self.trail, mark)


def parts(clause: Term) -> tuple[str, Term, Term]:
    """Return arrow, head and body of a clause."""
    if isinstance(clause, tuple) and clause[0] in (":-", "=>"):
        return clause[0], clause[1], clause[2]
    return ":-", clause, "true"


def key(term: Term) -> tuple[str, int]:
    """Return name and arity of a goal."""
    return (term[0], len(term) - 1) if isinstance(term, tuple) else (term, 0)


def _clash(head: Term, goal: Term) -> bool:
    """Whether an argument tells at once that a head is not of this goal; saves a copy."""
    if not isinstance(head, tuple):
        return False
    for one, other in zip(head[1:], goal[1:]):
        told = bare(other)
        if type(one) is type(told) and not isinstance(one, (Var, tuple)) and one != told:
            return True
    return False
