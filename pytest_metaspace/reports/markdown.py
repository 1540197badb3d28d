"""Markdown for a step summary of GitHub or a note on a merge request, short enough for both."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pytest_metaspace.prompts.words import one_line
from pytest_metaspace.reports import accuracy, comparing, failing, groups, known, writing
from pytest_metaspace.reports.formats import ReportFormat
from pytest_metaspace.reports.markup import block, code, prose, row, table
from pytest_metaspace.reports.scores import HEADERS
from pytest_metaspace.reports.terminal import between, number, plural, share

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.domain import Mean, Report, Score
    from pytest_metaspace.reports.groups import Group

LIMIT: Final = 65_536
"""As long as a comment on GitHub may be; a note on GitLab may have 1,000,000 characters."""
SUMMARY_LIMIT: Final = 1024 * 1024
"""As many bytes as GitHub takes as the summary of one step."""
_LEAST: Final = 2_000
"""As many bytes as the head may need, and what tells of the rest."""
_RESERVED: Final = 300
"""As many bytes as it takes to tell what was left out."""
_NO_ROOM: Final = (
    f"markdown: left out, as GitHub drops the summary of a step above {SUMMARY_LIMIT:,} bytes and "
    "this step has written nearly as many; run pytest in a step of its own"
)
_STARTS: Final = ("## ✅ metaspace: ", "## ❌ metaspace: ")
_LONGEST: Final = 600
_FEW: Final = 8
_SCORES: Final = (*HEADERS, "95 % interval")


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the page, which may lose rows from its end.

    Attributes:
        name: of its rows, as in ``gates``; one that begins with ``the`` is of a single row.
        head: what it begins with.
        rows: at least one, markup that ends with a line break.
    """

    name: str
    head: str
    rows: list[str]


def write(report: Report, path: Path, limit: int = LIMIT) -> list[str]:
    """Write Markdown; behind what is there where the file is the summary of GitHub's step.

    Args:
        report: what to tell.
        path: the file, replaced if it is not the one that ``GITHUB_STEP_SUMMARY`` names: earlier
            commands of a step may have written into that one.
        limit: the most bytes.

    Returns:
        Lines to print: what was left out.

    Raises:
        UsageProblem: it cannot be written.
    """
    if not _is_step_summary(path):
        told, left_out = text(report, limit)
        writing.put(path, told.encode("utf-8"))
        return left_out
    room = SUMMARY_LIMIT - (path.stat().st_size if path.exists() else 0)
    if room < _LEAST:
        return [_NO_ROOM]
    told, left_out = text(report, min(limit, room - 1))
    writing.add(path, f"\n{told}".encode())
    return left_out


def _is_ours(path: Path) -> bool:
    """Whether a file is added to, or is a page that was written before."""
    return _is_step_summary(path) or writing.begins(path, *map(str.encode, _STARTS))


def _is_step_summary(path: Path) -> bool:
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    return bool(summary) and path.resolve() == Path(str(summary)).resolve()


def text(report: Report, limit: int = LIMIT) -> tuple[str, list[str]]:
    """Return the page, and lines about what is left out of it.

    What does not fit is counted instead, the least telling first: derivations, then rows of tables.

    Args:
        report: what to tell.
        limit: the most bytes, at least 2,000.
    """
    told = _head(report)
    left_out: dict[str, int] = {}
    for part in _parts(report):
        room = limit - len(told.encode("utf-8")) - _RESERVED
        kept = _fitting(part, room)
        if kept:
            told += part.head + "".join(kept) + "\n"
        if len(kept) < len(part.rows):
            left_out[part.name] = len(part.rows) - len(kept)
    if not left_out:
        return told.rstrip("\n") + "\n", []
    counted = ", ".join(
        name if name.startswith("the ") else f"{count} {name}" for name, count in left_out.items()
    )
    note = f"left out, to stay below {limit:,} bytes: {counted}"
    return f"{told}_{note}_\n", [f"markdown: {note}; the json and html reports have them"]


def _fitting(part: _Part, room: int) -> list[str]:
    room -= len(part.head.encode("utf-8"))
    kept: list[str] = []
    for line in part.rows:
        room -= len(line.encode("utf-8"))
        if room < 0:
            break
        kept.append(line)
    return kept


