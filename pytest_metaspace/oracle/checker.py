"""Checks proofs that the engine delivers, step by step, without knowing any law.

Each step must be an instance of the clause that stands at that place of that file, each leaf one
of the given facts. What is computed or denied on the way is worked out again by a small resolver
of our own. Only what it has no means for, a library that a user's law calls, is taken as told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_metaspace.oracle.resolver import Resolver, key, parts
from pytest_metaspace.oracle.terms import (
    Unknown,
    Var,
    bare,
    copied,
    read_term,
    resolved,
    undo,
    unify,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pytest_metaspace.oracle.terms import Term


class Unproved(Exception):
    """A proof has a step that does not follow."""


class Checker:
    """Confirms proofs by the clauses that they name.

    Args:
        rows: module, source and canonical text of every clause, as the engine lists them.
    """

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        self._resolver = Resolver(rows)
        self._used: set[str] = set()
        labels = (read_term(text) for module, _, text in rows if module == "spatial")
        self.sectors = {term[3]: term[2] for term in labels if term[0] == "sector_label"}

    def check(
        self,
        given: Iterable[tuple[int | None, Term]],
        verdict: str,
        tree: Mapping[str, Any],
        proof: str,
    ) -> None:
        """Confirm that a proof holds, and that a printed derivation tells no more than it.

        Args:
            given: the facts of the case, each with the index of its observation.
            verdict: what is proved.
            tree: the printed derivation.
            proof: its proof as the engine delivers it.

        Raises:
            Unproved: a step does not follow, or the derivation has a step that the proof lacks.
        """
        self._resolver.give(given)
        self._used = set()
        try:
            root = read_term(proof)
            _, (_, module, goal), _, _ = root
            if goal[0] != verdict or not self._judges(module):
                raise Unproved(f"it proves {goal[0]} by {module}")
            self._walk(goal, module, root)
        except (ValueError, IndexError, TypeError, RecursionError) as problem:
            raise Unproved(f"it is no proof ({problem})") from problem
        told = set(_sources(tree))
        if not told <= self._used:
            raise Unproved(f"{', '.join(sorted(told - self._used))} is no part of it")

    def _judges(self, module: str) -> bool:
        ((_, relation),) = self._resolver.given["relation", 1]
        law = (":", "metaspace", ("law", relation[1], module, Var()))
        clauses = (clause for (own, _), clause in self._resolver.at.items() if own == module)
        return any(unify(copied(clause, {}), law, []) for clause in clauses)

    def _walk(  # noqa: C901 - a case for each form
        self, body: Term, module: str, proof: Term
    ) -> None:
        """Confirm that a proof is one of a goal, and bind what it binds."""
        body = bare(body)
        match body, proof:
            case (":", inner, goal), _:
                self._walk(goal, bare(inner), proof)
            case "true", "true":
                pass
            case (",", a, b), ("and", proof_a, proof_b):
                self._walk(a, module, proof_a)
                self._walk(b, module, proof_b)
            case (";", ("->", a, b), _) | ("->", a, b), ("then", proof_a, proof_b):
                self._walk(a, module, proof_a)
                self._walk(b, module, proof_b)
            case (";", ("->", a, _), b), ("else", proof_b):
                self._deny(a, module)
                self._walk(b, module, proof_b)
            case ((";", a, _), ("left", proof_a)) | ((";", _, a), ("right", proof_a)):
                self._walk(a, module, proof_a)
            case ("\\+", a), "not":
                self._deny(a, module)
            case goal, ("step", (":", owner, head), source, inner):
                self._same(goal, head, source)
                self._step(head, owner, source, inner)
            case goal, ("leaf", (":", "facts", fact), index):
                self._same(goal, fact, "a leaf")
                self._leaf(resolved(fact), index)
            case goal, ("call" | "setting" as kind, (":", owner, told), *rest):
                self._same(goal, told, kind)
                self._called(told, owner, module)
                self._used.update(f"tolerance.{name}" for name in rest[:1])
            case _:
                raise Unproved(f"{resolved(body)} is not proved by {resolved(proof)}")

    def _step(self, goal: Term, module: str, source: str, proof: Term) -> None:
        clause = self._resolver.at.get((module, source))
        if clause is None:
            raise Unproved(f"there is no clause at {source}")
        _, head, body = parts(copied(clause, {}))
        self._same(head, goal, source)
        self._used.add(source)
        self._walk(body, module, proof)

    def _leaf(self, fact: Term, index: int) -> None:
        if (index, fact) not in self._resolver.given.get(key(fact), ()):
            raise Unproved(f"observation {index + 1} does not say {fact}")
        self._used.add(f"observation {index + 1}")

    def _same(self, one: Term, other: Term, where: str) -> None:
        if not unify(one, other, self._resolver.trail):
            raise Unproved(f"{resolved(other)} is no instance at {where}")

    def _deny(self, goal: Term, module: str) -> None:
        mark = len(self._resolver.trail)
        try:
            if self._resolver.holds(goal, module):
                raise Unproved(f"{resolved(goal)} holds")
        except Unknown:
            pass
        undo(self._resolver.trail, mark)

    def _called(self, goal: Term, owner: str, module: str) -> None:
        resolver = self._resolver
        try:
            known = resolver.geometry(goal) if owner == "spatial" else resolver.holds(goal, module)
            if not known:
                raise Unproved(f"{resolved(goal)} does not hold")
        except Unknown:
            pass


def clause_heads(rows: Iterable[Sequence[str]]) -> Iterator[tuple[str, str, str]]:
    """Yield module, source and name/arity of each clause that its own module defines."""
    for module, source, text in rows:
        name, arity = key(parts(read_term(text))[1])
        if name != ":":
            yield module, source, f"{name}/{arity}"


def _sources(node: Mapping[str, Any]) -> Iterator[str]:
    yield node["source"]
    for child in node["children"]:
        yield from _sources(child)
