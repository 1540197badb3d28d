"""A run that may stop early asks and judges some cases at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import pipeline
from tests.plugin.made import COUNTING, MOODY
from tests.plugin.test_settle import QUESTIONS, SELECTED, calls, table, verdicts

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from tests.plugin.conftest import Project

DIRECTIONS = ("runs", "--metaspace-sc=SC1-a", "--metaspace-mr=MR2")
WRONG = COUNTING + "return 'right'"


@pytest.fixture
def wrong(project: Project, walk: Path) -> str:
    """An agent that violates every case of ``DIRECTIONS``, and writes down each call."""
    return project.brain(WRONG)


@pytest.mark.parametrize("stop", ["-x", "--maxfail=1", "--sw"])
def test_stopping_early_asks_for_the_waves_that_ran(
    project: Project, wrong: str, stop: str
) -> None:
    result = project.run(wrong, *DIRECTIONS, stop, "--metaspace-lookahead=1")
    assert result.parseoutcomes()["violated"] == 1
    assert len(calls(project)) == 2
    result.stdout.fnmatch_lines(["SC1-a * 1 * 1 * 0 *", "2 distinct questions *, 2 put to *"])


def test_a_wave_is_as_large_as_asked_for(project: Project, wrong: str) -> None:
    project.run(wrong, *DIRECTIONS, "-x", "--metaspace-lookahead=2")
    assert len(calls(project)) == 4


def test_without_an_early_stop_all_is_settled_at_once(project: Project, wrong: str) -> None:
    project.run(wrong, *DIRECTIONS, "--metaspace-lookahead=1", "-p", "no:cacheprovider")
    assert len(calls(project)) == 6


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_waves_come_to_what_one_round_comes_to(
    project: Project, walk: Path, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same calls, verdicts and table, and one recording, with one engine for all waves."""
    agent = project.brain(COUNTING + MOODY)
    whole = project.run(agent, *SELECTED, "-v", "--metaspace-record=whole.jsonl")
    asked = sorted(calls(project))
    (project.path / "calls.txt").unlink()
    engines: list[object] = []
    opened = pipeline.oracle_for

    def counted(*given: Any, **more: Any) -> Any:
        engines.append(given)
        return opened(*given, **more)

    monkeypatch.setattr(pipeline, "oracle_for", counted)
    waves: tuple[Any, ...] = ("--maxfail=99", f"--metaspace-lookahead={size}")
    again = ("--metaspace-answers=refresh", "--metaspace-record=waves.jsonl")
    result = project.run(agent, *SELECTED, "-v", *waves, *again)
    assert sorted(calls(project)) == asked
    assert len(asked) == QUESTIONS
    assert verdicts(result) == verdicts(whole)
    assert table(result) == table(whole)
    whole_file, waves_file = (project.path / f"{name}.jsonl" for name in ("whole", "waves"))
    assert sorted(waves_file.read_text().splitlines()) == sorted(
        whole_file.read_text().splitlines()
    )
    assert len(engines) == 2  # of the run, and of the reference agents


def test_an_agent_whose_answers_are_not_stored_is_asked_once_in_all_waves(
    project: Project, walk: Path
) -> None:
    agent = project.brain("")
    project.write(
        "brain.py",
        "import functools\n"
        "def told(prompt, images):\n"
        + "".join(f"    {line}\n" for line in COUNTING.strip().splitlines())
        + "    return '3'\n"
        "answer = type('Robot', (), {'__call__': lambda self, *given: told(*given),\n"
        "                            'metaspace_revision': None})()\n"
        "type(answer).__module__ = 'nowhere'\n",
    )
    select = ("runs", "--metaspace-sc=SC1-b", "--maxfail=99", "--metaspace-lookahead=1")
    project.run(agent, *select)
    assert calls(project)
    assert len(calls(project)) == len(set(calls(project)))


def test_hand_written_tests_are_settled_in_waves_too(project: Project, wrong: str) -> None:
    project.write(
        "test_it.py",
        "import pytest\n"
        "@pytest.mark.metaspace(sc='SC1-a', mr='MR2', trajectories='runs')\n"
        "def test_it(metaspace_case): metaspace_case.check()\n",
    )
    result = project.run(wrong, "test_it.py", "-x", "--metaspace-lookahead=1")
    assert result.parseoutcomes()["violated"] == 1
    assert len(calls(project)) == 2


def test_what_a_stopped_run_found_is_kept_for_explain(project: Project, wrong: str) -> None:
    project.run(wrong, *DIRECTIONS, "-x", "--metaspace-lookahead=1")
    kept = (project.path / ".metaspace_cache" / "last_run.jsonl").read_text()
    assert kept.count('"outcome": "violated"') == 1


def test_a_wave_that_cannot_be_judged_is_wrong_use(project: Project, wrong: str) -> None:
    result = project.run(wrong, *DIRECTIONS, "-x", "--metaspace-lookahead=0")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--metaspace-lookahead 0: expected a whole number from 1 on*"])