def _head(report: Report) -> str:
    """Return what is told in any case: the total, the gates that failed, counts."""
    run = report.run
    total = f"{number(run.total)}{f' ({told})' if (told := between(run.overall.interval)) else ''}"
    failed = [gate for gate in run.gates if not gate.passed]
    gates = f", {len(failed)} of {plural(len(run.gates), 'gate')} failed" if run.gates else ""
    counts = groups.Group(capability="", relation="", cases=report.cases).sentence
    many = "trajectory" if len(run.trajectories) == 1 else "trajectories"
    asked = plural(run.questions, "distinct question")
    return (
        f"{_STARTS[report.status != 0]}total {total}{gates}\n\n"
        f"Agent {code(run.agent, 60)}: {prose(counts)} in {len(run.trajectories)} {many}, "
        f"{asked}, semantics {prose(run.settings.semantics)}.\n\n"
    )


def _parts(report: Report) -> Iterator[_Part]:
    """Yield the parts in their order, which is that of their weight."""
    for part in (
        _problems(report),
        _gates(report),
        _scores(report),
        _accuracy(report),
        _beside(report),
        _change(report),
        _newly_violated(report),
        _failures(report),
        _known(report),
        _violations(report),
        _slices(report),
    ):
        if part.rows:
            yield part


def _problems(report: Report) -> _Part:
    rows = [f"- {prose(one_line(problem, _LONGEST))}\n" for problem in report.problems]
    return _Part("problems", "### Not collected\n\n", rows)


def _gates(report: Report) -> _Part:
    rows = [
        row((_sign(gate.passed, undecided=gate.undecided), code(gate.name, 60), prose(sentence)))
        for gate in report.run.gates
        for sentence in [gate.sentence + (f" ({gate.basis})" if gate.basis else "")]
    ]
    return _Part("gates", "### Gates\n\n" + table(("", "gate", ""), range(0)), rows)


def _sign(passed: bool, *, undecided: bool) -> str:
    if undecided:
        return "⚠️ undecided, passes" if passed else "❌ UNDECIDED, fails"
    return "✅ passed" if passed else "❌ FAILED"


def _scores(report: Report) -> _Part:
    run = report.run
    scores: list[tuple[Score | Mean, str]] = [
        *((score, score.name) for score in run.scores),
        *((mean, mean.name) for mean in run.by_scenario),
        *([(run.overall, "total")] if run.scores else []),
        *((score, f"{score.name}, in no score above") for score in run.anchors),
    ]
    shown = len(_SCORES) - (not any(score.interval for score, _ in scores))
    rows = [row(_score(score, name)[:shown]) for score, name in scores]
    head = f"### Scores\n\n{table(_SCORES[:shown], range(2, shown))}"
    return _Part("scores", head, rows)


def _score(score: Score | Mean, name: str) -> list[str]:
    return [
        prose(name, 60),
        prose(score.title, 60),
        str(score.cases),
        str(score.violated),
        str(score.invalid),
        str(score.inconclusive),
        str(score.error),
        share(score.decided_share),
        f"**{number(score.value)}**",
        between(score.interval),
    ]


def _accuracy(report: Report) -> _Part:
    """Return the accuracy on suites beside guessing, and what is to be said of it."""
    cells = [row([prose(cell, 60) for cell in one]) for one in accuracy.rows(report.run)]
    notes = [f"\n- {prose(note, 300)}\n" for note in accuracy.notes(report.run)]
    head = f"### Accuracy on suites\n\n_{prose('; '.join(accuracy.NOTES))}_\n\n"
    columns = table(accuracy.HEADERS, range(1, len(accuracy.HEADERS)))
    return _Part("rows of accuracy", head + columns, cells + notes)


def _slices(report: Report) -> _Part:
    """Return the accuracy on suites by what tells items and their questions apart."""
    rows = [row([prose(cell, 60) for cell in one]) for one in accuracy.slices(report.run)]
    head = "<details><summary>Accuracy by what tells items apart</summary>\n\n"
    columns = table(accuracy.SLICE_HEADERS, range(2, len(accuracy.SLICE_HEADERS)))
    return _whole(
        "accuracy by what tells items apart",
        head + columns,
        [*rows, "\n</details>\n"] if rows else [],
    )


def _beside(report: Report) -> _Part:
    """Return the scores of other runs that are shown beside this one."""
    runs = (report.run, *report.others) if report.others else ()
    codes = sorted({score.name for run in runs for score in run.scores})
    rows = []
    for run in runs:
        known: dict[str, Score | Mean] = {score.name: score for score in run.scores}
        scores = [run.overall, *(known.get(name) for name in codes)]
        rows.append(row([code(run.agent, 60), *(_cell(score) for score in scores)]))
    headers = ["agent", "total", *map(prose, codes)]
    return _Part("runs", "### Runs side by side\n\n" + table(headers, range(1, 99)), rows)


