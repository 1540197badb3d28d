"""What the end of a run says of its baseline, and where the run is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.domain import Outcome
from pytest_metaspace.errors import MetaspaceError
from pytest_metaspace.prompts.words import one_line
from pytest_metaspace.reports import comparing, known, terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

    from pytest_metaspace.ledger import Ledger

_SHOWN: Final = 3
_LONGEST: Final = 2000


def keep(session: pytest.Session, ledger: Ledger) -> None:
    """Write the files of a run, however it ended; what cannot be written fails it."""
    if not ledger.reported:
        return
    memory = ledger.memory
    try:
        path = memory.options.save_baseline
        if path is not None:
            memory.notices += memory.save(ledger.record(), ledger.gone(memory.rows()))
    except MetaspaceError as problem:
        session.testsfailed += 1
        memory.trouble.append(str(problem))


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
    """Write what is to be said of the files of a run."""
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
