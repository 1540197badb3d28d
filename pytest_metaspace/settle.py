"""Settle before running: all questions, answers and verdicts, before the first item reports.

One process asks, whatever ``-n`` is. Without xdist that is this one. With xdist each worker
writes down what it collected; the controller settles the first plan it gets (all are equal) and
writes the findings where every worker reads them.
"""

from __future__ import annotations

import json
import time
from collections import deque
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_metaspace import last_run, pipeline, recordings, reviewing
from pytest_metaspace.asking import draws_of
from pytest_metaspace.asking.ending import as_ctrl_c
from pytest_metaspace.domain import Finding, Outcome
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.judgement import Judgement
from pytest_metaspace.progress import Progress, progress_on
from pytest_metaspace.prompts.words import inert
from pytest_metaspace.questions import distinct
from pytest_metaspace.reports import derivation
from pytest_metaspace.reports.letters import Letters
from pytest_metaspace.reports.pairs import Pairs
from pytest_metaspace.tracker_options import typed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import TracebackType

    import pytest

    from pytest_metaspace.domain import Answer, Case, Query, Verdict
    from pytest_metaspace.ledger import Ledger

SHOWN_PER_GROUP = 3
"""As many violations of each capability and relation are shown at most, and confirmed."""
TOLD_PER_GROUP = 100
"""As many cases of each capability, relation and outcome are derived beyond those."""
_PLAN = "plan.json"
_FINDINGS = "findings.jsonl"
_LONGEST_PRINTED = 20_000


def check_agent(ledger: Ledger, cases: Sequence[Case]) -> None:
    """Check that there is a case that the agent can be asked about.

    Raises:
        UsageProblem: all are of items of suites, and it says why it cannot answer those.
    """
    why = getattr(ledger.agent, "no_items", "")
    get = ledger.registries.relations.get
    if why and all(get(one.relation).suite for one in cases):
        raise UsageProblem(f"metaspace: no case of this run can be answered: {why}.")


