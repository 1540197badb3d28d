"""The shards of a run, put together again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.prompts.words import one_line
from pytest_metaspace.records import _header

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_metaspace.domain import Kept, Outcome, Put


def merged(shards: Sequence[Kept]) -> Kept:
    """Return the run that shards are the parts of.

    Raises:
        UsageProblem: one is missing, is there twice, or is of another run.
    """
    first = shards[0]
    for other in shards[1:]:
        for what in _apart(first, other):
            raise UsageProblem(
                f"metaspace: {first.record.source} and {other.record.source} are of different "
                f"runs: {what}. Merge the shards of one run, with the same options, trajectories "
                "and agent."
            )
    _require_all(shards)
    outcomes: dict[str, Outcome] = {}
    questions: dict[str, Put] = {}
    for shard in shards:
        for address, outcome in shard.record.outcomes.items():
            if address in outcomes:
                raise UsageProblem(
                    f"metaspace: {shard.record.source}: the case {one_line(address, 160)} is in "
                    "another shard too. Run the shards again, each with its own I/N."
                )
            outcomes[address] = outcome
        for digest, asked in shard.questions.items():
            questions[digest] = _worse(questions.get(digest), asked)
    ran = outcomes.keys()
    deselected = frozenset[str]().union(*(shard.deselected for shard in shards)) - ran
    unrun = frozenset[str]().union(*(shard.unrun for shard in shards)) - ran - deselected
    return replace(
        first,
        record=replace(first.record, outcomes=dict(sorted(outcomes.items())), source="this run"),
        shard=(1, 1),
        stopped=any(shard.stopped for shard in shards),
        deselected=deselected,
        unrun=unrun,
        questions=questions,
        keys={name: key for shard in shards for name, key in shard.keys.items()},
    )


def _worse(one: Put | None, other: Put) -> Put:
    """Return what a question came to that two shards have put: a failure, if any."""
    if one is None or (one.failed is None and other.failed is not None):
        return other
    return replace(one, alike=False) if other.alike is False else one


def _require_all(shards: Sequence[Kept]) -> None:
    count = shards[0].shard[1]
    there: dict[int, str] = {}
    for one in shards:
        index, source = one.shard[0], one.record.source
        if index in there:
            raise UsageProblem(
                f"metaspace: shard {index}/{count} is there twice: {there[index]} and {source}."
            )
        there[index] = source
    missing = [f"{index}/{count}" for index in range(1, count + 1) if index not in there]
    if missing:
        raise UsageProblem(
            f"metaspace: of {count} shards these are missing: {', '.join(missing[:20])}"
            f"{', ...' if len(missing) > 20 else ''}. Run each with --metaspace-shard=I/{count} "  # noqa: PLR2004
            "and --metaspace-save-run=FILE or --metaspace-report=json:FILE, and name all files."
        )


def _apart(one: Kept, other: Kept) -> Iterator[str]:
    """Yield how two run files differ that are to be of one run."""
    if one.shard[1] != other.shard[1]:
        yield f"one is of {one.shard[1]} shards, the other of {other.shard[1]}"
    before, after = (_header.fields(kept.record) for kept in (one, other))
    for name, value in before.items():
        if after[name] != value:
            yield f"{name} is {_said(value)} and {_said(after[name])}"
    for name in ("titles", "clusters", "drops", "skips", "tested", "rules"):
        if getattr(one, name) != getattr(other, name):
            yield f"their {_WORDS.get(name, name)} are not the same"
    if one.record.trajectories != other.record.trajectories:
        yield "their trajectories do not show the same"


_WORDS = {
    "titles": "relations",
    "clusters": "trajectories",
    "drops": "candidates left out",
    "skips": "relations that could not be asked",
    "tested": "relations",
    "rules": "gates",
}


def _said(value: Any) -> str:
    return ascii(one_line(str(value), 100))
