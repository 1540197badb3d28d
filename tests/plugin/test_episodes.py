"""Logs with several episodes: each is a node of its own, and only some of many are opened."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.plugin.episodic import CONFTEST, walks

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

AGENT = "--metaspace-agent=truth"
SOME = (AGENT, "--metaspace-sc=SC1-a", "--metaspace-mr=MR1")
ROOT = Path(__file__).parents[2]


@pytest.fixture
def log(project: Project) -> Path:
    """Three episodes in ``runs/walks.json``."""
    project.write("conftest.py", CONFTEST)
    return walks(project.path / "runs")


def nodes(result: pytest.RunResult) -> list[str]:
    """Return the node ids that a run with ``-v`` or ``--collect-only -q`` printed."""
    found = (re.match(r"(runs/\S+::\S+?)(-[0-9a-f]{8})?( |$)", line) for line in result.outlines)
    return [line[1] for line in found if line]


def episodes(result: pytest.RunResult) -> list[str]:
    """Return the names of the episodes of a run, each once."""
    return list(dict.fromkeys(node.split("::")[1] for node in nodes(result)))


def test_each_episode_is_a_node_between_file_and_capability(project: Project, log: Path) -> None:
    result = project.run(*SOME, log, "--collect-only", "-q")
    assert nodes(result) == [
        f"runs/walks.json::episode-{k}::SC1-a::MR1::{case}"
        for k in range(3)
        for case in ("s000-s001-s002", "s001-s002-s003")
    ]
    result.stdout.no_fnmatch_line("*--metaspace-episodes*")  # all are looked at: nothing to say


@pytest.mark.parametrize(
    ("below", "count"),
    [("", 2), ("::SC1-a", 2), ("::SC1-a::MR1", 2), ("::SC1-a::MR1::s000-s001-s002-62284f81", 1)],
)
def test_an_episode_can_be_named_on_the_command_line(
    project: Project, log: Path, below: str, count: int
) -> None:
    result = project.run(*SOME, f"runs/walks.json::episode-2{below}", "-v")
    result.assert_outcomes(passed=count)
    assert episodes(result) == ["episode-2"]


def test_of_many_episodes_twenty_are_drawn_and_that_is_said(project: Project, log: Path) -> None:
    walks(project.path / "many", 10_000)
    result = project.run(*SOME, "many", "-q")
    result.assert_outcomes(passed=40)
    said = "metaspace: 20 of 10,000 episodes of many/walks.json, drawn by seed 0 (--metaspace-*)"
    result.stdout.fnmatch_lines([said])


def test_an_episode_that_was_not_drawn_can_be_named(project: Project, log: Path) -> None:
    walks(project.path / "many", 1_000_000)
    project.run(*SOME, "many/walks.json::episode-999999").assert_outcomes(passed=2)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("episode-2", [2]),
        ("episode-2,episode-0", [0, 2]),
        ("1-2", [1, 2]),
        ("episode-*", [0, 1, 2]),
        ("all", [0, 1, 2]),
        ("7", [0, 1, 2]),
    ],
)
def test_episodes_are_chosen_by_name_range_pattern_or_count(
    project: Project, log: Path, words: str, expected: list[int]
) -> None:
    result = project.run(*SOME, "runs", "-v", f"--metaspace-episodes={words}")
    assert episodes(result) == [f"episode-{k}" for k in expected]
    said = f"metaspace: {len(expected)} of 3 episodes of runs/walks.json, chosen by name"
    assert any(line.startswith(said) for line in result.outlines) is (len(expected) < 3)


def test_the_ini_file_chooses_too(project: Project, log: Path) -> None:
    project.write("pytest.ini", "[pytest]\nmetaspace_episodes =\n    episode-1\n    2-2\n")
    result = project.run(*SOME, "runs", "-v")
    assert episodes(result) == ["episode-1", "episode-2"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("episode-9", "*--metaspace-episodes: no log has an episode 'episode-9'. Look at*"),
        ("0", "*--metaspace-episodes=0: expected one episode or more."),
        ("5-1", "*episodes=5-1: the range 5-1 goes down, so that no episode is in it. Write 1-5."),
        ("3,episode-1", "*--metaspace-episodes=3,episode-1: 3 alone says how many are drawn.*"),
        ("", "*--metaspace-episodes is empty; is a variable not set?*"),
    ],
)
def test_episodes_that_are_not_there_are_a_usage_error(
    project: Project, log: Path, words: str, expected: str
) -> None:
    result = project.run(*SOME, "runs", f"--metaspace-episodes={words}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    (result.stderr if result.errlines else result.stdout).fnmatch_lines([expected])


def test_a_broken_episode_is_one_error_and_the_rest_goes_on(project: Project) -> None:
    project.write("conftest.py", CONFTEST)
    walks(project.path / "runs", broken=1)
    result = project.run(*SOME, "runs", "--continue-on-collection-errors")
    result.assert_outcomes(passed=4, errors=1)
    result.stdout.fnmatch_lines(
        ["*field episodes.1: is broken.", "ERROR runs/walks.json::episode-1*"]
    )


def test_a_main_file_that_cannot_tell_its_episodes_is_one_error(
    project: Project, log: Path
) -> None:
    log.write_text('{"format": "tiny-walks"', encoding="utf-8")
    result = project.run(*SOME, "runs")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*walks.json: cannot be read (*"])


def test_workers_run_the_same_cases_and_the_drawing_is_said(
    project: Project, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    walks(project.path / "many", 50)
    result = project.run_workers(*SOME, "many", "--metaspace-episodes=3")
    result.assert_outcomes(passed=6)
    said = "metaspace: 3 of 50 episodes of many/walks.json, drawn by seed 0*"
    result.stdout.fnmatch_lines([said])


def test_last_failed_runs_the_episode_that_failed(project: Project, log: Path) -> None:
    agent = project.brain(
        "import random\nreturn random.Random(prompt + str(len(prompt))).choice(['left', 'right'])"
    )
    arguments = (agent, "--metaspace-sc=SC1-a", "--metaspace-mr=MR1,MR2", "runs")
    first = project.run(*arguments, "-v")
    failed = [line.split()[0] for line in first.outlines if re.match(r"runs/\S+ VIOLATED", line)]
    assert failed
    again = project.run(*arguments, "--lf", "-v")
    assert [line.split()[0] for line in again.outlines if line.startswith("runs/")] == failed


def test_what_the_run_says_reaches_the_reader(project: Project, log: Path) -> None:
    result = project.run(*SOME, "runs", "-v", "--metaspace-camera=wrist", "--metaspace-episodes=1")
    result.assert_outcomes(passed=2)
    missing = project.run(*SOME, "runs", "--metaspace-tasks=nowhere.json")
    missing.stderr.fnmatch_lines(["*--metaspace-tasks '*nowhere.json': there is no such file*"])


def test_hand_written_tests_run_over_episodes(project: Project, log: Path) -> None:
    project.write(
        "test_it.py",
        """
        import pytest

        @pytest.mark.metaspace(sc="SC1-a", mr="MR1", trajectories="runs/walks.json/episode-1")
        def test_one(metaspace_case):
            metaspace_case.check()

        @pytest.mark.metaspace(trajectories="runs")
        def test_all(metaspace_trajectory, metaspace_agent):
            assert metaspace_trajectory.id.startswith("episode-")
        """.replace("\n        ", "\n"),
    )
    project.run(AGENT, "test_it.py").assert_outcomes(passed=5)


@pytest.mark.parametrize("typed", ["runs", "runs/val_seen.json"])
@pytest.mark.parametrize("content", ["", "version https://git-lfs.github.com/spec/v1\n"])
def test_a_log_that_is_lost_fails_the_run_and_is_named(
    project: Project, log: Path, typed: str, content: str
) -> None:
    (log.parent / "val_seen.json").write_text(content, encoding="utf-8")
    result = project.run(*SOME, typed)
    result.assert_outcomes(errors=1)
    result.stdout.re_match_lines([r".*val_seen\.json: is (empty|a pointer of Git LFS)"])


def test_an_empty_log_that_is_named_says_so(project: Project, log: Path) -> None:
    (log.parent / "mine.json").write_text('{"episodes": []}', encoding="utf-8")
    result = project.run(*SOME, "runs/mine.json")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*mine.json: holds no episode: its list is empty.*"])
