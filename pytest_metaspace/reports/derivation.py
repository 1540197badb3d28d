"""A verdict as text for a log: what cannot all be true, step by step, down to the raw answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_metaspace.domain import Outcome
from pytest_metaspace.prompts.words import one_line

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from pytest_metaspace.domain import Evidence, Step, Verdict

MOST_LINES = 12
_SAID = "   <- "
_LONGEST_GOAL = 200
_LONGEST_RAW = 60
_LONGEST_QUESTION = 240
_MOST_PICTURES = 6


def lines(verdict: Verdict) -> Iterator[str]:
    """Yield the lines of a verdict: headline, derivation, questions with raw answers."""
    yield from argument(verdict, tree=verdict.outcome is Outcome.VIOLATED)
    if verdict.outcome in (Outcome.VIOLATED, Outcome.INVALID):
        yield from _questions(verdict.evidence)


def short(verdict: Verdict) -> Iterator[str]:
    """Yield the lines of a verdict, at most 12; the last one then says how to see the others.

    Left out first: what is told twice, answers that the derivation does not rest on, and then
    the places of answers in it, from the end. The rules stay.
    """
    whole = list(lines(verdict))
    if len(whole) <= MOST_LINES:
        yield from whole
        return
    violated = verdict.derivation is not None and verdict.outcome is Outcome.VIOLATED
    used = set(_answers(verdict.derivation.root)) if violated and verdict.derivation else None
    told = list(dict.fromkeys(argument(verdict, tree=violated)))
    questions = list(_questions(verdict.evidence, used))
    places = [line for line in told if _SAID in line]
    while len(told) + len(questions) >= MOST_LINES and places:
        told.remove(places.pop())
    kept = [*told, *questions][: MOST_LINES - 1]
    yield from kept
    yield (
        f"  ... {len(whole) - len(kept)} more lines: metaspace explain {verdict.case.id}, or "
        "pytest --metaspace-explain"
    )


def _answers(step: Step) -> Iterator[int]:
    """Yield the indices of the answers that a derivation rests on."""
    if step.observation is not None:
        yield step.observation
    for child in step.children:
        yield from _answers(child)


def argument(verdict: Verdict, *, tree: bool = True) -> Iterator[str]:
    """Yield the lines of a verdict without its questions: headline, reason, derivation."""
    case = verdict.case
    yield f"{case.relation} {verdict.outcome.value}: {one_line(case.address, _LONGEST_GOAL)}"
    if verdict.derivation is None:
        yield f"  {one_line(verdict.reason, _LONGEST_GOAL)}"
        return
    yield f"  {one_line(verdict.derivation.summary, 2 * _LONGEST_GOAL)}"
    if tree:
        origins = [given.origin for given in case.givens]
        yield from steps(verdict.derivation.root, "    ", len(case.queries), origins)


def steps(step: Step, indent: str, asked: int, givens: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a step and of what it rests on.

    Args:
        step: its observations below ``asked`` are answers, those from there on are givens.
        indent: of its line; what it rests on is indented further.
        asked: how many questions the case put.
        givens: where each thing that was not asked comes from.
    """
    goal = one_line(step.goal, _LONGEST_GOAL)
    if step.observation is not None:
        given = step.observation - asked
        origin = f"answer {step.observation + 1}" if given < 0 else one_line(givens[given], 120)
        yield f"{indent}{goal}{_SAID}{origin}"
        return
    yield f"{indent}{goal}   ({one_line(step.source, 120)})"
    for child in step.children:
        yield from steps(child, indent + "  ", asked, givens)


def _questions(evidence: tuple[Evidence, ...], used: Container[int] | None = None) -> Iterator[str]:
    for number, shown in enumerate(evidence, start=1):
        if used is not None and number - 1 not in used:
            continue
        yield (
            f"  answer {number}: {one_line(shown.raw, _LONGEST_RAW)!a} to "
            f'"{one_line(shown.question, _LONGEST_QUESTION)}" [{pictures(shown.images)}]'
        )


def pictures(names: Sequence[str]) -> str:
    """Return the names of pictures that were shown; of many the first, and how many more."""
    if len(names) > _MOST_PICTURES:
        return f"{one_line(names[0])} and {len(names) - 1} more"
    return ", ".join(map(one_line, names))


def plain(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of an oracle's record that no pipeline case stands behind."""
    tree = found.get("derivation")
    if tree is None:
        yield f"{found['verdict']}: {found.get('reason', '')}"
        return
    yield f"{found['verdict']}: {one_line(tree.get('summary', ''), 2 * _LONGEST_GOAL)}"
    yield from _plain_tree(tree, "  ")


def _plain_tree(tree: Mapping[str, Any], indent: str) -> Iterator[str]:
    yield f"{indent}{one_line(tree['goal'], _LONGEST_GOAL)}   ({tree['source']})"
    for child in tree["children"]:
        yield from _plain_tree(child, indent + "  ")
