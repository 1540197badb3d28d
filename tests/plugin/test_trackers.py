"""Objects are found where none are recorded, once, and whoever asks finds the same."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import cli, last_run, reviewing, settle
from tests.plugin.tracker_support import TRACKER, asked, hide, with_reader

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

TRUTH = "--metaspace-agent=truth"
FRAMES = [f"walk/00{n}.png" for n in range(4)]


@pytest.fixture
def hidden(project: Project) -> Path:
    """A trajectory without objects.json, and a tracker that knows what it shows."""
    with_reader(project)
    main = project.walk()
    hide(main)
    return main


def collected(result: pytest.RunResult) -> list[str]:
    return sorted(line for line in result.stdout.lines if "::" in line)


def test_truth_is_right_about_objects_that_were_tracked(project: Project, hidden: Path) -> None:
    result = project.run(TRUTH, TRACKER, "runs", "--metaspace-fail-under=1.0")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["metaspace: objects found by reader", "SC2-a *1.000", "total *"])
    assert "error" not in result.stdout.str().lower().replace("error  ", "")
    assert asked(project) == FRAMES


def test_recorded_objects_stay_unless_told_otherwise(project: Project) -> None:
    with_reader(project)
    main = project.walk()
    main.with_name("boxes.json").write_text('{"objects": []}')
    project.run(TRUTH, TRACKER, "runs")
    assert asked(project) == []
    result = project.run(TRUTH, TRACKER, "--metaspace-retrack", "runs")
    assert asked(project) == FRAMES
    result.stdout.fnmatch_lines(["14 relations could not be asked: the tracker found no objects"])


def test_without_a_tracker_a_run_says_what_to_type(project: Project, hidden: Path) -> None:
    result = project.run(TRUTH, "runs")
    result.stdout.fnmatch_lines(["14 relations *: no tracked objects; --metaspace-tracker=yolo:*"])


def test_what_was_found_is_not_looked_for_again(project: Project, hidden: Path) -> None:
    first = project.run(TRUTH, TRACKER, "runs", "--collect-only", "-q")
    second = project.run(TRUTH, TRACKER, "runs", "--collect-only", "-q")
    assert asked(project) == FRAMES
    assert len(collected(first)) > 20
    assert collected(first) == collected(second)


def test_another_threshold_needs_no_other_look(project: Project) -> None:
    with_reader(project)
    hide(project.walk(), confidence=0.5)
    result = project.run(TRUTH, TRACKER, "runs")
    result.stdout.fnmatch_lines(["14 relations could not be asked: the tracker found no objects"])
    result = project.run(TRUTH, TRACKER, "runs", "--metaspace-confidence=0.4")
    result.stdout.fnmatch_lines(["SC2-a *1.000"])
    assert asked(project) == FRAMES


def test_a_frame_that_changed_is_looked_at_again(project: Project, hidden: Path) -> None:
    project.run(TRUTH, TRACKER, "runs")
    frames = hidden.parent / "frames"
    (frames / "002.png").write_bytes((frames / "000.png").read_bytes() + b"changed")
    project.run(TRUTH, TRACKER, "runs")
    assert asked(project) == [*FRAMES, "walk/002.png"]


def test_one_worker_looks_and_all_find_the_same(project: Project, hidden: Path) -> None:
    result = project.run_workers(TRUTH, TRACKER, "runs", "--metaspace-sc=SC3-b")
    result.stdout.fnmatch_lines(["SC3-b *1.000"])
    assert asked(project) == FRAMES


def test_a_tracker_that_fails_is_one_error_of_the_trajectory(project: Project) -> None:
    with_reader(project, "raise RuntimeError('out of\\nmemory')")
    hide(project.walk())
    result = project.run(TRUTH, TRACKER, "runs")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*tracker 'reader' failed: RuntimeError: out of memory"])


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("yollo:a.pt", "tracker 'yollo' is not known. Did you mean 'yolo'?"),
        ("reader:refused", "reader takes no refused. Leave it out."),
        ("yolo", "names no weights. Write --metaspace-tracker=yolo:FILE.pt"),
        ("botsort", "names no weights. Write --metaspace-tracker=botsort:FILE.pt"),
        ("yolo:runs", "runs is a folder, and weights are a file. Write --metaspace-tracker=yolo"),
        ("yolo:gone.pt", "there is no file of weights "),
        ("botsort:conftest.py", "conftest.py is no file of PyTorch weights. "),
        ("detr", "tracker detr names no folder. Write --metaspace-tracker=detr:FOLDER"),
        ("detr:runs", "runs has no config.json. "),
    ],
)
def test_a_wrong_name_is_status_4_and_says_what_to_type(
    project: Project, hidden: Path, name: str, told: str
) -> None:
    result = project.run(TRUTH, f"--metaspace-tracker={name}", "runs")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert told in result.stderr.str()


def test_two_trackers_of_one_name_are_refused(project: Project, hidden: Path) -> None:
    text = (project.path / "conftest.py").read_text().replace('name="reader"', 'name="yolo"')
    project.write("conftest.py", text)
    result = project.run(TRUTH, "runs")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "tracker 'yolo' is registered twice, by pytest-metaspace and by conftest" in (
        result.stderr.str()
    )


def test_the_ini_file_may_choose_the_tracker(project: Project, hidden: Path) -> None:
    project.write("pytest.ini", "[pytest]\nmetaspace_tracker = reader\n")
    project.run(TRUTH, "runs").stdout.fnmatch_lines(["SC2-a *1.000"])
    project.run(TRUTH, "--metaspace-tracker=none", "runs").stdout.fnmatch_lines(["14 relations *"])


def test_a_test_by_hand_gets_tracked_objects_without_an_agent(
    project: Project, hidden: Path
) -> None:
    project.write(
        "test_it.py",
        "import pytest\n"
        "@pytest.mark.metaspace(trajectories='runs')\n"
        "def test_it(metaspace_objects):\n"
        "    assert sorted(metaspace_objects) == ['chair-1', 'lamp-1', 'table-1']\n"
        "    assert sorted(metaspace_objects['chair-1'].boxes) == [0, 1, 2, 3]\n",
    )
    project.run(TRACKER, "test_it.py").assert_outcomes(passed=1)
    project.run("test_it.py").assert_outcomes(skipped=1)


def test_the_agent_is_told_of_the_boxes_that_were_tracked(project: Project, hidden: Path) -> None:
    agent = project.brain(
        "with open('prompts.txt', 'a') as file:\n    file.write(prompt)\nreturn '1'"
    )
    with_reader(project)
    project.run(agent, TRACKER, "runs", "--metaspace-sc=SC3-b")
    box = json.loads(hidden.with_name("boxes.json").read_text())["objects"][0]["boxes"][0]["xyxy"]
    assert f"({', '.join(str(round(edge)) for edge in box)})" in (
        (project.path / "prompts.txt").read_text()
    )


def test_the_command_that_derives_a_case_has_the_tracker_in_it(
    project: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_reader(project)
    hide(project.walk(), confidence=0.5)
    monkeypatch.setattr(settle, "TOLD_PER_GROUP", 0)
    monkeypatch.setattr(reviewing, "MOST", 0)
    how = [TRACKER, "--metaspace-retrack", "--metaspace-confidence=0.4"]
    agent = project.brain("return 'left'")
    project.run(agent, *how, "runs", "--metaspace-sc=SC2-a", "--metaspace-mr=MR2")
    kept = project.path / ".metaspace_cache" / last_run.NAME
    records = map(json.loads, kept.read_text().splitlines())
    address = next(one["address"] for one in records if one.get("untold"))
    capsys.readouterr()
    assert cli.main(["explain", address]) == 0
    told = capsys.readouterr().out.splitlines()
    (command,) = [line for line in told if line.startswith("  pytest ")]
    words = shlex.split(command)[1:]
    assert set(how) < set(words)
    result = project.run(*words)
    assert result.parseoutcomes() == {"violated": 1}
    result.stdout.fnmatch_lines(["*, 0 put to python:*"])


@pytest.mark.parametrize(
    "command", ["plan", "check", "mutants", "robustness", "sensitivity", "friedman"]
)
def test_commands_know_the_options_of_trackers(
    project: Project, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    hide(project.walk())
    whose = ["--agent=truth"] if command in {"sensitivity", "friedman"} else []
    assert cli.main([command, "runs", "--tracker=yolo:gone.pt", "--retrack", *whose]) == 4
    assert "there is no file of weights" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("plan", "--metaspace-tracker=yolo:FILE.pt finds some"),
        ("check", "--metaspace-tracker=yolo:FILE.pt finds some"),
        ("robustness", "To have objects found, add --tracker=NAME"),
    ],
)
def test_commands_without_a_tracker_say_what_to_type(
    project: Project, capsys: pytest.CaptureFixture[str], command: str, told: str
) -> None:
    hide(project.walk())
    cli.main([command, "runs"])
    assert told in "".join(capsys.readouterr())


def test_ctrl_c_keeps_what_was_found(project: Project) -> None:
    with_reader(project, "import time; time.sleep(30 if frames[0].stem == '002' else 0)")
    hide(project.walk())
    one = "--metaspace-batch-size=1"
    status, _ = project.interrupt(lambda: len(asked(project)) == 3, TRUTH, TRACKER, one, "runs")
    assert status == pytest.ExitCode.INTERRUPTED
    with_reader(project)
    assert project.run(TRUTH, TRACKER, one, "runs").ret == 0
    assert asked(project) == [*FRAMES[:3], *FRAMES[2:]]