class Settler:
    """Asks and judges cases; what that takes is opened once, and closed at the end of the run.

    Raises:
        MetaspaceError: no oracle can be started.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._answers: dict[Query, Answer] = {}
        self._drawn: set[str] = set()
        options = ledger.options
        ledger.memory.require(ledger.record)
        if ledger.telling is not None:
            ledger.telling.answers = self._answers
        with ExitStack() as opening:
            self._kept = opening.enter_context(
                last_run.Writer(
                    options.cache_dir,
                    options.agent or "",
                    options.settings.prompting,
                    samples=options.settings.samples,
                    anchors=ledger.anchors,
                    boxes=options.settings.boxes,
                    tracking=typed(options.tracking),
                )
            )
            self._oracle = opening.enter_context(
                pipeline.oracle_for(
                    ledger.registries, options.settings, count_rules=ledger.count_rules
                )
            )
            self._oracle.describe()  # no engine, or a law with an error: before anybody is asked
            if options.record is not None:
                opening.callback(self._record, options.record)
            self._open = opening.pop_all()

    def __enter__(self) -> Settler:  # noqa: PYI034 - Self needs Python 3.11
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        ledger = self._ledger
        failures = ledger.failure_counts()
        self._kept.sum_up(ledger.questions, failures, ledger.disagreement)
        self._open.__exit__(kind, error, traceback)

    def _record(self, path: Path) -> None:
        """Write the recording; where it cannot be, the run fails at its end and loses no more."""
        ledger, prompting = self._ledger, self._ledger.options.settings.prompting
        try:
            recordings.write(path, self._answers, ledger.trajectories, prompting)
        except UsageProblem as problem:
            ledger.memory.trouble.append(str(problem))

    def settle(self, cases: Sequence[Case], progress: Progress) -> None:
        """Ask and judge cases that are not settled yet, and enter their findings."""
        todo = self._ledger.select(cases)
        if todo:
            pipeline.require_laws(todo, self._oracle)
            self._ask(todo, progress)
            self._judge(todo, progress)

    def _ask(self, cases: Sequence[Case], progress: Progress) -> None:
        """Put what was not asked yet; nothing more once a cap or a trouble has stopped it."""
        ledger, known = self._ledger, self._answers
        samples = ledger.options.settings.samples
        total = sum(query not in known for query in distinct(cases))
        total *= draws_of(ledger.agent, samples)
        done = 0

        def one_more() -> None:
            nonlocal done
            done += 1
            progress("asked", done, total)

        store = ledger.store()
        try:
            with nullcontext() if store is None else closing(store), as_ctrl_c():
                asked = pipeline.ask(
                    cases,
                    ledger.trajectories,
                    ledger.agent,
                    store,
                    mode=ledger.options.answers,
                    known=known,
                    prompting=ledger.options.settings.prompting,
                    samples=samples,
                    caps=ledger.caps(),
                    stopped=ledger.trouble or None,
                    progress=one_more,
                )
        except KeyboardInterrupt:
            ledger.interrupted = done, total
            raise
        known.update(asked.answers)
        ledger.enter_asked(asked, cases)
        ledger.disagree(asked.disagreement)

    def _judge(self, cases: Sequence[Case], progress: Progress) -> None:
        """Judge all, then have derived what is told; a large group tells of its first only."""
        judged = Judgement(
            self._answers,
            self._ledger.trajectories,
            self._oracle,
            self._ledger.options.settings.prompting,
        )
        pairs = Pairs()
        open_: dict[tuple[str, str, Outcome], list[Verdict]] = {}
        for number, verdict in enumerate(judged.verdicts(cases), start=1):
            case, outcome = verdict.case, verdict.outcome
            pairs.enter(case, outcome)
            if outcome is Outcome.SATISFIED:
                self._enter(verdict)
            else:
                group = case.capability.value, case.relation, outcome
                open_.setdefault(group, []).append(verdict)
            progress("judged", number, len(cases))
        self._ledger.failures.update(judged.failed)
        self._ledger.passed_over = self._oracle.passed_over
        self._ledger.rules = self._oracle.rules() if self._ledger.count_rules else ()
        self._draw(open_)
        for (capability, relation, outcome), verdicts in open_.items():
            some = [verdict.case for verdict in verdicts]
            if outcome is Outcome.VIOLATED:
                some = self._ledger.in_turn((capability, relation), some, pairs)
            self._tell((capability, relation), outcome, some, judged)
            rest = [case for case in some if case.address in self._drawn]
            for verdict in judged.told([c for c in rest if not self._is_told(c)], check=False):
                self._enter(verdict)
            for verdict in verdicts:
                if not self._is_told(verdict.case):
                    self._enter(untold(verdict))

    def _is_told(self, case: Case) -> bool:
        return case.address in self._ledger.findings

    def _draw(self, groups: Mapping[tuple[str, str, Outcome], list[Verdict]]) -> None:
        """Draw the violations that ``metaspace review`` shows, which are all kept in full."""
        found = [
            verdict.case.address
            for (_, relation, outcome), verdicts in groups.items()
            if outcome is Outcome.VIOLATED and relation not in self._ledger.anchors
            for verdict in verdicts
        ]
        seed = self._ledger.options.settings.seed
        drawn = reviewing.drawn(found, seed)
        self._drawn.update(drawn)
        self._kept.sampled(drawn, len(found), seed)

    def _tell(
        self, group: tuple[str, str], outcome: Outcome, cases: list[Case], judged: Judgement
    ) -> None:
        """Have derived the cases of a group that are told, and confirmed what is shown of them."""
        everything = self._ledger.options.explain
        if outcome is Outcome.VIOLATED:
            first = len(cases) if everything else SHOWN_PER_GROUP
            for verdict in judged.told(cases[:first], check=True):
                self._ledger.confirmed.setdefault(group, []).append(verdict.case.address)
                self._enter(verdict, always=True)
            cases = cases[first:]
        for verdict in judged.told(cases if everything else cases[:TOLD_PER_GROUP], check=False):
            self._enter(verdict)

    def _enter(self, verdict: Verdict, *, always: bool = False) -> None:
        ledger, case = self._ledger, verdict.case
        ledger.findings[case.address] = finding(verdict, full=ledger.options.explain)
        trajectory = ledger.trajectories[case.trajectory]
        always = always or case.address in self._drawn
        self._kept.add(verdict, self._answers, trajectory, always=always)
        if ledger.telling is not None:
            ledger.telling.enter(verdict)


class Waves:
    """Settles some cases at a time, for runs that may stop early.

    Args:
        settler: it asks and judges.
        cases: those of the run, in the order in which they run.
        size: how many are settled together.
    """

    def __init__(self, settler: Settler, cases: Sequence[Case], size: int) -> None:
        self._settler = settler
        self._left = deque(cases)
        self._size = size
        self._settled: set[str] = set()

    def has(self, case: Case) -> bool:
        """Whether a case is settled."""
        return case.address in self._settled

    def reach(self, case: Case, progress: Progress) -> None:
        """Settle so far that a case has its finding."""
        while not self.has(case) and self._left:
            self._next(self._size, progress)

    def finish(self, progress: Progress) -> None:
        """Settle all that is left, for who needs to know everything."""
        self._next(len(self._left), progress)

    def _next(self, size: int, progress: Progress) -> None:
        wave = [self._left.popleft() for _ in range(min(size, len(self._left)))]
        self._settler.settle(wave, progress)
        self._settled.update(one.address for one in wave)


def untold(verdict: Verdict) -> Verdict:
    """Return a verdict that says where its derivation is to be had."""
    if verdict.reason:
        return verdict
    return replace(verdict, reason=last_run.UNTOLD)


def finding(verdict: Verdict, *, full: bool) -> Finding:
    """Return what a report carries of a verdict; its text fits a log unless wanted in full."""
    case = verdict.case
    lines = derivation.lines if full else derivation.short
    quiet = verdict.outcome is Outcome.SATISFIED
    return Finding(
        address=case.address,
        capability=case.capability.value,
        relation=case.relation,
        outcome=verdict.outcome.value,
        summary="" if quiet else verdict.reason,
        text="" if quiet else inert("\n".join(lines(verdict))),
    )


# ---------------------------------------------------------------------------------- xdist


def write_plan(folder: Path, ledger: Ledger, nodes: Sequence[tuple[str, str]]) -> None:
    """In a worker: write down the trajectory files and the node ids and addresses of cases."""
    files = [str(path) for path in ledger.plans]
    plan = {
        "files": files,
        "nodes": nodes,
        "deselected": sorted(ledger.deselected),
        "offered": sorted(map(str, ledger.offered)),
        "skipped": sorted(ledger.skipped),
        "episodes": ledger.registries.choice.as_json(),
    }
    _write(folder / _PLAN, json.dumps(plan))


def settle_plan(folder: Path, ledger: Ledger, config: pytest.Config) -> bool:
    """In the controller: settle what a worker wrote down, once; return whether it did."""
    if (folder / _FINDINGS).exists() or not (folder / _PLAN).exists():
        return False
    plan = json.loads((folder / _PLAN).read_text(encoding="utf-8"))
    ledger.addresses.update(plan["nodes"])
    ledger.deselected.update(plan["deselected"])
    ledger.offered.update(map(Path, plan["offered"]))
    ledger.skipped.update(plan["skipped"])
    ledger.registries.choice.enter(plan["episodes"])
    wanted = {address for _, address in plan["nodes"]}
    cases = [
        case
        for path in plan["files"]
        for case in ledger.plan_of(Path(path)).cases
        if case.address in wanted
    ]
    ledger.letters = Letters(len(wanted))
    if cases:
        check_agent(ledger, cases)
        with Settler(ledger) as settler, shown_on(config, ledger) as progress:
            settler.settle(cases, progress)
    text = "".join(json.dumps(found.as_json()) + "\n" for found in ledger.findings.values())
    _write(folder / _FINDINGS, text)
    return True


def read_findings(folder: Path, ledger: Ledger) -> None:
    """In a worker: read what the controller has settled."""
    path = folder / _FINDINGS
    if not path.exists():
        return
    with path.open(encoding="utf-8") as file:
        for line in file:
            found = Finding(**json.loads(line))
            ledger.findings[found.address] = found


def _write(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    aside = path.with_name(f"{path.name}.{time.monotonic_ns()}.tmp")
    aside.write_text(text, encoding="utf-8")
    aside.replace(path)


@contextmanager
def captured(config: pytest.Config, ledger: Ledger) -> Iterator[None]:
    """Keep what agents print out of the report, as pytest does for tests; ``-s`` lets it out."""
    manager: Any = config.pluginmanager.get_plugin("capturemanager")
    if manager is None or not manager.is_globally_capturing():
        yield
        return
    manager.resume_global_capture()
    try:
        yield
    finally:
        manager.suspend_global_capture(in_=False)
        out, err = manager.read_global_capture()
        ledger.printed += (out + err)[-_LONGEST_PRINTED:]


@contextmanager
def shown_on(config: pytest.Config, ledger: Ledger) -> Iterator[Progress]:
    """Show how far settling is, and capture what agents print meanwhile."""
    progress = progress_on(config)
    try:
        with captured(config, ledger):
            yield progress
    finally:
        progress.close()
