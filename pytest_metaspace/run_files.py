"""What is read of runs that are over: run files and reports, and the run that they tell of."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_metaspace import gates, memory, records
from pytest_metaspace.domain import suite_of
from pytest_metaspace.reports import run_json
from pytest_metaspace.scoring import entry_at
from pytest_metaspace.summary import Rules, summarise

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pytest_metaspace.domain import Kept, Record, Run
    from pytest_metaspace.memory import Memory
    from pytest_metaspace.scoring.accuracy import Marked


def read_record(path: Path) -> Record:
    """Read what a baseline, a run file or a report keeps of who was asked and what came of it.

    Raises:
        UsageProblem: it cannot be read, or is none of them.
    """
    if run_json.is_report(path):
        return read_kept(path).record
    return records.read(path)


def read_kept(path: Path) -> Kept:
    """Read what a run file or a report keeps of a run.

    Raises:
        UsageProblem: it cannot be read, or is neither.
    """
    if not run_json.is_report(path):
        return records.read_run(path)
    kept = run_json.read(path).kept
    return replace(kept, record=replace(kept.record, source=records.told(path)))


def read_run(path: Path) -> Run:
    """Read the run of a report or of a run file; the baseline of a run file is left out.

    Raises:
        UsageProblem: it cannot be read, or is neither.
    """
    if run_json.is_report(path):
        return run_json.read(path).run
    return run_of(records.read_run(path), memory.Memory())


def run_of(whole: Kept, held: Memory) -> Run:
    """Return the run that a run file tells of, with its scores and gates.

    Args:
        whole: of all shards.
        held: what it is held against.
    """
    record, rules = whole.record, whole.rules
    run = summarise(
        agent=record.agent,
        settings=record.settings,
        titles=whole.titles,
        anchored=record.anchored,
        trajectories=tuple(whole.clusters),
        clusters=whole.clusters,
        outcomes=(entry_at(address, what) for address, what in record.outcomes.items()),
        drops=whole.drops,
        questions=len(whole.questions),
        rules=Rules(
            thresholds=rules["thresholds"],
            limits=rules["limits"],
            policy=rules["policy"],
            allowed=frozenset(rules["allowed"]),
            stopped=whole.stopped,
        ),
        deselected=_lacking(whole),
        failures=_failures(whole),
        disagreement=_disagreement(whole),
        marked=_marked(whole),
    )
    if held.baseline is not None and record.outcomes:
        short = gates.Shortfall(
            errors=run.overall.error,
            deselected=len(_lacking(whole)),
            sample=record.settings.sample,
            stopped=whole.stopped,
        )
        lost = gone(whole, held.baseline.outcomes)
        run = held.hold(run, record, lost, short, frozenset(rules["allowed"]))
    return held.review(run, record.outcomes, _planned(whole))


def _marked(whole: Kept) -> list[Marked]:
    """Return what accuracy on suites is counted from; nothing where a part of it is not known."""
    if unkeyed(whole):
        return []
    outcomes = whole.record.outcomes
    return [
        (address, key, outcomes[address])
        for address, key in whole.keys.items()
        if address in outcomes
    ]


def unkeyed(kept: Kept) -> list[str]:
    """Return the addresses of cases about accuracy on suites of which a file tells no true answer.

    Scores need none, accuracy does.
    """
    return [
        address
        for address in kept.record.outcomes
        if address not in kept.keys and _is_accuracy(address)
    ]


def _is_accuracy(address: str) -> bool:
    _, capability, relation, _ = address.rsplit("::", 3)
    suite = suite_of(capability)
    return suite is not None and relation == f"{suite}-ACC"


def _lacking(whole: Kept) -> frozenset[str]:
    """Return the addresses of the cases that gates have to do without."""
    return whole.deselected | whole.unrun if whole.stopped else whole.deselected


def _planned(whole: Kept) -> set[str]:
    return {*whole.record.outcomes, *whole.deselected, *whole.unrun}


def gone(whole: Kept, rows: Iterable[str]) -> set[str]:
    """Return the rows whose cases are none any more, as far as a run file tells."""
    settings = whole.record.settings
    return memory.gone(list(rows), settings, whole.clusters, _planned(whole), whole.tested)


def _failures(whole: Kept) -> dict[str, int]:
    found: dict[str, int] = {}
    for asked in whole.questions.values():
        if asked.failed is not None:
            found[asked.failed] = found.get(asked.failed, 0) + 1
    return found


def _disagreement(whole: Kept) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for asked in whole.questions.values():
        if asked.alike is not None:
            differing, compared = found.get(asked.capability, (0, 0))
            found[asked.capability] = differing + (not asked.alike), compared + 1
    return found
