from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings

from pytest_metaspace.domain import Outcome
from pytest_metaspace.reports.github import GITHUB, MOST, lines
from tests.reports.hostile import HOSTILE, hostile, hostile_names, reports
from tests.reports.samples import case, of_cases, sample, trajectory_of

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Report

COMMAND = re.compile(r"::(error|warning) (?:file=([^:,\r\n]+),)?title=([^:,\r\n]+)::(.*)")
"""A workflow command as the runner reads it: up to the first two colons, the rest is its text."""


def read(line: str) -> tuple[str, str, str, str]:
    """Return kind, file, title and text of a line."""
    found = COMMAND.fullmatch(line)
    assert found, line
    assert not {sign for sign in line if unicodedata.category(sign)[0] == "C"}
    assert not re.search("%(?!25|3A|2C)", line)
    return tuple(
        (part or "").replace("%3A", ":").replace("%2C", ",").replace("%25", "%")
        for part in found.groups()
    )  # type: ignore[return-value]  # four groups


def test_gates_that_failed_come_before_trajectories_the_worst_first() -> None:
    told = [read(line) for line in lines(sample())]

    assert [one[:3] for one in told] == [
        ("error", "", "metaspace: SC2-a/MR1"),
        ("error", "", "metaspace: baseline"),
        ("error", "runs/study-01/trajectory.json", "metaspace: study-01"),
        ("error", "runs/harbour-02/trajectory.json", "metaspace: harbour-02"),
    ]
    assert told[0][3] == "GATE FAILED: SC2-a/MR1 is 0.250, below 0.5 (5 cases in 1 trajectory)"
    assert told[3][3] == (
        "2 cases violated or invalid; SC1-a MR1: 1 violated and 1 in error of 6 cases: "
        "These answers cannot all be true: right there and right back."
    )


def test_in_a_run_that_passes_violations_are_warnings() -> None:
    report = sample()
    run = replace(report.run, gates=())
    told = [read(line)[0] for line in lines(replace(report, run=run, status=0))]

    assert told == ["warning", "warning"]


def test_expected_failures_are_not_annotated() -> None:
    bad = replace(case("study-01", "SC2-a", "MR1", "f0", Outcome.VIOLATED), excuse="known")

    assert lines(of_cases([bad], [trajectory_of("study-01", "household")])) == []


@pytest.mark.parametrize(
    ("gates", "trajectories", "told"),
    [(0, 10, 10), (0, 11, 10), (0, 60, 10), (5, 5, 10), (5, 6, 10), (60, 60, 10), (60, 0, 5)],
)
def test_there_are_ten_at_most_and_the_last_counts_the_rest(
    gates: int, trajectories: int, told: int
) -> None:
    names = [f"house-{number:02d}" for number in range(trajectories)]
    report = of_cases(
        [case(name, "SC2-a", "MR1", "f0", Outcome.VIOLATED) for name in names],
        [trajectory_of(name, "household") for name in names],
    )
    failed = replace(sample().run.gates[1], name="drone")
    report = replace(report, run=replace(report.run, gates=(failed,) * gates), status=1)

    found = [read(line) for line in lines(report)]
    assert len(found) == told <= MOST
    shown = sum(one[2].startswith("metaspace: house") for one in found)
    if rest := trajectories - shown:
        assert found[-1][2:] == (
            "metaspace: more trajectories",
            f"{rest} cases violated or invalid in {rest} more of {trajectories} trajectories",
        )
    if gates > 5:
        assert found[4][3].startswith("56 more FAILED: drone, drone, ")


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_hostile_texts_end_no_command_and_begin_none(text: str) -> None:
    found = [read(line) for line in lines(hostile(text))]

    assert len(found) == 2
    assert all(len(part) < 1_000 for one in found for part in one)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_hostile_names_are_names(text: str) -> None:
    assert len([read(line) for line in lines(hostile_names(text))]) == 1


@given(report=reports())
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
def test_any_report_is_ten_commands_at_most(report: Report) -> None:
    assert len([read(line) for line in lines(report)]) <= MOST


def test_the_lines_are_printed_as_they_are_and_written_too(tmp_path: Path) -> None:
    told = GITHUB.write(sample(), tmp_path / GITHUB.default)

    assert GITHUB.verbatim
    assert told == lines(sample())
    assert (tmp_path / GITHUB.default).read_text(encoding="utf-8").splitlines() == told
