"""Settle before running: all questions, answers and verdicts, before the first item reports.

One process asks, whatever ``-n`` is. Without xdist that is this one. With xdist each worker
writes down what it collected; the controller settles the first plan it gets (all are equal) and
writes the findings where every worker reads them.
"""

from __future__ import annotations

import json
import time
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_metaspace import last_run, pipeline, scoring
from pytest_metaspace.canonical import question_key
from pytest_metaspace.domain import Finding, Outcome
from pytest_metaspace.errors import MetaspaceError
from pytest_metaspace.options import verbosity_of
from pytest_metaspace.questions import distinct, question
from pytest_metaspace.reports import derivation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import pytest

    from pytest_metaspace.domain import Answer, Case, Query, Verdict
    from pytest_metaspace.ledger import Ledger

REFERENCES = ("random", "collapsed")
_PLAN = "plan.json"
_FINDINGS = "findings.jsonl"
_LONGEST_PRINTED = 20_000


class Progress:
    """Says how far the work is once it takes longer than two seconds.

    Args:
        write: takes text for the terminal; None keeps quiet.
        live: whether a line can be written over; otherwise a new one comes every ten seconds.
    """

    def __init__(self, write: Callable[[str], None] | None, *, live: bool = True) -> None:
        self._write = write
        self._live = live
        self._next = time.monotonic() + 2
        self._shown = False

    def __call__(self, what: str, done: int, total: int) -> None:
        """Say how far it is, now and then."""
        if self._write is None or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + (0.5 if self._live else 10)
        text = f"metaspace: {what} {done} of {total}"
        self._write(f"\r{text.ljust(60)}" if self._live else f"{text}\n")
        self._shown = True

    def close(self) -> None:
        """Clear the line."""
        if self._shown and self._live and self._write is not None:
            self._write("\r".ljust(61) + "\r")


def settle(ledger: Ledger, cases: Sequence[Case], progress: Progress) -> None:
    """Ask and judge cases that are not settled yet, and enter their findings.

    Raises:
        MetaspaceError: no oracle can be started.
    """
    todo = ledger.select(cases)
    if not todo:
        return
    total = len(distinct(todo))
    done = 0

    def one_more() -> None:
        nonlocal done
        done += 1
        progress("asked", done, total)

    store = ledger.store()
    try:
        asked = pipeline.ask(
            todo,
            ledger.trajectories,
            ledger.agent,
            store,
            mode=ledger.options.answers,
            progress=one_more,
        )
    finally:
        if store is not None:
            store.close()
    ledger.questions += len(asked.answers)
    ledger.fresh += asked.fresh
    ledger.trouble = asked.stopped or ledger.trouble
    if ledger.options.record is not None:
        _record(ledger.options.record, asked.answers, ledger)
    kept = last_run.Writer(ledger.options.cache_dir, ledger.options.agent or "")
    with (
        pipeline.oracle_for(
            ledger.registries, ledger.options.settings, count_rules=ledger.count_rules
        ) as oracle,
        kept,
    ):
        judged = pipeline.judge(
            todo,
            asked.answers,
            ledger.trajectories,
            oracle,
            check_all=ledger.options.explain,
        )
        for number, verdict in enumerate(judged, start=1):
            ledger.findings[verdict.case.address] = finding(verdict, full=ledger.options.explain)
            kept.add(verdict, asked.answers, ledger.trajectories[verdict.case.trajectory])
            progress("judged", number, len(todo))
        ledger.passed_over = oracle.passed_over
        if ledger.count_rules:
            ledger.rules = oracle.rules()


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
        text="" if quiet else "\n".join(lines(verdict)),
    )


def reference_scores(ledger: Ledger) -> dict[str, dict[str, float | None]]:
    """Return what guessing and evading score on the same cases, by agent and capability."""
    cases = list(ledger.selected.values())
    rows = {}
    for name in REFERENCES:
        agent = ledger.registries.agent(name, ledger.options.root)
        asked = pipeline.ask(cases, ledger.trajectories, agent, None)
        with pipeline.oracle_for(ledger.registries, ledger.options.settings) as oracle:
            judged = pipeline.judge(cases, asked.answers, ledger.trajectories, oracle)
            counts = scoring.count(map(pipeline.outcome_of, judged))
        scores = scoring.by_capability(counts, ledger.options.settings.semantics)
        rows[name] = {score.name: score.value for score in scores}
        rows[name]["total"] = scoring.total(scores)
    return rows


def _record(path: Path, answers: Mapping[Query, Answer], ledger: Ledger) -> None:
    """Write the answers of this run to a recording, one line each."""
    entries = {}
    for query, answer in answers.items():
        if answer.raw is not None:
            asked = question(query, ledger.trajectories[query.trajectory])
            entries[question_key(asked)] = {
                "question": question_key(asked),
                "trajectory": query.trajectory,
                "capability": query.capability.value,
                "images": [image.name for image in asked.images],
                "text": asked.text,
                "answer": answer.raw,
            }
    try:
        _write(path, "".join(json.dumps(entry) + "\n" for entry in entries.values()))
    except OSError as problem:
        raise MetaspaceError(
            f"metaspace: the recording {path} cannot be written ({problem.strerror})."
        ) from problem


# ---------------------------------------------------------------------------------- xdist


def write_plan(folder: Path, ledger: Ledger, nodes: Sequence[tuple[str, str]]) -> None:
    """In a worker: write down the trajectory files and the node ids and addresses of cases."""
    files = [str(path) for path in ledger.plans]
    _write(folder / _PLAN, json.dumps({"files": files, "nodes": nodes}))


def settle_plan(folder: Path, ledger: Ledger, progress: Progress) -> None:
    """In the controller: settle what a worker wrote down, once."""
    if (folder / _FINDINGS).exists() or not (folder / _PLAN).exists():
        return
    plan = json.loads((folder / _PLAN).read_text(encoding="utf-8"))
    ledger.addresses.update(plan["nodes"])
    wanted = {address for _, address in plan["nodes"]}
    cases = [
        case
        for path in plan["files"]
        for case in ledger.plan_of(Path(path)).cases
        if case.address in wanted
    ]
    settle(ledger, cases, progress)
    text = "".join(json.dumps(found.as_json()) + "\n" for found in ledger.findings.values())
    _write(folder / _FINDINGS, text)


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


def progress_on(config: pytest.Config) -> Progress:
    """Return the progress display of a run; a quiet run (``-q``) or no terminal has none."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or verbosity_of(config) < 0:
        return Progress(None)

    manager: Any = config.pluginmanager.get_plugin("capturemanager")

    def write(text: str) -> None:
        with nullcontext() if manager is None else manager.global_and_fixture_disabled():
            reporter.write(text, flush=True)

    return Progress(write, live=reporter.isatty)
