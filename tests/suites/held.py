"""Ties held against answers in a few lines of Python, to see what they say of an agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.domain import AsksAbout, Becomes, IfAnswer, ThenAnswer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_metaspace.domain import Item, Posing, Tie

    Agent = Callable[[str, Posing], str]


def truth(_: str, posing: Posing) -> str:
    """Answer what is true."""
    return str(posing.answer)


def broken(item: Item, agent: Agent) -> list[Tie]:
    """Return the ties that the answers of an agent break."""
    answers = {name: agent(name, posing) for name, posing in item.posings.items()}
    return [tie for tie in item.ties if not _keeps(tie, answers)]


def _keeps(tie: Tie, answers: Mapping[str, str]) -> bool:
    if tie.law == "MAP":
        first, second = (answers[name] for name in tie.posings)
        follows = {one.option: one.becomes for one in tie.givens if isinstance(one, Becomes)}
        return follows.get(first, second) == second
    if tie.law == "INV":
        about = {one.option: one.posing for one in tie.givens if isinstance(one, AsksAbout)}
        return all(answers[about[answers[name]]] == option for option, name in about.items())
    if tie.law == "DIFF":
        return len({answers[name] for name in tie.posings}) == len(tie.posings)
    assert tie.law == "IMP"
    return all(
        answers[then.posing] == then.answer
        for then in tie.givens
        if isinstance(then, ThenAnswer)
        if all(
            answers[one.posing] == one.answer
            for one in tie.givens
            if isinstance(one, IfAnswer) and one.rule == then.rule
        )
    )
