"""``metaspace explain`` shows a case of the last run: frames, questions, answers, derivation."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import cli, last_run, reviewing, settle
from tests.plugin.made import BROKEN, EVASIVE, MOODY

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.plugin.conftest import Project

    Explain = Callable[..., tuple[int, list[str], str]]

ONE_PAIR = ("runs", "--metaspace-sc=SC1-a", "--metaspace-mr=MR2")


@pytest.fixture
def explain(project: Project, capsys: pytest.CaptureFixture[str]) -> Explain:
    """Call ``metaspace explain`` in the project; return status, lines and complaints."""

    def call(*arguments: str) -> tuple[int, list[str], str]:
        capsys.readouterr()
        status = cli.main(["explain", *arguments])
        captured = capsys.readouterr()
        return status, captured.out.splitlines(), captured.err

    return call


def kept(project: Project, folder: str = ".metaspace_cache") -> list[dict[str, Any]]:
    text = (project.path / folder / last_run.NAME).read_text(encoding="ascii")
    return [json.loads(line) for line in text.splitlines()]


def addresses(project: Project, outcome: str) -> list[str]:
    return [entry["address"] for entry in kept(project) if entry.get("outcome") == outcome]


def test_a_case_is_shown_with_frames_questions_answers_and_derivation(
    project: Project, walk: Path, explain: Explain
) -> None:
    result = project.run(project.brain(MOODY), *ONE_PAIR)
    (address,) = addresses(project, "violated")
    status, lines, err = explain(address)
    assert (status, err) == (0, "")
    assert lines[0] == f"MR2 violated: {address}"
    assert lines[1].startswith("  These answers cannot all be true: the way back from right is")
    assert lines[2].startswith("    right from state 0 to state 1 and right back are not opposite")
    assert "  answer 1: 'right'" in lines
    assert "  answer 2: 'right'" in lines
    assert f"    {walk.parent / 'frames' / '000.png'}" in lines
    questions = [line for line in lines if line.startswith("    | ")]
    assert sum("In which direction is the movement" in line for line in questions) == 2
    assert sum("forward-right" in line for line in questions) >= 2  # the format of the answer too
    assert lines[-1].startswith("from the run of 20")
    assert lines[-1].endswith(" with agent python:brain:answer")
    # what the log showed is in it
    for line in result.outlines:
        if line.startswith("      ") and "(laws/" in line:
            assert line[2:] in lines


@pytest.mark.parametrize("form", ["id", "address", "nodeid", "short nodeid"])
def test_a_case_is_found_by_whatever_the_log_calls_it(
    project: Project, walk: Path, explain: Explain, form: str
) -> None:
    project.run(project.brain(MOODY), *ONE_PAIR)
    (address,) = addresses(project, "violated")
    rest = address.partition("::")[2]
    names = {
        "id": address.rpartition("::")[2],
        "address": address,
        "nodeid": f"runs/walk/trajectory.json::{rest}",
        "short nodeid": f"trajectory.json::{rest}",
    }
    status, lines, _ = explain(names[form])
    assert (status, lines[0]) == (0, f"MR2 violated: {address}")


def test_the_node_id_of_another_trajectory_is_another_case(
    project: Project, walk: Path, explain: Explain
) -> None:
    project.run(project.brain(MOODY), *ONE_PAIR)
    (address,) = addresses(project, "violated")
    status, _, err = explain(f"runs/other/trajectory.json::{address.partition('::')[2]}")
    assert status == 4
    assert f"Did you mean {address}?" in err


@pytest.mark.parametrize(
    ("body", "select", "outcome", "shown"),
    [
        (MOODY, ONE_PAIR, "invalid", "  answer 1: 'I would rather not say' (unreadable)"),
        (BROKEN, ONE_PAIR, "error", "  answer 1: no answer: *the battery is empty*"),
        (
            EVASIVE,
            ("runs", "--metaspace-sc=SC2-a", "--metaspace-mr=MR1"),
            "inconclusive",
            "  answer 1: 'left'",
        ),
    ],
    ids=["invalid", "error", "inconclusive"],
)
def test_whatever_was_not_satisfied_can_be_explained(
    project: Project,
    walk: Path,
    explain: Explain,
    body: str,
    select: tuple[str, ...],
    outcome: str,
    shown: str,
) -> None:
    project.run(project.brain(body), *select)
    status, lines, _ = explain(addresses(project, outcome)[0])
    assert status == 0
    assert f" {outcome}: " in lines[0]
    pytest.LineMatcher(lines).fnmatch_lines([shown])


def test_a_satisfied_case_needs_no_explanation(
    project: Project, walk: Path, explain: Explain
) -> None:
    project.run(project.brain(MOODY), *ONE_PAIR)
    (address,) = addresses(project, "satisfied")
    status, lines, _ = explain(address)
    assert status == 0
    assert lines[:2] == [
        f"satisfied: {address}",
        "  These answers can all be true; there is nothing to explain.",
    ]


def test_an_unknown_case_gets_near_matches(project: Project, walk: Path, explain: Explain) -> None:
    project.run(project.brain(MOODY), *ONE_PAIR)
    (address,) = addresses(project, "violated")
    typo = address.rpartition("::")[2].replace("s000", "s0000")
    status, lines, err = explain(typo)
    assert (status, lines) == (4, [])
    assert f"has no case {typo!r}. Did you mean {address}" in err
    assert "Did you mean" not in explain("what")[2]
    assert f"Did you mean {address}" in explain("S000-S001")[2]


def test_two_cases_of_one_id_are_told_apart_by_their_addresses(
    project: Project, explain: Explain
) -> None:
    project.walk("runs/a", id="a")
    project.walk("runs/b", id="b")
    project.run(project.brain(MOODY), *ONE_PAIR)
    first, second = addresses(project, "violated")
    shared = first.rpartition("::")[2]
    if shared == second.rpartition("::")[2]:
        status, _, err = explain(shared)
        assert status == 4
        assert f"names 2 cases. Name one of them: {first}, {second}." in err
    assert explain(second)[1][0] == f"MR2 violated: {second}"


def test_without_a_last_run_it_says_what_to_type(project: Project, explain: Explain) -> None:
    status, lines, err = explain("s000-s001")
    assert (status, lines) == (4, [])
    assert "there is no last run" in err
    assert "Run pytest --metaspace-agent=NAME first" in err
    assert (
        f"there is no last run in {project.path / 'no'}"
        in explain("s000", f"--cache-dir={project.path / 'no'}")[2]
    )


def test_the_last_run_is_found_from_below_and_where_it_was_put(
    project: Project, walk: Path, explain: Explain, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.run(project.brain(MOODY), *ONE_PAIR)
    (address,) = addresses(project, "violated")
    monkeypatch.chdir(walk.parent)
    assert explain(address)[0] == 0
    monkeypatch.chdir(project.path)
    project.run(project.brain(MOODY), *ONE_PAIR, "--metaspace-cache-dir=kept/here")
    (project.path / ".metaspace_cache" / last_run.NAME).unlink()
    assert explain(address)[0] == 4
    assert explain(address, "--cache-dir=kept/here")[0] == 0


def test_a_damaged_file_is_told(project: Project, walk: Path, explain: Explain) -> None:
    project.run(project.brain(MOODY), *ONE_PAIR)
    path = project.path / ".metaspace_cache" / last_run.NAME
    for text in ("", "{", '{"format": "other", "version": 1}\n', "[]\n", "\xff"):
        path.write_text(text, encoding="utf-8")
        status, _, err = explain("s000")
        assert status == 4
        assert "cannot be read" in err
        assert "Run pytest again" in err


def test_each_run_replaces_the_last_also_by_nothing(project: Project, walk: Path) -> None:
    agent = project.brain(MOODY)
    project.run(agent, *ONE_PAIR)
    assert addresses(project, "violated")
    project.run("--metaspace-agent=truth", *ONE_PAIR)
    assert not addresses(project, "violated")
    assert len(addresses(project, "satisfied")) == 3
    names = {path.name for path in (project.path / ".metaspace_cache").iterdir()}
    assert not [name for name in names if name.endswith(".tmp")]
    assert ".gitignore" in names


def test_with_workers_the_controller_keeps_the_same(project: Project, walk: Path) -> None:
    agent = project.brain(MOODY)
    project.run_apart(agent, *ONE_PAIR)
    alone = kept(project)
    (project.path / ".metaspace_cache" / last_run.NAME).unlink()
    project.run_workers(agent, *ONE_PAIR)
    assert kept(project)[1:] == alone[1:]


def test_a_folder_that_cannot_be_written_warns_and_fails_nothing(
    project: Project, walk: Path
) -> None:
    project.write(".metaspace_cache", "a file")
    with pytest.warns(UserWarning, match="what this run found cannot be kept in .*_cache"):
        result = project.run("--metaspace-agent=mutant:mirrored:truth", *ONE_PAIR)
    assert result.ret == 0
    result.assert_outcomes(passed=3)


def test_what_is_kept_has_a_bound_but_what_is_shown_is_kept(
    project: Project, walk: Path, explain: Explain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(last_run, "_MOST_BYTES", 1)
    monkeypatch.setattr(last_run, "_MOST_BYTES_SATISFIED", 1)
    monkeypatch.setattr(reviewing, "MOST", 0)
    select = ("runs", "--metaspace-sc=SC2-a", "--metaspace-mr=MR2", "-v")
    result = project.run(project.brain("return 'left'"), *select)
    *_, last = kept(project)
    assert last["left_out"] > 0
    shown = [line.split()[-1] for line in result.outlines if "MR2 violated: " in line]
    assert len(shown) == 3
    assert {explain(address)[0] for address in shown} == {0}
    assert len(addresses(project, "violated")) + last["left_out"] == 12
    assert "were left out of it, to keep it small" in explain("what")[2]


def test_hostile_answers_and_files_cannot_move_the_cursor(
    project: Project, walk: Path, explain: Explain
) -> None:
    project.run(project.brain(r"return 'left \x1b[2J \u202e ' + 'x' * 20000"), *ONE_PAIR)
    address = addresses(project, "invalid")[0]
    status, lines, _ = explain(address)
    assert status == 0
    assert not any("\x1b" in line or "\u202e" in line for line in lines)
    assert any("\\x1b[2J" in line for line in lines)
    assert any(line.endswith("characters more (unreadable)") for line in lines)
    path = project.path / ".metaspace_cache" / last_run.NAME
    path.write_text(path.read_text().replace("MR2 invalid", r"\u001b[2JMR2 invalid"))
    assert explain(address)[1][0].startswith("?[2JMR2 invalid")


def test_a_case_without_its_derivation_comes_with_the_command_that_derives_it(
    project: Project, explain: Explain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command is for a shell, whatever folders are called."""
    project.walk("runs/my walk; touch harm")
    monkeypatch.setattr(settle, "TOLD_PER_GROUP", 0)
    monkeypatch.setattr(reviewing, "MOST", 0)
    agent = project.brain("return 'left'")
    project.run(agent, "runs", "--metaspace-sc=SC2-a", "--metaspace-mr=MR2")
    address = next(entry["address"] for entry in kept(project) if entry.get("untold"))
    status, lines, _ = explain(address)
    (command,) = [line for line in lines if line.startswith("  pytest ")]
    name, *words = shlex.split(command)
    assert (status, name, words[0]) == (0, "pytest", agent)
    result = project.run(*words)
    assert result.parseoutcomes() == {"violated": 1}
    result.stdout.fnmatch_lines(
        [f"*MR2 violated: {address}", "*laws/symmetry.pl*", "*, 0 put to python:*"]
    )
    assert not any(line.startswith("  pytest ") for line in explain(address)[1])
