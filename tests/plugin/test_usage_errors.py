"""Wrong use ends with status 4 before anything is asked, and says what to type instead."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

USAGE = pytest.ExitCode.USAGE_ERROR
TRUTH = "--metaspace-agent=truth"


def refused(project: Project, *arguments: str) -> str:
    """Run, expect status 4 and no traceback; return the message."""
    result = project.run("runs", *arguments)
    message = result.stderr.str()
    assert result.ret == USAGE, message
    assert message.startswith("ERROR: metaspace: ")
    assert "Traceback" not in message
    return message


def test_unknown_agent_lists_near_matches_and_how_to_add_one(project: Project, walk: Path) -> None:
    message = refused(project, "--metaspace-agent=thruth")
    assert "agent 'thruth' is not known. Did you mean 'truth'?" in message
    for known in ("collapsed", "geometric", "mutant", "python", "random", "replay"):
        assert known in message
    assert "python:MODULE:FUNCTION" in message
    assert "pytest_metaspace_register_agents" in message


def test_a_model_without_a_key_is_told_what_to_set(
    project: Project, walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    message = refused(project, "--metaspace-agent=gpt-4o")
    assert "there is no key to ask gpt-4o with" in message
    assert "OPENAI_API_KEY" in message
    assert "--metaspace-base-url" in message


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("--metaspace-sc=SC9-a", "capability 'SC9-a' is not known. Did you mean 'SC"),
        ("--metaspace-mr=MR22", "relation 'MR22' is not known. Did you mean 'MR2'"),
        ("--metaspace-fail-under=SC2a=0.4", "gate 'SC2a' is not known. Did you mean 'SC2-a'"),
        ("--metaspace-fail-under=lots", "--metaspace-fail-under lots: a threshold is a number"),
        ("--metaspace-fail-under=1.5", "--metaspace-fail-under 1.5: a threshold is a number"),
        ("--metaspace-fail-under=nan", "--metaspace-fail-under nan: a threshold is a number"),
        ("--metaspace-epsilon=-1", "--metaspace-epsilon -1: expected a number"),
        ("--metaspace-delta=much", "--metaspace-delta much: expected a number"),
        ("--metaspace-delta=inf", "--metaspace-delta inf: expected a number"),
        ("--metaspace-sample=2", "--metaspace-sample 2: expected a number between 0 and 1"),
        ("--metaspace-sample=nan", "--metaspace-sample nan: expected a number between 0 and 1"),
        ("--metaspace-confidence=60", "--metaspace-confidence 60: expected a number between"),
        ("--metaspace-seed=0.5", "--metaspace-seed 0.5: expected a whole number"),
        ("--metaspace-allow=everything", "--metaspace-allow everything: expected one of errors"),
        ("--metaspace-agent=mutant:blind:truth", "fault 'blind' is not known."),
        ("--metaspace-agent=mutant:random", "mutant:random wraps no agent"),
        ("--metaspace-agent=python:brain", "python:brain is not python:MODULE:ATTRIBUTE"),
        ("--metaspace-agent=python:nowhere:answer", "the module 'nowhere' cannot be imported"),
        ("--metaspace-agent=python:json:answer", "'json' has no function 'answer'"),
        ("--metaspace-agent=replay:nothing.jsonl", "nothing.jsonl cannot be read"),
    ],
)
def test_a_wrong_value_is_named_with_what_was_expected(
    project: Project, walk: Path, option: str, expected: str
) -> None:
    assert expected in refused(project, TRUTH, option)


@pytest.mark.parametrize("option", ["semantics", "violations", "answers", "engine"])
def test_an_unknown_choice_lists_the_allowed_ones(
    project: Project, walk: Path, option: str
) -> None:
    result = project.run("runs", TRUTH, f"--metaspace-{option}=odd")
    assert result.ret == USAGE
    result.stderr.fnmatch_lines([f"*--metaspace-{option}: invalid choice: 'odd' (choose from *"])


def test_a_gate_without_an_agent_is_refused(project: Project, walk: Path) -> None:
    message = refused(project, "--metaspace-fail-under=0.5")
    assert "nothing to go by without an agent. Add --metaspace-agent=NAME." in message


def test_a_gate_with_nothing_scored_is_refused(project: Project) -> None:
    project.pytester.mkdir("runs")
    message = refused(project, TRUTH, "--metaspace-fail-under=0.5")
    assert "nothing to decide on: no case was scored" in message


def test_a_gate_with_nothing_scored_is_refused_beside_tests_that_pass(project: Project) -> None:
    project.write("runs/test_other.py", "def test_other(): pass\n")
    message = refused(project, TRUTH, "--metaspace-fail-under=0.5")
    assert "nothing to decide on: no case was scored" in message


def test_a_gate_with_nothing_scored_is_refused_with_workers(project: Project) -> None:
    project.write("runs/test_other.py", "def test_other(): pass\n")
    result = project.run_workers("runs", TRUTH, "--metaspace-fail-under=0.5")
    assert result.ret == USAGE
    assert "nothing to decide on" in result.stderr.str() + result.stdout.str()


def test_a_gate_may_be_set_while_only_collecting(project: Project, walk: Path) -> None:
    result = project.run("runs", TRUTH, "--metaspace-fail-under=0.5", "--collect-only", "-q")
    assert result.ret == 0
    result.stdout.no_fnmatch_line("*gate*")


@pytest.mark.parametrize(
    "named", ["runs/walk", "runs/walk/trajectory.json", "runs/walk/trajectory.json::SC1-a::MR2"]
)
def test_a_trajectory_that_is_named_without_an_agent_is_refused(
    project: Project, walk: Path, named: str
) -> None:
    result = project.run(named)
    assert result.ret == USAGE
    result.stderr.fnmatch_lines(
        [f"ERROR: metaspace: {named} is a trajectory*Add --metaspace-agent=NAME*truth*geometric*"]
    )


def test_an_unknown_agent_is_refused_once_with_workers(project: Project, walk: Path) -> None:
    result = project.run_workers("runs", "--metaspace-agent=thruth")
    assert result.ret == USAGE
    assert result.stderr.str().count("Did you mean 'truth'?") == 1


def test_a_module_that_raises_while_it_is_imported_is_named(project: Project, walk: Path) -> None:
    agent = project.brain("return 'left'")
    project.write("brain.py", "raise ValueError('no weights here')\n")
    message = refused(project, agent)
    assert "brain" in message
    assert "no weights here" in message


def test_a_file_that_is_named_for_the_folder_of_answers_is_refused(
    project: Project, walk: Path
) -> None:
    project.write("taken", "a file")
    message = refused(project, project.brain("return 'left'"), "--metaspace-cache-dir=taken")
    assert "--metaspace-cache-dir taken: is no folder" in message


@pytest.mark.parametrize("option", ["record", "save-run", "save-baseline"])
@pytest.mark.parametrize("kind", ["source", "folder", "pipe", "other"])
def test_what_a_run_did_not_write_is_never_overwritten_and_nobody_is_asked(
    project: Project, walk: Path, option: str, kind: str
) -> None:
    kept = project.path / "kept"
    if kind == "folder":
        kept.mkdir()
    elif kind == "pipe":
        os.mkfifo(kept)
    else:
        kept.write_text("import os\n" if kind == "source" else '{"answer": "2"}\n')
    before = kept.stat()
    asks = project.brain("open('asked', 'w').close(); return '2'")
    message = refused(project, asks, f"--metaspace-{option}=kept")
    assert f"--metaspace-{option} kept: is " in message
    assert "Name another file" in message
    assert (kept.stat().st_ino, kept.stat().st_size) == (before.st_ino, before.st_size)
    assert not (project.path / "asked").exists()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("save-run", "save-baseline"),
        ("save-run", "record"),
        ("record", "save-baseline"),
        ("record", "baseline"),
        ("save-run", "baseline"),
        ("save-run", "quarantine"),
    ],
)
def test_two_files_of_a_run_are_not_the_same_one(
    project: Project, walk: Path, one: str, other: str
) -> None:
    message = refused(
        project, TRUTH, f"--metaspace-{one}=kept", f"--metaspace-{other}=./runs/../kept"
    )
    assert f"--metaspace-{one} and --metaspace-{other} name the same file" in message
    assert not (project.path / "kept").exists()


def test_a_baseline_may_be_brought_up_to_date_by_the_run_that_is_held_against_it(
    project: Project, walk: Path
) -> None:
    few = ("--metaspace-sc=SC1-b", "--metaspace-save-baseline=kept", "--metaspace-baseline=kept")
    assert project.run("runs", TRUTH, *few).ret == 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--metaspace-retrack",), "--metaspace-retrack has no tracker to find objects with"),
        (("--metaspace-anchors=none,A2",), "--metaspace-anchors A2 and none contradict each other"),
        (("--metaspace-anchors=A1", "--metaspace-anchors=none"), "A1 and none contradict"),
    ],
)
def test_options_that_contradict_each_other_are_refused(
    project: Project, walk: Path, options: tuple[str, ...], told: str
) -> None:
    assert told in refused(project, TRUTH, *options)


def test_the_tracker_of_an_ini_file_that_retracks_can_be_switched_off(
    project: Project, walk: Path
) -> None:
    project.write("pytest.ini", "[pytest]\nmetaspace_retrack = true\nmetaspace_tracker = odd\n")
    few = ("--metaspace-sc=SC1-b", "--metaspace-tracker=none")
    assert project.run("runs", TRUTH, *few).ret == 0


def test_a_recording_may_take_the_place_of_an_empty_file_and_of_itself(
    project: Project, walk: Path
) -> None:
    (project.path / "said.jsonl").touch()
    few = ("runs", TRUTH, "--metaspace-sc=SC1-b", "--metaspace-record=said.jsonl")
    for _ in range(2):
        assert project.run(*few).ret == 0
    assert (project.path / "said.jsonl").stat().st_size


def test_a_recording_that_cannot_be_written_is_refused_before_anybody_is_asked(
    project: Project, walk: Path
) -> None:
    agent = project.brain("open('asked', 'w').close()\nreturn '1'")
    project.write("file", "no folder")
    message = refused(project, agent, "--metaspace-record=file/sub/said.jsonl")
    assert (
        "--metaspace-record file/sub/said.jsonl: cannot be written, as file is no fold" in message
    )
    assert not (project.path / "asked").exists()


def test_a_folder_that_may_not_be_written_is_refused(
    project: Project, walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.path / "shut").mkdir()
    may = os.access  # root may write everywhere, so what the system says is made up
    monkeypatch.setattr("os.access", lambda path, mode: may(path, mode) and path.name != "shut")
    message = refused(project, TRUTH, "--metaspace-record=shut/said.jsonl")
    assert "cannot be written, as the folder shut may not be written" in message


@pytest.mark.parametrize("workers", [False, True], ids=["serial", "workers"])
def test_a_recording_that_fails_at_the_end_loses_neither_scores_nor_reports(
    project: Project, walk: Path, workers: bool
) -> None:
    agent = project.brain(
        "import pathlib\npathlib.Path('out').touch()\nreturn '1'"  # where the folder was to be
    )
    run = project.run_workers if workers else project.run
    result = run(
        agent,
        "runs",
        "--metaspace-sc=SC1-b",
        "--metaspace-violations=report",
        "--metaspace-record=out/said.jsonl",
        "--metaspace-report=json:run.json",
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "total *",
            "metaspace: the recording is missing: out/said.jsonl cannot be written (*). Name a *",
            "metaspace: wrote the report json to run.json",
        ]
    )


def test_a_recording_makes_its_folder(project: Project, walk: Path) -> None:
    few = ("runs", TRUTH, "--metaspace-sc=SC1-b", "--metaspace-record=a/b/said.jsonl")
    assert project.run(*few).ret == 0
    assert (project.path / "a/b/said.jsonl").stat().st_size


def test_a_missing_engine_says_what_to_install(
    project: Project, walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(project.path))
    message = refused(project, TRUTH, "--metaspace-engine=swipl")
    assert "swipl is not on PATH" in message
    assert "apt-get install --no-install-recommends swi-prolog-nox" in message
