"""Drawn boxes through whole runs: who sees what, what is stored under which key, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PIL import Image

from pytest_metaspace import cli

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

DRAWN = "--metaspace-boxes=draw"
VIEWS = ("runs", "--metaspace-sc=SC2-a", "--metaspace-mr=MR2")
LOOKING = """
from PIL import Image
with open("seen.txt", "a") as file:
    for path in images:
        with Image.open(path) as picture:
            colours = len(picture.convert("RGB").getcolors(1 << 20))
        file.write(f"{path} {colours} {'(' in prompt.split('In which')[0].split('Directions')[0]}\\n")
return "left"
"""


def seen(project: Project) -> list[list[str]]:
    path = project.path / "seen.txt"
    lines = path.read_text().splitlines() if path.exists() else []
    path.unlink(missing_ok=True)
    return [line.split() for line in lines]


def test_a_function_is_shown_the_drawn_pictures(project: Project, walk: Path) -> None:
    agent = project.brain(LOOKING)
    result = project.run(agent, *VIEWS, DRAWN)
    result.stdout.fnmatch_lines(["metaspace: agent *, semantics sound, boxes draw, *"])
    result.stdout.fnmatch_lines(["* put to python:brain:answer (boxes draw)"])
    drawn = seen(project)
    assert len(drawn) == 24
    assert all(f"{project.path}/.metaspace_cache/drawn/00" in path for path, _, _ in drawn)
    assert all(int(colours) > 3 and told == "False" for _, colours, told in drawn)
    project.run(agent, *VIEWS)
    plain = seen(project)
    assert len(plain) == 24  # asked again: they see something else
    assert all("/runs/walk/frames/" in path and told == "True" for path, _, told in plain)
    project.run(agent, *VIEWS, DRAWN)
    project.run(agent, *VIEWS, "--metaspace-boxes=text")
    assert not seen(project)


def test_who_computes_is_not_affected_and_nothing_is_drawn(project: Project, walk: Path) -> None:
    results = [
        project.run("--metaspace-agent=truth", "runs", f"--metaspace-boxes={how}")
        for how in ("text", "draw", "both", "none")
    ]
    assert len({str(sorted(result.parseoutcomes().items())) for result in results}) == 1
    assert {result.ret for result in results} == {0}
    assert not (project.path / ".metaspace_cache").exists()


def test_workers_share_what_is_drawn(project: Project, walk: Path) -> None:
    agent = project.brain(LOOKING)
    alone = project.run(agent, *VIEWS, DRAWN)
    before = {path for path, _, _ in seen(project)}
    kept = project.path / ".metaspace_cache"
    names = sorted(path.name for path in (kept / "drawn").glob("*.png"))
    kept.rename(project.path / "elsewhere")
    result = project.run_workers(agent, *VIEWS, DRAWN)
    assert result.parseoutcomes() == alone.parseoutcomes()
    assert {path for path, _, _ in seen(project)} == before
    assert sorted(path.name for path in (kept / "drawn").glob("*")) == [".gitignore", *names]
    for name in names:
        with Image.open(kept / "drawn" / name) as picture:
            picture.verify()


def test_a_recording_answers_only_what_was_seen_alike(project: Project, walk: Path) -> None:
    agent = project.brain("return 'left'")
    recorded = project.run(agent, *VIEWS, DRAWN, "--metaspace-record=answers.jsonl")
    replayed = project.run("--metaspace-agent=replay:answers.jsonl", *VIEWS, DRAWN)
    assert replayed.parseoutcomes() == recorded.parseoutcomes()
    other = project.run("--metaspace-agent=replay:answers.jsonl", *VIEWS)
    assert other.parseoutcomes() == {"errored": 12}
    other.stdout.fnmatch_lines(["*and --metaspace-boxes of this run*"])


def test_explain_shows_the_picture_that_was_seen(
    project: Project,
    walk: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    project.run(project.brain("return 'left'"), *VIEWS, "--metaspace-boxes=both")
    monkeypatch.chdir(project.path)
    capsys.readouterr()
    text = (project.path / ".metaspace_cache" / "last_run.jsonl").read_text()
    address = text.split('"address": "')[1].split('"')[0]
    assert cli.main(["explain", address]) == 0
    out = capsys.readouterr().out
    assert "/.metaspace_cache/drawn/00" in out
    assert "A is the object in box 1, the chair; frame " in out
    assert "boxes both" in out


def test_a_mutant_of_a_function_sees_them_too(project: Project, walk: Path) -> None:
    agent = project.brain(LOOKING).replace("python:", "mutant:mirrored:python:")
    project.run(agent, *VIEWS, DRAWN)
    drawn = seen(project)
    assert drawn
    assert all("/drawn/" in path for path, _, _ in drawn)


def test_a_question_on_the_spot_is_put_like_the_others(project: Project, walk: Path) -> None:
    project.brain(LOOKING)
    project.write(
        "test_it.py",
        "import pytest\n"
        "@pytest.mark.metaspace(trajectories='runs')\n"
        "def test_it(metaspace_trajectory, metaspace_agent):\n"
        "    said = metaspace_agent.ask_about('SC2-a', 'chair-1', 'lamp-1', frame=0)\n"
        "    assert said.raw == 'left'\n",
    )
    agent = "--metaspace-agent=python:brain:answer"
    project.run(agent, "test_it.py", DRAWN).assert_outcomes(passed=1)
    ((path, _, told),) = seen(project)
    assert "/drawn/000-" in path
    assert told == "False"


def test_plan_counts_them_as_they_are(
    project: Project,
    walk: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    project.brain("return 'left'")
    monkeypatch.chdir(project.path)
    arguments = ["plan", "runs", "--sc=SC2-a", "--mr=MR2", "--boxes=draw", "--example"]
    assert cli.main([*arguments, "--agent=python:brain:answer"]) == 0
    out = capsys.readouterr().out
    assert "A is the object in box 1" in out
    assert "24 to ask with 24 pictures" in out
    assert not (project.path / ".metaspace_cache").exists()


def test_a_wrong_word_is_refused(project: Project, walk: Path) -> None:
    result = project.run("--metaspace-agent=truth", "runs", "--metaspace-boxes=dotted")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    project.write("pytest.ini", "[pytest]\nmetaspace_boxes = dotted\n")
    result = project.run("--metaspace-agent=truth", "runs")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "metaspace_boxes = dotted: expected text, draw, both, none" in result.stderr.str()