def _cell(score: Score | Mean | None) -> str:
    if score is None:
        return ""
    told = between(score.interval)
    return f"{number(score.value)} ({told})" if told else number(score.value)


def _change(report: Report) -> _Part:
    comparison = report.run.comparison
    if comparison is None:
        return _Part("changes", "", [])
    head = f"### Change against {code(comparison.before)}\n\n"
    if not comparison.deciding:
        return _Part("changes", head, [prose(comparing.said(comparison)) + "\n"])
    counts = next(iter(comparing.moved(comparison, verbose=False)))
    notes = [comparing.said(comparison), counts, *comparison.differences]
    head += "".join(f"- {prose(note)}\n" for note in notes[:_FEW]) + "\n"
    rows = [
        row(map(prose, comparing.row(shift))) for shift in (*comparison.shifts, *comparison.suites)
    ]
    return _Part("changes", head + table(comparing.HEADERS, range(1, 9)), rows)


def _newly_violated(report: Report) -> _Part:
    comparison = report.run.comparison
    found = comparing.in_turn(comparison) if comparison else []
    head = f"<details><summary>{plural(len(found), 'case')} newly violated</summary>\n\n"
    shown = found[: 3 * _FEW]
    rows = [f"- {code(address)}\n" for address in shown]
    if len(shown) < len(found):
        rows.append(f"- and {len(found) - len(shown)} more\n")
    return _whole(
        "the list of newly violated cases", head, [*rows, "\n</details>\n"] if rows else []
    )


def _whole(name: str, head: str, rows: list[str]) -> _Part:
    """Return a part that is told whole or not at all."""
    return _Part(name, head, ["".join(rows)] if rows else [])


def _failures(report: Report) -> _Part:
    head = f"### Questions that came to no value\n\n{prose(failing.total(report.run))}\n\n"
    rows = [row(map(prose, cells)) for cells in failing.rows(report.run)]
    return _Part("kinds of failure", head + table(failing.HEADERS, range(2, 4)), rows)


def _known(report: Report) -> _Part:
    lines = list(known.lines(report.run.known))[: 3 * _FEW] if report.run.known else []
    return _whole(
        "the list of known violations",
        "### Known violations\n\n",
        [block(map(_line, lines))] if lines else [],
    )


def _line(text: str) -> str:
    return one_line(text, 400) if text.strip() == text else f"  {one_line(text, 400)}"


def _violations(report: Report) -> _Part:
    """Return the derivations, the worst first: several of each where groups are few.

    Anchored relations, which are in no score of a capability, come last.
    """
    found = [group for group in groups.of(report, by_trajectory=False) if group.bad]
    apart = report.kept.record.anchored
    found.sort(key=lambda group: (group.relation in apart, *_standing(group)))
    each = 3 if len(found) <= _FEW else 1
    rows = [_violated(report, group, each) for group in found]
    return _Part("groups of violations with derivations", "### Worst violations\n\n", rows)


def _standing(group: Group) -> tuple[bool, float, str, str]:
    """Return where a group stands: expected failures last, else the largest share first."""
    share_of_bad = len(group.bad) / len(group.cases)
    return (not group.unexcused, -share_of_bad, group.capability, group.relation)


def _violated(report: Report, group: Group, each: int) -> str:
    news = groups.news(report.run.comparison, group.bad)
    named = f"{group.capability} {group.relation}"
    told = f"{groups.title(report, group)}: {group.sentence}{f', {news}' if news else ''}"
    cases = [block(groups.lines(report, case)) for case in group.bad[:each]]
    rest = group.bad[each:]
    more = (
        f"\nand {len(rest)} more: {code('metaspace explain ' + rest[0].parts[3], 200)}\n"
        if rest
        else ""
    )
    return (
        f"<details><summary><b>{prose(named)}</b> {prose(told)}</summary>\n\n"
        f"{''.join(cases)}{more}\n</details>\n\n"
    )


MARKDOWN: Final = ReportFormat(
    name="markdown",
    summary="Markdown for a GitHub step summary or a note on a merge request",
    default="metaspace-report.md",
    write=write,
    ours=_is_ours,
)
