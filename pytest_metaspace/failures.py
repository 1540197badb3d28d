"""The ways in which a question can come to no value: one name for each, wherever it is told.

A reply that is no answer makes the cases that need it *invalid*; no reply makes them an *error*.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_metaspace.domain import Missing, Outcome, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_metaspace.domain import Answer, Reading

TIED: Final = "tied"
UNREADABLE: Final = "unreadable"
REFUSED: Final = "refused"
FAILED: Final = "failed"
DECLINED: Final = "the agent declined to answer"
"""How the reader of answers words a refusal that the agent put into words of its own."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One way of failing.

    Attributes:
        name: as it is shown; an option has hyphens for its spaces.
        outcome: what it makes of a case that needs the question.
        meaning: what happened.
        next_step: what to do about it.
    """

    name: str
    outcome: Outcome
    meaning: str
    next_step: str

    @property
    def word(self) -> str:
        """The name as one word, for options."""
        return self.name.replace(" ", "-")


_RAN_AGAIN: Final = "run again: only these are asked"

KINDS: Final[Mapping[str, Kind]] = {
    kind.name: kind
    for kind in (
        Kind(
            UNREADABLE,
            Outcome.INVALID,
            "the answer is none of the allowed values",
            "metaspace explain CASE shows the words",
        ),
        Kind(
            REFUSED,
            Outcome.INVALID,
            "the agent declined to answer",
            "metaspace explain CASE shows its words",
        ),
        Kind(
            "filtered",
            Outcome.INVALID,
            "a filter of the endpoint stopped question or answer",
            "look at the endpoint's filter, or at the pictures",
        ),
        Kind(
            "truncated",
            Outcome.INVALID,
            "the answer was cut off before its end",
            "raise --metaspace-max-output-tokens",
        ),
        Kind(
            "malformed",
            Outcome.INVALID,
            "the answer is not the JSON that was asked for",
            "the endpoint keeps to no schema: --metaspace-structured=auto or off",
        ),
        Kind(
            TIED,
            Outcome.INVALID,
            "no answer has more of the samples than every other",
            "an odd --metaspace-samples has fewer ties",
        ),
        Kind(
            "timed out",
            Outcome.ERROR,
            "no answer in time, however often it was tried",
            f"{_RAN_AGAIN}; raise --metaspace-timeout",
        ),
        Kind(
            "rate limited",
            Outcome.ERROR,
            "the endpoint asked to wait to the last try",
            f"{_RAN_AGAIN}; lower --metaspace-concurrency",
        ),
        Kind(
            "server error",
            Outcome.ERROR,
            "the endpoint failed (5xx), or its reply held no answer",
            _RAN_AGAIN,
        ),
        Kind("no connection", Outcome.ERROR, "the endpoint was not reached", _RAN_AGAIN),
        Kind(
            "bad request",
            Outcome.ERROR,
            "the endpoint does not take the question",
            "the reason below says what it does not take",
        ),
        Kind(
            "not allowed",
            Outcome.ERROR,
            "the endpoint does not accept the key",
            "set OPENAI_API_KEY",
        ),
        Kind(
            "unknown model",
            Outcome.ERROR,
            "the endpoint does not know the model",
            "look at the name and at --metaspace-base-url",
        ),
        Kind("quota", Outcome.ERROR, "the account has no credit left", f"pay, then {_RAN_AGAIN}"),
        Kind(
            "no recording",
            Outcome.ERROR,
            "nothing was to be asked, and no answer is stored or recorded",
            "record it: --metaspace-answers=cached, --metaspace-record FILE",
        ),
        Kind(
            "not asked",
            Outcome.ERROR,
            "asking had stopped before: a cap, a wrong key, a full disk",
            "the last lines say why it stopped",
        ),
        Kind(
            "agent raised",
            Outcome.ERROR,
            "an agent of your own ended with an exception",
            "the reason below names the line",
        ),
        Kind(
            FAILED,
            Outcome.ERROR,
            "the agent gave no answer, for a reason of its own",
            "the reason below is the agent's",
        ),
    )
}
"""Every kind by name, in the order in which they are shown."""

OUTCOMES: Final = (Outcome.INVALID, Outcome.ERROR)


def kind_of(answer: Answer | None, reading: Reading) -> str | None:
    """Return the kind of failure that an answer is, or None for one that can be read.

    Args:
        answer: what came back; None where the question was not put.
        reading: what became of it.
    """
    if isinstance(reading, Missing):
        return "not asked" if answer is None else answer.kind or FAILED
    if not isinstance(reading, Unreadable):
        return None
    if answer is not None and answer.kind == TIED:
        return TIED
    if answer is not None and answer.trouble is not None:
        return answer.trouble
    return REFUSED if reading.reason == DECLINED else UNREADABLE


def outcome_of(kind: str) -> Outcome:
    """Return what a kind makes of a case; one that only an agent knows is an error."""
    return KINDS[kind].outcome if kind in KINDS else Outcome.ERROR


def shared(failures: Mapping[str, int], name: str) -> int:
    """Return how many questions failed in one way, or in all that lead to one outcome.

    Args:
        failures: questions by kind.
        name: a kind, ``invalid`` or ``error``.
    """
    if name in (Outcome.INVALID.value, Outcome.ERROR.value):
        return sum(count for kind, count in failures.items() if outcome_of(kind).value == name)
    return failures.get(name, 0)


def ordered(failures: Iterable[str]) -> Sequence[str]:
    """Return kinds in the order in which they are shown; those of agents' own come last."""
    places = {name: place for place, name in enumerate(KINDS)}
    return sorted(failures, key=lambda name: (places.get(name, len(places)), name))
