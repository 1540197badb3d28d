"""What a run leaves of an older baseline, and what differs between two runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_metaspace.domain import Outcome
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.prompts.words import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from pytest_metaspace.domain import Across, Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """A baseline as it is after a run.

    Attributes:
        record: what is to be written.
        fresh: cases of the run.
        kept: cases of the old file that the run says nothing about.
        dropped: cases of the old file that are none any more.
        unanswered: cases of the run that got no answer, which are not written.
    """

    record: Record
    fresh: int
    kept: int
    dropped: int
    unanswered: int


def updated(old: Record | None, now: Record, gone: Collection[str]) -> Update:
    """Return an old baseline with what a run has found.

    A row goes only when its case is known to be none any more: a run that was filtered, sampled,
    stopped or in error leaves all rows that it has nothing to say about.

    Args:
        old: the baseline that is there.
        now: what the run found.
        gone: addresses of cases that the run knows to be none any more.

    Raises:
        UsageProblem: rows would have to be kept beside those of another agent or meaning.
    """
    answered = {one: what for one, what in now.outcomes.items() if what is not Outcome.ERROR}
    before: Mapping[str, Outcome] = {} if old is None else old.outcomes
    kept = {one: what for one, what in before.items() if one not in answered and one not in gone}
    if old is not None and kept:
        apart = [text for _, text in differences(old, now)]
        if apart:
            raise UsageProblem(
                f"metaspace: {old.source} was not changed: it holds {len(kept)} cases that this "
                f"run has not, and they are of another kind: {'; '.join(apart)}. Run all its "
                "cases, or save to another file."
            )
    still = {address.rsplit("::", 3)[0] for address in kept}
    shown = {} if old is None else {t: fp for t, fp in old.trajectories.items() if t in still}
    record = replace(
        now,
        outcomes={**kept, **answered},
        trajectories={**shown, **now.trajectories},
        wording={**(old.wording if old is not None and kept else {}), **now.wording},
    )
    return Update(
        record=record,
        fresh=len(answered),
        kept=len(kept),
        dropped=sum(one in gone and one not in answered for one in before),
        unanswered=len(now.outcomes) - len(answered),
    )


def differences(before: Record, after: Record) -> Iterator[tuple[Across, str]]:
    """Yield what makes two runs ones of another kind, and how to say it."""
    if before.agent != after.agent:
        yield "agent", f"agent {_quoted(before.agent)}, now {_quoted(after.agent)}"
    old, new = before.settings, after.settings
    if old.prompting != new.prompting:
        yield "prompting", f"prompting {old.prompting}, now {new.prompting}"
    elif old.boxes != new.boxes:
        yield "prompting", f"boxes {old.boxes}, now {new.boxes}"
    elif any(before.wording.get(kind, one) != one for kind, one in after.wording.items()):
        yield "prompting", "questions were put in other words"
    for name in ("semantics", "epsilon", "delta"):
        one, other = getattr(old, name), getattr(new, name)
        if one != other:
            yield "semantics", f"{name} {one}, now {other}"


def notes(before: Record, after: Record) -> Iterator[str]:
    """Yield what else differs: worth knowing, and no reason not to compare."""
    if before.agent == after.agent and before.identity != after.identity:
        yield f"the agent's identity was {_identity(before)} and is {_identity(after)}"
    if before.made_by and before.made_by != after.made_by:
        yield f"it was saved by pytest-metaspace {before.made_by}; this is {after.made_by}"
    for name in ("tracker", "confidence", "sample", "seed", "samples"):
        one, other = getattr(before.settings, name), getattr(after.settings, name)
        if one != other:
            yield f"{name} was {one_line(str(one), 80)} and is {one_line(str(other), 80)}"


def _quoted(text: str) -> str:
    return ascii(one_line(text, 80))


def _identity(record: Record) -> str:
    return "not known" if record.identity is None else _quoted(record.identity)
