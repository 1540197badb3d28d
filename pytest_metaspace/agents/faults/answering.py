"""Faults of answering: guesses, habits and evasions, whatever there is to be seen."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pytest_metaspace.agents._perceiving import final, phrase
from pytest_metaspace.agents.faults._fault import UNMOVED, Fault, draw, labels, nowhere
from pytest_metaspace.domain import NONE, VERTICAL, Value
from pytest_metaspace.prompts.parts import options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.domain import Question

_MOST_STEPS = 12
_RATE = 0.2


def _guess(question: Question) -> str:
    """Return any allowed answer, each as likely as the others, drawn anew for each question."""
    chance = draw(question)
    form = question.format
    if form.kind == "yes-no":
        return final(chance.choice(("yes", "no")), question)
    if form.kind in ("choice", "word"):
        return final(chance.choice(sorted(form.options)), question)
    if form.kind == "count":
        return final(str(chance.randint(0, _MOST_STEPS)), question)
    value = Value(
        planar=chance.choice(sorted(form.planar.values())) if form.planar else None,
        vertical=chance.choice(VERTICAL) if form.vertical else None,
        steps=chance.randint(0, _MOST_STEPS),
        metres=chance.uniform(0.2, 5.0),
    )
    return phrase(value, question)


def _to_claims(word: str, question: Question) -> str | None:
    return None if question.query.claim is None else final(word, question)


def _first_option(question: Question) -> str | None:
    """Say what is listed first, where a question lists what it allows."""
    if question.query.claim is not None:
        return final("yes", question)
    if question.format.kind in ("choice", "word"):
        return final(next(iter(question.format.options)), question)
    if question.format.kind != "direction":
        return None
    words = (options(question.query, question.trajectory)[0], *list(question.format.vertical)[:1])
    return final(", ".join(words), question)


def _constant(values: Sequence[Value], question: Question) -> Value:
    del values
    return Value(planar=labels(question)[0], vertical="level", steps=3, metres=1.0)


def _collapsed(values: Sequence[Value], question: Question) -> Value:
    del values, question
    return replace(UNMOVED, metres=1.0)


def _off_by_one(values: Sequence[Value], question: Question) -> Value:
    """Miss by one sector, one step or a tenth, up or down by a draw per question."""
    (value,) = values
    up = draw(question).choice((-1, 1))
    planar, steps, metres = value.planar, value.steps, value.metres
    if planar is not None and planar != NONE:
        names = labels(question)
        planar = names[(names.index(planar) + up) % 8]
    if steps is not None:
        steps = steps + up if steps + up >= 0 else steps + 1
    if metres is not None:
        metres *= 1 + 0.1 * up
    return replace(value, planar=planar, steps=steps, metres=metres)


def _noise(values: Sequence[Value], question: Question, *, rate: float) -> Value:
    chance = draw(question)
    if chance.random() >= rate:
        return values[0]
    return Value(
        planar=chance.choice((*labels(question), NONE)),
        vertical=chance.choice(VERTICAL) if question.trajectory.vertical else None,
        steps=chance.randint(0, _MOST_STEPS),
        metres=chance.uniform(0.2, 5.0),
    )


def noisy(rate: float) -> Fault:
    """Return the fault that sees anything at all in a share of the questions."""
    return Fault(
        name=f"noisy={rate:g}",
        does=f"sees anything at all in {rate:.0%} of what it is asked",
        who="Everybody does who is tired, and models sampled at a high temperature.",
        sees=partial(_noise, rate=rate),
        at=noisy,
    )


FAULTS = (
    Fault(
        name="constant",
        does="always says ahead, 3 steps, 1 m",
        who="Models do that collapsed to the commonest answer of their training.",
        looks=nowhere,
        sees=_constant,
        alone=True,
    ),
    Fault(
        name="collapsed",
        does="sees everything in one spot: none, 0 steps, 1 m",
        who="Models do that hedge, and programs that answer with zeros when they fail.",
        looks=nowhere,
        sees=_collapsed,
        alone=True,
    ),
    Fault(
        name="off-by-one",
        does="misses by one sector, one step or a tenth, up or down by the toss of a coin",
        who="Everybody does who estimates by eye.",
        sees=_off_by_one,
    ),
    replace(noisy(_RATE), name="noisy"),
    Fault(
        name="random",
        does="gives any allowed answer",
        who="Untrained models do, and those to whom the pictures do not get through.",
        says=_guess,
        alone=True,
    ),
    Fault(
        name="yes-sayer",
        does="answers open questions well, and confirms every claim",
        who="People do out of politeness (acquiescence bias), and models tuned to please.",
        says=partial(_to_claims, "yes"),
    ),
    Fault(
        name="no-sayer",
        does="answers open questions well, and denies every claim",
        who="Cautious people do, and models tuned to refuse.",
        says=partial(_to_claims, "no"),
    ),
    Fault(
        name="first-option",
        does="says what is listed first, where there is a list",
        who="Language models do (position bias), and people who fill in forms quickly.",
        says=_first_option,
    ),
)
