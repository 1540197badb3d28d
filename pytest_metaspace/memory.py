"""What a run is held against, and what is kept of it: baselines, read and written.

Reading comes before anybody is asked, so that a wrong file costs nothing; writing comes last.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from pytest_metaspace import __version__, fingerprints, gates, pairing, records
from pytest_metaspace.canonical import sha256
from pytest_metaspace.domain import ACROSS, Outcome, Put, Query, Record
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.gates.baseline import decide_baseline
from pytest_metaspace.gates.quarantine import decide_quarantine
from pytest_metaspace.quarantine import Quarantine
from pytest_metaspace.record_options import RecordOptions
from pytest_metaspace.scoring.comparison import trajectory_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from pytest_metaspace.domain import Comparison, Run, Score, Settings, Trajectory
    from pytest_metaspace.mrs import Relation

_BROKEN: Final = (Outcome.VIOLATED, Outcome.INVALID)
_DIGITS: Final = 16


@dataclass
class Memory:
    """The baseline of a run, and where its own record goes.

    Attributes:
        options: what is wanted.
        baseline: what the run is held against; None without one, or where the file is missing.
        notices: what is to be said of all that at the end.
    """

    options: RecordOptions = field(default_factory=RecordOptions)
    baseline: Record | None = None
    notices: list[str] = field(default_factory=list)
    quarantine: Quarantine = field(default_factory=Quarantine)
    """The violations that are known; workers read them too."""
    questions: dict[str, Put] = field(default_factory=dict)
    """What was put, by digest; filled where the run is kept in a file."""
    trouble: list[str] = field(default_factory=list)
    """What could not be written, and why."""

    @classmethod
    def open(cls, options: RecordOptions, *, worker: bool) -> Memory:
        """Read what there is; a worker, which decides nothing, only what is known.

        Raises:
            UsageProblem: a file is damaged, or what would be written over is no baseline.
        """
        opened = cls(options)
        if options.quarantine is not None:
            opened.quarantine = Quarantine.read(options.quarantine)
        if worker:
            return opened
        if options.save_run is not None:
            records.require_run(options.save_run)
        if options.save_baseline is not None:
            records.require_baseline(options.save_baseline)
            opened._old()
        if options.baseline is not None and options.baseline.exists():
            opened.baseline = records.read_baseline(options.baseline)
        return opened

    @property
    def is_idle(self) -> bool:
        """Whether there is neither a baseline nor anything known to hold a run against."""
        return self.baseline is None and not self.quarantine.entries

    def _old(self) -> Record | None:
        """Return the baseline that is to be brought up to date; None where there is none yet."""
        path = self.options.save_baseline
        if path is None or not path.exists() or not path.stat().st_size:
            return None
        return records.read_baseline(path)

    def enter(self, queries: Iterable[Query], alike: Mapping[Query, bool]) -> None:
        """Enter questions that were put, and whether their samples are all equal."""
        if not self.options.are_written:
            return
        for query in queries:
            if isinstance(query, Query):  # questions in a test's own words are of no case
                put = Put(capability=query.capability.value, alike=alike.get(query))
                self.questions[digest(query)] = put

    def put(self, failures: Mapping[Query, str]) -> dict[str, Put]:
        """Return what each question came to.

        Args:
            failures: those that came to no value, and the kind of failure.
        """
        found = dict(self.questions)
        for query, kind in failures.items():
            name = digest(query)
            found[name] = replace(found[name], failed=kind)
        return found

    def rows(self) -> Collection[str]:
        """Return the addresses in the file that is to be brought up to date."""
        old = self._old()
        return () if old is None else old.outcomes

    def require(self, known: Callable[[], Record]) -> None:
        """Make sure, before anybody is asked, that the run can be held against the baseline.

        Args:
            known: returns what is known of the run.

        Raises:
            UsageProblem: it cannot, or strictly there has to be a baseline.
        """
        path = self.options.baseline
        if path is not None and self.baseline is None:
            self._miss(path)
        if self.baseline is None:
            return
        wrong = pairing.refused(self.baseline, known(), ACROSS, self.options.across)
        if wrong:
            raise UsageProblem(
                f"metaspace: {self.baseline.source} is the baseline of another kind of run: "
                f"{'; '.join(wrong.values())}. To compare all the same add "
                f"--metaspace-baseline-across={','.join(wrong)}; to start anew "
                f"save one of this kind with --metaspace-save-baseline; "
                "--metaspace-baseline=off compares with none. Nobody was asked anything."
            )

    def _miss(self, path: Path) -> None:
        if self.options.strict and self.options.save_baseline is None:
            raise UsageProblem(
                f"metaspace: there is no baseline {records.told(path)}, and "
                "--metaspace-baseline-strict asks for one. Save it first: add "
                f"--metaspace-save-baseline={records.told(path)}"
            )
        if self.options.save_baseline is None:
            self.notices.append(
                f"no baseline to compare with: there is no file {records.told(path)}. Save it "
                f"with --metaspace-save-baseline={records.told(path)}, and commit it."
            )

    def hold(
        self,
        run: Run,
        now: Record,
        gone: Collection[str],
        short: gates.Shortfall,
        allowed: frozenset[str],
    ) -> Run:
        """Return a run held against its baseline, with a gate that says what came of it.

        Args:
            run: what is known of it otherwise.
            now: what files keep of it.
            gone: cases that it knows to be none any more.
            short: what it lacks to be whole.
            allowed: what gates may pass in spite of.
        """
        assert self.baseline is not None
        found = pairing.pair(
            self.baseline,
            now,
            min_change=self.options.min_drop,
            across=self.options.across,
            gone=gone,
        )
        gate = decide_baseline(
            found,
            undecided=self.options.undecided,
            scores=_held(run, found),
            short=short,
            allowed=allowed,
        )
        return replace(run, comparison=found, gates=(*run.gates, gate))

    def review(self, run: Run, outcomes: Mapping[str, Outcome], planned: Collection[str]) -> Run:
        """Return a run with how things are with what is known, and strictly a gate on that.

        Args:
            run: what is known of it otherwise.
            outcomes: what ran, by address.
            planned: addresses of all cases there are.
        """
        if not self.quarantine.entries:
            return run
        states = self.quarantine.review(outcomes, planned, today())
        strict = self.options.quarantine_strict
        gate = decide_quarantine(states, self.quarantine.source)
        return replace(run, known=states, gates=(*run.gates, gate) if strict else run.gates)

    def is_new(self, address: str, outcome: Outcome) -> bool:
        """Whether a case is violated or invalid, and was neither in the baseline."""
        return self.news(address, outcome) == "new"

    def news(self, address: str, outcome: Outcome) -> str:
        """Return what the baseline knew of a case that is violated or invalid: *new*, *known*."""
        before = None if self.baseline is None else self.baseline.outcomes.get(address)
        if before is None or outcome not in _BROKEN:
            return ""
        return "known" if before in _BROKEN else "new"

    def save(self, now: Record, gone: Collection[str]) -> Iterator[str]:
        """Write what is to be written; yield what to say of it.

        Raises:
            UsageProblem: it cannot be written.
        """
        path = self.options.save_baseline
        if path is None:
            return
        update = records.updated(self._old(), now, gone)
        records.write_baseline(path, update.record)
        told = f"saved {_cases(update.fresh)} to {records.told(path)}"
        if update.kept:
            told += f"; {_cases(update.kept)} that did not run stay as they were"
        if update.dropped:
            told += f"; {_cases(update.dropped)} that exist no more are gone"
        if update.unanswered:
            told += f"; {_cases(update.unanswered)} without an answer not saved"
        yield told


def today() -> dt.date:
    """Return the date by which entries expire: one for all machines."""
    return dt.datetime.now(tz=dt.timezone.utc).date()


def _cases(count: int) -> str:
    return f"{count} case" if count == 1 else f"{count} cases"


def record(
    *,
    agent: str,
    identity: str | None,
    settings: Settings,
    anchored: frozenset[str],
    trajectories: Mapping[str, Trajectory],
    outcomes: Mapping[str, Outcome],
) -> Record:
    """Return what is to be kept of a run."""
    return Record(
        agent=agent,
        identity=identity,
        made_by=__version__,
        wording=fingerprints.wordings(trajectories.values(), settings.prompting),
        settings=settings,
        anchored=anchored,
        trajectories={name: fingerprints.shown(one) for name, one in trajectories.items()},
        outcomes=outcomes,
        source="this run",
    )


def tested(relations: Iterable[Relation], settings: Settings) -> set[tuple[str, str]]:
    """Return the capabilities and relations of which a run knows all cases.

    Anchored relations are held to the questions of the others, so of theirs it knows all only
    where none is left out.

    Args:
        relations: those that it has chosen.
        settings: of the run.
    """
    parted = bool(settings.capabilities or settings.relations)
    return {
        (code.value, relation.name)
        for relation in relations
        if not (relation.anchored and parted)
        for code in relation.capabilities
        if not settings.capabilities or code.value in settings.capabilities
    }


def gone(
    rows: Collection[str],
    settings: Settings,
    known: Collection[str],
    planned: Collection[str],
    tested: Collection[tuple[str, str]],
) -> set[str]:
    """Return the rows whose cases are none any more.

    Args:
        rows: addresses.
        settings: of the run; one that draws a sample knows of no case that it is gone.
        known: ids of the trajectories whose cases are all planned.
        planned: addresses of all their cases.
        tested: capabilities and relations of which the run knows all cases.
    """
    if settings.sample < 1:
        return set()
    return {
        row
        for row in rows
        if row not in planned
        and trajectory_of(row) in known
        and tuple(row.rsplit("::", 3)[1:3]) in tested
    }


def digest(query: Query) -> str:
    """Return what tells a question from all others of a run."""
    claim = query.claim
    said = None if claim is None else [claim.planar, claim.at_least, claim.exactly]
    places = [query.trajectory, query.capability.value, query.a, query.b, query.reference]
    return sha256([*places, list(query.evidence), said, query.wording])[:_DIGITS]


def _held(run: Run, found: Comparison) -> tuple[Score, ...]:
    """Return the scores of which half has to be decided: capabilities, or accuracy on suites."""
    accuracy = tuple(one for one in run.anchors if one.name.endswith("-ACC"))
    return accuracy if found.by_suites else run.scores
