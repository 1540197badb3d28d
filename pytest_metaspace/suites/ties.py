"""What questions of a suite owe each other, by construction: the cases of its relations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Union, cast

from pytest_metaspace.domain import (
    AsksAbout,
    Becomes,
    IfAnswer,
    IfCounts,
    OnSide,
    ThenAnswer,
    Tie,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_metaspace.domain import Compared, SuiteLaw

Condition = Union[tuple[str, str], tuple[str, str, str]]
"""A question and its answer; or *more*, *equal* or *fewer* and two questions of numbers."""
Rule = tuple["Sequence[Condition]", tuple[str, str]]
"""Conditions, and the question with the answer that follows where they all hold."""


def mapped(relation: str, first: str, second: str, follows: Mapping[str, str] | None = None) -> Tie:
    """The answer to the first question decides that to the second.

    Args:
        relation: its name, as in ``EMB-ORDER``.
        first: name of a question.
        second: name of the other one.
        follows: option of the first to option of the second; what is missing decides nothing.
            None for numbers: the second is the first.
    """
    givens = tuple(Becomes(*pair) for pair in (follows or {}).items())
    return Tie(relation=relation, law="MAP", posings=(first, second), givens=givens)


def different(relation: str, *posings: str) -> Tie:
    """No two of some questions have the same answer."""
    return Tie(relation=relation, law="DIFF", posings=posings)


def implied(relation: str, rules: Iterable[Rule]) -> Tie:
    """Answers imply an answer: each rule whose conditions all hold has to be kept."""
    givens: list[IfAnswer | IfCounts | ThenAnswer] = []
    for number, (conditions, (posing, answer)) in enumerate(rules, start=1):
        rule = str(number)
        givens += [_condition(rule, one) for one in conditions]
        givens.append(ThenAnswer(rule, posing, answer))
    named = dict.fromkeys(name for given in givens for name in _named(given))
    return Tie(relation=relation, law="IMP", posings=tuple(named), givens=tuple(givens))


def equal_sums(relation: str, left: Sequence[str], right: Sequence[str]) -> Tie:
    """The numbers that some questions are answered with sum up to those of others."""
    return _sums(relation, "SUM", left, right)


def at_most(relation: str, left: Sequence[str], right: Sequence[str]) -> Tie:
    """The numbers that some questions are answered with sum up to no more than those of others."""
    return _sums(relation, "MON", left, right)


def inverse(relation: str, about: Mapping[str, str]) -> Tie:
    """Who asks for the other one of the other one gets back to where it began.

    Args:
        relation: its name.
        about: question to the option whose other one it asks for; the answers are such options.
    """
    givens = tuple(AsksAbout(*pair) for pair in about.items())
    return Tie(relation=relation, law="INV", posings=tuple(about), givens=givens)


def _condition(rule: str, told: Condition) -> IfAnswer | IfCounts:
    if len(told) == 2:  # noqa: PLR2004 - a question and its answer
        return IfAnswer(rule, *told)
    compares, first, second = told
    return IfCounts(rule, cast("Compared", compares), first, second)


def _named(given: IfAnswer | IfCounts | ThenAnswer) -> tuple[str, ...]:
    return (given.first, given.second) if isinstance(given, IfCounts) else (given.posing,)


def _sums(relation: str, law: SuiteLaw, left: Sequence[str], right: Sequence[str]) -> Tie:
    givens = (
        *(OnSide("left", name) for name in left),
        *(OnSide("right", name) for name in right),
    )
    return Tie(relation=relation, law=law, posings=(*left, *right), givens=givens)
