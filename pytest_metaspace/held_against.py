"""What the end of a run says of its baseline, and where the run is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace import marking, records
from pytest_metaspace.domain import Cluster, Kept, Outcome
from pytest_metaspace.errors import MetaspaceError
from pytest_metaspace.prompts.words import one_line
from pytest_metaspace.reports import comparing, known, terminal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pytest

    from pytest_metaspace.ledger import Ledger

_SHOWN: Final = 3
_LONGEST: Final = 2000


def keep(session: pytest.Session, ledger: Ledger, *, stopped: bool) -> None:
    """Write the files of a run, however it ended; what cannot be written fails it.

    Args:
        session: of pytest.
        ledger: of the run.
        stopped: whether it ended before it was through.
    """
    memory, wanted = ledger.memory, ledger.options.records
    ledger.stopped = stopped
    if ledger.telling is not None:
        ledger.telling.stopped = stopped
    session.testsfailed += len(memory.trouble)
    if not ledger.plans:
        return
    try:
        if wanted.save_run is not None:
            records.write_run(wanted.save_run, kept(ledger, stopped=stopped))
            what = f"shard {wanted.shard}" if wanted.in_parts else "the run"
            memory.notices.append(f"saved {what} to {records.told(wanted.save_run)}")
        if wanted.save_baseline is not None and ledger.reported:
            memory.notices += memory.save(ledger.record(), ledger.gone(memory.rows()))
    except MetaspaceError as problem:
        session.testsfailed += 1
        memory.trouble.append(str(problem))


def kept(ledger: Ledger, *, stopped: bool) -> Kept:
    """Return all that scores, gates and tables of a run are made of."""
    options, wanted = ledger.options, ledger.options.records
    record, deselected = ledger.record(), ledger.lacking()
    if stopped:
        deselected &= ledger.deselected  # nobody left out the cases that it did not come to
    unrun = ledger.planned().difference(record.outcomes, deselected)
    rules = options.rules
    marked = marking.reported(ledger.selected, ledger.reported, ledger.trajectories)
    return Kept(
        record=record,
        shard=(wanted.shard.index, wanted.shard.count),
        stopped=stopped,
        titles=ledger.registries.titles,
        clusters={name: Cluster.of(one) for name, one in ledger.trajectories.items()},
        drops=ledger.drops,
        skips=ledger.skips,
        tested=frozenset(ledger.tested()),
        deselected=frozenset(deselected),
        unrun=frozenset(address for address in unrun if wanted.shard.has(address)),
        questions=ledger.memory.put(ledger.failures),
        rules={
            "thresholds": dict(rules.thresholds),
            "limits": dict(rules.limits),
            "policy": rules.policy,
            "allowed": sorted(rules.allowed),
            "violations": "fail" if options.violations_fail else "report",
            "baseline": _shown(wanted.baseline),
            "baseline_strict": wanted.strict,
            "across": sorted(wanted.across),
            "undecided": wanted.undecided,
            "min_drop": wanted.min_drop,
            "quarantine": _shown(wanted.quarantine),
            "quarantine_strict": wanted.quarantine_strict,
        },
        keys={address: key for address, key, _ in marked},
    )


def _shown(path: Path | None) -> str | None:
    return None if path is None else records.told(path)


def write_comparison(ledger: Ledger, reporter: Any, *, verbose: bool) -> None:
    """Write how the run differs from its baseline."""
    found = ledger.summarise().comparison
    if found is None:
        return
    reporter.write_sep("=", f"metaspace: against the baseline {one_line(found.before, 200)}")
    for line in comparing.lines(found, verbose=verbose):
        reporter.write_line(line)


def write_known(ledger: Ledger, reporter: Any) -> None:
    """Write how things are with what is in quarantine."""
    states = ledger.summarise().known
    if not states:
        return
    source = ledger.memory.quarantine.source
    reporter.write_sep("=", f"metaspace: known violations, by {one_line(source, 200)}")
    for line in known.lines(states):
        reporter.write_line(line)


def write_notices(ledger: Ledger, reporter: Any) -> None:
    """Write what is to be said of the files of a run, and of gates that a shard cannot decide."""
    wanted = ledger.options.records
    if wanted.in_parts:
        reporter.write_line(
            f"metaspace: these are the cases of shard {wanted.shard} alone, on which no gate "
            "decides; metaspace merge puts the run files of all shards together"
        )
    for text in ledger.memory.notices:
        reporter.write_line(f"metaspace: {one_line(text, _LONGEST)}")
    for text in ledger.memory.trouble:
        reporter.write_line(one_line(text, _LONGEST), red=True)


def news(ledger: Ledger) -> Iterator[str]:
    """Yield the first derivations of what is newly violated, and how much there is."""
    found = ledger.summarise().comparison
    assert found is not None
    confirmed = {address for some in ledger.confirmed.values() for address in some}
    expected = ledger.memory.quarantine.of
    ordered = [
        address
        for address in comparing.in_turn(found)
        if address in confirmed and expected(address) is None
    ]
    for address in ordered[:_SHOWN]:
        yield from ledger.findings[address].text.splitlines()
        yield ""
    all_ = sum(entry[-1] is Outcome.VIOLATED for entry in ledger.reported.values())
    new = len(found.moves.newly_violated)
    yield (
        f"{terminal.plural(new, 'case')} newly violated or invalid since the baseline; -v tells "
        f"more of {terminal.plural(all_, 'violation')} in all"
    )


def is_told_by_news(ledger: Ledger, *, verbose: bool) -> bool:
    """Whether only what is new since a baseline is shown."""
    return not verbose and ledger.summarise().comparison is not None
