"""A gate on what a run leaves out is refused before anybody is asked, with what to type."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project


@pytest.mark.parametrize(
    ("selection", "gate", "told"),
    [
        ("mr=MR1", "MR2", "the run leaves its relation out. Name MR2 in --metaspace-mr, too."),
        ("mr=MR1", "SC1-a/MR2", "the run leaves its relation out. Name MR2 in"),
        ("mr=MR1", "drone/MR2", "the run leaves its relation out. Name MR2 in"),
        ("mr=MR1", "A2", "the run leaves its relation out. Add --metaspace-anchors=A2."),
        ("mr=EMB-ACC", "EMB-ORDER", "leaves its relation out. Name EMB-ORDER in --metaspace-mr"),
        ("mr=EMB-ACC", "EMB-far/EMB-ORDER", "leaves its relation out. Name EMB-ORDER in"),
        ("mr=EMB-ORDER", "EMB-far", "the run leaves its relation out. Name EMB-ACC in"),
        ("mr=EMB-ACC", "SC1-a", "the run leaves its relations out. Name some in --metaspace-mr."),
        ("mr=A2", "SC1-a", "the run leaves its relations out. Name some in --metaspace-mr."),
        ("sc=SC1-a", "SC2-a", "leaves out what it is about. Name SC2-a in --metaspace-sc, too."),
        ("sc=SC1-a", "household/SC2-a/MR1", "leaves out what it is about. Name SC2-a in"),
        ("sc=EMB-far", "EMB-close", "leaves out what it is about. Name EMB-close in"),
        ("sc=EMB-far", "EMB-CONVERSE", "Name one of EMB-above, EMB-left, EMB-right, EMB-under in"),
        ("sc=EMB-far", "MR1", "leaves out what it is about. Name one of SC1-a, SC2-a, "),
        ("sc=SC1-a,EMB-far", "EMB-far/EMB-CONVERSE", "EMB-CONVERSE does not test EMB-far, but EM"),
    ],
)
def test_a_gate_on_what_is_left_out_is_wrong_use(
    project: Project, walk: Path, selection: str, gate: str, told: str
) -> None:
    agent = project.brain("raise SystemExit('asked')")
    result = project.run(
        agent, "runs", f"--metaspace-{selection}", f"--metaspace-fail-under={gate}=0.9"
    )
    message = result.stderr.str()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert message.startswith("ERROR: metaspace: the gate ")
    assert " has no score, as " in message
    assert told in message


@pytest.mark.parametrize(
    ("selection", "gate"),
    [
        ("mr=MR2", "MR2"),
        ("mr=MR2", "household"),
        ("sc=SC1-a", "SC1-a/MR2"),
        ("mr=MR1,EMB-ACC", "SC1-a"),
        ("sc=SC1-a", "MR1"),
    ],
)
def test_a_gate_on_what_is_there_is_decided(
    project: Project, walk: Path, selection: str, gate: str
) -> None:
    result = project.run(
        "--metaspace-agent=truth", "runs", f"--metaspace-{selection}",
        f"--metaspace-fail-under={gate}=0.9",
    )  # fmt: skip
    result.stdout.fnmatch_lines([f"gate passed: {gate} is 1.000, at least 0.9 (*"])
    assert result.ret == 0


@pytest.mark.parametrize(
    ("selection", "gate", "mended"),
    [
        ("mr=EMB-ACC", "EMB-ORDER", "mr=EMB-ACC,EMB-ORDER"),
        ("sc=EMB-far", "EMB-close", "sc=EMB-far,EMB-close"),
        ("mr=EMB-ACC", "EMB-far/EMB-ORDER", "mr=EMB-ACC,EMB-ORDER"),
    ],
)
def test_the_advice_is_taken(
    project: Project, walk: Path, selection: str, gate: str, mended: str
) -> None:
    arguments = ("--metaspace-agent=truth", "runs", f"--metaspace-fail-under={gate}=0.9")
    assert project.run(*arguments, f"--metaspace-{selection}").ret == 4
    result = project.run(*arguments, f"--metaspace-{mended}")
    assert "has no score, as" not in result.stderr.str()


def test_a_gate_of_the_ini_file_lets_a_part_of_a_run_be_scored(
    project: Project, walk: Path
) -> None:
    project.write("pytest.ini", "[pytest]\nmetaspace_fail_under = MR2=0.9\n")
    arguments = ("--metaspace-agent=truth", "runs", "--metaspace-mr=MR1")
    part = project.run(*arguments)
    part.stdout.fnmatch_lines(["GATE FAILED: MR2 has no score, since no case of it was decided*"])
    assert part.ret == pytest.ExitCode.TESTS_FAILED
    assert project.run(*arguments, "-o", "metaspace_fail_under=").ret == 0
    assert project.run("--metaspace-agent=truth", "runs").ret == 0
