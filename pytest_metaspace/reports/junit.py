"""JUnit XML for the test tabs of CI: a test case for each capability, relation and trajectory."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.domain import Outcome
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.files import told
from pytest_metaspace.prompts.words import one_line
from pytest_metaspace.reports import accuracy, groups, sources, suites, writing
from pytest_metaspace.reports.formats import ReportFormat
from pytest_metaspace.reports.suites import Limits, Suite
from pytest_metaspace.reports.terminal import gate_line, number, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pytest_metaspace.domain import GateResult, Mean, Report, Run, Score
    from pytest_metaspace.reports.groups import Group

_TOLD: Final = 3
_LONGEST_TEXT: Final = 3500
_LONGEST_MESSAGE: Final = 300
_LONGEST_NAME: Final = 120
_LONGEST_SENTENCE: Final = 600


def write(report: Report, path: Path, limits: Limits | None = None) -> list[str]:
    """Write JUnit XML, in as many files as GitLab's limits ask for: PATH, PATH-2 and so on.

    Args:
        report: what to tell.
        path: of the first file.
        limits: of files.

    Returns:
        Lines to print: the names of the files, where there are several, and what was left out.

    Raises:
        UsageProblem: it cannot be written.
    """
    limits = limits or Limits()
    notes = []
    documents = _documents(report, path, limits, in_full=True)
    if sum(map(len, documents)) > limits.total:
        documents = _documents(report, path, limits, in_full=False)
        notes.append(
            f"junit: derivations are left out, as all files together may have {limits.total:,} "
            "bytes; the json and html reports have them"
        )
    names = [path, *(_numbered(path, count) for count in range(2, len(documents) + 1))]
    _require_parts(names[1:])
    for name, document in zip(names, documents):
        writing.put(name, document)
    _remove_stale(path, len(documents) + 1)
    if len(names) > 1:
        listed = ", ".join(one_line(name.name) for name in names)
        notes.append(
            f"junit: {len(names)} files, each below {limits.size:,} bytes and {limits.nodes:,} "
            f"nodes: {listed}"
        )
    return notes


def _numbered(path: Path, count: int) -> Path:
    return path.with_name(f"{path.stem}-{count}{path.suffix}")


def _require_parts(names: Iterable[Path]) -> None:
    for name in names:
        if name.exists() and name.stat().st_size and not writing.begins(name, *suites.STARTS):
            raise UsageProblem(
                f"metaspace: {told(name)} is there and is no report junit, so it is not "
                "overwritten with a part of one. Name another file, or remove that one."
            )


def _remove_stale(path: Path, count: int) -> None:
    """Remove further parts that a larger run left; readers of ``PATH*`` would add them."""
    try:
        while (stale := _numbered(path, count)).is_file():
            with stale.open("rb") as file:
                if file.read(len(suites.PART)) != suites.PART:
                    return
            stale.unlink()
            count += 1
    except OSError as problem:
        raise UsageProblem(
            f"metaspace: {stale} is of an earlier run and cannot be removed ({problem.strerror}). "
            "Remove it, as it would be read as a part of this one."
        ) from problem


def _documents(report: Report, path: Path, limits: Limits, *, in_full: bool) -> list[bytes]:
    capabilities = _capabilities(report, path.parent, in_full=in_full)
    told = [*_problems(report), *_gates(report), *capabilities]
    return list(suites.documents(told, _run_properties(report), limits))


def _run_properties(report: Report) -> dict[str, str]:
    run = report.run
    told = {
        "agent": run.agent,
        "semantics": run.settings.semantics,
        "pytest-metaspace": report.made_by,
        "finished": report.finished,
        "questions": str(run.questions),
        **_score_properties("total", run.overall),
    }
    for mean in run.by_scenario:
        told |= _score_properties(mean.name, mean)
    return told


def _score_properties(name: str, score: Score | Mean) -> dict[str, str]:
    told = {f"{name}.score": number(score.value), f"{name}.cases": str(score.cases)}
    if score.interval is not None:
        told[f"{name}.low"] = number(score.interval.low)
        told[f"{name}.high"] = number(score.interval.high)
    return told


def _problems(report: Report) -> Iterator[Suite]:
    """Yield a suite of what could not be collected, where there is any."""
    from junit_xml import TestCase

    cases = []
    for place, problem in enumerate(report.problems, start=1):
        case = TestCase(f"collection ({place})", classname="metaspace.collection")
        told = one_line(problem, _LONGEST_SENTENCE)
        case.add_error_info(_message(told), told, "collection")
        cases.append(case)
    if cases:
        yield Suite("collection", {}, tuple(cases))


def _gates(report: Report) -> Iterator[Suite]:
    from junit_xml import TestCase

    if not report.run.gates:
        return
    cases = []
    seen: Counter[str] = Counter()
    for gate in report.run.gates:
        seen[gate.name] += 1
        again = f" ({seen[gate.name]})" if seen[gate.name] > 1 else ""
        case = TestCase(_named(gate.name) + again, classname="metaspace.gates")
        told = one_line(gate_line(gate), _LONGEST_SENTENCE)
        if not gate.passed:
            case.add_failure_info(_message(told), told, "gate")
        elif gate.undecided:
            case.add_skipped_info(_message(told), told)
        cases.append(case)
    yield Suite("gates", _thresholds(report.run.gates), tuple(cases))


def _thresholds(gates: Iterable[GateResult]) -> dict[str, str]:
    told = {}
    for gate in gates:
        told[f"{_named(gate.name)}.value"] = number(gate.value)
        told[f"{_named(gate.name)}.threshold"] = f"{gate.threshold:g}"
    return told


def _capabilities(report: Report, folder: Path, *, in_full: bool) -> Iterator[Suite]:
    """Yield a suite for each capability: its scores as properties, its cells as test cases."""
    cases: dict[str, list[Any]] = {}
    for group in groups.of(report, by_trajectory=True):
        made = _case(report, group, folder, in_full=in_full)
        cases.setdefault(group.capability, []).append(made)
    run = report.run
    scores = {score.name: score for score in run.scores}
    for capability, found in cases.items():
        told: dict[str, str] = {}
        name = _named(capability)
        if capability in scores:
            name = f"{name} {one_line(scores[capability].title)}"
            told |= _score_properties(capability, scores[capability])
        for part in (*run.by_relation, *run.by_anchor):
            if part.name.startswith(f"{capability} "):
                told |= _score_properties(part.name.replace(" ", "."), part)
        told |= _accuracy_properties(run, capability)
        yield Suite(name, told, tuple(found))


def _accuracy_properties(run: Run, capability: str) -> dict[str, str]:
    """Return the accuracy on a task of a suite, cell by cell, and by each slice."""
    told: dict[str, str] = {}
    for cells in accuracy.rows(run):
        if cells[0] == capability:
            told |= {name: cell for name, cell in zip(accuracy.HEADERS[1:], cells[1:]) if cell}
    for task, part, asked, share, between in accuracy.slices(run):
        if task == capability:
            told[part] = f"{share} of {asked}{f' ({between})' if between else ''}"
    return {f"{_named(capability)}.{_named(name)}": cell for name, cell in told.items()}


def _case(report: Report, group: Group, folder: Path, *, in_full: bool) -> Any:
    from junit_xml import TestCase

    known = next((one for one in report.trajectories if one.id == group.trajectory), None)
    case = TestCase(
        f"{_named(group.trajectory)} ({groups.title(report, group)})",
        classname=f"{_named(group.capability)}.{_named(group.relation)}",
        file=sources.in_repository(known.source) if known else None,
    )
    errors = [one for one in group.cases if one.outcome is Outcome.ERROR]
    if group.unexcused:
        message = f"{group.sentence}: {groups.reason(group.bad[0])}"
        text = _text(report, group) if in_full else group.sentence
        case.add_failure_info(_message(message), text, str(group.bad[0].outcome))
        case.stdout = _picture(report, group, folder)
    elif errors:
        reasons = Counter(groups.reason(one) for one in errors)
        listed = [f"{count} x {why}" for why, count in sorted(reasons.items())]
        case.add_error_info(
            _message(f"{group.sentence}: {groups.reason(errors[0])}"),
            "\n".join([group.sentence, *listed])[:_LONGEST_TEXT],
            "error",
        )
    elif group.bad:
        told = f"{group.sentence}, {plural(len(group.bad), 'expected failure')}"
        case.add_skipped_info(_message(told), "\n".join([told, *_worst(report, group)]))
    elif group.counts[Outcome.INCONCLUSIVE] == len(group.cases):
        case.add_skipped_info(_message(group.sentence), group.sentence)
    return case


def _message(text: str) -> str:
    return one_line(text, _LONGEST_MESSAGE)


def _text(report: Report, group: Group) -> str:
    """Return what stands in a failure: counts first, as GitLab shows only the beginning."""
    told = [group.sentence]
    news = groups.news(report.run.comparison, group.bad)
    return "\n".join([*told, *([news] if news else []), *_worst(report, group)])


def _worst(report: Report, group: Group) -> Iterator[str]:
    """Yield the worst cases, and how to see the next one."""
    size = shown = 0
    for case in group.bad[:_TOLD]:
        told = ["", *groups.lines(report, case)]
        size += sum(len(line) + 1 for line in told)
        if shown and size > _LONGEST_TEXT:
            break
        shown += 1
        yield from told
    if shown < len(group.bad):
        own = one_line(group.bad[shown].parts[3], _LONGEST_NAME)
        yield ""
        yield f"and {len(group.bad) - shown} more: metaspace explain {own}"


def _picture(report: Report, group: Group, folder: Path) -> str | None:
    """Return the line by which GitLab shows the first frame of the worst case, if it can."""
    case = group.bad[0]
    told = next((one for one in report.trajectories if one.id == group.trajectory), None)
    frames = [frame for index in case.questions for frame in report.questions[index].frames]
    if told is None or not frames or not 0 <= frames[0] < len(told.frames):
        return None
    shown = sources.in_repository(str(folder / told.frames[frames[0]]))
    return f"[[ATTACHMENT|{shown}]]" if shown and "]]" not in shown else None


def _named(text: str) -> str:
    """Return a text as a name: what cannot be shown whole is told apart by a hash of it."""
    shown = one_line(text, _LONGEST_NAME)
    if shown == text and text:
        return text
    return (
        f"{shown} #{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}".strip()
    )


JUNIT: Final = ReportFormat(
    name="junit",
    summary="JUnit XML for the test tabs of GitLab, Jenkins and GitHub actions",
    default="metaspace-junit.xml",
    write=write,
    ours=lambda path: writing.begins(path, *suites.STARTS),
)
