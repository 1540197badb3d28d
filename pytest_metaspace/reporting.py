"""The end of a run with reports: all that there is to tell is put together once and written."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pytest

from pytest_metaspace import __version__, failures, files, held_against
from pytest_metaspace.domain import Report
from pytest_metaspace.errors import MetaspaceError
from pytest_metaspace.prompts.words import inert, one_line
from pytest_metaspace.reports import known
from pytest_metaspace.telling import Teller, trajectories

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_metaspace.domain import Kept, Outcome, Run
    from pytest_metaspace.ledger import Ledger
    from pytest_metaspace.telling import Telling

_LONGEST: Final = 2000
_EPOCH: Final = "SOURCE_DATE_EPOCH"


def write(session: pytest.Session, ledger: Ledger) -> None:
    """Write the reports that are wanted, however the run ended; what cannot be written fails it.

    Args:
        session: of pytest, whose exit status is known.
        ledger: of the run; where it was used wrongly, or no case was part of it, older reports
            stay.
    """
    telling = ledger.telling
    if telling is None or not _has_something(ledger, telling, session):
        return
    report = report_of(ledger, telling, status=int(session.exitstatus != pytest.ExitCode.OK))
    for form, path in telling.targets:
        try:
            told = form.write(report, path)
        except MetaspaceError as problem:
            what = str(problem).removeprefix("metaspace: ")
            telling.trouble.append(f"metaspace: the report {form.name} is missing: {what}")
        except Exception as problem:  # noqa: BLE001 - of a format that is not ours
            what = f"{type(problem).__name__}: {problem}"
            telling.trouble.append(
                f"metaspace: the report {form.name} is missing: its format failed ({what}). "
                "pytest_metaspace.testing.check_report_format says where."
            )
        else:
            lines = [f"wrote the report {form.name} to {files.told(path)}"]
            (telling.verbatim if form.verbatim else lines).extend(told)
            telling.notices += lines
    if telling.trouble:
        session.testsfailed += 1
        if session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _has_something(ledger: Ledger, telling: Telling, session: pytest.Session) -> bool:
    """Whether there is something to tell: cases that ran or would have, if only of a shard."""
    if telling.stopped is None or session.exitstatus == pytest.ExitCode.USAGE_ERROR:
        return False
    meant = telling.stopped or ledger.options.records.in_parts
    return bool(ledger.reported or telling.problems or (meant and ledger.plans))


def enter_uncollected(report: pytest.CollectReport, ledger: Ledger) -> None:
    """Keep what could not be collected, and why, for the reports that are wanted."""
    if ledger.telling is not None and report.failed:
        why = (report.longreprtext.strip().splitlines() or [""])[-1]
        why = why.replace(f"{ledger.options.root}{os.sep}", "").removeprefix(f"{report.nodeid}: ")
        ledger.telling.problems.append(one_line(f"{report.nodeid}: {why}", _LONGEST))


def report_of(ledger: Ledger, telling: Telling, *, status: int) -> Report:
    """Return all that there is to tell of a run.

    Args:
        ledger: of the run.
        telling: what was gathered on the way.
        status: the exit status that the run asked for.
    """
    excused = ledger.memory.quarantine.excuses

    def excuse(address: str, outcome: Outcome) -> str:
        entry = excused(address, outcome)
        return "" if entry is None else known.excuse(entry)

    teller = Teller(telling, ledger.trajectories, news=ledger.memory.news, excuse=excuse)
    ran = [
        (ledger.selected[address], entry[-1])
        for address, entry in sorted(ledger.reported.items())
        if address in ledger.selected
    ]
    cases = teller.cases(ran)
    return Report(
        run=_ordered(ledger.summarise()),
        kept=_kept(ledger, telling),
        cases=cases,
        questions=teller.questions(),
        trajectories=trajectories(ledger.trajectories.values()),
        made_by=__version__,
        finished=_now(os.environ.get),
        status=status,
        untold=teller.untold,
        problems=tuple(sorted(set(telling.problems))),
    )


def _ordered(run: Run) -> Run:
    """Return a run whose counts are in an order of their own: workers report in any."""
    return replace(
        run,
        counts=dict(sorted(run.counts.items())),
        drops=dict(sorted(run.drops.items())),
        failures={name: run.failures[name] for name in failures.ordered(run.failures)},
        disagreement=dict(sorted(run.disagreement.items())),
    )


def _kept(ledger: Ledger, telling: Telling) -> Kept:
    found = held_against.kept(ledger, stopped=bool(telling.stopped))
    outcomes = dict(sorted(found.record.outcomes.items()))
    return replace(
        found,
        record=replace(found.record, outcomes=outcomes),
        drops=dict(sorted(found.drops.items())),
        skips=dict(sorted(found.skips.items())),
        questions=dict(sorted(found.questions.items())),
    )


def _now(environment: Callable[[str], str | None]) -> str:
    """Return the time in UTC; builds that are to be repeated say in SOURCE_DATE_EPOCH which."""
    said = environment(_EPOCH) or ""
    when = int(said) if said.isdecimal() and said.isascii() else time.time()
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when))


def write_notices(ledger: Ledger, reporter: Any) -> None:
    """Write which reports lie where, and which are missing."""
    if ledger.telling is None:
        return
    for text in ledger.telling.notices:
        reporter.write_line(inert(f"metaspace: {one_line(text, _LONGEST)}"))
    for text in ledger.telling.verbatim:
        reporter.write_line(one_line(text, _LONGEST))
    for text in ledger.telling.trouble:
        reporter.write_line(inert(one_line(text, _LONGEST)), red=True)
