"""Annotations of GitHub: lines that a step prints, at most ten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_metaspace.prompts.words import one_line
from pytest_metaspace.reports import groups, sources, writing
from pytest_metaspace.reports.formats import ReportFormat
from pytest_metaspace.reports.terminal import gate_line, plural

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Report
    from pytest_metaspace.reports.groups import Group

MOST: Final = 10
"""GitHub shows as many of a kind for each step."""
_GATES: Final = 5
_LONGEST: Final = 500
_LONGEST_TITLE: Final = 120


def write(report: Report, path: Path) -> list[str]:
    """Write the lines, and return them to be printed.

    GitHub reads them in what a step prints, at the beginning of a line; from a file a later step
    prints them.

    Raises:
        UsageProblem: the file cannot be written.
    """
    told = lines(report)
    writing.put(path, "".join(f"{line}\n" for line in told).encode("utf-8"))
    return told


def lines(report: Report) -> list[str]:
    """Return at most ten annotations: gates that failed, then trajectories, the worst first.

    They are errors where the run fails, and else warnings.
    """
    level = "error" if report.status else "warning"
    gates = _gates(level, report)
    return [*gates, *_trajectories(level, report, MOST - len(gates))]


def _gates(level: str, report: Report) -> list[str]:
    failed = [gate for gate in report.run.gates if not gate.passed]
    shown = failed if len(failed) <= _GATES else failed[: _GATES - 1]
    told = [_line(level, f"metaspace: {gate.name}", gate_line(gate)) for gate in shown]
    rest = failed[len(shown) :]
    if rest:
        names = ", ".join(one_line(gate.name) for gate in rest)
        told.append(_line(level, "metaspace: more gates", f"{len(rest)} more FAILED: {names}"))
    return told


def _trajectories(level: str, report: Report, room: int) -> list[str]:
    bad = _by_trajectory(report)
    shown = bad if len(bad) <= room else bad[: room - 1]
    told = [_trajectory(level, report, found) for found in shown]
    rest = bad[len(shown) :]
    if rest:
        cases = plural(sum(map(_unexcused, rest)), "case")
        text = f"{cases} violated or invalid in {len(rest)} more of {len(bad)} trajectories"
        told.append(_line(level, "metaspace: more trajectories", text))
    return told


def _by_trajectory(report: Report) -> list[list[Group]]:
    """Return the groups of each trajectory with bad cases that are no expected failures.

    Trajectories and groups with the most such cases come first, groups of anchored relations last.
    """
    found: dict[str, list[Group]] = {}
    for group in groups.of(report, by_trajectory=True):
        if group.unexcused:
            found.setdefault(group.trajectory, []).append(group)
    apart = report.kept.record.anchored
    for bad in found.values():
        bad.sort(key=lambda group: (group.relation in apart, -group.unexcused))
    ranked = sorted(found, key=lambda name: (-_unexcused(found[name]), name))
    return [found[name] for name in ranked]


def _unexcused(bad: list[Group]) -> int:
    return sum(group.unexcused for group in bad)


def _trajectory(level: str, report: Report, bad: list[Group]) -> str:
    worst = bad[0]
    source = next((one.source for one in report.trajectories if one.id == worst.trajectory), "")
    text = (
        f"{plural(_unexcused(bad), 'case')} violated or invalid; {worst.capability} "
        f"{worst.relation}: {worst.sentence}: {groups.reason(worst.bad[0])}"
    )
    return _line(level, f"metaspace: {worst.trajectory}", text, sources.in_repository(source))


def _line(level: str, title: str, text: str, file: str = "") -> str:
    """Return a workflow command; nothing in it ends it early or begins another."""
    named = f"file={_property(file)}," if file else ""
    told = one_line(text, _LONGEST).replace("%", "%25")
    return f"::{level} {named}title={_property(one_line(title, _LONGEST_TITLE))}::{told}"


def _property(text: str) -> str:
    return text.replace("%", "%25").replace(":", "%3A").replace(",", "%2C")


GITHUB: Final = ReportFormat(
    name="github",
    summary="at most ten annotations, printed for GitHub to show them beside a pull request",
    default="metaspace-annotations.txt",
    write=write,
    verbatim=True,
    ours=lambda path: writing.begins(path, b"::error ", b"::warning "),
)
